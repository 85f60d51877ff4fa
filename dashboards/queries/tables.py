"""The published tables themselves, whatever there are. A name comes from :func:`published`, never from a reader."""

from __future__ import annotations

import duckdb

from dashboards.queries.rows import Cursor, Row, row, rows


def published(cursor: Cursor) -> list[str]:
    """The names of all published tables, ``out_matches`` and its kind, in alphabetical order."""
    found = rows(
        cursor,
        """
        select distinct table_name
        from information_schema.tables
        where table_schema = 'main' and starts_with(table_name, 'out_')
        order by table_name
        """,
    )
    return [each["table_name"] for each in found]


def columns(cursor: Cursor, table: str) -> list[Row]:
    """A table's columns in their order: ``name`` and ``type`` (DuckDB's)."""
    return rows(
        cursor,
        "select column_name as name, column_type as type from (describe from query_table($table))",
        {"table": table},
    )


def found_rows(cursor: Cursor, table: str, search: str | None) -> int:
    """How many rows a table has; with ``search`` those that hold that text anywhere."""
    found = row(
        cursor,
        """
        select count(*) as found
        from query_table($table) as t
        where $search is null or contains(lower(cast(t as varchar)), lower($search))
        """,
        {"table": table, "search": search},
    )
    assert found is not None
    return int(found["found"])


_ROWS = """
    select *
    from query_table($table) as t
    where $search is null or contains(lower(cast(t as varchar)), lower($search))
    limit $limit offset $offset
"""


def some_rows(cursor: Cursor, table: str, search: str | None, limit: int, offset: int) -> list[Row]:
    """Rows as they stand in the table, all columns."""
    return rows(cursor, _ROWS, {"table": table, "search": search, "limit": limit, "offset": offset})


def relation(cursor: Cursor, table: str, search: str | None, limit: int) -> duckdb.DuckDBPyRelation:
    """The same from the first row on, to be read in batches while they are written elsewhere."""
    parameters = {"table": table, "search": search, "limit": limit, "offset": 0}
    return cursor.sql(_ROWS, params=parameters)
