"""What every page has: its language, the snapshot, the other pages, and the part of the window around it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import urlencode

import duckdb
import streamlit as st
from streamlit.navigation.page import Page

from dashboards.components.figures import minute
from dashboards.components.language import chosen_language
from dashboards.components.markup import Html, data, joined, link, show, tag
from dashboards.launch import Audience
from dashboards.queries import overview
from dashboards.store import NoSnapshot, Pointer, open_cursor, pointer
from yuanzi_core.texts import Lang, text

#: Streamlit asks this often whether a newer snapshot is published; only a small file is read.
WATCH_SECONDS = 15


@dataclass(frozen=True)
class Frame:
    """One run of a page that asks no data: the reader's language, the home folder, the pages by name, for whom it is.

    ``audience``: in public nothing of a non-member's standing, level, rank and rating is shown (G3). The tables that a
    cursor asks lack them already; a component that gets its figures elsewhere (a record as received) must look here.
    """

    lang: Lang
    home: Path
    pages: Mapping[str, Page]
    audience: Audience = field(default="public", kw_only=True)

    def say(self, key: str, **fields: object) -> str:
        """A sentence of the topic ``pages``."""
        return text(f"pages.{key}", self.lang, **fields)

    def parameters(self, /, **parameters: object) -> dict[str, str]:
        """What a link to a page carries: its parameters but those that are None, and the language if it was chosen."""
        chosen = chosen_language()
        wanted = {**parameters, "lang": chosen}
        return {name: str(value) for name, value in wanted.items() if value is not None}

    def href(self, page: str, /, **parameters: object) -> str:
        """The address of a page, relative to any other."""
        query = urlencode(self.parameters(**parameters))
        path = self.pages[page].url_path
        return f"./{path}?{query}" if query else f"./{path}"

    def match_link(self, match_id: str | None) -> Html:
        """A match's id that leads to its page."""
        if match_id is None:
            return Html("–")
        return link(self.href("match", match=match_id), data(match_id))

    def page_link(self, page: str, label: str, /, **parameters: object) -> None:
        """A link that changes the page without loading it anew. ``label`` is our own text."""
        st.page_link(self.pages[page], label=label, query_params=self.parameters(**parameters))


@dataclass(frozen=True)
class View(Frame):
    """One run of a page of results: also the snapshot, and a cursor of this run's own."""

    snapshot: Pointer
    cursor: duckdb.DuckDBPyConnection

    @cached_property
    def clubs(self) -> Mapping[str, str]:
        """What the clubs of the registry are called in the reader's language, by key."""
        return {one["club"]: one[f"name_{self.lang}"] for one in overview.registered_clubs(self.cursor)}

    def another_cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor for another thread, for the same audience. Whoever takes it closes it."""
        return open_cursor(self.snapshot, self.audience)


_current: ContextVar[Frame] = ContextVar("frame")


def enter(frame: Frame) -> None:
    """Make a frame the one that this run's page gets. The router does it."""
    _current.set(frame)


def frame() -> Frame:
    """The frame of this run."""
    return _current.get()


def view() -> View:
    """The same for a page of results."""
    found = _current.get()
    assert isinstance(found, View)
    return found


def foot(view: View) -> None:
    """The last line of a page of results: for whom it is and what it leaves out, and whose results it shows."""
    results = _results(view.snapshot, view.lang)
    show(tag("p", tag("span", view.say(f"frame.for.{view.audience}")), *results, class_="yz-muted yz-foot"))


def _results(shown: Pointer, lang: Lang) -> list[Html]:
    """The snapshot shown, by name, and when it was published."""
    found = [tag("span", text("pages.frame.snapshot", lang), " ", data(shown.path.stem, class_="yz-long"))]
    if shown.published is not None:
        found.append(tag("span", text("pages.frame.published", lang, at=minute(shown.published)), class_="yz-whole"))
    return found


def welcome(lang: Lang, home: Path, trouble: NoSnapshot) -> None:
    """The page where there is nothing to show: why, and how to change it."""
    st.title(text("pages.welcome.title", lang), anchor=False)
    st.write(text(f"pages.welcome.{trouble.trouble}", lang))
    # The samples never get among somebody's own matches: their home is where `yuanzi demo` makes it.
    own = home.absolute()
    for key, commands in (("demo", [("demo", own / "demo"), ("dashboard", own / "demo")]), ("run", [("run", own)])):
        st.write(text(f"pages.welcome.{key}", lang))
        lines = [shlex.join(["yuanzi", command, "--home", str(folder)]) for command, folder in commands]
        st.code("\n".join(lines), language=None)
    _wait_for_a_snapshot(home)


@st.fragment(run_every=WATCH_SECONDS)
def _wait_for_a_snapshot(home: Path) -> None:
    try:
        now = pointer(home)
    except NoSnapshot:
        return
    if st.session_state.get("seen-unusable") != now:
        st.session_state["seen-unusable"] = now
        st.rerun()


@st.fragment(run_every=WATCH_SECONDS)
def watch(home: Path, shown: Pointer, lang: Lang) -> None:
    """Name the snapshot shown, and offer a newer one. It never comes by itself: the reader may be in mid-sentence."""
    try:
        newest = pointer(home)
    except NoSnapshot:
        newest = shown
    if newest != shown and st.button(text("pages.frame.newer", lang), icon=":material/refresh:", width="stretch"):
        st.rerun()
    show(joined(*[tag("p", part, class_="yz-muted") for part in _results(shown, lang)]))
