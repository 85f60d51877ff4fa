"""Clauses of the rulebook: a number on a page opens the clause's text, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from dashboards.components.frame import Frame
from dashboards.components.markup import link, show, tag
from yuanzi_core.rulebook import Clause, rulebook
from yuanzi_core.texts import Lang


def clauses(lang: Lang) -> Mapping[str, Clause]:
    """All clauses of the rulebook by number."""
    return rulebook(lang).clauses


def clause_buttons(view: Frame, numbers: Iterable[str]) -> None:
    """A button for each clause, in the order given and once each; what is no clause of the rulebook is left out.

    They go where the caller is: best into a horizontal container.
    """
    book = clauses(view.lang)
    known = [number for number in dict.fromkeys(numbers) if number in book]
    if not known:
        return
    st.caption(view.say("clauses.behind"), width="content")
    for number in known:
        with st.popover(number, type="tertiary"):
            st.markdown(f"**{number} {book[number].title}**")
            st.markdown(book[number].body)
            show(tag("p", link(view.href("rules", clause=number), view.say("clauses.in_the_book"))))
