"""core_record, core_claim, core_deal, core_ruleset, core_settlement__deal, core_settlement__match."""

from collections.abc import Callable, Iterator
from contextlib import closing

import dagster as dg

from pipelines.defs.intake.assets import raw_record
from pipelines.defs.partitions import FILES, ONE_RUN, each_file
from pipelines.defs.referee.judging import JUDGED, FileJudge, Unbalanced
from pipelines.defs.referee.together import judge_small_files
from pipelines.defs.result import Result
from pipelines.warehouse import Received, Warehouse

_SAYS = {
    "core_record": "Each record judged alone: what it says, its verdict, messages and notes. Key: file_id, line.",
    "core_claim": "What records claim, as canonical JSON texts. Key: file_id, line, deal, code.",
    "core_deal": "Deals: hands, plays and the referee's facts. Key: file_id, line, deal.",
    "core_ruleset": "Constants and options in force in a file, by hash. Key: file_id, ruleset.",
    "core_settlement__deal": "Card points of judged deals after the transfers (D0–D3). Key: file_id, line, deal.",
    "core_settlement__match": "Results before the cap (E, F). Key: file_id, line.",
}
_CHECKED = {"card_points_are_conserved": "core_deal", "scores_sum_to_zero": "core_settlement__match"}


@dg.multi_asset(
    name="judged",
    specs=[dg.AssetSpec(table, deps=[raw_record], description=_SAYS[table], kinds={"parquet"}) for table in JUDGED],
    check_specs=[dg.AssetCheckSpec(check, asset=table, blocking=True) for check, table in _CHECKED.items()],
    partitions_def=FILES,
    backfill_policy=ONE_RUN,
    group_name="referee",
)
def judged(
    context: dg.AssetExecutionContext, warehouse: dg.ResourceParam[Warehouse]
) -> Iterator[Result | dg.AssetCheckResult]:
    """Every record of a file through the referee and the settlement. Nothing of any other file plays a part."""
    broken: dict[str, dict[str, int]] = {check: {} for check in _CHECKED}

    def work(file: Received, tell: Callable[[int], None]) -> dict[str, int]:
        try:
            return judge.judge_file(file, tell)
        except Unbalanced as found:
            broken[found.check][file.name] = found.count
            raise

    failure = None
    with warehouse.lock, closing(FileJudge(warehouse)) as judge:
        try:
            judge_small_files(judge, [file for key in context.partition_keys if (file := warehouse.received(key))])
            counts = each_file(context, warehouse, "referee", work)
        except dg.Failure as error:
            failure = error
    for check, table in _CHECKED.items():
        yield dg.AssetCheckResult(
            asset_key=table, check_name=check, passed=not broken[check], metadata=dict(broken[check])
        )
    if failure is not None:
        raise failure
    for table in JUDGED:
        yield dg.MaterializeResult(asset_key=table, metadata=dict(counts))
