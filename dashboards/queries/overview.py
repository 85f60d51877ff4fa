"""The whole snapshot in a few rows: counts, in which no standing is (G3), so they ask ``main``."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.queries.rows import Cursor, Row, row, rows


def accounting(cursor: Cursor, before: Sequence[str] = ()) -> Row:
    """One row, of all files but those that were there ``before``: ``files``, ``read`` and the seven counts it is the
    sum of, ``discrepancies``, ``damaged`` (files).
    """
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
        where file_id not in (select unnest(cast($before as varchar[])))
        """,
        {"before": list(before)},
    )
    assert found is not None
    return found


def new_files(cursor: Cursor, before: Sequence[str], limit: int) -> list[Row]:
    """The files that were not there before, those with the most records first: rows of ``out_audit__files``."""
    return rows(
        cursor,
        """
        select *
        from out_audit__files
        where file_id not in (select unnest(cast($before as varchar[])))
        order by read desc, file_name, file_id
        limit $limit
        """,
        {"before": list(before), "limit": limit},
    )


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
        from main.out_matches
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
        from main.out_matches
        group by variant, source
        order by variant desc, source
        """,
    )


def registered_clubs(cursor: Cursor) -> list[Row]:
    """The clubs of the registry: ``club`` (the key), ``name_en``, ``name_zh``."""
    return rows(cursor, "select club, name_en, name_zh from out_clubs order by club")


def club_names(cursor: Cursor) -> list[str]:
    """Clubs that have matches, in alphabetical order."""
    return [
        found["club"]
        for found in rows(cursor, "select distinct club from main.out_matches where club is not null order by club")
    ]
