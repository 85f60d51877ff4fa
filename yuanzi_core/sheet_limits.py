"""How large a score sheet may be, and how reading one ends that is no table or too large.

Whoever hands in a sheet may be a stranger: what a file unpacks to is counted while it is unpacked, never taken from
what the file says of itself.
"""

from __future__ import annotations

from yuanzi_core.files import Damage
from yuanzi_core.reasons import Reject

#: Bytes of a file as it is handed in.
LARGEST_FILE = 64 << 20
#: Rows below the headings, and columns.
MOST_ROWS, MOST_COLUMNS = 250_000, 256
#: CSV: the last row, blank ones counted, as in Excel.
LAST_ROW = 1 << 20
#: Characters of a cell, as in Excel.
LONGEST_CELL = 32_767
#: XLSX: entries of the archive, bytes that all of them unpack to, and how many times the bytes of the file that may be.
#: Below ``HARMLESS`` bytes nobody asks: a sheet of one repeated row packs very well.
MOST_ENTRIES, MOST_UNPACKED, HIGHEST_RATIO, HARMLESS = 2_000, 512 << 20, 200, 4 << 20
#: XLSX: cells of the smallest rectangle around all cells (all of it is held), and characters of the texts in them (a
#: text that the file holds once may stand in many cells).
MOST_CELLS, MOST_TEXT = 16_000_000, 128 << 20
#: Characters that all rows hold together, each cell with the name of its column, as records do.
MOST_HELD = 256 << 20


class NoTable(Exception):
    """A file that cannot be read as a score sheet: as a :class:`~yuanzi_core.files.Damage`, at a row (0: not known).

    ``breaks_off``: what stands before can be read.
    """

    def __init__(self, key: str, row: int = 0, *, breaks_off: bool = False, **fields: str | int) -> None:
        super().__init__(key)
        self.breaks_off = breaks_off
        self.damage = Damage(key, code=Reject.SHEET, fields=fields, line=row)
