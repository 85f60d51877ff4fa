"""What no judged file may break: the card points of D4, and scores that sum to zero. A file that does fails alone.

The checks look at the tables of a judged chunk on a DuckDB connection and return the number of rows that are wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

# D4. Where the hands are not the deck (DECK) there is nothing to be conserved.
_CARD_POINTS = """
    select count(*)
    from core_deal as d
    join core_record as r using (file_id, line)
    join ruleset as o using (ruleset)
    left join core_settlement__deal as s using (file_id, line, deal)
    where d.judged and d.violation is distinct from 'DECK'
        and (
            list_sum(d.captured) + list_sum(d.hand) + d.open_points <> o.total_points
            or coalesce(list_sum(s.side_points) <> o.total_points, false)
        )
"""
# E1, E2, F2: what the winners get the losers pay. An escape is paid to nobody in part, and F6 comes later.
_SCORES = """
    select count(*)
    from core_settlement__match
    where outcome <> 'escape' and list_sum(scores_before_cap) <> 0
"""


def _count(con: duckdb.DuckDBPyConnection, statement: str) -> int:
    # Not fetchone: a result with unread rows blocks the connection.
    return int(con.execute(statement).fetchall()[0][0])


def card_points_are_conserved(con: duckdb.DuckDBPyConnection) -> int:
    """Judged deals whose captured, held and open card points are not all there are, or whose sides' totals are not."""
    return _count(con, _CARD_POINTS)


def scores_sum_to_zero(con: duckdb.DuckDBPyConnection) -> int:
    """Settled matches, escapes apart, whose scores before the cap do not sum to zero."""
    return _count(con, _SCORES)


#: Check to table and finder.
BLOCKING: dict[str, Callable[[duckdb.DuckDBPyConnection], int]] = {
    "card_points_are_conserved": card_points_are_conserved,
    "scores_sum_to_zero": scores_sum_to_zero,
}
