"""What the scores that count may not break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    import duckdb

# E1, E2, F2: what the winners get the losers pay. An escape is paid to nobody in part; the cap of F6 only takes away.
_SCORES = """
    select count(*) filter (list_sum(scores) <> 0 and not capped), count(*) filter (list_sum(scores) > 0), count(*)
    from (
        select scores, has_cap and scores <> scores_before_cap as capped
        from core_settlement__scores
        where outcome <> 'escape' and scores is not null
    )
"""

_PARTS = """
    select
        count(*) filter (play_score + escape_penalty + compensation + cap_effect <> score),
        count(*) filter (escape_penalty > 0 or compensation < 0 or cap_effect > 0),
        count(*)
    from core_ledger__movement
"""
_MATCHES = """
    select count(*) filter (played <> 0), count(*) filter (moved <> escapes + caps), count(*)
    from (
        select
            sum(play_score) as played, sum(score) as moved,
            sum(escape_penalty + compensation) as escapes, sum(cap_effect) as caps
        from core_ledger__movement
        group by match_id
    )
"""


def parts_sum_to_the_score(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads core_ledger__movement: a score is the sum of its four parts, and each part has its sign."""
    unequal, wrong, looked_at = con.execute(_PARTS).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="parts_sum_to_the_score",
        passed=unequal == 0 and wrong == 0,
        metadata={"movements": looked_at, "unequal": unequal, "wrong_sign": wrong},
    )


def movements_of_a_match_sum_to_zero(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads core_ledger__movement: only escapes and the cap create or destroy points."""
    unequal, unexplained, looked_at = con.execute(_MATCHES).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="movements_of_a_match_sum_to_zero",
        passed=unequal == 0 and unexplained == 0,
        metadata={"matches": looked_at, "not_zero": unequal, "unexplained": unexplained},
    )


def scores_sum_to_zero_unless_capped(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads core_settlement__scores."""
    unequal, too_much, looked_at = con.execute(_SCORES).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="scores_sum_to_zero_unless_capped",
        passed=unequal == 0 and too_much == 0,
        metadata={"matches": looked_at, "not_zero": unequal, "above_zero": too_much},
    )
