"""core_ledger__movement, core_settlement__scores, core_discrepancy."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import dagster as dg

from pipelines.defs.grouped import Results, Step, check_specs, make
from pipelines.defs.settlement.checks import (
    movements_of_a_match_sum_to_zero,
    parts_sum_to_the_score,
    scores_sum_to_zero_unless_capped,
)
from pipelines.defs.settlement.ledger import Ledger, settle
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.settlement import sql as settlement_sql

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from pipelines.groups import Group


def name_claims(con: "duckdb.DuckDBPyConnection") -> None:
    """Give the tables the names under which the settlement knows them, and make the view ``claim_discrepancy``."""
    con.execute("create or replace temp view settled_match as select * from core_settlement__scores")
    con.execute(f"create temp view ruleset as {sql('settlement', 'ruleset')}")
    con.execute(f"create temp view claim_discrepancy as {settlement_sql('discrepancy')}")


MOVEMENT = Step(
    "core_ledger__movement",
    "What each settled match moved for each player, in ledger order, capped by F6."
    " Key: game, player_id, match_id, seat.",
    sql("settlement", "core_ledger__movement"),
    needs=("core_match__candidate", "core_match__contested", "core_player", "core_record", "core_settlement__deal"),
    checks=(parts_sum_to_the_score, movements_of_a_match_sum_to_zero),
)
SCORES = Step(
    "core_settlement__scores",
    "The results of the matches that count, after the cap. Key: file_id, line.",
    sql("settlement", "core_settlement__scores"),
    needs=("core_match", "core_ledger__movement", "core_settlement__match"),
    prepare=lambda con, group: settle(con),
    checks=(scores_sum_to_zero_unless_capped,),
)
DISCREPANCY = Step(
    "core_discrepancy",
    "Claims of the matches that count that differ from the recomputation, notes (F7) included."
    " Key: file_id, line, deal (−1: the match), code.",
    sql("settlement", "core_discrepancy"),
    needs=("core_settlement__scores", "core_record", "core_claim", "core_ruleset", "core_settlement__deal"),
)
STEPS = (MOVEMENT, SCORES, DISCREPANCY)


@dg.multi_asset(specs=[step.spec for step in STEPS], check_specs=check_specs(STEPS), group_name="settlement")
def settled(warehouse: dg.ResourceParam[Warehouse]) -> Results:
    """What the matches that count come to. Folds the ledger, and makes what it changed."""
    with warehouse.lock:
        state = warehouse.present_state()
        with warehouse.open() as con:
            warehouse.look(con, state, ("core_match__candidate", "core_match__contested", "core_player"))
            ledger = Ledger(con, warehouse.registry_of(state).clubs_by_name())
        moved, scored = ledger.keys(state)
        state = warehouse.name_groups(warehouse.name_groups(state, "moved", moved), "settled", scored)

        def claims(con: "duckdb.DuckDBPyConnection", group: "Group") -> "Mapping[str, Any]":
            name_claims(con)
            return ledger.load_claims(con, group)

        steps = [replace(MOVEMENT, prepare=ledger.load), SCORES, replace(DISCREPANCY, prepare=claims)]
        yield from make(warehouse, state, steps)
