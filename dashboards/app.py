"""The router: which pages there are, and what stands around each of them.

Started by ``yuanzi dashboard``, or by ``streamlit run dashboards/app.py -- --home DIR``.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import duckdb
import streamlit as st

from dashboards.components import frame
from dashboards.components.language import language_switch, reading_language
from dashboards.store import NoSnapshot, arguments, open_cursor, pointer
from yuanzi_core.texts import text

HERE = Path(__file__).parent
# The groups and pages of the menu, in its order; the first page is the one at the root address.
MENU = {
    "results": {
        "overview": ":material/dashboard:",
        "standings": ":material/leaderboard:",
        "player": ":material/person:",
        "levels": ":material/stairs:",
        "match": ":material/playing_cards:",
    },
    "audit": {
        "discrepancies": ":material/compare_arrows:",
        "violations": ":material/gavel:",
        "files": ":material/folder_open:",
        "records": ":material/receipt_long:",
    },
    "rules": {
        "score": ":material/calculate:",
        "balance": ":material/balance:",
        "rules": ":material/menu_book:",
        "data": ":material/table:",
    },
}
#: The pages that need no results.
WITHOUT_RESULTS = ("score", "rules")

started = arguments(sys.argv, os.environ)
lang = reading_language(started.lang)
# The icon first: until it is set, the menu's icon of a page stands for it, and a browser fetches that from outside.
st.set_page_config(page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "components" / "style.css")
groups = {
    text(f"pages.frame.group.{group}", lang): [
        st.Page(
            HERE / "app_pages" / f"{name}.py",
            title=text(f"pages.{name}.menu", lang),
            icon=icon,
            url_path=name,
            default=name == "overview",
        )
        for name, icon in names.items()
    ]
    for group, names in MENU.items()
}
names = [name for group in MENU.values() for name in group]
pages = dict(zip(names, [page for group in groups.values() for page in group], strict=True))
page = st.navigation(groups, expanded=True)
st.set_page_config(page_title=text("pages.frame.title", lang, page=page.title))
st.logo(str(HERE / "logo.svg"), icon_image=str(HERE / "icon.svg"), size="large")
with st.sidebar:
    language_switch(lang)
if page.url_path in WITHOUT_RESULTS:
    frame.enter(frame.Frame(lang, started.home, pages, audience=started.audience))
    page.run()
    st.stop()
try:
    snapshot = pointer(started.home)
    cursor = open_cursor(snapshot, started.audience)
except NoSnapshot as trouble:
    frame.welcome(lang, started.home, trouble)
else:
    with st.sidebar:
        frame.watch(started.home, snapshot, lang)
    frame.enter(frame.View(lang, started.home, pages, snapshot, cursor, audience=started.audience))
    try:
        page.run()
        frame.foot(frame.view())
    except duckdb.IOException:
        # A snapshot only points to the files of the lake, and a home may be moved.
        frame.welcome(lang, started.home, NoSnapshot("gone"))
    except duckdb.BinderException:
        # It has the tables, but not the columns: what stands in the server's log tells a missing run from a fault.
        logging.getLogger(__name__).exception("%s", snapshot.path.name)
        frame.welcome(lang, started.home, NoSnapshot("outdated"))
    finally:
        cursor.close()
