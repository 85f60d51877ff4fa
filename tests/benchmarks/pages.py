"""Server time of each page's first view of 1,000,000 matches, against Streamlit showing a bare query of its table."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import streamlit as st
from streamlit.testing.v1 import AppTest

from dashboards import app_pages
from dashboards.launch import APP
from pipelines.run import run
from tests.benchmarks.report import Report, best_in_turn, seconds
from tests.dashboards.growth import grow
from yuanzi_core.league.season import Season
from yuanzi_core.league.settings import League
from yuanzi_core.texts import text
from yuanzi_core.writer import write_log

MATCHES, ROUNDS, LIMIT = 1_000_000, 3, 3
#: The league of which the large snapshot is grown: some 2,000 matches on evenings of two clubs.
GROWN_OF = League(players=200, months=2, seed=11)
PAGES = sorted(path.stem for path in Path(next(iter(app_pages.__path__))).glob("*.py") if path.stem != "__init__")
#: The table that a page is about, and its order there; of any other page the matches.
ABOUT = {
    "discrepancies": ("out_audit__discrepancies", "played_at desc"),
    "files": ("out_audit__files", "file_name"),
    "records": ("out_audit__records", "file_name, file_id, line"),
    "violations": ("out_audit__violations", "played_at desc"),
    "standings": ("out_standings__player", "standing desc"),
    "player": ("out_standings__player", "standing desc"),
    "levels": ("out_standings__player", "standing desc"),
}
MATCHES_BY_TIME = ("out_matches", "played_at desc")


def bare(home: str, table: str, order: str) -> None:
    """The yardstick: how many rows a table has, and the first 25 of them, without a word more."""
    from pathlib import Path

    import streamlit as st

    from dashboards.store import open_cursor, pointer

    cursor = open_cursor(pointer(Path(home)), "public")
    st.title(cursor.execute("select count(*) from query_table($1)", [table]).fetchall()[0][0])
    st.dataframe(cursor.table(table).order(order).limit(25).pl())


def _first_view(app: AppTest) -> float:
    """Seconds of a run when nothing is remembered; the snapshot is open already, as it is for the second reader."""
    st.cache_data.clear()
    taken = seconds(app.run)
    assert not app.exception, app.exception
    # A page that shows no results is quick.
    assert text("pages.welcome.title", "en") not in [title.value for title in app.title]
    return taken


def measure_pages(report: Report, home: Path) -> None:
    """Each page, found by itself, on the snapshot of a home."""
    for name in ("streamlit.runtime.caching.cache_data_api", "streamlit.runtime.scriptrunner_utils.script_run_context"):
        logging.getLogger(name).disabled = True
    os.environ["YUANZI_HOME"], main = str(home), sys.modules["__main__"]
    try:
        for page in PAGES:
            table, order = ABOUT.get(page, MATCHES_BY_TIME)
            asked = {"home": str(home), "table": table, "order": order}
            yardstick = AppTest.from_function(bare, default_timeout=600, kwargs=asked)
            opened = AppTest.from_file(str(APP), default_timeout=600).run().switch_page(f"app_pages/{page}.py")
            base, ours = best_in_turn(ROUNDS, lambda: _first_view(yardstick), lambda: _first_view(opened))  # noqa: B023
            report.limit(f"page {page} ({ours:.2f} s) / bare {table} ({base:.2f} s)", ours / base, LIMIT)
    finally:
        # AppTest leaves its script in the place of the program's own main module.
        sys.modules["__main__"] = main
        del os.environ["YUANZI_HOME"]


def measure(report: Report, folder: Path) -> None:
    """Grow the snapshot, then view each page."""
    report.heading(f"Pages: first view of {MATCHES:,} matches, in public")
    small, large = folder / "small-home", folder / "large-home"
    (small / "inbox").mkdir(parents=True)
    write_log(small / "inbox" / "matches.jsonl", (one.match for one in Season(GROWN_OF).play()))
    assert run(small).ok
    grow(small, large, MATCHES)
    measure_pages(report, large)
