"""Lists as files: CSV, XLSX or Parquet, as ``yuanzi_core.table_export`` writes them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from dashboards.components.figures import TIME_ZONE, count
from dashboards.components.frame import View
from dashboards.queries.rows import Cursor
from yuanzi_core.table_export import KINDS, Kind, write_table

if TYPE_CHECKING:
    from yuanzi_core.table_export import Table

#: Rows of a file at most: what a spreadsheet opens at ease, and what a browser gets in one piece. Whoever wants more
#: has the snapshot itself, which any DuckDB reads.
MOST: Mapping[Kind, int] = {"csv": 100_000, "xlsx": 100_000, "parquet": 1_000_000}


def as_file(table: Table, kind: Kind) -> bytes:
    """The file, at most so many rows of it. It grows on the disk; only when it is complete it is read, to be sent."""
    with tempfile.TemporaryDirectory(prefix="yuanzi-") as folder:
        path = Path(folder) / f"table.{kind}"
        write_table(table, path, kind, MOST[kind], TIME_ZONE)
        return path.read_bytes()


def download(view: View, name: str, fetch: Callable[[Cursor, int], Table], total: int = 0) -> None:
    """Buttons that give a list as a file; ``fetch`` gets a cursor of its own and the most rows it may give.

    ``total``: how many rows the list has; if a file will not hold all of them, a sentence says so beforehand.
    """
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(view.say("export.download"), width="content")
        for kind, mime in KINDS.items():
            st.download_button(
                kind.upper() if kind != "parquet" else "Parquet",
                data=_deferred(view, fetch, kind),
                file_name=f"yuanzi-{name}.{kind}",
                mime=mime,
                key=f"download-{name}-{kind}",
                help=view.say(f"export.about_{kind}"),
                on_click="ignore",
                icon=":material/download:",
                type="tertiary",
            )
    cut = {kind: most for kind, most in MOST.items() if total > most}
    if cut:
        most = {f"most_{kind}": count(rows) for kind, rows in MOST.items()}
        st.caption(view.say("export.cut" if "parquet" in cut else "export.cut_sheets", rows=count(total), **most))


def _deferred(view: View, fetch: Callable[[Cursor, int], Table], kind: Kind) -> Callable[[], bytes]:
    # The rows are asked for only when somebody clicks, in another thread than the page's.
    def file() -> bytes:
        with view.another_cursor() as cursor:
            return as_file(fetch(cursor, MOST[kind]), kind)

    return file
