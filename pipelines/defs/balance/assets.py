"""core_balance__deal, core_balance__match, and out_balance__players, __matches, __values, __kinds made of them."""

import dagster as dg

from pipelines.defs.balance.checks import (
    kinds_bring_home_what_was_captured,
    matches_sum_to_their_total,
    players_sum_to_their_total,
    values_are_counted_once,
)
from pipelines.defs.balance.walking import load_walked
from pipelines.defs.grouped import Results, Step, check_specs, make
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.balance import POINTS_WIDTH, REVEAL_WIDTH, TRICKS_WIDTH

STEPS = (
    Step(
        "core_balance__deal",
        "What each hand of a settled record held, and how its deal was played. Key: file_id, line, deal.",
        sql("balance", "core_balance__deal"),
        needs=("core_deal", "core_record", "core_ruleset"),
        prepare=load_walked,
    ),
    Step(
        "core_balance__match",
        "The settled matches that count, with all that they may be told apart by. Key: match_id.",
        sql("balance", "core_balance__match"),
        needs=("out_matches", "core_settlement__deal", "core_balance__deal"),
    ),
    Step(
        "out_balance__players",
        "Players of settled matches, winners and scores by club evening and breakdown."
        " Key: variant, ruleset, source, club, evening, base, breakdown, value.",
        sql("balance", "out_balance__players"),
        needs=("core_balance__match",),
        checks=(players_sum_to_their_total,),
    ),
    Step(
        "out_balance__matches",
        "Settled matches by club evening and breakdown."
        " Key: variant, ruleset, source, club, evening, base, breakdown, value.",
        sql("balance", "out_balance__matches"),
        needs=("core_balance__match",),
        parameters={"stretch": REVEAL_WIDTH},
        checks=(matches_sum_to_their_total,),
    ),
    Step(
        "out_balance__values",
        "Distributions of card points, tricks, atoms and scores by club evening."
        " Key: variant, ruleset, source, club, evening, base, measure, value.",
        sql("balance", "out_balance__values"),
        needs=("core_balance__match", "core_settlement__deal"),
        parameters={"points": POINTS_WIDTH, "tricks": TRICKS_WIDTH},
        checks=(values_are_counted_once,),
    ),
    Step(
        "out_balance__kinds",
        "Kinds of combination, how they were played and what they brought home, by club evening."
        " Key: variant, ruleset, source, club, evening, kind, of_knife.",
        sql("balance", "out_balance__kinds"),
        needs=("core_balance__match", "core_balance__deal", "core_settlement__deal"),
        checks=(kinds_bring_home_what_was_captured,),
    ),
)


@dg.multi_asset(specs=[step.spec for step in STEPS], check_specs=check_specs(STEPS), group_name="balance")
def balanced(warehouse: dg.ResourceParam[Warehouse]) -> Results:
    """What the rules do."""
    with warehouse.lock:
        yield from make(warehouse, warehouse.present_state(), STEPS)
