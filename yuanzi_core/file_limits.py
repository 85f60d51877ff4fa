"""How much a file of logs may unpack to and hold: files come from strangers, and reading one must come to an end.

What a file unpacks to is counted while it is unpacked, never taken from what the file says of itself. The limits of
score sheets are in ``sheet_limits``, the length of a line in ``log``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

#: Logs of self-play unpack to 4.5–5.3 times their size (gzip, zstandard, Parquet), repetitive ones of clubs to 30.
HIGHEST_RATIO = 200
#: Below so many bytes nobody asks for the ratio: unpacking them takes a moment, and no memory.
HARMLESS = 256 << 20
#: Bytes of all lines of a packed file: six times a million matches of five players.
MOST_UNPACKED = 16 << 30
#: Records of a file. A match takes about 2.4 KB, so this is a file of 2.4 GB; a larger one is better cut up.
MOST_RECORDS = 1_000_000
#: Lines at least this long on average are taken for records without a look at each of them.
_SHORTEST = 256


class TooMuch(Exception):
    """A limit is passed: the ``key`` of a sentence, and the ``limit`` as it is told."""

    def __init__(self, key: str, limit: str) -> None:
        super().__init__(f"{key}: {limit}")
        self.key, self.limit = key, limit


class Unpacked:
    """What a file unpacks to, counted against the bytes that were read of it."""

    def __init__(self) -> None:
        self.packed = self.unpacked = 0

    def read(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """The packed blocks, counted."""
        for block in blocks:
            self.packed += len(block)
            yield block

    def write(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The unpacked pieces, counted. :raises TooMuch: they are too many."""
        for piece in pieces:
            self.add(len(piece))
            yield piece

    def add(self, size: int) -> None:
        """So many bytes more were unpacked. :raises TooMuch: they are too many."""
        self.unpacked += size
        if self.unpacked > HARMLESS and self.unpacked > HIGHEST_RATIO * self.packed:
            raise TooMuch("unpacks_too_far", str(HIGHEST_RATIO))
        if self.unpacked > MOST_UNPACKED:
            raise TooMuch("unpacks_too_large", str(MOST_UNPACKED >> 30))


class Records:
    """The records of a file, counted block by block."""

    def __init__(self) -> None:
        self.left = MOST_RECORDS

    def take(self, block: bytes, lines: int) -> bytes:
        """As much of a block of so many lines as may still be read: the block itself, if it is all of it."""
        if lines > self.left or lines > len(block) // _SHORTEST:
            # Blank lines are no records.
            pieces = block.split(b"\n")
            places = [place for place, line in enumerate(pieces) if line and not line.isspace()]
            if len(places) > self.left:
                return b"\n".join(pieces[: places[self.left - 1] + 1]) if self.left else b""
            lines = len(places)
        self.left -= lines
        return block

    def passed(self) -> TooMuch:
        """What is to be raised where not all of a block may be read."""
        return TooMuch("too_many_records", f"{MOST_RECORDS:,}")
