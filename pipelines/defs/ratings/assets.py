"""out_ratings__match, core_rating__checkpoint, out_ratings__player, out_ratings__unrated, out_ratings__calibration."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dagster as dg

from pipelines.defs.ratings.chain import CHECKPOINT, MATCHES, load_why_unrated, rate_blocks, rate_nothing, read_state
from pipelines.defs.ratings.checks import rated_matches_change_both_sides, rating_changes_add_up
from pipelines.defs.ratings.players import load_rated_players, load_rated_roles
from pipelines.defs.result import Result
from pipelines.warehouse import State, Warehouse, sql
from yuanzi_core.cards import SEATS
from yuanzi_core.ratings.settings import CENTRE

if TYPE_CHECKING:
    import duckdb

_SAYS = {
    MATCHES: "Rated matches in ledger order: ratings before and after, and what was expected. Key: match_id.",
    CHECKPOINT: "What was known of each player after each block of matches. Keys: the file, game, id.",
    "out_ratings__player": "The ratings of all players. Keys: game, player_id.",
    "out_ratings__role": "What the dealer's side is worth beyond its players. Keys: game, side_size.",
    "out_ratings__unrated": "Matches that count and are not rated, and why. Key: match_id.",
    "out_ratings__calibration": "What was expected against what came out. Keys: game, decile.",
}
_CHECKS = {
    rating_changes_add_up.__name__: ("out_ratings__player", rating_changes_add_up.__doc__),
    rated_matches_change_both_sides.__name__: (MATCHES, rated_matches_change_both_sides.__doc__),
}

_WHOLE = ("out_ratings__player", "out_ratings__role", "out_ratings__unrated", "out_ratings__calibration")


def rate_all(warehouse: Warehouse, state: State, con: "duckdb.DuckDBPyConnection") -> tuple[State, list[str], int]:
    """Rate what is not rated; the state with the keys of all blocks, the last key of each game, how many were made."""
    total = con.execute("select count(*) from out_matches").fetchall()[0][0]
    done, made, keys, last = 0, 0, dict[str, str](), list[str]()

    def tell(matches: int) -> None:
        nonlocal done
        done += matches
        warehouse.progress("ratings", done, total)

    for game in SEATS:
        found, new = rate_blocks(warehouse, state, con, game, tell)
        keys |= {f"{game}-{number}": key for number, key in enumerate(found)}
        last += found[-1:]
        made += new
    if not keys:
        last = [rate_nothing(warehouse, state)]
        keys = {"none": last[0]}
    return warehouse.name_groups(state, "rated", keys), last, made


@dg.multi_asset(
    specs=[dg.AssetSpec(table, deps=["out_matches"], description=says, kinds={"duckdb"})
           for table, says in _SAYS.items()],
    check_specs=[dg.AssetCheckSpec(name, asset=table, blocking=True, description=says)
                 for name, (table, says) in _CHECKS.items()],
    group_name="ratings",
)  # fmt: skip
def rated(warehouse: dg.ResourceParam[Warehouse]) -> Iterator[Result | dg.AssetCheckResult]:
    """Ratings of the present state, from the first match that is new or changed on."""
    with warehouse.lock, warehouse.open() as con:
        state = warehouse.present_state()
        warehouse.look(con, state, ["out_matches"])
        load_why_unrated(con)
        state, last, made = rate_all(warehouse, state, con)
        warehouse.look(con, state, [MATCHES])
        states = [read_state(warehouse.lake / CHECKPOINT / state.tag / f"{key}.parquet") for key in last]
        load_rated_players(con, states)
        load_rated_roles(con, states)
        checks = [rated_matches_change_both_sides(con)]
        for table in _WHOLE:
            if not warehouse.has(state, table):
                warehouse.write(con, table, state, sql("ratings", table))
        warehouse.look(con, state, ["out_ratings__player"])
        checks.append(rating_changes_add_up(con, CENTRE))
        for check in checks:
            yield dg.AssetCheckResult(
                asset_key=_CHECKS[str(check.check_name)][0], check_name=check.check_name, passed=check.passed,
                metadata=check.metadata,
            )  # fmt: skip
        for table in (CHECKPOINT, MATCHES, *_WHOLE):
            warehouse.made(table)
            yield dg.MaterializeResult(asset_key=table, metadata={"state": state.id, "blocks_made": made})
