"""Which record of a match counts (LOG_FORMAT, *Which record counts*), whatever the order in which files came."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from pipelines.warehouse import load, sql
from yuanzi_core.stream import same_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

_ROWS = 256


def _rows(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, bytes]]:
    found = con.execute(sql("selection", "contested"))
    while rows := found.fetchmany(_ROWS):
        yield from rows


def find_conflicts(con: duckdb.DuckDBPyConnection) -> int:
    """Make the tables ``latest`` and ``conflict`` (match_id) from core_record, raw_file and raw_record.

    Returns the number of conflicts. Contents are compared as parsed JSON, and only where the texts differ.
    """
    con.execute(f"create or replace temp table latest as {sql('selection', 'latest')}")
    conflicts = []
    if con.execute("select bool_or(contested) from latest").fetchall()[0][0]:
        for match_id, records in groupby(_rows(con), key=itemgetter(0)):
            texts = (record for _, record in records)
            first = next(texts)
            if not all(same_content(first, other) for other in texts):
                conflicts.append(match_id)
    load(con, "conflict", {"match_id": conflicts}, {"match_id": "varchar"})
    return len(conflicts)
