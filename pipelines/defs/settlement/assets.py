"""core_ledger__movement, core_settlement__scores, core_discrepancy."""

import dagster as dg

from pipelines.defs.result import Result
from pipelines.defs.selection.assets import core_match
from pipelines.defs.settlement.checks import scores_sum_to_zero_unless_capped
from pipelines.defs.settlement.ledger import fold_entries, settle
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.settlement import sql as settlement_sql


@dg.asset(deps=[core_match, "core_record", "core_settlement__match"], group_name="settlement", kinds={"duckdb"})
def core_ledger__movement(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """What each settled match moved for each player, in ledger order, capped by F6. Key: game, player_id, match_id."""
    with warehouse.lock:
        state = warehouse.present_state()
        if not warehouse.has(state, "core_ledger__movement"):
            with warehouse.open(state) as con:
                parameters = fold_entries(con)
                warehouse.write(
                    con, "core_ledger__movement", state, sql("settlement", "core_ledger__movement"), parameters
                )
        return dg.MaterializeResult(metadata={"state": state.id})


@dg.asset(
    deps=[core_match, core_ledger__movement, "core_settlement__match"],
    check_specs=[dg.AssetCheckSpec("scores_sum_to_zero_unless_capped", asset="core_settlement__scores", blocking=True)],
    group_name="settlement",
    kinds={"duckdb"},
)
def core_settlement__scores(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """The results of the matches that count, after the cap. Key: file_id, line."""
    with warehouse.lock:
        state = warehouse.present_state()
        with warehouse.open(state) as con:
            if not warehouse.has(state, "core_settlement__scores"):
                settle(con)
                warehouse.write(con, "core_settlement__scores", state, sql("settlement", "core_settlement__scores"))
            return dg.MaterializeResult(
                metadata={"state": state.id}, check_results=[scores_sum_to_zero_unless_capped(con)]
            )


@dg.asset(
    deps=[core_settlement__scores, "core_record", "core_claim", "core_ruleset", "core_settlement__deal"],
    group_name="settlement",
    kinds={"duckdb"},
)
def core_discrepancy(warehouse: dg.ResourceParam[Warehouse]) -> Result:
    """Claims of the matches that count that differ from the recomputation, notes (F7) included.

    Key: file_id, line, deal (−1: the match), code.
    """
    with warehouse.lock:
        state = warehouse.present_state()
        if not warehouse.has(state, "core_discrepancy"):
            with warehouse.open(state) as con:
                con.execute("create temp view settled_match as select * from core_settlement__scores")
                con.execute(f"create temp view ruleset as {sql('settlement', 'ruleset')}")
                warehouse.write(con, "core_discrepancy", state, settlement_sql("discrepancy"))
        return dg.MaterializeResult(metadata={"state": state.id})
