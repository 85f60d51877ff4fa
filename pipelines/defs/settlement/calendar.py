"""The days and evenings on which matches were played, by the clock of their clubs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.warehouse import load, sql
from yuanzi_core.clubs import ZONE

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from yuanzi_core.registry import Club


def load_calendar(con: duckdb.DuckDBPyConnection, clubs: Mapping[str, Club]) -> None:
    """Make the table ``calendar`` (file_id, line) of the records in core_record.

    ``clubs`` are the clubs by all that a record may call them (``registry.Registry.clubs_by_name``).
    """
    found = clubs.values()
    columns = {"name": list(clubs), "club": [club.key for club in found], "zone": [club.zone for club in found]}
    load(con, "club_name", columns, dict.fromkeys(columns, "varchar"))
    con.execute(f"create or replace temp table calendar as {sql('settlement', 'calendar')}", {"zone": ZONE})
