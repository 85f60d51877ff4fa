"""The whole snapshot in a few rows."""

from __future__ import annotations

from dashboards.queries.rows import Cursor, Row, row, rows


def accounting(cursor: Cursor) -> Row:
    """One row: ``files``, ``read`` and the seven counts it is the sum of, ``discrepancies``, ``damaged`` (files)."""
    found = row(
        cursor,
        """
        select
            count(*) as files,
            coalesce(sum(read), 0)::bigint as read,
            coalesce(sum(settled), 0)::bigint as settled,
            coalesce(sum(unfinished), 0)::bigint as unfinished,
            coalesce(sum(violation), 0)::bigint as violation,
            coalesce(sum(rejected), 0)::bigint as rejected,
            coalesce(sum(duplicate), 0)::bigint as duplicate,
            coalesce(sum(superseded), 0)::bigint as superseded,
            coalesce(sum(withdrawn), 0)::bigint as withdrawn,
            coalesce(sum(discrepancies), 0)::bigint as discrepancies,
            count(damage) as damaged
        from out_audit__files
        """,
    )
    assert found is not None
    return found


def clubs(cursor: Cursor, zone: str) -> list[Row]:
    """A club a row, the busiest first: ``club`` (null: none given), ``matches``, ``settled``, ``unfinished``,
    ``violation``, ``discrepancies``, ``last`` (day of the last match, as text).
    """
    return rows(
        cursor,
        """
        select
            club,
            count(*) as matches,
            count(*) filter (where status = 'settled') as settled,
            count(*) filter (where status = 'unfinished') as unfinished,
            count(*) filter (where status = 'violation') as violation,
            coalesce(sum(discrepancies), 0)::bigint as discrepancies,
            strftime(max(timezone($zone, played_at)), '%Y-%m-%d') as last
        from out_matches
        group by club
        order by matches desc, club
        """,
        {"zone": zone},
    )


def games(cursor: Cursor) -> list[Row]:
    """A game and source a row: ``variant``, ``source``, ``matches``."""
    return rows(
        cursor,
        """
        select variant, source, count(*) as matches
        from out_matches
        group by variant, source
        order by variant desc, source
        """,
    )


def club_names(cursor: Cursor) -> list[str]:
    """Clubs that have matches, in alphabetical order."""
    return [
        found["club"]
        for found in rows(cursor, "select distinct club from out_matches where club is not null order by club")
    ]
