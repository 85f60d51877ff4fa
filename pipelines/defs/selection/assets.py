"""core_match."""

from contextlib import closing

import dagster as dg

from pipelines.defs.intake.assets import raw_record
from pipelines.defs.referee.judging import JUDGED, FileJudge
from pipelines.defs.result import Result
from pipelines.defs.selection.counting import find_conflicts
from pipelines.warehouse import NO_FILE, Warehouse, sql


@dg.asset(deps=[raw_record, *JUDGED], group_name="selection", kinds={"duckdb"})
def core_match(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """The record of each match that counts. Key: match_id.

    Takes all files that are judged; with this set, the state, all that follows is named.
    """
    with warehouse.lock:
        if not warehouse.is_judged(NO_FILE):
            with closing(FileJudge(warehouse)) as judge:
                judge.judge_no_file()
        state = warehouse.choose_state()
        if not warehouse.has(state, "core_match"):
            with warehouse.open(state) as con:
                find_conflicts(con)
                warehouse.write(con, "core_match", state, sql("selection", "core_match"))
        return dg.MaterializeResult(metadata={"state": state.id, "files": len(state.files)})
