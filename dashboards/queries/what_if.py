"""The facts of chosen matches, for settling them again under other options."""

from __future__ import annotations

from typing import Any

from dashboards.queries.balance import WHERE, Chosen
from dashboards.queries.rows import Cursor, rows
from yuanzi_core.what_if import Facts

_LINES = f"""
    select m.file_id, m.line
    from out_matches as m
    where m.match_id in (select match_id from core_balance__match {WHERE})
    order by m.played_at desc, m.match_id
    limit $most
"""  # noqa: S608  # The condition is a text of our own.


def members(cursor: Cursor) -> set[str]:
    """Who is a member on the reader's day (G3), by id."""
    return {one["player_id"] for one in rows(cursor, "select player_id from main.core_member__today")}


def facts(cursor: Cursor, chosen: Chosen, most: int) -> Facts:
    """The facts of the newest ``most`` of the chosen settled matches.

    Movements are those of all players, whomever the page is for: F6 caps by standings that are not shown (G3) too. No
    more than results comes of them.
    """
    bound = {**chosen.bound(), "most": most}

    def fetch(statement: str) -> Any:
        # The statements are this module's own.
        return cursor.sql(f"with chosen as materialized ({_LINES}) {statement}", params=bound).to_arrow_table()

    return Facts(
        fetch("""
            select
                m.match_id, m.file_id, m.line, m.variant, m.ruleset_hash, m.played_at, m.base, m.outcome, m.winner,
                m.sides, m.scores, m.registry_ids, m.player_names, r.balance
            from out_matches as m
            join chosen using (file_id, line)
            join core_record as r using (file_id, line)
        """),
        fetch("""
            select d.* exclude (drawn, knife_claimed, first_draw, dealer, called, hands, plays, odd_plays, odd_cards)
            from core_deal as d
            join chosen using (file_id, line)
        """),
        fetch("""
            select distinct on (o.ruleset) o.*
            from core_ruleset as o
            join out_matches as m on m.ruleset_hash = o.ruleset
            join chosen as c on c.file_id = m.file_id and c.line = m.line
        """),
        fetch("""
            , players as (
                select distinct l.player_id
                from main.core_ledger__movement as l
                join chosen using (file_id, line)
                join out_matches as m using (file_id, line)
                join (select distinct ruleset from core_ruleset where atom_doubling) as o on o.ruleset = m.ruleset_hash
            )
            select l.player_id, l.match_id, l.played_at, l.file_id, l.line, l.seat, l.score, l.ledger_before,
                l.opening_known
            from main.core_ledger__movement as l
            join players using (player_id)
            where l.game = 'five'
                and l.played_at >= (select min(m.played_at) from out_matches as m join chosen using (file_id, line))
        """),
    )
