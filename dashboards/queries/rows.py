"""A statement's rows, and the filter that several lists share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

import duckdb

Row = dict[str, Any]
Cursor = duckdb.DuckDBPyConnection


@dataclass(frozen=True)
class Chosen:
    """What a reader chose; None chooses all. ``name`` is a part of a file's name; ``since`` and ``until`` are days by
    ``zone``, both included.
    """

    club: str | None = None
    variant: str | None = None
    code: str | None = None
    file: str | None = None
    since: date | None = None
    until: date | None = None
    zone: str = "UTC"
    name: str | None = None

    def bound(self) -> dict[str, Any]:
        """As bound parameters."""
        return asdict(self)


#: The condition on rows of matches and of findings in them: club, game and days.
OF_MATCHES = """
    ($club is null or club = $club)
        and ($variant is null or variant = $variant)
        and ($since is null or cast(timezone($zone, played_at) as date) >= cast($since as date))
        and ($until is null or cast(timezone($zone, played_at) as date) <= cast($until as date))
"""
#: The condition on rows of findings; it binds what :meth:`Chosen.bound` gives.
WHERE = f"""
    where {OF_MATCHES}
        and ($code is null or code = $code)
        and ($file is null or file_id = $file)
        and ($name is null or contains(lower(file_name), lower($name)))
"""


def rows(cursor: Cursor, sql: str, parameters: Mapping[str, Any] | None = None) -> list[Row]:
    """All rows, each a dict by column. :raises duckdb.Error: the statement or a parameter is wrong (ours)."""
    found = cursor.execute(sql, dict(parameters or {}))
    columns = [column[0] for column in found.description or ()]
    return [dict(zip(columns, values, strict=True)) for values in found.fetchall()]


def row(cursor: Cursor, sql: str, parameters: Mapping[str, Any] | None = None) -> Row | None:
    """The first row, or None."""
    return next(iter(rows(cursor, sql, parameters)), None)
