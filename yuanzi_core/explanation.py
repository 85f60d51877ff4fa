"""What an explanation is made of, sections of lines with their clauses, and its two forms as text.

Nothing is explained here: see ``explain`` for records and ``combos`` for cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from yuanzi_core.cards import Variant
from yuanzi_core.texts import Lang, text
from yuanzi_core.words import by_seat, by_side, listed, seat_word, seats_word, side_word

_INDENT = "  "
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#+!|$~&:=^-])")


class Line(Struct, frozen=True):
    """One sentence and the clauses of the rulebook behind it."""

    text: str
    clauses: tuple[str, ...] = ()


class Section(Struct, frozen=True):
    """Some lines under a heading. ``key`` names the section in every language; ``deal`` the deal that it is about."""

    key: str
    heading: str
    lines: tuple[Line, ...]
    deal: int | None = None


class Explanation(Struct, frozen=True):
    """One record or some cards, explained. ``status`` as in answers."""

    lang: Lang
    status: str
    title: str
    sections: tuple[Section, ...]
    match_id: str | None = None


class Speaker:
    """Says the lines of the topic ``explain`` about one match, in one language."""

    def __init__(self, variant: Variant, lang: Lang, names: Sequence[str]) -> None:
        self.variant, self.lang, self.names = variant, lang, names

    def text(self, key: str, **fields: object) -> str:
        """A text of the topic."""
        return text(f"explain.{key}", self.lang, **fields)

    def line(self, key: str, *clauses: str, **fields: object) -> Line:
        """A line with its clauses."""
        return Line(self.text(key, **fields), clauses)

    def section(self, key: str, lines: Sequence[Line], deal: int | None = None, **fields: object) -> Section:
        """A section under its own heading; in the four-player game with the half in front."""
        heading = self.text(f"heading.{key}", **fields)
        if deal is not None and self.variant == "four":
            heading = self.text("heading.of_half", half=self.half(deal), heading=heading)
        return Section(key, heading, tuple(lines), deal)

    def half(self, deal: int) -> str:
        """A deal of the four-player game."""
        return text(f"terms.half.{deal}", self.lang)

    def seat(self, seat: int) -> str:
        """A seat alone."""
        return seat_word(self.variant, seat, self.lang)

    def person(self, seat: int) -> str:
        """A seat with who sits there, if that is known."""
        if not self.names[seat]:
            return self.seat(seat)
        return self.text("person", seat=self.seat(seat), name=self.names[seat])

    def seats(self, seats: Iterable[int]) -> str:
        """Some seats."""
        return seats_word(self.variant, seats, self.lang)

    def side(self, side: int) -> str:
        """A side."""
        return side_word(self.variant, side, self.lang)

    def by_seat(self, values: Sequence[object]) -> str:
        """A value a seat."""
        return by_seat(self.variant, values, self.lang)

    def by_side(self, values: Sequence[object]) -> str:
        """A value a side."""
        return by_side(self.variant, values, self.lang)

    def listed(self, words: Sequence[str]) -> str:
        """Words one after the other."""
        return listed(words, self.lang)


def cleaned(value: str, longest: int = 40) -> str:
    """A text that came with a log, fit to stand in a line: without control signs, and cut off where it is too long."""
    shown = "".join([sign if sign.isprintable() else " " for sign in value[: longest + 1]])
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def cited(line: Line, lang: Lang) -> str:
    """A line with its clauses behind it."""
    if not line.clauses:
        return line.text
    return text("words.list.cited", lang, line=line.text, clauses=" ".join(line.clauses))


def _rows(explanation: Explanation) -> Iterator[tuple[str, Line | None]]:
    for section in explanation.sections:
        yield section.heading, None
        for line in section.lines:
            yield cited(line, explanation.lang), line


def render_text(explanation: Explanation) -> str:
    """An explanation as plain text: headings at the margin, lines indented. Names in it may hold any printable sign,
    so whoever prints it with a markup of their own has to escape it."""
    rows = [explanation.title]
    for shown, line in _rows(explanation):
        rows += ["", shown] if line is None else [_INDENT + shown]
    return "\n".join(rows) + "\n"


def render_markdown(explanation: Explanation) -> str:
    """An explanation as Markdown, every sign that could mean something there escaped."""
    rows = [f"#### {_escaped(explanation.title)}"]
    for shown, line in _rows(explanation):
        rows += ["", f"**{_escaped(shown)}**", ""] if line is None else [f"- {_escaped(shown)}"]
    return "\n".join(rows) + "\n"


def _escaped(shown: str) -> str:
    return _MARKDOWN.sub(r"\\\1", shown)
