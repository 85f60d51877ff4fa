"""Matches that break a rule."""

from __future__ import annotations

from dataclasses import replace

from dashboards.queries.rows import WHERE, Chosen, Cursor, Row, rows


def kinds(cursor: Cursor, chosen: Chosen) -> list[Row]:
    """``code`` and ``found`` (how many), the most frequent first. A chosen code is left aside: all kinds show."""
    return rows(
        cursor,
        f"select code, count(*) as found from out_audit__violations {WHERE} group by code"  # noqa: S608
        " order by found desc, code",
        replace(chosen, code=None).bound(),
    )


def violations(cursor: Cursor, chosen: Chosen, limit: int, offset: int) -> list[Row]:
    """The newest first: all columns of ``out_audit__violations``, and ``played`` (time as text)."""
    return rows(
        cursor,
        f"""
        select
            * exclude (played_at),
            strftime(timezone($zone, played_at), '%Y-%m-%d %H:%M') as played
        from out_audit__violations {WHERE}
        order by played_at desc, file_id, line
        limit $limit offset $offset
        """,  # noqa: S608
        {**chosen.bound(), "limit": limit, "offset": offset},
    )


def of_match(cursor: Cursor, match_id: str) -> list[Row]:
    """The violations of one match: of the record that counts, and of those it replaced if they are still listed."""
    return rows(
        cursor,
        """
        select * exclude (played_at)
        from out_audit__violations
        where match_id = $match
        order by file_id, line
        """,
        {"match": match_id},
    )
