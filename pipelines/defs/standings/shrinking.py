"""Whether a new state lacks matches or players that were published before, although nothing says why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import dagster as dg

from pipelines.defs.publish.changes import lake_of
from pipelines.defs.publish.snapshot import pointer

if TYPE_CHECKING:
    import duckdb

    from pipelines.warehouse import State, Warehouse

CHECK = "tables_do_not_shrink"
SAYS = "No match and no player goes without a withdrawal, a revision, or another engine, ruleset or registry."
_TABLES = ("out_matches", "out_standings__player")
# A match that came more than once may have lost its record that counted, or its players, to another record.
_GONE = """
    select
        (
            select count(*)
            from former_out_matches
            anti join out_matches using (match_id)
            anti join core_match__contested using (match_id)
        ),
        (
            select count(*)
            from former_out_standings__player as f
            anti join out_standings__player as n on n.game = f.game and n.player_id = f.player_id
            anti join core_match__contested as c on c.match_id = f.last_match_id
        )
"""


def reason_to_shrink(warehouse: Warehouse, former: str, state: State) -> str | None:
    """What makes a snapshot no measure for a state: "unknown", "engine", "registry", "withdrawn"; None if nothing."""
    try:
        about: Any = json.loads((warehouse.published / former).with_suffix(".json").read_bytes())
        tag, registry, withdrawn = about["tag"], about["registry"], about["withdrawn"]
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return "unknown"
    if tag != state.tag:
        return "engine"
    if registry != state.registry:
        return "registry"
    return None if withdrawn == sorted(state.withdrawn) else "withdrawn"


def look(warehouse: Warehouse, state: State) -> dg.AssetCheckResult:
    """Compare a state with the snapshot that readers open; a warning where something is gone."""
    former = pointer(warehouse)
    if former is None or former == state.snapshot:
        return _result()
    reason = reason_to_shrink(warehouse, former, state)
    known = lake_of(warehouse, former, _TABLES)
    if reason is not None or known is None:
        return _result(reason=reason or "unknown")
    with warehouse.open() as con:
        warehouse.look(con, state, ["core_match__contested", "out_standings__player"])
        # What both name need not be looked at.
        kept = {path.relative_to(warehouse.lake).as_posix() for path in warehouse.lake_files("out_matches", state)}
        compared = {"former_out_matches": sorted({*known["out_matches"]} - kept),
                    "out_matches": sorted(kept - {*known["out_matches"]})}  # fmt: skip
        for view, names in compared.items():
            rows = con.read_parquet([str(warehouse.lake / each) for each in names or known["out_matches"][:1]])
            (rows if names else rows.limit(0)).create_view(view)
        players = [str(warehouse.lake / each) for each in known["out_standings__player"]]
        con.read_parquet(players).create_view("former_out_standings__player")
        return tables_do_not_shrink(con)


def tables_do_not_shrink(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_matches, out_standings__player, what they were before (``former_…``) and core_match__contested."""
    matches, players = con.execute(_GONE).fetchall()[0]
    return _result(matches, players)


def _result(matches: int = 0, players: int = 0, **about: str) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        asset_key="out_standings__player",
        check_name=CHECK,
        passed=matches == players == 0,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"matches": matches, "players": players, **about},
    )
