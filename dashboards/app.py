"""The router: which pages there are, and what stands around each of them.

Started by ``yuanzi dashboard``, or by ``streamlit run dashboards/app.py -- --home DIR``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import streamlit as st

from dashboards.components import frame
from dashboards.components.language import language_switch, reading_language
from dashboards.store import NoSnapshot, arguments, open_cursor, pointer
from yuanzi_core.texts import text

HERE = Path(__file__).parent
# In the order of the menu; the first is the one at the root address.
PAGES = {
    "overview": ":material/dashboard:",
    "match": ":material/playing_cards:",
    "discrepancies": ":material/compare_arrows:",
    "violations": ":material/gavel:",
    "files": ":material/folder_open:",
    "records": ":material/receipt_long:",
    "score": ":material/calculate:",
}
#: The pages that need no results.
WITHOUT_RESULTS = ("score",)

started = arguments(sys.argv, os.environ)
lang = reading_language(started.lang)
# The icon first: until it is set, the menu's icon of a page stands for it, and a browser fetches that from outside.
st.set_page_config(page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "components" / "style.css")
pages = {
    name: st.Page(
        HERE / "app_pages" / f"{name}.py",
        title=text(f"pages.{name}.menu", lang),
        icon=icon,
        url_path=name,
        default=name == "overview",
    )
    for name, icon in PAGES.items()
}
page = st.navigation(list(pages.values()))
st.set_page_config(page_title=text("pages.frame.title", lang, page=page.title))
st.logo(str(HERE / "icon.svg"), size="large")
with st.sidebar:
    language_switch(lang)
if page.url_path in WITHOUT_RESULTS:
    frame.enter(frame.Frame(lang, started.home, pages))
    page.run()
    st.stop()
try:
    snapshot = pointer(started.home)
    cursor = open_cursor(snapshot)
except NoSnapshot as trouble:
    frame.welcome(lang, started.home, trouble)
else:
    with st.sidebar:
        frame.watch(started.home, snapshot, lang)
    frame.enter(frame.View(lang, started.home, pages, snapshot, cursor))
    try:
        page.run()
    finally:
        cursor.close()
