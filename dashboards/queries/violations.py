"""Matches that break a rule."""

from __future__ import annotations

from dashboards.queries.rows import Chosen, Cursor, Row, rows


def kinds(cursor: Cursor, chosen: Chosen) -> list[Row]:
    """``code`` and ``found`` (how many), the most frequent first. A chosen code is left aside: all kinds show."""
    parameters = chosen.bound()
    del parameters["code"]
    return rows(
        cursor,
        """
        select code, count(*) as found
        from out_audit__violations
        where ($club is null or club = $club)
            and ($variant is null or variant = $variant)
            and ($file is null or file_id = $file)
            and ($since is null or cast(timezone($zone, played_at) as date) >= cast($since as date))
            and ($until is null or cast(timezone($zone, played_at) as date) <= cast($until as date))
        group by code
        order by found desc, code
        """,
        parameters,
    )


def violations(cursor: Cursor, chosen: Chosen, limit: int, offset: int) -> list[Row]:
    """The newest first: all columns of ``out_audit__violations``, and ``played`` (time as text)."""
    return rows(
        cursor,
        """
        select
            * exclude (played_at),
            strftime(timezone($zone, played_at), '%Y-%m-%d %H:%M') as played
        from out_audit__violations
        where ($club is null or club = $club)
            and ($variant is null or variant = $variant)
            and ($code is null or code = $code)
            and ($file is null or file_id = $file)
            and ($since is null or cast(timezone($zone, played_at) as date) >= cast($since as date))
            and ($until is null or cast(timezone($zone, played_at) as date) <= cast($until as date))
        order by played_at desc, file_id, line
        limit $limit offset $offset
        """,
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
