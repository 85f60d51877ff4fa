"""Score sheets made by hand: rows with what is usual filled in, as files, and the verdicts on them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

import xlsxwriter

from yuanzi_core.answers import answers, encode
from yuanzi_core.clubs import ClubDefaults
from yuanzi_core.files import Damage, SheetRecord
from yuanzi_core.judge import Judge
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.sheet_file import read_rows, records_of
from yuanzi_core.stream import Judged
from yuanzi_core.texts import Lang

Row = dict[str, Any]
Answer = dict[str, Any]

_OF_MATCH = {"match_id": "m1", "played_at": "2026-03-01T20:15:00+08:00"}
#: A4, C4: 2 and 0 are out, 1 and 3 hold 30 and 10: a double out.
DOUBLE_OUT: Row = {"finish": "2 0", "captured": (100, 60, 80, 20), "hand": (0, 30, 0, 10)}
#: 3 holds 40 and took 20. D1: 40 to seat 0, 20 to seat 2. Sides: 240 and 60, so no double clamp.
THREE_OUT: Row = {"finish": "2 1 0", "captured": (100, 60, 80, 20), "hand": (0, 0, 0, 40)}
#: Seats 0 and 1 against three. Seats 0, 2 and 1 are out, 3 and 4 hold 30 and 10.
SIDE_OUT: Row = {
    "dealer": 0, "partners": "1", "finish": "0 2 1", "captured": (150, 60, 100, 90, 60), "hand": (0, 0, 0, 30, 10)
}  # fmt: skip


def _spread(row: Mapping[str, Any]) -> Row:
    """Tuples into a column a seat."""
    cells: Row = {}
    for name, value in row.items():
        if isinstance(value, tuple):
            cells |= {f"{name}{seat}": one for seat, one in enumerate(value)}
        else:
            cells[name] = value
    return cells


def _row(*parts: Mapping[str, Any]) -> Row:
    """A row of several parts, the later ones prevailing; ``None`` makes a cell blank."""
    cells: Row = {}
    for part in parts:
        cells |= _spread(part)
    return {name: value for name, value in cells.items() if value is not None}


def four(**cells: Any) -> Row:
    """A row of a four-player match, in the upper half unless it says otherwise."""
    usual = {**_OF_MATCH, "variant": "four", "ruleset": "four-classic", "player": ("a", "b", "c", "d"), "half": 1}
    return _row(usual, DOUBLE_OUT, cells)


def five(**cells: Any) -> Row:
    """The row of a five-player match."""
    usual = {**_OF_MATCH, "variant": "five", "ruleset": "five-classic", "player": ("a", "b", "c", "d", "e")}
    return _row(usual, SIDE_OUT, cells)


def headings(rows: Sequence[Row]) -> list[str]:
    """The columns that the rows have."""
    return list(dict.fromkeys(name for row in rows for name in row))


def as_csv(rows: Sequence[Row], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """Rows as a CSV file."""
    out = io.StringIO(newline="")
    names = headings(rows)
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(names)
    writer.writerows([[row.get(name, "") for name in names] for row in rows])
    return out.getvalue().encode(encoding)


def as_xlsx(rows: Sequence[Row]) -> bytes:
    """Rows as an XLSX file, numbers as numbers and times as times."""
    out = io.BytesIO()
    names = headings(rows)
    with xlsxwriter.Workbook(out, {"default_date_format": "yyyy-mm-dd hh:mm"}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, names)
        for number, row in enumerate(rows, 1):
            for place, name in enumerate(names):
                sheet.write(number, place, float(row[name]) if isinstance(row.get(name), Decimal) else row.get(name))
        # What is not on the first sheet nobody reads.
        book.add_worksheet().write_row(0, 0, names)
    return out.getvalue()


@cache
def _judge() -> Judge:
    return Judge()


def judge_records(
    records: Sequence[SheetRecord], lang: Lang = "en", clubs: Mapping[str, ClubDefaults] | None = None,
    rulesets: Rulesets | None = None,
) -> list[Answer]:  # fmt: skip
    """The answers to records of a sheet, each judged for itself."""
    chunk = Reader(rulesets or Rulesets(), clubs).read_sheets(records)
    _judge().judge(chunk)
    found = answers(Judged("hand.csv", chunk, set(), _judge()), lang)
    return [json.loads(encode(answer), parse_float=Decimal) for answer in found]


def records_in(content: bytes, name: str = "a.csv") -> list[SheetRecord]:
    """The records of a file that is a table."""
    rows = read_rows(content, name)
    assert not isinstance(rows, Damage), rows
    return records_of(rows)


def judge_rows(
    *rows: Row, lang: Lang = "en", clubs: Mapping[str, ClubDefaults] | None = None, rulesets: Rulesets | None = None
) -> list[Answer]:  # fmt: skip
    """The answers to the matches of a sheet of these rows."""
    return judge_records(records_in(as_csv(rows)), lang, clubs, rulesets)


def judge(*rows: Row, **settings: Any) -> Answer:
    """The answer to the one match of a sheet."""
    (found,) = judge_rows(*rows, **settings)
    return found


def settled(*rows: Row, **settings: Any) -> Answer:
    """The same where the match must be settled."""
    found = judge(*rows, **settings)
    assert found["status"] == "settled", found
    return found


def reason(*rows: Row, lang: Lang = "en", **settings: Any) -> str:
    """Why the one match of a sheet is rejected with SHEET."""
    found = judge(*rows, lang=lang, **settings)
    assert (found["status"], found["code"], found["deal"], found["play"]) == ("rejected", "SHEET", None, None), found
    assert (found["deals"], found["outcome"], found["winner"], found["scores"]) == ([], None, None, None)
    return str(found["message"])
