"""Score sheets as files: CSV or XLSX bytes to rows, rows to records.

A row is its number in the file and its cells by column: canonical names of ``sheet_columns``, or the heading itself
where sheets have no such column. A record is one match: all rows of one match_id and revision. Where a half stands
twice, its second row belongs to a second record, so that a repeated evening is repeated records. Whether a match is
right is asked in ``sheets``.

CSV is read by Python's own reader (``csv_text``): it counts rows as a spreadsheet does, and an open quotation mark is
an error and not a long cell. Polars passes over blank rows, and then no row has its number any more. A row that cannot
be taken apart is a record of its own, which is rejected; a file that cannot be read on gives the records before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec

from yuanzi_core.csv_text import Broken, TooManyCells, decoded, delimiter_of, rows_or_broken
from yuanzi_core.files import XLSX, Damage, Readable, SheetBlock, SheetRecord
from yuanzi_core.sheet_cells import LOST_DIGITS, day_and_hour, form_of, half_of
from yuanzi_core.sheet_columns import COLUMNS, FORMAT, column_of, is_part_of_time
from yuanzi_core.sheet_limits import LARGEST_FILE, LAST_ROW, LONGEST_CELL, MOST_COLUMNS, MOST_HELD, MOST_ROWS, NoTable
from yuanzi_core.sheet_words import game_of

_BLOCK, _RECORDS = 1 << 20, 2048
#: Texts of a column whose form is remembered.
_REMEMBERED = 1 << 14
#: Under this name stands a cell that has no heading because its row is longer than the row of headings.
SURPLUS = ""
#: And under this one all the text of a row that cannot be taken apart into cells; no heading ends in white space.
BROKEN = " "
#: The row of headings is one of so many rows that are not blank: titles may stand above it.
_HEAD_ROWS = 5
#: What tells a spreadsheet the delimiter. It shows no such row, and does not count it.
_DELIMITER = re.compile(r"sep=([,;\t|])\r?\n", re.IGNORECASE)
_ORDER = {column.name: place for place, column in enumerate(COLUMNS)}
_FRONT = b'{"format":"' + FORMAT.encode() + b'","rows":['


class SheetRow(NamedTuple):
    """A row: its number (the first row of a file is 1) and its cells by column, in their order; no blank ones."""

    number: int
    cells: dict[str, str]


def read_sheet(head: bytes, stream: Readable, name: str) -> Iterator[SheetBlock | Damage]:
    """The records of a sheet, some at a time, in the order of their first rows; or the damage alone.

    A file that breaks off gives the records before, and then the damage. ``head`` are bytes of the stream that were
    read already; ``name`` tells what was meant.
    """
    ends: list[Damage] = []
    try:
        records = records_of(_until_break(_rows(_whole(head, stream), name), ends))
    except NoTable as found:
        yield found.damage
        return
    for first in range(0, len(records), _RECORDS):
        yield records[first : first + _RECORDS]
    yield from ends


def read_rows(content: bytes, name: str = "") -> list[SheetRow] | Damage:
    """The rows of a sheet: CSV, or XLSX as its first bytes say; ``name`` tells what was meant.

    Of a file that breaks off the rows before are not given.
    """
    try:
        return list(_rows(content, name))
    except NoTable as found:
        return found.damage


def _until_break(rows: Iterable[SheetRow], ends: list[Damage]) -> Iterator[SheetRow]:
    """Rows as far as they can be read; why not all of them goes into ``ends``."""
    try:
        yield from rows
    except NoTable as found:
        if not found.breaks_off:
            raise
        ends.append(found.damage)


def _whole(head: bytes, stream: Readable) -> bytes:
    pieces, size = [head], len(head)
    while piece := stream.read(_BLOCK):
        size += len(piece)
        if size > LARGEST_FILE:
            raise NoTable("too_large", limit=LARGEST_FILE >> 20)
        pieces.append(piece)
    return b"".join(pieces)


def _rows(content: bytes, name: str) -> Iterator[SheetRow]:
    """The rows one by one. :raises NoTable: it is no table."""
    found: Iterator[tuple[int, list[str]]] | Iterator[tuple[int, list[str] | Broken]]
    if content.startswith(XLSX):
        from yuanzi_core.sheet_xlsx import cells_of

        found = cells_of(content)
    elif name.lower().endswith(".xlsx"):
        raise NoTable("not_of_kind", kind="XLSX")
    else:
        found = _csv_cells(content)
    return _labelled(found)


def _csv_cells(content: bytes) -> Iterator[tuple[int, list[str] | Broken]]:
    text = decoded(content)
    if text is None:
        raise NoTable("encoding", 1)
    if said := _DELIMITER.match(text):
        text = text[said.end() :]
    delimiter = said[1] if said else delimiter_of(text, lambda heading: column_of(heading) is not None, _HEAD_ROWS)
    try:
        for number, cells in rows_or_broken(text, delimiter):
            if number > LAST_ROW:
                raise NoTable("too_many_rows", number, limit=MOST_ROWS)
            yield number, cells
    except TooManyCells as found:
        raise NoTable("too_many_columns", found.number, limit=MOST_COLUMNS) from None


class _Table:
    """The columns of a sheet, and what its rows hold altogether."""

    def __init__(self, cells: Sequence[str], row: int, width: int) -> None:
        """Take in the row of headings, which with the blank cells at its end is ``width`` cells wide.

        :raises NoTable: none names the match, two mean the same.
        """
        self.names: list[str] = []
        self.width = width
        #: Places of a column that says the day and of the one that says the hour, where these are two.
        self._day = self._hour = -1
        shown: dict[str, str] = {}
        places: dict[str, int] = {}
        clean = form_of(None)
        for place, cell in enumerate(cells):
            heading = clean(cell)
            column = column_of(heading)
            name = column.name if column is not None else heading or f"#{place + 1}"
            if name in shown:
                if column is not None and not self._splits(shown[name], places[name], heading, place):
                    raise NoTable("same_column", row + 1, column=name, one=shown[name], other=heading[:80])
                name = f"{heading}#{place + 1}"
            shown[name], places[name] = heading[:80], place
            self.names.append(name)
        if "match_id" not in shown:
            seen = [heading for heading in shown.values() if heading]
            raise NoTable("no_match_id", row + 1, column="match_id", found=" ".join(seen)[:80] or "–", rows=_HEAD_ROWS)
        self._forms = [form_of(column_of(name)) for name in self.names]
        self._known: list[dict[str, str]] = [{} for _ in self.names]
        self._order = sorted(range(len(self.names)), key=lambda place: _ORDER.get(self.names[place], len(_ORDER)))
        self._no_column = form_of(None)
        self._rows = self._held = 0

    def _splits(self, one: str, first: int, other: str, second: int) -> bool:
        """Whether two headings are the day and the hour of one time."""
        if self._day >= 0:
            return False
        if is_part_of_time(one, "day") and is_part_of_time(other, "hour"):
            self._day, self._hour = first, second
        elif is_part_of_time(one, "hour") and is_part_of_time(other, "day"):
            self._day, self._hour = second, first
        return self._day >= 0

    def row(self, number: int, cells: list[str] | Broken) -> dict[str, str]:
        """The cells of a row by column, in their order; none of a blank row. :raises NoTable: it is too large."""
        if isinstance(cells, Broken):
            text = cells.text.strip()
            found = {BROKEN: text[:LONGEST_CELL]} if text else {}
        else:
            found = self._cells(number, cells)
        if found:
            self._rows += 1
            if self._rows > MOST_ROWS:
                raise NoTable("too_many_rows", number, limit=MOST_ROWS)
            self._held += sum(map(len, found)) + sum(map(len, found.values()))
            if self._held > MOST_HELD:
                raise NoTable("too_much_text", number, limit=MOST_HELD >> 20)
        return found

    def _join(self, cells: list[str]) -> None:
        """Make one cell of day and hour, in the place of the first of them."""
        day, hour = (cells[place] if place < len(cells) else "" for place in (self._day, self._hour))
        if hour:
            for place in (self._day, self._hour):
                if place < len(cells):
                    cells[place] = ""
            cells[min(self._day, self._hour)] = day_and_hour(day, hour)
        elif day:
            cells[self._day], cells[min(self._day, self._hour)] = "", day

    def _cells(self, number: int, cells: list[str]) -> dict[str, str]:
        while cells and not cells[-1]:
            cells.pop()
        if len(cells) > MOST_COLUMNS:
            raise NoTable("too_many_columns", number, limit=MOST_COLUMNS)
        if cells and max(map(len, cells)) > LONGEST_CELL:
            raise NoTable("cell_too_long", number, limit=LONGEST_CELL)
        if self._day >= 0:
            self._join(cells)
        found: dict[str, str] = {}
        for place in self._order:
            if place < len(cells) and (cell := cells[place]):
                known = self._known[place]
                text = known.get(cell)
                if text is None:
                    text = self._forms[place](cell)
                    if len(known) < _REMEMBERED:
                        known[cell] = text
                if text:
                    found[self.names[place]] = text
        for place in range(len(self.names), len(cells)):
            # A remark beside the table has a column without a heading; beyond the row of headings there is no column.
            if text := self._no_column(cells[place]):
                found.setdefault(f"#{place + 1}" if place < self.width else SURPLUS, text)
        return found


def _labelled(rows: Iterable[tuple[int, list[str] | Broken]]) -> Iterator[SheetRow]:
    """Rows below the row of headings; blank ones are passed over.

    :raises NoTable: there are no headings, the table is larger than allowed, or it cannot be read on.
    """
    rows = iter(rows)
    first: list[tuple[int, list[str] | Broken]] = []
    last = 0
    for last, cells in rows:
        if isinstance(cells, Broken) or any(map(str.strip, cells)):
            first.append((last, cells))
            if len(first) == _HEAD_ROWS:
                break
    table, above = _headed(first, last)
    for number, cells in chain(first[above:], rows):
        if found := table.row(number, cells):
            yield SheetRow(number, found)
        if isinstance(cells, Broken) and cells.last:
            raise NoTable("gives_up", number + 1, breaks_off=True)


def _headed(first: Sequence[tuple[int, list[str] | Broken]], last: int) -> tuple[_Table, int]:
    """The table of a sheet that begins with these rows, and how many of them are its headings and what is above.

    :raises NoTable: none of them is a row of headings, or it is a wrong one.
    """

    def known(cells: list[str] | Broken) -> int:
        if isinstance(cells, Broken):
            return 0
        columns = [column_of(cell) for cell in map(form_of(None), cells[: 2 * MOST_COLUMNS])]
        names = [column.name for column in columns if column is not None]
        return len(names) if "match_id" in names else 0

    if not first:
        raise NoTable("no_headings", last + 1)
    place = max(range(len(first)), key=lambda place: known(first[place][1]))
    number, cells = first[place]
    if isinstance(cells, Broken):
        raise NoTable("quotes_in_headings", number)
    cells = list(cells)
    width = len(cells)
    while cells and not cells[-1]:
        cells.pop()
    if len(cells) > MOST_COLUMNS:
        raise NoTable("too_many_columns", number, limit=MOST_COLUMNS)
    if max(map(len, cells)) > LONGEST_CELL:
        raise NoTable("cell_too_long", number, limit=LONGEST_CELL)
    return _Table(cells, number, width), place + 1


class _Held(NamedTuple):
    """A row while its match is still coming together; ``content`` is its JSON."""

    number: int
    revision: str
    half: int
    content: bytes
    #: Whether the half is named, or need not be.
    has_half: bool = True


def records_of(rows: Iterable[SheetRow]) -> list[SheetRecord]:
    """Rows as records, in the order of their first rows.

    A row without match_id is a record of its own. A lower half that names no revision is of the revision of the row
    of its match that stands before it (else behind it); any other row that names none is of revision 1. Rows of a
    four-player match that say different things, none of them which half it is, are one record (to be rejected): else
    one half would stand for the match.
    """
    encode = msgspec.json.Encoder().encode
    matches: dict[str, list[_Held]] = {}
    records = []
    for number, cells in rows:
        match = cells.get("match_id")
        has_half = "half" in cells or game_of(cells.get("variant", "")) == "five"
        row = _Held(number, cells.get("revision", ""), half_of(cells.get("half", "")), encode(cells), has_half)
        if match is None:
            records.append(_record([row]))
        else:
            matches.setdefault(match, []).append(row)
    for held in matches.values():
        groups: dict[str, list[list[_Held]]] = {}
        times: dict[tuple[str, int], int] = {}
        revisions = _revisions(held)
        unclear = _unclear(held, revisions)
        for row, revision in zip(held, revisions, strict=True):
            of_revision = groups.setdefault(revision, [])
            place = times.get((revision, row.half), 0)
            if revision in unclear and not row.has_half:
                place = 0
            else:
                times[revision, row.half] = place + 1
            if place == len(of_revision):
                of_revision.append([])
            of_revision[place].append(row)
        records += [_record(group) for of_revision in groups.values() for group in of_revision]
    records.sort()
    return records


def _unclear(rows: list[_Held], revisions: list[str]) -> set[str]:
    """The revisions of which rows say different things, none of them which half it is."""
    said: dict[str, bytes] = {}
    unclear = set()
    for row, revision in zip(rows, revisions, strict=True):
        if not row.has_half and said.setdefault(revision, row.content) != row.content:
            unclear.add(revision)
    return unclear


def _revisions(rows: list[_Held]) -> list[str]:
    """The revision of each row of a match."""
    found: list[str] = []
    for place, row in enumerate(rows):
        if row.revision or row.half != 1:
            found.append(row.revision or "1")
        elif found:
            found.append(found[-1])
        else:
            found.append(
                next((later.revision for later in rows[place:] if later.revision or later.half != 1), "") or "1"
            )
    return found


class _OnlyId(msgspec.Struct):
    match_id: str | None = None


class _OnlyIds(msgspec.Struct):
    rows: list[_OnlyId]


_only_ids = msgspec.json.Decoder(_OnlyIds)


def match_id_of(raw: bytes) -> str | None:
    """The match_id of a record; of a number that has lost digits, what is left of it."""
    found = _only_ids.decode(raw).rows[0].match_id
    return found and found.removeprefix(LOST_DIGITS)


def _record(rows: list[_Held]) -> SheetRecord:
    rows = sorted(rows, key=lambda row: (row.half, row.number))
    raw = _FRONT + b",".join([row.content for row in rows]) + b"]}"
    return SheetRecord(min(row.number for row in rows), raw, tuple(row.number for row in rows))
