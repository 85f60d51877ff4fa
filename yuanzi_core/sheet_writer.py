"""Score sheets written: rows of canonical columns as CSV or XLSX.

CSV has a BOM, so that Chinese Excel reads it, commas and CRLF. In XLSX a text is a text: never a formula, never a link.
In both a text that a spreadsheet would run is defused, so that it stays harmless when somebody saves it as CSV.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

from yuanzi_core.claims import canonical_number
from yuanzi_core.files import SHEET_SUFFIXES
from yuanzi_core.sheet_columns import COLUMNS, Column, heading_of
from yuanzi_core.sheet_limits import LONGEST_CELL, MOST_ROWS
from yuanzi_core.spreadsheet_safety import defused
from yuanzi_core.texts import Lang, has, text
from yuanzi_core.whole_file import whole_file

Cell = str | int | Decimal | None
#: The cells of a row under canonical names of columns, or under headings that are no column's; blank ones left out.
Row = Mapping[str, Cell]
_BOM = "\ufeff"
#: Digits of a number that a spreadsheet keeps.
_MOST_DIGITS = 15
_SPOKEN = ("half", "variant", "end", "outcome")
_NUMERIC = ("number", "whole", "half", "seat")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,9})?\Z", re.ASCII)
_WIDTH, _WIDTHS = 10, {"text": 12, "time": 24, "number": 10, "whole": 9, "rules": 22, "outcome": 12, "variant": 9}


class TooManyRows(Exception):
    """More rows than a sheet may have (``sheet_limits.MOST_ROWS``)."""


class _Sink(Protocol):
    def write(self, cells: Sequence[Cell]) -> None: ...

    def close(self) -> None: ...


class _Csv:
    def __init__(self, stream: IO[bytes], headings: Sequence[str]) -> None:
        self._text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
        self._text.write(_BOM)
        self._writer = csv.writer(self._text, lineterminator="\r\n")
        self.write(headings)

    def write(self, cells: Sequence[Cell]) -> None:
        self._writer.writerow([_csv_cell(cell) for cell in cells])

    def close(self) -> None:
        self._text.flush()
        self._text.detach()


def _csv_cell(cell: Cell) -> str:
    """A cell as it stands between commas."""
    return "" if cell is None else defused(cell) if isinstance(cell, str) else canonical_number(cell)


class _Xlsx:
    def __init__(self, stream: IO[bytes], headings: Sequence[str], widths: Sequence[int]) -> None:
        import xlsxwriter

        # Each row goes to disk when the next begins.
        self._book = xlsxwriter.Workbook(stream, {"constant_memory": True})
        self._sheet: Any = self._book.add_worksheet()
        self._sheet.freeze_panes(1, 1)
        for place, width in enumerate(widths):
            self._sheet.set_column(place, place, width)
        bold = self._book.add_format({"bold": True})
        for place, heading in enumerate(headings):
            self._sheet.write_string(0, place, defused(heading), bold)
        self._rows = 1

    def write(self, cells: Sequence[Cell]) -> None:
        for place, cell in enumerate(cells):
            if cell is not None:
                write_cell(self._sheet, self._rows, place, cell)
        self._rows += 1

    def close(self) -> None:
        self._book.close()


def width_of(column: Column) -> int:
    """How wide a column should be, in signs."""
    return 24 if column.name == "match_id" else _WIDTHS.get(column.kind, _WIDTH)


def write_cell(sheet: Any, row: int, place: int, cell: str | int | Decimal, form: Any = None) -> None:
    """A cell of an XLSX worksheet. A number that a spreadsheet would round is written as text."""
    if not isinstance(cell, str):
        shown = canonical_number(cell)
        if len(shown.lstrip("-0").replace(".", "")) <= _MOST_DIGITS:
            sheet.write_number(row, place, float(shown), form)
            return
        cell = shown
    sheet.write_string(row, place, defused(cell)[:LONGEST_CELL], form)


def typed(column: Column | None, shown: str) -> Cell:
    """A cell's text as what is written: a number where the column has numbers and it is one, else the text itself."""
    if column is None or column.kind not in _NUMERIC or not _NUMBER.match(shown):
        return shown
    return Decimal(shown) if "." in shown else int(shown)


def in_words(column: Column, cell: Cell, lang: Lang) -> Cell:
    """A code as a sheet of that language says it: ``上``, ``逃跑``; anything else as it is."""
    key = f"template.{column.kind}.{cell}"
    if column.kind not in _SPOKEN or cell is None or not has(key, lang):
        return cell
    shown = text(key, lang)
    return cell if shown == str(cell) else shown


class SheetWriter:
    """A score sheet to be written within ``with``: complete under its name when that ends well, else not there at all.

    ``more`` are headings that are no column of a sheet, to stand behind those that are. Codes are written in words of
    the language, unless ``as_given``.

    :raises ValueError: the name ends in none of ``files.SHEET_SUFFIXES``.
    :raises OSError: the file cannot be written (from any method).
    """

    def __init__(
        self, path: Path, lang: Lang, columns: Sequence[Column] = COLUMNS, more: Sequence[str] = (),
        as_given: bool = False,
    ) -> None:  # fmt: skip
        if not path.name.lower().endswith(SHEET_SUFFIXES):
            raise ValueError(f"{path.name}: the name of a sheet ends in {', '.join(SHEET_SUFFIXES)}")
        self._columns, self._more, self._lang, self._as_given = columns, more, lang, as_given
        self._is_csv = path.name.lower().endswith(".csv")
        self._whole = whole_file(path)
        self._rows = 0

    def __enter__(self) -> SheetWriter:
        stream = self._whole.__enter__()
        headings = [*[heading_of(column, self._lang) for column in self._columns], *self._more]
        widths = [*map(width_of, self._columns), *[_WIDTH for _ in self._more]]
        self._sink: _Sink = _Csv(stream, headings) if self._is_csv else _Xlsx(stream, headings, widths)
        return self

    def write(self, rows: Iterable[Row]) -> None:
        """Write some rows.

        :raises TooManyRows: nobody would read them.
        """
        for row in rows:
            self._rows += 1
            if self._rows > MOST_ROWS:
                raise TooManyRows
            cells = [row.get(column.name) for column in self._columns]
            if not self._as_given:
                pairs = zip(self._columns, cells, strict=True)
                cells = [in_words(column, cell, self._lang) for column, cell in pairs]
            self._sink.write([*cells, *[row.get(heading) for heading in self._more]])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # Nobody gets this file; what was begun for it has to be let go of all the same.
            with contextlib.suppress(OSError, ValueError):
                self._sink.close()
            self._whole.__exit__(kind, error, trace)
            return
        try:
            self._sink.close()
        except BaseException as trouble:
            self._whole.__exit__(type(trouble), trouble, trouble.__traceback__)
            raise
        self._whole.__exit__(None, None, None)


def as_text(rows: Iterable[Row], columns: Sequence[Column], lang: Lang, tabs: bool = False) -> str:
    """Rows with their headings as CSV, or with tabs between, as a spreadsheet takes them from the clipboard.

    Without BOM, line ends as of the system's own texts.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t" if tabs else ",", lineterminator="\n")
    writer.writerow([heading_of(column, lang) for column in columns])
    for row in rows:
        writer.writerow([_csv_cell(in_words(column, row.get(column.name), lang)) for column in columns])
    return out.getvalue()
