"""``yuanzi score``: a result entered by hand, settled as a sheet is and explained. Nothing is written."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from pipelines.commands.explaining import show_explanation
from pipelines.commands.inputs import ruleset_error
from pipelines.commands.terminal import CallFailed, clean, complain, painted, say, write_bytes
from yuanzi_core.answers import encode
from yuanzi_core.calculator import Entry, Result, calculate
from yuanzi_core.cards import RANKS, SEATS, Variant
from yuanzi_core.explanation import Explanation
from yuanzi_core.judge import Judge
from yuanzi_core.notation import NotationError, read_rank
from yuanzi_core.ruleset import USUAL, RulesetError, Rulesets
from yuanzi_core.sheet_columns import BY_NAME, column_of, heading_of
from yuanzi_core.sheet_words import end_of, game_of
from yuanzi_core.texts import Lang, text

IMPOSSIBLE = 1
#: Options that give a value a seat, and so are several columns of a sheet.
_BY_SEAT = ("captured", "hand", "balance")
#: What is asked for the whole match.
_ASKED_ONCE = ("ruleset", "rules", "base", "dealer", "partners")
_COMMA = re.compile(r"[,;，；、]")
#: The answer that empties what stands in brackets.
_EMPTIED = "-"
_Read = TypeVar("_Read")


class _Unusable(ValueError):
    """A list of values that says less or more than it should; the message is for whoever entered it."""


def score(
    of_match: Mapping[str, str | None], deals: Sequence[Mapping[str, str | None]], knife: str | None,
    changes: Sequence[str], cells: Sequence[str], as_json: bool, rulesets: Rulesets, lang: Lang,
) -> int:  # fmt: skip
    """Settle a result. ``of_match`` and ``deals`` are columns of a sheet, by seat where a value a seat was given; where
    there are no deals they are asked for. Returns the exit status: 1 for an impossible entry.

    :raises CallFailed: a ruleset, knife or column that does not exist, or too many values.
    """
    judge = Judge()
    variant = _variant(of_match, rulesets, lang)
    given = {**_spread(of_match, variant, lang), **_cells(cells, lang)}
    if changes:
        given["rules"] = "; ".join(changes)
    rank = _knife(knife, lang)
    if any(value for deal in deals for value in deal.values()):
        # A lower half of which nothing is said was not played.
        said = [_spread(deal, variant, lang, of) for deal, of in zip(deals, ("--", "--lower-"), strict=True)]
        entry = Entry(variant, given, [said[0], *[deal for deal in said[1:] if deal]])
        result = calculate(entry, rulesets, lang, judge)
    else:
        asked = _Questions(rulesets, judge, lang)
        entry, result = asked.all(variant if of_match.get("variant") else None, given)
    if as_json:
        write_bytes(encode(result.answer) + b"\n")
    else:
        _show(entry, result, rank, lang)
    return 0 if result.is_possible else IMPOSSIBLE


def _variant(of_match: Mapping[str, str | None], rulesets: Rulesets, lang: Lang) -> Variant:
    """The game: the one given, else that of the ruleset, else four."""
    named = of_match.get("variant")
    if named is not None:
        return "five" if named == "five" else "four"
    ruleset = of_match.get("ruleset")
    if ruleset is None:
        return "four"
    try:
        return rulesets[ruleset].variant
    except RulesetError as error:
        raise CallFailed(ruleset_error(error, lang)) from None


def _listed(value: str) -> list[str]:
    """The values of a list. Between commas a place may be empty, and stays so; blanks only stand between values.

    >>> _listed("95,,120, 45"), _listed("95  40 120")
    (['95', '', '120', '45'], ['95', '40', '120'])
    """
    return [part.strip() for part in _COMMA.split(value)] if _COMMA.search(value) else value.split()


def _of_seats(value: str, variant: Variant, lang: Lang) -> list[str]:
    """A value a seat, empty where none is given. :raises _Unusable: there are more or fewer places than seats."""
    seats = SEATS[variant]
    parts = _listed(value) or [""] * seats
    if len(parts) != seats:
        raise _Unusable(text("calculator.values", lang, seats=seats, found=len(parts)))
    return parts


def _in_order(value: str, lang: Lang) -> str:
    """Seats in an order, as a cell has them. :raises _Unusable: a place in the order is empty."""
    parts = _listed(value)
    if "" in parts:
        raise _Unusable(text("calculator.empty_place", lang, place=parts.index("") + 1))
    return " ".join(parts)


def _spread(given: Mapping[str, str | None], variant: Variant, lang: Lang, of: str = "--") -> dict[str, str]:
    """What was given on the command line as cells: a value a seat in a column a seat. ``of`` begins the options."""
    cells: dict[str, str] = {}
    for name, value in given.items():
        if value is None or not value.strip():
            continue
        try:
            if name in _BY_SEAT:
                parts = _of_seats(value, variant, lang)
                cells |= {f"{name}{seat}": part for seat, part in enumerate(parts) if part}
            elif name == "finish":
                cells[name] = _in_order(value, lang)
            else:
                # Partners have no order.
                cells[name] = " ".join(filter(None, _listed(value))) if name == "partners" else value.strip()
        except _Unusable as wrong:
            raise CallFailed(text("calculator.at", lang, place=of + name, message=wrong)) from None
    return cells


def _cells(cells: Sequence[str], lang: Lang) -> dict[str, str]:
    found = {}
    for cell in cells:
        name, equals, value = cell.partition("=")
        column = column_of(name.strip())
        if column is None or not equals:
            raise CallFailed(text("cli.score.no_column", lang, found=clean(cell)))
        found[column.name] = value.strip()
    return found


def _knife(knife: str | None, lang: Lang) -> str | None:
    if knife is None:
        return None
    try:
        return text(f"terms.rank.{RANKS[read_rank(knife)]}", lang)
    except NotationError as error:
        raise CallFailed(text("cli.combo.unreadable", lang, found=clean(error.found), at=error.at + 1)) from None


def _show(entry: Entry, result: Result, knife: str | None, lang: Lang) -> None:
    title = text("calculator.title", lang, game=text(f"terms.game.{entry.variant}", lang))
    if not result.is_possible:
        say(painted(title, "bold"), "", *_why_not(entry, result, lang))
        return
    show_explanation(Explanation(lang, str(result.answer["status"]), title, result.sections))
    if knife is not None:
        say("", text("calculator.knife", lang, knife=knife))
    for key, tabs in (("csv", False), ("tabs", True)):
        say("", painted(text(f"calculator.row_{key}", lang), "cyan"))
        # Tabs have to stay tabs; each cell is clean by itself.
        shown = entry.as_text(lang, tabs).splitlines()
        say(*["\t".join(map(clean, line.split("\t"))) for line in shown])


def _why_not(entry: Entry, result: Result, lang: Lang) -> list[str]:
    """Why an entry cannot be: the half, the column, the reason."""
    column = BY_NAME.get(result.column)
    said = str(result.message)
    if column is not None:
        said = text("calculator.at", lang, place=heading_of(column, lang), message=said)
    if result.deal is not None and entry.variant == "four":
        said = text("calculator.at", lang, place=text(f"terms.half.{result.deal}", lang), message=said)
    key, colour = ("still", "yellow") if result.is_missing else ("impossible", "red")
    return [painted(text(f"calculator.{key}", lang), colour), f"  {clean(said)}"]


class _Questions:
    """The entry, asked for line by line. A blank answer takes what stands in brackets."""

    def __init__(self, rulesets: Rulesets, judge: Judge, lang: Lang) -> None:
        self.rulesets, self.judge, self.lang = rulesets, judge, lang

    def ask(self, name: str, default: str = "", **fields: object) -> str:
        """One answer."""
        shown = text(f"calculator.ask.{name}", self.lang, **fields)
        key = "question_with" if default else "question"
        sys.stderr.write(text(f"calculator.{key}", self.lang, question=shown, default=clean(default)) + " ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise CallFailed(text("cli.score.no_answer", self.lang))
        answer = line.strip() or default
        return "" if answer == _EMPTIED else answer

    def ask_for(self, read: Callable[[str], _Read], name: str, default: str = "", **fields: object) -> _Read:
        """What an answer means. An answer that means nothing is asked for again."""
        while True:
            try:
                return read(self.ask(name, default, **fields))
            except _Unusable as wrong:
                complain(f"  {wrong}")

    def all(self, variant: Variant | None, of_match: dict[str, str]) -> tuple[Entry, Result]:
        """Everything: the match, its deals one by one, until the result is possible or no answer can make it so."""
        complain(text("calculator.intro", self.lang))
        game: Variant = self.ask_for(self._game, "variant", "four") if variant is None else variant
        entry = Entry(game, dict(of_match), [{}])
        self._match(entry)
        self._deal(entry, 0)
        result = self._until_possible(entry)
        if result.answer["outcome"] == "unfinished":
            complain(text("calculator.lower_follows", self.lang))
            entry.deals.append({})
            self._deal(entry, 1)
            result = self._until_possible(entry)
        return entry, result

    def _game(self, answer: str) -> Variant:
        game = game_of(answer)
        if game is None:
            raise _Unusable(text("sheets.reason.variant", self.lang))
        return game

    def _match(self, entry: Entry) -> None:
        for name in _ASKED_ONCE:
            if entry.variant not in BY_NAME[name].games:
                continue
            default = entry.of_match.get(name) or {"ruleset": USUAL[entry.variant], "base": "1"}.get(name, "")
            entry.of_match[name] = self.ask(name, default)

    def _deal(self, entry: Entry, place: int) -> None:
        variant, before = entry.variant, entry.deals[place]
        # What is answered now stands instead of all that was answered before.
        deal = entry.deals[place] = {}
        if variant == "four":
            complain("", text(f"terms.half.{place}", self.lang))
        deal["end"] = self.ask(f"end_{variant}", before.get("end") or "out")
        if end_of(deal["end"]) == "escape":
            for name in ("escaped", "tricks"):
                deal[name] = self.ask(name, before.get(name, ""))
        deal["finish"] = self.ask_for(lambda answer: _in_order(answer, self.lang), "finish", before.get("finish", ""))
        seats = range(SEATS[variant])
        for name in ("captured", "hand"):
            values = [before.get(f"{name}{seat}", "") for seat in seats]
            default = ",".join(values) if any(values) else ""
            parts = self.ask_for(lambda answer: _of_seats(answer, variant, self.lang), name, default, seats=len(seats))
            deal |= {f"{name}{seat}": part for seat, part in zip(seats, parts, strict=True)}
        deal["atoms"] = self.ask(f"atoms_{variant}", before.get("atoms", ""))

    def _until_possible(self, entry: Entry) -> Result:
        while True:
            result = calculate(entry, self.rulesets, self.lang, self.judge)
            if result.is_possible:
                complain("")
                return result
            column = BY_NAME.get(result.column)
            asked_once = result.column in _ASKED_ONCE
            if column is not None and column.of_match and not asked_once:
                # It came with the call: no answer would mend it.
                return result
            complain("", *_why_not(entry, result, self.lang))
            if asked_once or result.deal is None:
                self._match(entry)
            if not asked_once:
                self._deal(entry, len(entry.deals) - 1 if result.deal is None else result.deal)
