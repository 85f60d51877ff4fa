"""Cells of an XLSX file, as texts: those of the first sheet that is not hidden.

fastexcel reads them; what it gets to read is made safe first. The parts that are needed are unpacked here, bytes
counted, and looked through for how many cells they claim to hold; fastexcel gets an archive of exactly these parts.
Formulas have the values that were last calculated.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from yuanzi_core.sheet_cells import LOST_DIGITS
from yuanzi_core.sheet_limits import (
    HARMLESS,
    HIGHEST_RATIO,
    LONGEST_CELL,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ENTRIES,
    MOST_ROWS,
    MOST_TEXT,
    MOST_UNPACKED,
    NoTable,
)

_PIECE = 1 << 16
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
#: A whole number from here on has more digits than the 15 that spreadsheets keep.
_LOSES_DIGITS = 10**15
#: More columns than three letters can name.
_WIDEST = 1 << 15
#: A number as fastexcel writes it out, large enough for the last of nine decimals to be wrong.
_LARGE, _SHORTEST_LARGE = re.compile(r"-?[0-9]{6,14}\.[0-9]{9}"), 16
_ERRORS = {
    "Div0": "#DIV/0!", "NA": "#N/A", "Name": "#NAME?", "Null": "#NULL!", "Num": "#NUM!", "Ref": "#REF!",
    "Value": "#VALUE!", "GettingData": "#GETTING_DATA",
}  # fmt: skip
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, expat.ExpatError, EOFError, OSError, RuntimeError, NotImplementedError, ValueError,
    LookupError, MemoryError,
)  # fmt: skip


def cells_of(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Rows of the sheet as (number in the sheet, cells), from row 1 on, all of the same width.

    :raises NoTable: the file is broken, or larger than ``sheet_limits`` allows.
    """
    try:
        parts = _unpacked(content)
        place, sheet = _first_sheet(parts)
        found = _look_through(parts, sheet)
        kept = {name: part for name, part in parts.items() if not _is_worksheet(name) or name == sheet}
        columns, errors = _read(_packed(kept), place)
        _mark(columns, found.long)
        _fill(columns, found.merged)
    except _UNREADABLE:
        raise NoTable("broken_xlsx") from None
    height = len(columns[0]) if columns else 0
    for row in range(height):
        yield row + 1, [errors.get((row, place)) or column[row] or "" for place, column in enumerate(columns)]


def _unpacked(content: bytes) -> dict[str, bytes]:
    """The parts of the archive that a sheet is made of, by name."""
    parts: dict[str, bytes] = {}
    room = min(MOST_UNPACKED, max(HIGHEST_RATIO * len(content), HARMLESS))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_ENTRIES:
            raise NoTable("too_many_entries", limit=MOST_ENTRIES)
        for entry in entries:
            name = entry.filename.replace("\\", "/").lstrip("/")
            if not name.lower().endswith((".xml", ".rels")):
                continue
            if name in parts:
                raise zipfile.BadZipFile(name)
            pieces = []
            with archive.open(entry) as stream:
                while piece := stream.read(_PIECE):
                    room -= len(piece)
                    if room < 0:
                        raise NoTable("unpacks_to_too_much", limit=MOST_UNPACKED >> 20, ratio=HIGHEST_RATIO)
                    pieces.append(piece)
            parts[name] = b"".join(pieces)
    return parts


def _packed(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)
    return made.getvalue()


def _is_worksheet(name: str) -> bool:
    return name.lower().startswith("xl/worksheets/") and name.lower().endswith(".xml")


class _Walk:
    """Elements of a part, as (local name, attributes). :raises expat.ExpatError: it is not well-formed XML."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.StartDoctypeDeclHandler = self._no_doctype

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.start(name.rpartition(":")[2], attributes)

    def _no_doctype(self, *_: Any) -> None:
        # No office program writes one, and entities are a way to make little of much.
        raise ValueError("DOCTYPE")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take in an element."""

    def walk(self, part: bytes) -> None:
        """Go through a part."""
        self.parser.Parse(part, True)


class _Elements(_Walk):
    """All elements of one name."""

    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted, self.found = wanted, list[dict[str, str]]()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == self.wanted:
            self.found.append({key.rpartition(":")[2]: value for key, value in attributes.items()})


def _elements(part: bytes, wanted: str) -> list[dict[str, str]]:
    found = _Elements(wanted)
    found.walk(part)
    return found.found


def _first_sheet(parts: dict[str, bytes]) -> tuple[int, str]:
    """The place in the book, from 0, and the part of the first sheet of cells that is not hidden.

    Where all are hidden it is the first. :raises LookupError: there is none.
    """
    part_of: dict[str, str] = {}
    for relation in _elements(parts["xl/_rels/workbook.xml.rels"], "Relationship"):
        target = relation["Target"]
        name = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
        # A chart may have a sheet of its own, which holds no cells.
        if relation["Type"].endswith("/worksheet") and name in parts:
            part_of.setdefault(relation["Id"], name)
    sheets = [
        ("hidden" in sheet.get("state", "").lower(), place, part_of[sheet["id"]])
        for place, sheet in enumerate(_elements(parts["xl/workbook.xml"], "sheet"))
        if sheet["id"] in part_of
    ]
    if not sheets:
        raise LookupError("xl/worksheets")
    _, place, name = min(sheets)
    return place, name


class _Texts(_Walk):
    """Lengths of the shared texts."""

    def __init__(self) -> None:
        super().__init__()
        self.lengths: list[int] = []
        self.parser.CharacterDataHandler = self._characters

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self.lengths.append(0)

    def _characters(self, text: str) -> None:
        if self.lengths:
            self.lengths[-1] += len(text)


class _Cells(_Walk):
    """How far the cells of a sheet that hold something reach, and how much text they hold.

    ``merged``: first row, last row and column, from 0, of cells that were made one over several rows; ``long``: row
    times ``_WIDEST`` plus column of whole numbers of which the spreadsheet has lost digits.

    :raises NoTable: more than is allowed.
    """

    def __init__(self, texts: list[int]) -> None:
        super().__init__()
        self._texts = texts
        self._row = self._column = 0
        self._first: tuple[int, int] | None = None
        self._last = (0, 0)
        self._shared = False
        self._held: list[str] = []
        self._at, self._number = (0, 0), False
        self.merged: list[tuple[int, int, int]] = []
        # In one number: a tuple for each of millions of cells would fill the memory.
        self.long = array("q")
        self.text = 0
        self.parser.EndElementHandler = self._end

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self._row, self._column = int(attributes.get("r") or self._row + 1), 0
        elif name == "c":
            place = _CELL.fullmatch(attributes["r"]) if "r" in attributes else None
            if "r" in attributes and place is None:
                raise ValueError(attributes["r"][:20])
            self._column = _column(place[1]) if place else self._column + 1
            self._at = int(place[2]) if place else self._row, self._column
            self._shared = attributes.get("t") == "s"
            self._number = attributes.get("t", "n") == "n"
        elif name == "mergeCell":
            self._merge(attributes["ref"])
        elif name in ("v", "t", "is"):
            # A cell without them has nothing but a look: spreadsheets write such by the million.
            self._reach(*self._at)
            self._held = []
            self.parser.CharacterDataHandler = self._held.append

    def _end(self, name: str) -> None:
        if name.endswith(("v", "t")) and self.parser.CharacterDataHandler is not None:
            self.parser.CharacterDataHandler = None
            held = "".join(self._held)
            # A shared text counts wherever it stands.
            length = self._texts[int(held)] if self._shared else len(held)
            if self._number and name.endswith("v") and _is_long(held):
                self.long.append((self._at[0] - 1) * _WIDEST + self._at[1] - 1)
            if length > LONGEST_CELL:
                raise NoTable("cell_too_long", self._row, limit=LONGEST_CELL)
            self.text += length
            if self.text > MOST_TEXT:
                raise NoTable("too_much_text", self._row, limit=MOST_TEXT >> 20)

    def _merge(self, area: str) -> None:
        first, _, last = area.partition(":")
        one, other = _CELL.fullmatch(first), _CELL.fullmatch(last)
        if one and other and one[1] == other[1]:
            if len(self.merged) > MOST_ROWS:
                raise ValueError("mergeCells")
            self.merged.append((int(one[2]) - 1, int(other[2]) - 1, _column(one[1]) - 1))

    def _reach(self, row: int, column: int) -> None:
        if row > self._last[0] or column > self._last[1] or self._first is None:
            first = self._first or (row, column)
            self._first = min(first[0], row), min(first[1], column)
            self._last = max(self._last[0], row), max(self._last[1], column)
        elif row < self._first[0] or column < self._first[1]:
            self._first = min(self._first[0], row), min(self._first[1], column)
        else:
            return
        height, width = self._last[0], self._last[1] - self._first[1] + 1
        if height > MOST_ROWS + 1:
            raise NoTable("too_many_rows", MOST_ROWS + 2, limit=MOST_ROWS)
        if width > MOST_COLUMNS:
            raise NoTable("too_many_columns", row, limit=MOST_COLUMNS)
        if height * width > MOST_CELLS:
            raise NoTable("too_many_cells", row, limit=MOST_CELLS)


def _is_long(number: str) -> bool:
    """Whether a whole number has more digits than a spreadsheet keeps."""
    try:
        return abs(float(number)) >= _LOSES_DIGITS
    except ValueError:
        return False


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _look_through(parts: dict[str, bytes], sheet: str) -> _Cells:
    """Check how much the sheet would be, once it is spread out. :raises NoTable: more than is allowed."""
    texts = _Texts()
    for name, part in parts.items():
        if name.lower() == "xl/sharedstrings.xml":
            texts.walk(part)
    cells = _Cells(texts.lengths)
    cells.walk(parts[sheet])
    return cells


def _mark(columns: list[list[str | None]], long: array[int]) -> None:
    for at in long:
        row, place = divmod(at, _WIDEST)
        if place < len(columns) and row < len(columns[place]):
            columns[place][row] = f"{LOST_DIGITS}{columns[place][row]}"


def _fill(columns: list[list[str | None]], merged: list[tuple[int, int, int]]) -> None:
    """Give each row what a cell over several rows says, where the row says something itself.

    :raises NoTable: more cells than are allowed.
    """
    inside = [(first, last, place) for first, last, place in merged if place < len(columns)]
    if not inside:
        return
    says = [any(cells) for cells in zip(*columns, strict=True)]
    left = MOST_CELLS
    for first, last, place in inside:
        column = columns[place]
        rows = range(first + 1, min(last + 1, len(column)))
        left -= len(rows)
        if left < 0:
            raise NoTable("too_many_cells", limit=MOST_CELLS)
        for row in rows:
            if says[row] and column[row] is None:
                column[row] = column[first]


def _shortest(cell: str | None) -> str | None:
    """A cell; of a large number the digits that the spreadsheet shows, without those that its binary form adds."""
    if cell is None or len(cell) < _SHORTEST_LARGE or not _LARGE.fullmatch(cell):
        return cell
    return f"{float(cell):.15g}"


def _read(archive: bytes, place: int) -> tuple[list[list[str | None]], dict[tuple[int, int], str]]:
    """Columns of texts of a sheet from row 1 on, and the errors in them by (row, column).

    :raises ValueError: it is broken.
    """
    import fastexcel

    try:
        found = fastexcel.read_excel(archive).load_sheet(place, header_row=None, skip_rows=0, dtypes="string")
        if found.width == 0 or found.height == 0:
            return [], {}
        batch, wrong = found.to_arrow_with_errors()
    except fastexcel.FastExcelError as error:
        raise ValueError(str(error)) from None
    except BaseException as error:  # A panic of the library is no Exception.
        if type(error).__name__ == "PanicException":
            raise ValueError(str(error)) from None
        raise
    errors = {}
    for one in wrong.errors if wrong is not None else ():
        kind = re.search(r"Error\((\w+)\)", one.detail)
        errors[one.offset_position] = _ERRORS.get(kind[1] if kind else "", "#VALUE!")
    return [[_shortest(cell) for cell in column.to_pylist()] for column in batch.columns], errors
