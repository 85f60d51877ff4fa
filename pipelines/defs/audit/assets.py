"""out_audit__records, out_audit__discrepancies, out_audit__violations, out_audit__files, out_matches."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg

from pipelines.defs.audit import checks
from pipelines.defs.audit.messages import add_messages
from pipelines.defs.intake.assets import raw_record
from pipelines.defs.result import Result
from pipelines.defs.selection.assets import core_match
from pipelines.defs.settlement.assets import core_discrepancy, core_settlement__scores
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.engine import engine_version
from yuanzi_core.reasons import Discrepancy, Reason, Violation


def _clauses(reasons: Sequence[Reason]) -> dict[str, Any]:
    """Reasons and their clauses as parameters."""
    return {"codes": [str(reason) for reason in reasons], "clauses": [list(reason.clause) for reason in reasons]}


def _make(
    warehouse: Warehouse, table: str, parameters: Mapping[str, Any] | None = None, *check: checks.Check
) -> Result:
    """Write a table of this stage for the present state, unless it is there, and check it."""
    with warehouse.lock:
        state = warehouse.present_state()
        with warehouse.open(state) as con:
            if not warehouse.has(state, table):
                add_messages(con)
                warehouse.write(con, table, state, sql("audit", table), parameters)
            rows = con.table(table).shape[0]
            return dg.MaterializeResult(
                metadata={"state": state.id, "dagster/row_count": rows}, check_results=[find(con) for find in check]
            )


def _checked(check: checks.Check, asset: str, blocking: bool) -> list[dg.AssetCheckSpec]:
    return [dg.AssetCheckSpec(check.__name__, asset=asset, blocking=blocking, description=check.__doc__)]


@dg.asset(
    deps=[core_match, raw_record, "core_record"],
    check_specs=_checked(checks.every_record_has_one_verdict, "out_audit__records", blocking=True),
    group_name="audit",
    kinds={"duckdb"},
)
def out_audit__records(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """The one verdict of every record read. Key: file_id, line."""
    return _make(warehouse, "out_audit__records", None, checks.every_record_has_one_verdict)


@dg.asset(
    deps=[core_discrepancy, "core_record"],
    check_specs=_checked(checks.claims_agree, "out_audit__discrepancies", blocking=False),
    group_name="audit",
    kinds={"duckdb"},
)
def out_audit__discrepancies(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """Claims that the recomputation does not bear out. Key: file_id, line, deal (null: the match), code."""
    return _make(warehouse, "out_audit__discrepancies", _clauses(list(Discrepancy)), checks.claims_agree)


@dg.asset(deps=[out_audit__records, "core_record"], group_name="audit", kinds={"duckdb"})
def out_audit__violations(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """The matches that count and break a rule. Key: file_id, line."""
    return _make(warehouse, "out_audit__violations", _clauses(list(Violation)))


@dg.asset(
    deps=[out_audit__records, out_audit__discrepancies, raw_record],
    check_specs=[
        *_checked(checks.counts_add_up, "out_audit__files", blocking=True),
        *_checked(checks.few_violations, "out_audit__files", blocking=False),
    ],
    group_name="audit",
    kinds={"duckdb"},
)
def out_audit__files(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """What became of each file, in counts that add up. Key: file_id."""
    return _make(
        warehouse, "out_audit__files", {"engine": engine_version()}, checks.counts_add_up, checks.few_violations
    )


@dg.asset(
    deps=[core_match, core_settlement__scores, core_discrepancy, out_audit__discrepancies, "core_settlement__deal"],
    group_name="audit",
    kinds={"duckdb"},
)
def out_matches(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """The matches that count, each with its result. Key: match_id."""
    return _make(warehouse, "out_matches", {"engine": engine_version()})
