"""A match in words: the sections that ``yuanzi_core.explain`` gives, and the text of each clause that they cite."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import streamlit as st

from dashboards.components.clauses import clause_buttons, clauses
from dashboards.components.frame import View
from dashboards.components.markup import Html, show, tag, with_cards
from yuanzi_core.explanation import Explanation, Line
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import Lang

#: Sections that the page of a match shows in a form of its own, and those that a reader opens if wanted.
ELSEWHERE = ("summary", "verdict", "scores", "claims")
FOLDED = ("table", "tricks")


@st.cache_data(show_spinner=False, max_entries=200)
def _explained(
    snapshot: str,
    file_id: str,
    line: int,
    lang: Lang,
    _raw: bytes,
    _home: Path,
    _standings: list[Decimal | None] | None,
) -> Explanation:
    # Imported here: the compiled referee is needed on this page alone.
    from yuanzi_core.explain import explain

    return explain(_raw, Rulesets(_home / "rulesets"), lang, _standings)


def explained(
    view: View, file_id: str, line: int, raw: bytes, standings: Sequence[Decimal | None] | None
) -> Explanation:
    """The explanation of a record as it was received: a tenth of a second, seconds for the first after a start.

    ``standings``: before the match, by seat, as the ledger has them.
    """
    known = None if standings is None else list(standings)
    return _explained(view.snapshot.hash, file_id, line, view.lang, raw, view.home, known)


def _line(view: View, line: Line) -> Html:
    book = clauses(view.lang)
    cited = [
        tag("span", number, class_="yz-clause", title=book[number].title if number in book else None)
        for number in line.clauses
    ]
    return tag("li", with_cards(line.text), *cited)


def explanation(view: View, said: Explanation, elsewhere: Sequence[str] = ELSEWHERE) -> None:
    """The sections one below the other, but those that stand elsewhere on the page."""
    for section in said.sections:
        if section.key in elsewhere:
            continue
        # The heading is made of our own words only, and a label must not be read as Markdown all the same.
        with st.expander(section.heading, expanded=section.key not in FOLDED):
            show(tag("ul", *[_line(view, line) for line in section.lines], class_="yz-lines"))
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                clause_buttons(view, [number for line in section.lines for number in line.clauses])
