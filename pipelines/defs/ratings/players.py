"""The ratings of all players, and what roles are worth, as tables that SQL can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.defs.ratings.chain import in_points
from pipelines.warehouse import keep
from yuanzi_core.ratings.display import as_shown
from yuanzi_core.ratings.offsets import SIZES
from yuanzi_core.ratings.settings import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

    from yuanzi_core.ratings.state import State


def load_rated_roles(con: duckdb.DuckDBPyConnection, states: Iterable[State]) -> None:
    """Make the table ``rated_role`` (game, side_size) of the last state of each game that rates its roles."""
    import pyarrow as pa

    tables = []
    for state in states:
        has = bool(MODELS[state.variant].offset_sigma)
        sizes = SIZES if has else ()
        columns = {
            "game": pa.array([state.variant] * len(sizes), pa.string()),
            "side_size": pa.array(sizes, pa.int32()),
            "worth": pa.array(state.offset_mu[: len(sizes)]),
            "worth_sigma": pa.array(state.offset_precision[: len(sizes)] ** -0.5 if has else state.offset_mu[:0]),
            "matches": pa.array(state.offset_matches[: len(sizes)]),
        }
        tables.append(pa.table(columns))
    keep(con, "rated_role", pa.concat_tables(tables))


def load_rated_players(con: duckdb.DuckDBPyConnection, states: Iterable[State]) -> None:
    """Make the table ``rated_player`` (game, player_id) of the last state of each game.

    Players stand as they did at the newest rated match of the game: no clock has a say in it.
    """
    import pyarrow as pa

    tables = []
    for state in states:
        shown = as_shown(state, MODELS[state.variant], state.at)
        columns = {
            "game": pa.array([state.variant] * len(state), pa.string()),
            "player_id": pa.array(shown.ids, pa.string()),
            "rating": in_points(shown.rating),
            "rating_low": in_points(shown.low),
            "rating_high": in_points(shown.high),
            "highest_rating": in_points(shown.peak),
            "rating_sigma": pa.array(shown.sigma),
            "matches": pa.array(state.matches),
            "wins": pa.array(state.wins),
            "expected_wins": pa.array(state.expected_wins),
            "first_at": pa.array(state.first_at, pa.timestamp("us", tz="UTC")),
            "last_at": pa.array(state.last_at, pa.timestamp("us", tz="UTC")),
            "provisional": pa.array(shown.provisional),
            "inactive": pa.array(shown.inactive),
        }
        tables.append(pa.table(columns))
    keep(con, "rated_player", pa.concat_tables(tables))
