"""out_levels__step, out_levels__event, out_standings__player, out_standings__day, out_standings__sums, core_member.

A late match or a revision changes nothing but the standings of its players, and still these tables are made anew: they
are sums over what the ledger holds, and to add it all up takes less than finding out what may be left.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import dagster as dg

from pipelines.defs.grouped import Results, Step, check_specs
from pipelines.defs.settlement.ladder import load_ladder
from pipelines.defs.standings.checks import (
    days_come_to_the_standings,
    events_go_the_way_of_their_levels,
    standing_is_opening_plus_movements,
    sums_reconcile,
)
from pipelines.defs.standings.rate import RECENT, load_student
from pipelines.defs.standings.shrinking import CHECK, SAYS, look
from pipelines.defs.whole import make_whole
from pipelines.warehouse import Warehouse, sql
from yuanzi_core.clubs import ZONE

if TYPE_CHECKING:
    import duckdb

    from pipelines.groups import Group


def _ladder(con: "duckdb.DuckDBPyConnection", group: "Group") -> None:
    load_ladder(con)


def _student(con: "duckdb.DuckDBPyConnection", group: "Group") -> Mapping[str, Any]:
    load_student(con)
    return {"recent": RECENT, "zone": ZONE}


STEPS = (
    Step(
        "out_levels__step",
        "The ladder: where each level begins, and its names (G1, G2). Key: level.",
        sql("standings", "out_levels__step"),
        needs=("core_ledger__movement",),
        prepare=_ladder,
    ),
    Step(
        "out_levels__event",
        "Starts, promotions and demotions, each with the match that brought it. Key: game, player_id, number, kind.",
        sql("standings", "out_levels__event"),
        needs=("core_ledger__movement", "out_levels__step"),
        checks=(events_go_the_way_of_their_levels,),
    ),
    Step(
        "out_standings__player",
        "Where each player stands, and how far the next level is. Key: game, player_id.",
        sql("standings", "out_standings__player"),
        needs=("core_ledger__movement", "core_player", "out_clubs", "out_levels__step", "out_levels__event"),
        prepare=_student,
        checks=(standing_is_opening_plus_movements,),
    ),
    Step(
        "out_standings__day",
        "What each player won and lost at a club on a day. Key: game, player_id, club, day.",
        sql("standings", "out_standings__day"),
        needs=("core_ledger__movement", "out_standings__player"),
        checks=(days_come_to_the_standings,),
    ),
    Step(
        "out_standings__sums",
        "What a club's evening adds up to, and what nobody got of it. Key: game, club, evening.",
        sql("standings", "out_standings__sums"),
        needs=("core_ledger__movement",),
        checks=(sums_reconcile,),
    ),
    Step(
        "core_member",
        "Who is or was a member, and the time zone of those days (G3). Key: player_id.",
        sql("standings", "core_member"),
        needs=("core_player", "out_standings__player"),
        parameters={"zone": ZONE},
    ),
)


# What may not shrink is compared with what is published, so the matches must be there.
@dg.multi_asset(
    specs=[step.spec.replace_attributes(deps=[*step.needs, "out_matches"]) for step in STEPS],
    check_specs=[*check_specs(STEPS), dg.AssetCheckSpec(CHECK, asset="out_standings__player", description=SAYS)],
    group_name="standings",
)
def stood(warehouse: dg.ResourceParam[Warehouse]) -> Results:
    """Where everybody stands."""
    with warehouse.lock:
        state = warehouse.present_state()
        yield from make_whole(warehouse, state, STEPS)
        yield look(warehouse, state)
