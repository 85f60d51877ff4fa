"""out_audit__records, out_audit__discrepancies, out_audit__violations, out_audit__files, out_matches."""

from dataclasses import replace
from typing import TYPE_CHECKING

import dagster as dg

from pipelines.defs.audit.checks import claims_agree, counts_add_up, every_record_has_one_verdict, few_violations
from pipelines.defs.audit.messages import add_messages
from pipelines.defs.grouped import Check, Results, Step, check_specs, make
from pipelines.defs.settlement.calendar import load_calendar
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.cards import VARIANTS
from yuanzi_core.engine import engine_version
from yuanzi_core.reasons import Discrepancy, Violation

if TYPE_CHECKING:
    import duckdb

    from pipelines.groups import Group


#: Reasons and the clauses behind them as parameters.
_VIOLATIONS = {"codes": [str(code) for code in Violation], "clauses": [list(code.clause) for code in Violation]}
_DISCREPANCIES = {"codes": [str(code) for code in Discrepancy]} | {
    variant: [list(code.clauses[variant]) for code in Discrepancy] for variant in VARIANTS
}

STEPS = (
    Step(
        "out_audit__records",
        "The one verdict of every record read. Key: file_id, line.",
        sql("audit", "out_audit__records"),
        needs=("core_record", "core_match__contested", "raw_record"),
        checks=(every_record_has_one_verdict,),
    ),
    Step(
        "out_audit__discrepancies",
        "Claims that the recomputation does not bear out. Key: file_id, line, deal (null: the match), code.",
        sql("audit", "out_audit__discrepancies"),
        needs=("core_discrepancy", "core_record"),
        parameters=_DISCREPANCIES,
    ),
    Step(
        "out_audit__violations",
        "The matches that count and break a rule. Key: file_id, line.",
        sql("audit", "out_audit__violations"),
        needs=("out_audit__records", "core_record"),
        parameters=_VIOLATIONS,
    ),
    Step(
        "out_audit__files",
        "What became of each file, in counts that add up. Key: file_id.",
        sql("audit", "out_audit__files"),
        needs=("out_audit__records", "out_audit__discrepancies", "raw_record"),
        parameters={"engine": engine_version()},
        checks=(counts_add_up,),
    ),
    Step(
        "out_matches",
        "The matches that count, each with its result. Key: match_id.",
        sql("audit", "out_matches"),
        needs=("core_match", "core_player", "core_record", "core_settlement__scores", "core_settlement__deal",
               "core_deal", "out_audit__discrepancies", "core_discrepancy"),
        parameters={"engine": engine_version()},
    ),
)  # fmt: skip
LOOKS: "dict[Check, str]" = {claims_agree: "out_audit__discrepancies", few_violations: "out_audit__files"}


@dg.multi_asset(specs=[step.spec for step in STEPS], check_specs=check_specs(STEPS, LOOKS), group_name="audit")
def audited(warehouse: dg.ResourceParam[Warehouse]) -> Results:
    """What pages and reports show."""
    with warehouse.lock:
        warehouse.teach(add_messages)
        state = warehouse.present_state()
        clubs = warehouse.registry_of(state).clubs_by_name()

        def calendar(con: "duckdb.DuckDBPyConnection", group: "Group") -> None:
            load_calendar(con, clubs)

        steps = [replace(step, prepare=calendar) if step.table == "out_matches" else step for step in STEPS]
        yield from make(warehouse, state, steps, LOOKS)
