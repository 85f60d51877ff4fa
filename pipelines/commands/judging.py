"""``yuanzi settle`` and ``yuanzi check``: each record of some files judged alone, for machines and for people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeAlias

from pipelines.commands.inputs import clubs_of, sizes
from pipelines.commands.terminal import (
    add_row,
    clean,
    clean_json,
    is_terminal,
    painted,
    progress,
    say,
    show,
    table,
    write_bytes,
)
from yuanzi_core.answers import answers, encode
from yuanzi_core.cards import Variant
from yuanzi_core.log import NoteRow
from yuanzi_core.messages import message_of_discrepancy, message_of_note
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files
from yuanzi_core.texts import Lang, text
from yuanzi_core.words import listed, side_word, signed

if TYPE_CHECKING:
    import duckdb

#: The connection to judge on, which is being opened.
Opening: TypeAlias = "Future[duckdb.DuckDBPyConnection]"
FOUND = 1
#: The status of a record, in the order of a summary.
STATUSES = ("settled", "unfinished", "violation", "rejected", "duplicate")
_COLOUR = {"settled": "green", "unfinished": "yellow", "violation": "red", "rejected": "red", "duplicate": "dim"}


def _judged(
    files: Sequence[str], rulesets: Rulesets, opening: Opening, lang: Lang, quiet: bool
) -> Iterator[list[dict[str, Any]]]:
    """The answers to the records of some files, a chunk at a time."""
    with progress(text("cli.doing.judging", lang), sizes(files), lang, "bytes", quiet) as advance:
        for judged in judge_files(files, rulesets, advance, opening, clubs_of(files, rulesets)):
            yield list(answers(judged, lang))


def is_clean(answer: dict[str, Any]) -> bool:
    """Whether nothing is wrong with a record."""
    return answer["status"] not in ("violation", "rejected") and not answer.get("discrepancies")


def settle(files: Sequence[str], as_table: bool | None, rulesets: Rulesets, opening: Opening, lang: Lang) -> int:
    """The answers as JSON lines or as a table. Returns the exit status."""
    as_table = is_terminal(sys.stdout) if as_table is None else as_table
    shown_on_terminal = is_terminal(sys.stdout)
    all_clean = True
    for chunk in _judged(files, rulesets, opening, lang, quiet=False):
        all_clean = all_clean and all(map(is_clean, chunk))
        if as_table:
            _show_table(chunk, lang)
            continue
        lines = [encode(answer | {"file": _encodable(answer["file"])}) for answer in chunk]
        if shown_on_terminal:
            lines = [clean_json(line) for line in lines]
        write_bytes(b"\n".join(lines) + b"\n")
    return 0 if all_clean else FOUND


def _encodable(path: str) -> str:
    """A path for JSON: bytes that are no text become replacement characters."""
    return path.encode("utf-8", "replace").decode() if not path.isascii() else path


def _show_table(chunk: list[dict[str, Any]], lang: Lang) -> None:
    if not chunk:
        return
    line, *names = [text(f"cli.settle.{name}", lang) for name in ("line", "match", "status", "result", "scores")]
    made = table((line, "right"), *names[:-1], (names[-1], "whole"))
    made.title, made.title_justify, made.title_style = clean(chunk[0]["file"]), "left", "bold"
    width = max([len(signed(score)) for answer in chunk for score in answer.get("scores") or ()], default=0)
    for answer in chunk:
        found = [text(f"reasons.discrepancy.{one['code']}.name", lang) for one in answer.get("discrepancies") or ()]
        result = f"{answer['code']}: {answer['message']}" if answer.get("code") else _result(answer, lang)
        if found:
            result = text("cli.settle.but", lang, result=result, discrepancies=listed(found, lang))
        add_row(
            made, str(answer["line"]), clean(answer["match_id"] or "-"), text(f"terms.status.{answer['status']}", lang),
            clean(result), " ".join([signed(score).rjust(width) for score in answer.get("scores") or ()]),
            style=None if is_clean(answer) else "red" if answer.get("code") else "yellow",
        )  # fmt: skip
    show(made)


def check(files: Sequence[str], quiet: bool, notes: bool, rulesets: Rulesets, opening: Opening, lang: Lang) -> int:
    """A line for each verdict and a summary that adds up. Returns the exit status."""
    counts: dict[str, Counter[str]] = {}
    for chunk in _judged(files, rulesets, opening, lang, quiet):
        lines: list[str] = []
        for answer in chunk:
            count = counts.setdefault(answer["file"], Counter())
            count[answer["status"]] += 1
            count["discrepancies"] += len(answer.get("discrepancies") or ())
            count["unclean"] += not is_clean(answer)
            lines += _lines(answer, quiet, notes, lang)
        if lines:
            say(*lines)
    say(*_summary(counts, lang))
    return FOUND if any(count["unclean"] for count in counts.values()) else 0


def _lines(answer: dict[str, Any], quiet: bool, notes: bool, lang: Lang) -> Iterator[str]:
    place = f"{clean(answer['file'])}:{answer['line']}: {clean(answer['match_id'] or '-')}"
    status = answer["status"]
    if not quiet or status in ("violation", "rejected"):
        code = answer.get("code") or text(f"terms.status.{status}", lang)
        message = clean(answer.get("message") or _result(answer, lang))
        if answer.get("scores"):
            message = text("cli.check.scores", lang, result=message, scores=" ".join(map(signed, answer["scores"])))
        where = f"{_or_dash(answer.get('deal'))} {_or_dash(answer.get('play'))}"
        yield f"{place} {where} {painted(code, _COLOUR[status])} {message}"
    for found in answer.get("discrepancies") or ():
        words = message_of_discrepancy(found["code"], *_values(found), variant_of(answer), lang)
        yield f"{place} {_or_dash(found['deal'])} - {painted(found['code'], 'yellow')} {clean(words)}"
    for note in (answer.get("notes") or ()) if notes else ():
        row = None if "seats" in note else NoteRow(note["code"], note.get("path"), note.get("count"))
        words = message_of_note(note["code"], variant_of(answer), lang, row, note.get("seats", ()))
        yield f"{place} - - {painted(note['code'], 'cyan')} {clean(words)}"


def variant_of(answer: dict[str, Any]) -> Variant:
    """The game of an answer, by the number of seats; four where it names none."""
    seats = answer.get("scores") or (answer.get("deals") or [{"sides": ()}])[0]["sides"]
    return "five" if len(seats) == 5 else "four"


def _values(found: dict[str, Any]) -> tuple[str, str]:
    return bytes(found["claimed"]).decode(), bytes(found["recomputed"]).decode()


def _or_dash(number: int | None) -> str:
    return "-" if number is None else str(number)


def _result(answer: dict[str, Any], lang: Lang) -> str:
    """How a match came out, without its scores; or why it has none."""
    status, won = answer["status"], answer.get("winner")
    if status != "settled":
        return text(f"cli.check.{status}", lang)
    outcome = text(f"terms.outcome.{answer['outcome']}", lang)
    if won is None:
        return outcome
    return text("cli.check.won", lang, outcome=outcome, winner=side_word(variant_of(answer), won, lang))


def _summary(counts: dict[str, Counter[str]], lang: Lang) -> Iterator[str]:
    """What was read is what was settled and so on: a line a file where there are several, and the sum."""
    if len(counts) > 1:
        for file, count in counts.items():
            yield text("cli.check.of_file", lang, file=clean(file), counts=_sum(count, lang))
    total = sum(counts.values(), Counter())
    yield painted(_sum(total, lang), "bold")
    if total["discrepancies"]:
        key = "cli.check.discrepancies_one" if total["discrepancies"] == 1 else "cli.check.discrepancies"
        yield text(key, lang, count=total["discrepancies"])


def _sum(count: Counter[str], lang: Lang) -> str:
    words = {status: text(f"terms.status.{status}", lang) for status in STATUSES}
    parts = [text("cli.check.part", lang, count=count[status], status=word) for status, word in words.items()]
    return text("cli.check.sum", lang, read=sum(count[status] for status in STATUSES), parts=" + ".join(parts))
