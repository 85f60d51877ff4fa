"""CSV as spreadsheets and people write it: UTF-8 or GB18030; comma, semicolon or tab; quoted cells.

Rows are numbered as a spreadsheet numbers them: the heading row is row 1, blank rows count, line ends in cells do not.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

#: Of those that fit a heading row equally well the first counts.
_DELIMITERS = (",", ";", "\t")
#: A line of more cells than this is not taken apart: it is no row of any table, and its cells would fill the memory.
_MOST_CELLS = 1 << 16
#: Characters at the beginning of a file that its headings are looked for in.
_LONGEST_HEAD = 1 << 20
#: Characters that are looked through in vain behind bad quotation marks before the rest of a file is given up.
_MOST_IN_VAIN = 16 << 20


class Broken(NamedTuple):
    """A line that is no row: a quotation mark is out of place or never closed, or a cell is longer than 128 KiB.

    ``text`` is the line, ``last`` whether nothing behind it is read.
    """

    text: str
    last: bool = False


class TooManyCells(Exception):
    """A line has more cells than any table; ``number`` is that of its row."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def decoded(content: bytes) -> str | None:
    """A file as text: UTF-8, with or without a byte order mark, else GB18030; None if it is neither."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if "\0" in text else text
    return None


def delimiter_of(text: str, is_known: Callable[[str], bool], first: int = 1) -> str:
    """The delimiter under which one of the ``first`` rows that are not blank has the most headings that are known."""
    text = text[:_LONGEST_HEAD]

    def known(delimiter: str) -> int:
        rows = (cells or () for _, cells in rows_of(text, delimiter) if cells is None or any(map(str.strip, cells)))
        return max((sum(map(is_known, cells)) for cells in islice(rows, first)), default=0)

    return max(_DELIMITERS, key=known)


def rows_of(text: str, delimiter: str) -> Iterator[tuple[int, Sequence[str] | None]]:
    """Each row with its number: its cells as they stand, none of a blank row.

    None for cells is a row that cannot be taken apart: a quotation mark is out of place, or a cell is longer than
    128 KiB. One that is never closed takes all the rest with it.
    """
    # Strict, for else a forgotten quotation mark would swallow the rest of the file as one cell.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        try:
            yield number, next(reader)
        except csv.Error:
            yield number, None
        except StopIteration:
            return


def rows_or_broken(text: str, delimiter: str) -> Iterator[tuple[int, list[str] | Broken]]:
    """The same, where a bad quotation mark costs no more than the line in which the row begins.

    Behind it reading goes on with the next line: of what a forgotten quotation mark would swallow, each row is a row.
    :raises TooManyCells: behind the rows before.
    """
    lines = io.StringIO(text, newline="")
    reader = csv.reader(_narrow(lines, delimiter), delimiter=delimiter, strict=True)
    number = in_vain = 0
    while True:
        number += 1
        begin = lines.tell()
        try:
            cells = next(reader)
        except csv.Error:
            in_vain += lines.tell() - begin
            lines.seek(begin)
            yield number, Broken(lines.readline(), in_vain > _MOST_IN_VAIN)
            if in_vain > _MOST_IN_VAIN:
                return
            # The reader has seen the end of the lines, or the middle of one.
            reader = csv.reader(_narrow(lines, delimiter), delimiter=delimiter, strict=True)
        except OverflowError:
            raise TooManyCells(number) from None
        except StopIteration:
            return
        else:
            yield number, cells


def _narrow(lines: Iterator[str], delimiter: str) -> Iterator[str]:
    """Lines as they come. :raises OverflowError: one has too many cells."""
    for line in lines:
        if len(line) > _MOST_CELLS and line.count(delimiter) > _MOST_CELLS:
            raise OverflowError
        yield line
