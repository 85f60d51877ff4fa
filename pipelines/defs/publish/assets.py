"""out_snapshot, published."""

import dagster as dg

from pipelines.defs.audit.assets import (
    out_audit__discrepancies,
    out_audit__files,
    out_audit__records,
    out_audit__violations,
    out_matches,
)
from pipelines.defs.publish.snapshot import collect, publish
from pipelines.defs.result import Result
from pipelines.defs.settlement.assets import core_ledger__movement
from pipelines.warehouse import BY_STATE, Warehouse, sql
from yuanzi_core.engine import engine_version


@dg.asset(deps=[out_matches, out_audit__files], group_name="publish", kinds={"duckdb"})
def out_snapshot(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """What the snapshot is: one row."""
    with warehouse.lock:
        state = warehouse.present_state()
        if not warehouse.has(state, "out_snapshot"):
            with warehouse.open(state) as con:
                about = {"name": state.snapshot, "engine": engine_version()}
                warehouse.write(con, "out_snapshot", state, sql("publish", "out_snapshot"), about)
        return dg.MaterializeResult(metadata={"state": state.id})


@dg.asset(
    deps=[
        out_snapshot, out_matches, out_audit__records, out_audit__files, out_audit__violations,
        out_audit__discrepancies, core_ledger__movement,
    ],
    group_name="publish",
    kinds={"duckdb"},
)  # fmt: skip
def published(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """The snapshot that readers open: out_ tables, and views of the lake files of the rest.

    :raises LookupError: a table of the state is missing.
    """
    with warehouse.lock:
        state = warehouse.present_state()
        missing = [table for table in BY_STATE if not warehouse.has(state, table)]
        if missing:
            raise LookupError("materialize these first: " + ", ".join(missing))
        path = publish(warehouse, state)
        return dg.MaterializeResult(metadata={"snapshot": path.name, "removed": collect(warehouse, state)})
