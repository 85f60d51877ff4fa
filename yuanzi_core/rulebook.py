"""The rulebook in parts: introduction, sections, clauses, glossary. Its text stands in ``rulebook.<lang>.md``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from yuanzi_core.texts import Lang

_HEADING = re.compile(r"^(#{1,3}) +(?:([A-H])\. +|([A-H]\d+) +)?(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Clause:
    """A clause: its heading without the number, and its text in Markdown (our own)."""

    title: str
    body: str


@dataclass(frozen=True)
class Section:
    """A section: its heading without the letter, and the numbers of its clauses in their order."""

    title: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Rulebook:
    """The book in one language. ``introduction`` is Markdown; ``glossary`` has a term a row, three texts in Markdown:
    Chinese, English, meaning."""

    introduction: str
    sections: Mapping[str, Section]
    clauses: Mapping[str, Clause]
    glossary: tuple[tuple[str, str, str], ...]

    def having(self, wanted: str) -> list[str]:
        """The numbers of the clauses whose number, heading or text has some words in it, whatever their case."""
        said = wanted.casefold()
        return [
            number
            for number, clause in self.clauses.items()
            if said == number.casefold() or said in f"{clause.title}\n{clause.body}".casefold()
        ]

    def neighbours(self, number: str) -> tuple[str | None, str | None]:
        """The clauses before and after one."""
        order = list(self.clauses)
        at = order.index(number)
        return order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None


@cache
def rulebook(lang: Lang) -> Rulebook:
    """The book. A clause ends at the next heading, whatever its level."""
    book = (files("yuanzi_core") / f"rulebook.{lang}.md").read_text(encoding="utf-8")
    headings = list(_HEADING.finditer(book))
    ends = [heading.start() for heading in headings[1:]] + [len(book)]
    bodies = [book[heading.end() : end].strip() for heading, end in zip(headings, ends, strict=True)]
    clauses = {
        heading[3]: Clause(heading[4].strip(), body)
        for heading, body in zip(headings, bodies, strict=True)
        if heading[3]
    }
    sections = {
        heading[2]: Section(heading[4].strip(), tuple(number for number in clauses if number[0] == heading[2]))
        for heading in headings
        if heading[2]
    }
    # The last section is the glossary: a table under two lines of head.
    rows = [line.strip().strip("|").split("|") for line in bodies[-1].splitlines() if line.startswith("|")][2:]
    glossary = tuple((chinese.strip(), english.strip(), meaning.strip()) for chinese, english, meaning in rows)
    return Rulebook(bodies[0], sections, clauses, glossary)
