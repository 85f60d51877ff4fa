"""core_player, out_audit__registry, out_players, out_clubs, out_seasons."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import dagster as dg

from pipelines.defs.registry.tables import load_clubs, load_players, load_problems, load_seasons
from pipelines.defs.result import Result
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.registry import Registry

if TYPE_CHECKING:
    import duckdb


def _nothing(con: "duckdb.DuckDBPyConnection", registry: Registry) -> None:
    """Nothing has to be loaded."""


#: Table to what it says, the tables that it reads, and what loads the rest.
_TABLES: "dict[str, tuple[str, tuple[str, ...], Callable[[duckdb.DuckDBPyConnection, Registry], None]]]" = {
    "core_player": (
        "The players of ``players.csv`` with their aliases, membership and opening standings. Key: player_id.",
        (), load_players,
    ),
    "out_audit__registry": (
        "What is wrong in the registries, and merges that a match contradicts."
        " Key: file, row, column, code, entry, match_id.",
        ("core_match__candidate", "core_match__contested", "core_player"), load_problems,
    ),
    "out_players": ("The players of the registry, without standings. Key: player_id.", ("core_player",), _nothing),
    "out_clubs": ("The clubs of ``clubs.toml``. Key: club.", (), load_clubs),
    "out_seasons": ("The seasons of the clubs. Key: club, name.", (), load_seasons),
}  # fmt: skip


# The state, and with it the registries that are in force, is chosen with core_match.
@dg.multi_asset(
    specs=[dg.AssetSpec(table, deps=[*needs, "core_match"], description=says, kinds={"duckdb"})
           for table, (says, needs, _) in _TABLES.items()],
    group_name="registry",
)  # fmt: skip
def registered(warehouse: dg.ResourceParam[Warehouse]) -> Iterator[Result]:
    """What the registries of the present state say."""
    with warehouse.lock:
        state = warehouse.present_state()
        with warehouse.open() as con:
            for table, (_, needs, prepare) in _TABLES.items():
                if not warehouse.has(state, table):
                    warehouse.look(con, state, needs)
                    prepare(con, warehouse.registry_of(state))
                    warehouse.write(con, table, state, sql("registry", table))
                yield dg.MaterializeResult(asset_key=table, metadata={"state": state.id})
