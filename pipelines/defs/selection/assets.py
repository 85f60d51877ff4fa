"""raw_withdrawal, core_match__candidate, core_match__contested, core_match."""

from contextlib import closing

import dagster as dg

from pipelines.defs.grouped import Results, Step, make
from pipelines.defs.intake.assets import raw_record
from pipelines.defs.referee.judging import FileJudge
from pipelines.defs.selection.counting import choose, load_withdrawals
from pipelines.warehouse import NO_FILE, State, Warehouse, sql
from yuanzi_core.amounts import SCALE

CANDIDATE = Step(
    "core_match__candidate",
    "Records that can be read, with what choosing among them and the ledger look at. Key: file_id, line.",
    sql("selection", "core_match__candidate"),
    needs=("core_record", "core_settlement__match"),
    parameters={"scale": SCALE},
)
MATCH = Step(
    "core_match",
    "The record of each match that counts. Key: match_id.",
    sql("selection", "core_match"),
    needs=("core_match__candidate", "core_match__contested"),
)
WITHDRAWAL = dg.AssetSpec(
    "raw_withdrawal", deps=["raw_file"], kinds={"duckdb"},
    description="Files taken out of what counts, or put back, event by event. Key: file_id, at.",
)  # fmt: skip
CONTESTED = dg.AssetSpec(
    "core_match__contested", deps=[CANDIDATE.table, raw_record, WITHDRAWAL.key], kinds={"duckdb"},
    description="What becomes of the records of matches that came more than once. Key: file_id, line.",
)  # fmt: skip


@dg.multi_asset(specs=[WITHDRAWAL, CANDIDATE.spec, CONTESTED, MATCH.spec], group_name="selection")
def selected(warehouse: dg.ResourceParam[Warehouse]) -> Results:
    """Which record of each match counts.

    Takes all files that are judged; with this set, the state, all that follows is named.
    """
    with warehouse.lock:
        if not warehouse.is_judged(NO_FILE):
            with closing(FileJudge(warehouse)) as judge:
                judge.judge_no_file()
        state = warehouse.choose_state()
        warehouse.pack(state)
        if not warehouse.has(state, "raw_withdrawal"):
            with warehouse.open() as con:
                load_withdrawals(con, state)
                warehouse.write(con, "raw_withdrawal", state, sql("selection", "raw_withdrawal"))
        yield dg.MaterializeResult(asset_key=WITHDRAWAL.key, metadata={"events": len(state.withdrawals)})
        yield from make(warehouse, state, [CANDIDATE])
        state = _choose(warehouse, state)
        yield dg.MaterializeResult(asset_key=CONTESTED.key)
        yield from make(warehouse, state, [MATCH])


def _choose(warehouse: Warehouse, state: State) -> State:
    """Write core_match__contested; returns the state with the keys that follow from it."""
    if warehouse.has(state, "core_match__contested") and state.has_keys("chosen"):
        return state
    with warehouse.open() as con:
        warehouse.look(con, state, ["core_match__candidate", "raw_record"])
        choose(con)
        warehouse.write(con, "core_match__contested", state, sql("selection", "core_match__contested"))
        warehouse.look(con, state, ["core_match__contested"])
        verdicts = dict(con.execute(sql("selection", "verdicts")).fetchall())
    return warehouse.name_groups(state, "chosen", state.keys_of(verdicts))
