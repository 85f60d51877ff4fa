"""Which record of a match counts (LOG_FORMAT, *Which record counts*), whatever the order in which files came."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from pipelines.warehouse import State, load, sql
from yuanzi_core.stream import same_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

_ROWS = 256


def _rows(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, bytes]]:
    found = con.execute(sql("selection", "contested"))
    while rows := found.fetchmany(_ROWS):
        yield from rows


def choose(con: duckdb.DuckDBPyConnection) -> int:
    """Make the tables ``rival`` and ``conflict`` (match_id) from core_match__candidate, raw_file and raw_record.

    Returns the number of conflicts. Contents are compared as parsed JSON, and only where the texts differ.
    """
    con.execute(f"create or replace temp table rival as {sql('selection', 'rival')}")
    conflicts = []
    if con.execute("select bool_or(contested) from rival where revision = highest").fetchall()[0][0]:
        for match_id, records in groupby(_rows(con), key=itemgetter(0)):
            texts = (record for _, record in records)
            first = next(texts)
            if not all(same_content(first, other) for other in texts):
                conflicts.append(match_id)
    load(con, "conflict", {"match_id": conflicts}, {"match_id": "varchar"})
    return len(conflicts)


def load_withdrawals(con: duckdb.DuckDBPyConnection, state: State) -> None:
    """Make the table ``withdrawal``: the events, in the order of ``place``."""
    events = state.withdrawals
    types = dict.fromkeys(("file_id", "file_name", "reason"), "varchar") | {"withdrawn": "boolean", "at": "timestamptz"}
    columns = {name: [getattr(event, name) for event in events] for name in types}
    load(con, "withdrawal", {"place": range(len(events)), **columns}, {"place": "bigint", **types})
