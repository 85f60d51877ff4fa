"""``yuanzi combo`` and ``yuanzi explain``: cards and matches in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pipelines.commands.inputs import clubs_of, ruleset_of
from pipelines.commands.terminal import CallFailed, clean, painted, say, width_of_page, wrapped
from yuanzi_core.combos import combo as explain_cards
from yuanzi_core.explain import explain_records
from yuanzi_core.explanation import Explanation, cited
from yuanzi_core.files import Damage, Line, SheetRecord, Source, lines_of, read_blocks
from yuanzi_core.judge import Judge
from yuanzi_core.notation import NotationError
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.sheet_file import match_id_of
from yuanzi_core.stream import same_content
from yuanzi_core.texts import Lang, text

_INDENT = 2
_LINE = re.compile(r":(\d{1,15})\Z")


class _OnlyId(msgspec.Struct):
    match_id: Any = None


_only_id = msgspec.json.Decoder(_OnlyId)


def show_explanation(explanation: Explanation) -> None:
    """An explanation on the terminal: headings at the margin, lines indented and broken to the width of the page."""
    say(painted(clean(explanation.title), "bold"))
    for section in explanation.sections:
        say("", painted(clean(section.heading), "cyan"))
        for line in section.lines:
            first, *rest = wrapped(clean(cited(line, explanation.lang)), width_of_page() - 2 * _INDENT) or [""]
            say(" " * _INDENT + first, *[" " * 2 * _INDENT + more for more in rest])


def combo(
    cards: str, knife: str, variant: str | None, over: str | None, ruleset: str | None, changes: Sequence[str],
    rulesets: Rulesets, lang: Lang,
) -> None:  # fmt: skip
    """What cards are, and whether they beat others.

    :raises CallFailed: cards or a knife that cannot be read, an unknown ruleset, option or value.
    """
    rules = ruleset_of(ruleset or f"{variant or 'four'}-classic", changes, rulesets, lang)
    if variant is not None and rules.variant != variant:
        game = text(f"terms.game.{rules.variant}", lang)
        raise CallFailed(text("cli.combo.other_game", lang, ruleset=clean(rules.name), game=game))
    try:
        found = explain_cards(cards, knife, rules, lang, over)
    except NotationError as error:
        raise CallFailed(text("cli.combo.unreadable", lang, found=clean(error.found), at=error.at + 1)) from None
    show_explanation(found.explanation)


def explain(file: str, match: str, rulesets: Rulesets, lang: Lang) -> None:
    """All records of a match in a file, or the record in a line (``:12``), in words.

    :raises CallFailed: there is none.
    :raises OSError: the file cannot be read.
    """
    line = _LINE.match(match)
    found = list(_record_in(file, int(line[1])) if line else _records_of(file, match))
    if not found:
        key = "cli.explain.no_line" if line else "cli.explain.no_match"
        raise CallFailed(text(key, lang, file=clean(file), match=clean(match), line=line[1] if line else ""))
    reader, judge = Reader(rulesets, clubs_of([file], rulesets)), Judge()
    of_sheet = [record for record in found if isinstance(record, SheetRecord)]
    chunk = reader.read_sheets(of_sheet) if of_sheet else reader.read([(line, raw) for line, raw, *_ in found])
    judge.judge(chunk)
    first: dict[int, Line] = {}
    for record, said in zip(
        chunk.records, explain_records(chunk, range(len(found)), judge, lang), strict=True
    ):  # fmt: skip
        if len(found) > 1:
            say(*[""] * record.row, painted(text("cli.explain.another", lang, line=record.line), "yellow"))
        if record.match is not None and record.problem is None:
            earlier = first.setdefault(record.match.revision or 1, (record.line, record.raw))
            if earlier[0] != record.line:
                equal = same_content(earlier[1], record.raw)
                say(text(f"cli.explain.{'equal' if equal else 'conflict'}", lang, line=earlier[0]))
                if equal:
                    continue
        show_explanation(said)


def _lines(file: str) -> Iterator[Line | SheetRecord]:
    source = Source(file)
    try:
        for block in read_blocks(source, file):
            # Behind the damage there is nothing to be read.
            if not isinstance(block, Damage):
                yield from block if isinstance(block, list) else lines_of(block)
    finally:
        source.close()


def _record_in(file: str, wanted: int) -> Iterator[Line | SheetRecord]:
    """The record in a line; of a score sheet the match that has a row there."""
    for record in _lines(file):
        if isinstance(record, SheetRecord):
            if wanted in record.rows:
                yield record
        elif record[0] >= wanted:
            if record[0] == wanted:
                yield record
            return


def _records_of(file: str, match: str) -> Iterator[Line | SheetRecord]:
    plain = match.encode("utf-8", "replace")
    for record in _lines(file):
        raw = record[1]
        # Looking costs a hundredth of reading; an id may be written with escapes.
        if plain in raw or b"\\" in raw:
            try:
                found = match_id_of(raw) if isinstance(record, SheetRecord) else _only_id.decode(raw).match_id
                if found == match:
                    yield record
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
