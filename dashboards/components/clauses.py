"""Clauses of the rulebook: a number on a page opens the clause's text, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import streamlit as st

from dashboards.components.frame import Frame
from yuanzi_core.texts import Lang

_HEADING = re.compile(r"^(#{1,3}) +(?:([A-H]\d+) +)?(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Clause:
    """A clause: its heading without the number, and its text in Markdown (our own)."""

    title: str
    body: str


@cache
def clauses(lang: Lang) -> Mapping[str, Clause]:
    """All clauses of the rulebook by number. A clause ends at the next heading of its level or a higher one."""
    book = (files("yuanzi_core") / f"rulebook.{lang}.md").read_text(encoding="utf-8")
    headings = list(_HEADING.finditer(book))
    ends = [heading.start() for heading in headings[1:]] + [len(book)]
    return {
        heading[2]: Clause(heading[3].strip(), book[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
        if heading[2]
    }


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
