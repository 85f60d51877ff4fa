"""A score sheet written as the other kind of file, or under headings of the other language: row by row, good or bad."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yuanzi_core.conversion_report import LeftOut, Report, Tell
from yuanzi_core.files import Damage
from yuanzi_core.log import Problem
from yuanzi_core.messages import message_of_problem
from yuanzi_core.reasons import Reject
from yuanzi_core.sheet_columns import BY_NAME, COLUMNS
from yuanzi_core.sheet_file import BROKEN, SheetRow, read_rows, records_of
from yuanzi_core.sheet_writer import Cell, Row, SheetWriter, typed
from yuanzi_core.texts import Lang


def copy_sheet(path: str, out: Path, lang: Lang, tell: Tell) -> Report:
    """Copy a sheet. Columns that sheets do not have are carried under their own headings, cells without one are not.

    :raises ValueError: the name of ``out`` is no sheet's.
    :raises OSError: a file cannot be read or written.
    """
    found = read_rows(Path(path).read_bytes(), path)
    report = Report()
    rows: list[SheetRow] = []

    def leave_out(row: int, problem: Problem) -> None:
        report.read += 1
        report.left_out[problem.code] += 1
        tell(LeftOut(row, None, problem.code, message_of_problem(problem, lang)))

    if isinstance(found, Damage):
        fields: dict[str, Any] = {"kind": found.kind, **found.fields}
        leave_out(max(found.line, 1), Problem(found.code, found.key, **fields))
    else:
        rows = [row for row in found if BROKEN not in row.cells]
        for row in found:
            if BROKEN in row.cells:
                leave_out(row.number, Problem(Reject.SHEET, "quotes", row=row.number))
        report.written = len(records_of(rows))
        report.read += report.written
        report.rows = len(rows)
    used = {name for row in rows for name in row.cells}
    columns = [column for column in COLUMNS if column.name in used] if rows else COLUMNS
    more = [name for name in dict.fromkeys(name for row in rows for name in row.cells) if _is_heading(name)]
    with SheetWriter(out, lang, columns, more, as_given=True) as sheet:
        for row in rows:
            sheet.write([_copied(row, report)])
    return report


def _is_heading(name: str) -> bool:
    """Whether a cell stands under a heading of its own that is no column of a sheet."""
    return name not in BY_NAME and name != "" and not name.startswith("#")


def _copied(row: SheetRow, report: Report) -> Row:
    copied: dict[str, Cell] = {}
    for name, text in row.cells.items():
        if name in BY_NAME or _is_heading(name):
            copied[name] = typed(BY_NAME.get(name), text)
        else:
            report.lose(row.number, "no_heading")
    return copied
