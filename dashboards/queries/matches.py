"""Matches that count, and one of them with everything received about it.

A list has names and single results, which show for everyone (G3): it asks ``main``, so that nobody waits for a million
matches to be joined with the members, for standings that it does not have.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal

import duckdb

from dashboards.queries.rows import OF_MATCHES, Cursor, Row, row, rows
from yuanzi_core.files import Line, SheetRecord


@dataclass(frozen=True)
class Wanted:
    """Which matches a list has; None wants all. ``search`` is a part of an id or of a player's name or id; ``since``
    and ``until`` are days by ``zone``, both included.
    """

    search: str | None = None
    variant: str | None = None
    source: str | None = None
    club: str | None = None
    status: str | None = None
    since: date | None = None
    until: date | None = None
    zone: str = "UTC"


_WHERE = f"""
    where {OF_MATCHES}
        and ($source is null or source = $source)
        and ($status is null or status = $status)
        and ($search is null or contains(lower(match_id), lower($search))
            or contains(lower(array_to_string(list_concat(player_names, player_ids), chr(10))), lower($search)))
"""


def found_matches(cursor: Cursor, wanted: Wanted) -> int:
    """How many matches a list has."""
    found = row(cursor, f"select count(*) as found from main.out_matches {_WHERE}", asdict(wanted))  # noqa: S608
    assert found is not None
    return int(found["found"])


def matches(cursor: Cursor, wanted: Wanted, limit: int, offset: int = 0) -> list[Row]:
    """The newest first: ``match_id``, ``played`` (time as text), ``club``, ``variant``, ``ruleset``, ``status``,
    ``code``, ``outcome``, ``player_ids``, ``player_names``, ``scores``, ``discrepancies``.
    """
    return rows(
        cursor,
        f"""
        select
            match_id,
            strftime(timezone($zone, played_at), '%Y-%m-%d %H:%M') as played,
            club, variant, ruleset, status, code, outcome, player_ids, player_names, scores, discrepancies
        from main.out_matches
        {_WHERE}
        order by played_at desc, match_id
        limit $limit offset $offset
        """,  # noqa: S608
        {**asdict(wanted), "limit": limit, "offset": offset},
    )


def match(cursor: Cursor, match_id: str, zone: str) -> Row | None:
    """All columns of ``out_matches``, ``played`` (time as text) in place of ``played_at``."""
    return row(
        cursor,
        """
        select
            * exclude (played_at),
            strftime(timezone($zone, played_at), '%Y-%m-%d %H:%M') as played
        from out_matches
        where match_id = $match
        """,
        {"match": match_id, "zone": zone},
    )


def standings_before(cursor: Cursor, match_id: str) -> list[Decimal | None] | None:
    """Standings before a match by seat, whomever the pages are for: to judge it again, never to be shown."""
    found = row(cursor, "select standings_before from main.out_matches where match_id = $match", {"match": match_id})
    return None if found is None else found["standings_before"]


def records_of(cursor: Cursor, match_id: str) -> list[Row]:
    """Every record received under a match's id, the highest revision first: columns of ``out_audit__records``."""
    return rows(
        cursor,
        """
        select *
        from out_audit__records
        where match_id = $match
        order by revision desc, file_name, file_id, line
        limit 200
        """,
        {"match": match_id},
    )


def raw_record(cursor: Cursor, file_id: str, line: int) -> Line | SheetRecord | None:
    """A record as it was received; None where the files behind the snapshot are gone (the home folder was moved)."""
    try:
        found = row(
            cursor,
            "select record, rows from main.raw_record where file_id = $file and line = $line",
            {"file": file_id, "line": line},
        )
    except duckdb.IOException:
        return None
    if found is None or found["record"] is None:
        return None
    record = found["record"]
    raw = record.encode() if isinstance(record, str) else bytes(record)
    return (line, raw) if found["rows"] is None else SheetRecord(line, raw, tuple(found["rows"]))
