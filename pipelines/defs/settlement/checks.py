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


def scores_sum_to_zero_unless_capped(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads core_settlement__scores."""
    unequal, too_much, looked_at = con.execute(_SCORES).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="scores_sum_to_zero_unless_capped",
        passed=unequal == 0 and too_much == 0,
        metadata={"matches": looked_at, "not_zero": unequal, "above_zero": too_much},
    )
