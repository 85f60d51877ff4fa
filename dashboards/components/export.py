"""A list as a CSV file: with a byte order mark, so that Chinese Excel reads it, and no cell that it would run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from decimal import Decimal

import streamlit as st

from dashboards.components.frame import View
from dashboards.queries.rows import Cursor, Row
from yuanzi_core.spreadsheet_safety import defused

#: Rows of a file at most: what a spreadsheet opens at ease.
MOST = 100_000


def as_csv(rows: Sequence[Row]) -> bytes:
    """Rows with their column names above; lists and what they hold as JSON, numbers as they stand."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    if rows:
        writer.writerow([defused(name) for name in rows[0]])
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "backslashreplace")


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list | tuple | dict):
        return defused(json.dumps(value, ensure_ascii=False, default=str))
    return defused(str(value))


def download(view: View, name: str, fetch: Callable[[Cursor, int], list[Row]]) -> None:
    """A button that gives a list as a file; ``fetch`` gets a cursor of its own and the most rows it may give."""
    # The rows are asked for only when somebody clicks, in another thread than the page's.
    cursor = view.cursor.cursor()
    st.download_button(
        view.say("export.csv"),
        data=lambda: as_csv(fetch(cursor, MOST)),
        file_name=f"yuanzi-{name}.csv",
        mime="text/csv",
        help=view.say("export.about", most=f"{MOST:,}"),
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )
