"""Claims that the recomputation does not bear out."""

from __future__ import annotations

from dataclasses import replace

from dashboards.queries.rows import WHERE, Chosen, Cursor, Row, rows

_NEWEST = "order by played_at desc, file_id, line, deal nulls last, code limit $limit offset $offset"
# The players of those that a statement ``page`` chose, and the time as text.
_WITH_PLAYERS = """
    select
        p.* exclude (played_at),
        strftime(timezone($zone, p.played_at), '%Y-%m-%d %H:%M') as played,
        m.player_ids,
        m.player_names
    from page as p
    left join main.out_matches as m on m.match_id = p.match_id and m.file_id = p.file_id and m.line = p.line
    order by p.played_at desc, p.file_id, p.line, p.deal nulls last, p.code
"""


def kinds(cursor: Cursor, chosen: Chosen) -> list[Row]:
    """``code`` and ``found`` (how many), the most frequent first. A chosen code is left aside: all kinds show."""
    return rows(
        cursor,
        f"select code, count(*) as found from main.out_audit__discrepancies {WHERE} group by code"  # noqa: S608
        " order by found desc, code",
        replace(chosen, code=None).bound(),
    )


def discrepancies(cursor: Cursor, chosen: Chosen, limit: int, offset: int) -> list[Row]:
    """The newest first: all columns of ``out_audit__discrepancies``, ``played`` (time as text), and by seat
    ``player_names`` and ``player_ids`` where the record is the one that counts (else null).
    """
    return rows(
        cursor,
        f"with page as (select * from out_audit__discrepancies {WHERE} {_NEWEST}) {_WITH_PLAYERS}",  # noqa: S608
        {**chosen.bound(), "limit": limit, "offset": offset},
    )


def shown(cursor: Cursor, chosen: Chosen, limit: int, offset: int, standings: bool) -> list[Row]:
    """The same for a page, without messages: ``claimed`` and ``recomputed`` standings (CLAIM_BALANCE) are null unless
    wanted. It asks ``main``: masking them seat by seat, as the public's own view does, means to go through all of them.
    """
    return rows(
        cursor,
        f"""
        with page as (
            select
                * exclude (message_en, message_zh)
                replace (
                    case when $standings or code <> 'CLAIM_BALANCE' then claimed end as claimed,
                    case when $standings or code <> 'CLAIM_BALANCE' then recomputed end as recomputed
                )
            from main.out_audit__discrepancies {WHERE} {_NEWEST}
        )
        {_WITH_PLAYERS}
        """,  # noqa: S608
        {**chosen.bound(), "limit": limit, "offset": offset, "standings": standings},
    )


def of_match(cursor: Cursor, match_id: str) -> list[Row]:
    """The discrepancies of one match, those of its deals first."""
    return rows(
        cursor,
        """
        select * exclude (played_at)
        from out_audit__discrepancies
        where match_id = $match
        order by file_id, line, deal nulls last, code
        """,
        {"match": match_id},
    )
