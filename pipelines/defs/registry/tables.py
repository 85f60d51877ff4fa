"""What stands in the registries, as tables that SQL can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.warehouse import load, sql
from yuanzi_core.clubs import PLAYERS
from yuanzi_core.registry import Fault, Registry, RegistryProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

#: Standings in points.
_POINTS = "decimal(18, 4)"


def _load(con: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], rows: Sequence[Sequence[Any]]) -> None:
    texts = [[None if value is None else str(value) for value in row] for row in rows]
    load(con, table, {name: [row[place] for row in texts] for place, name in enumerate(types)}, types)


def load_players(con: duckdb.DuckDBPyConnection, registry: Registry) -> None:
    """Make the tables ``registered`` (player_id) and ``registered_alias`` (alias)."""
    types = {"player_id": "varchar", "name": "varchar", "member_from": "date", "member_to": "date"}
    types |= {"opening_four": _POINTS, "opening_five": _POINTS}
    _load(con, "registered", types, [
        (one.id, one.name, one.member_from, one.member_to, one.opening_four, one.opening_five)
        for one in registry.players
    ])  # fmt: skip
    _load(con, "registered_alias", {"alias": "varchar", "player_id": "varchar"}, list(registry.aliases.items()))


def load_clubs(con: duckdb.DuckDBPyConnection, registry: Registry) -> None:
    """Make the table ``registered_club`` (club)."""
    types = {"club": "varchar", "name_en": "varchar", "name_zh": "varchar", "zone": "varchar", "ruleset": "varchar"}
    _load(con, "registered_club", types | {"base": "decimal(8, 2)"}, [
        (club.key, club.names.get("en"), club.names.get("zh"), club.zone, club.ruleset, club.base)
        for club in registry.clubs
    ])  # fmt: skip


def load_seasons(con: duckdb.DuckDBPyConnection, registry: Registry) -> None:
    """Make the table ``registered_season`` (club, name)."""
    types = {"club": "varchar", "name": "varchar", "first_day": "date", "last_day": "date"}
    seasons = [(club.key, season.name, season.first, season.last) for club in registry.clubs for season in club.seasons]
    _load(con, "registered_season", types, seasons)


def load_problems(con: duckdb.DuckDBPyConnection, registry: Registry) -> None:
    """Make the table ``registry_problem``: what is wrong with the files, and where they contradict the matches.

    Reads core_match__candidate, core_match__contested, core_player and raw_file.
    """
    found = [(problem, None) for problem in registry.problems]
    for match_id, player_id, ids, file, line in con.execute(sql("registry", "contradiction")).fetchall():
        fields = {"match": match_id, "player": player_id, "ids": ", ".join(ids), "file": file, "line": str(line)}
        found.append((RegistryProblem(Fault.SAME_TABLE, PLAYERS, None, "aliases", player_id, fields), match_id))
    types = {"place": "integer", "file": "varchar", "row": "integer", "column": "varchar", "code": "varchar"}
    types |= dict.fromkeys(("entry", "match_id", "message_en", "message_zh"), "varchar")
    _load(con, "registry_problem", types, [
        (
            place, problem.file, problem.row, problem.column, problem.code, problem.entry, match_id,
            problem.message("en"), problem.message("zh"),
        )
        for place, (problem, match_id) in enumerate(found)
    ])  # fmt: skip
