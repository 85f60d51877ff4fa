"""Rows of any table as they stand in it, in short."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from dashboards.components.figures import minute
from dashboards.components.markup import Html, data
from dashboards.components.tables import Column, Line, table
from dashboards.queries.rows import Row

#: DuckDB's names of types that are numbers.
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


def is_numeric(type_name: str) -> bool:
    """Whether a column of that type holds numbers."""
    return type_name in (*_NUMBERS, "DOUBLE", "FLOAT") or (type_name.startswith("DECIMAL") and "[" not in type_name)


def _cell(value: object) -> Html | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        shown = minute(value) if value.tzinfo else f"{value:%Y-%m-%d %H:%M}"
    elif isinstance(value, list | dict):
        shown = json.dumps(value, ensure_ascii=False, default=_plain)
    else:
        shown = _plain(value) if isinstance(value, Decimal | date) else str(value)
    return data(shown)


def _plain(value: object) -> str:
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)


def preview(columns: Sequence[Column], rows: Sequence[Row]) -> Html:
    """The rows as a table that scrolls sideways; long values are cut off, and a hover shows them whole."""
    return table(columns, [Line([_cell(value) for value in row.values()]) for row in rows], stack=False)
