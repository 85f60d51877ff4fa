"""What the standings that are published may not break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    import duckdb

_STANDINGS = """
    with moved as (
        select
            game, player_id, sum(score) as score, count(*) as matches, max(number) as last,
            count(*) filter (ledger_after - ledger_before <> score) as unequal
        from core_ledger__movement
        group by game, player_id
    )
    select
        count(*) filter (s.standing is distinct from s.opening + coalesce(m.score, 0) or m.unequal > 0),
        count(*) filter (s.matches <> coalesce(m.matches, 0) or m.last <> m.matches),
        count(*) filter (s.player_id is null),
        count(*)
    from moved as m
    full join out_standings__player as s on s.game = m.game and s.player_id = m.player_id
"""
_DAYS = """
    with days as (
        select
            game, player_id, sum(matches) as matches, sum(wins) as wins, sum(score) as score,
            arg_max(standing_after, last_number) as standing,
            count(*) filter (play_score + escape_penalty + compensation + cap_effect <> score) as unequal
        from out_standings__day
        group by game, player_id
    )
    select
        count(*) filter (
            d.matches is distinct from s.matches or d.wins is distinct from s.wins or d.unequal > 0
            or d.standing is distinct from s.standing or d.score is distinct from s.standing - s.opening
        ),
        count(*)
    from (from out_standings__player where matches > 0) as s
    full join days as d on d.game = s.game and d.player_id = s.player_id
"""
# A chain: each step begins on the level, and not before the step, where the last one ended.
_EVENTS = """
    with steps as (
        select
            *,
            lag(level_after) over (
                partition by game, player_id order by number, kind = 'start' desc
            ) as level_of_last,
            row_number() over (partition by game, player_id order by number, kind = 'start' desc) as place
        from out_levels__event
    ),
    begins as (
        select e.*, l.level as true_level
        from steps as e
        asof left join out_levels__step as l on e.standing_after >= l.floor
    )
    select
        count(*) filter (
            case kind
                when 'start' then level_before is not null or standing_before is not null
                when 'promotion' then not (level_after > level_before and standing_after > standing_before)
                when 'demotion' then not (level_after < level_before and standing_after < standing_before)
                else true
            end
        ),
        count(*) filter (level_after <> coalesce(true_level, 0)),
        count(*) filter (level_before is distinct from level_of_last or (place = 1) <> (kind = 'start')),
        count(*)
    from begins
"""
_SUMS = """
    select
        count(*) filter (play_score <> 0 or total <> escapes + caps or escapes <> escape_penalty + compensation),
        coalesce(sum(total), 0) - (select coalesce(sum(score), 0) from core_ledger__movement),
        coalesce(sum(movements), 0) - (select count(*) from core_ledger__movement),
        coalesce(sum(matches), 0) - (select count(distinct match_id) from core_ledger__movement)
    from out_standings__sums
"""


def standing_is_opening_plus_movements(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads core_ledger__movement and out_standings__player."""
    unequal, miscounted, missing, players = con.execute(_STANDINGS).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="standing_is_opening_plus_movements",
        passed=unequal == miscounted == missing == 0,
        metadata={"standings": players, "unequal": unequal, "miscounted": miscounted, "missing": missing},
    )


def days_come_to_the_standings(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_standings__day and out_standings__player: the days of a player add up, and end, where the player is."""
    unequal, players = con.execute(_DAYS).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="days_come_to_the_standings",
        passed=unequal == 0,
        metadata={"standings": players, "unequal": unequal},
    )


def events_go_the_way_of_their_levels(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_levels__event and out_levels__step: no promotion lands lower, no demotion higher, each begins where the
    one before it ended."""
    wrong_way, wrong_level, broken, events = con.execute(_EVENTS).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="events_go_the_way_of_their_levels",
        passed=wrong_way == wrong_level == broken == 0,
        metadata={"events": events, "wrong_way": wrong_way, "wrong_level": wrong_level, "broken": broken},
    )


def sums_reconcile(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_standings__sums and core_ledger__movement: nothing but escapes and the cap creates or destroys points,
    and the evenings hold every movement once."""
    unequal, *differences = con.execute(_SUMS).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="sums_reconcile",
        passed=unequal == 0 and not any(differences),
        metadata={"unequal": unequal, **{name: float(difference) for name, difference in
                                         zip(("total", "movements", "matches"), differences, strict=True)}},
    )  # fmt: skip
