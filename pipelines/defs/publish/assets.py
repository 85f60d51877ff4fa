"""out_snapshot, published."""

from collections.abc import Iterator

import dagster as dg

from pipelines.defs.publish.snapshot import collect, publish
from pipelines.defs.result import Result
from pipelines.tables import BY_STATE
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.engine import engine_version

SPECS = [
    dg.AssetSpec("out_snapshot", deps=["out_matches"], description="What the snapshot is: one row.", kinds={"duckdb"}),
    dg.AssetSpec(
        "published", deps=[table for table in BY_STATE if table.startswith("out_")], kinds={"duckdb"},
        description="The snapshot that readers open: views of the lake files of all tables.",
    ),
]  # fmt: skip


@dg.multi_asset(specs=SPECS, group_name="publish")
def put_out(warehouse: dg.ResourceParam[Warehouse]) -> Iterator[Result]:
    """Give the present state to readers.

    :raises LookupError: a table of the state is missing.
    """
    with warehouse.lock:
        state = warehouse.present_state()
        if not warehouse.has(state, "out_snapshot"):
            with warehouse.open() as con:
                warehouse.look(con, state, ["out_matches"])
                about = {"name": state.snapshot, "engine": engine_version()}
                warehouse.write(con, "out_snapshot", state, sql("publish", "out_snapshot"), about)
        yield dg.MaterializeResult(asset_key="out_snapshot", metadata={"state": state.id})
        missing = [table for table in BY_STATE if not warehouse.has(state, table)]
        if missing:
            raise LookupError("materialize these first: " + ", ".join(missing))
        path = publish(warehouse, state)
        removed = collect(warehouse, state)
        yield dg.MaterializeResult(asset_key="published", metadata={"snapshot": path.name, "removed": removed})
