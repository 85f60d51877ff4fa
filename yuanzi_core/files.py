"""Files of matches, line by line: plain, gzip and zstandard JSON lines, Parquet, standard input.

What a file is, its first bytes say. A line longer than any match may be comes cut off, so that nobody has to hold
it; a file that breaks off or that cannot be unpacked gives the lines before and then a :class:`Damage`.
"""

from __future__ import annotations

import math
import os
import stat
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol, cast

from yuanzi_core.log import LONGEST_LINE, Match, Problem, parse

GZIP, ZSTD, PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
BOM = b"\xef\xbb\xbf"
#: Bytes read at once: what is made of a block should still be in the processor's cache when the next step takes it.
BLOCK = 1 << 20
#: Rows of a Parquet file taken at once: few, since a small file may hold large texts many times.
_ROWS = 64
SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
_KIND_OF_SUFFIX = {".gz": "gzip", ".zst": "zstandard", ".parquet": "Parquet"}


@dataclass(frozen=True)
class Damage:
    """Why a file cannot be read on: ``key`` of a sentence (``reasons.reject.JSON.text_<key>``) and the kind of file."""

    key: str
    kind: str


Line = tuple[int, bytes]
#: Whole lines, and the number of the first.
Block = tuple[int, bytes]


class Readable(Protocol):
    """What reading a file needs of it."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""
        ...


class Source:
    """A file that may be read more than once; standard input and other pipes are kept on disk for that.

    :raises OSError: it cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._copy: Path | None = None
        self._kept: IO[bytes] | None = None
        self._stream = cast("IO[bytes]", os.fdopen(os.dup(0), "rb")) if path == "-" else Path(path).open("rb")  # noqa: SIM115
        # What is not a file on disk (a pipe, a device) cannot be read a second time.
        if path == "-" or not stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
            number, name = tempfile.mkstemp(prefix="yuanzi-")
            self._copy, self._kept = Path(name), os.fdopen(number, "wb")

    def read(self, size: int = -1) -> bytes:
        """As a file's ``read``."""
        block = self._stream.read(size)
        if self._kept is not None:
            self._kept.write(block)
        return block

    @property
    def piped(self) -> bool:
        """Whether it can be read only once, and is being kept."""
        return self._kept is not None

    def again(self) -> IO[bytes]:
        """What has been read so far, from its beginning; reading on elsewhere is not disturbed."""
        if self._kept is not None:
            self._kept.flush()
        return (self._copy or Path(self.path)).open("rb")

    def close(self) -> None:
        """Close the file itself; what was kept of a pipe stays readable."""
        self._stream.close()

    def forget(self) -> None:
        """Let go of what was kept of a pipe."""
        if self._kept is not None and self._copy is not None:
            self._kept.close()
            self._copy.unlink(missing_ok=True)


class _Broken(Exception):
    """The file cannot be unpacked from here on."""


def _gunzipped(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The members of a gzip file, in pieces of ``BLOCK`` bytes at most. :raises _Broken: it is damaged or cut off."""
    member = zlib.decompressobj(wbits=31)
    begun = False
    for packed in blocks:
        while packed:
            begun = True
            try:
                piece = member.decompress(packed, BLOCK)
            except zlib.error:
                raise _Broken from None
            if piece:
                yield piece
            packed = member.unused_data if member.eof else member.unconsumed_tail
            if member.eof:
                # Some writers fill up the last block with zeros.
                packed = packed.lstrip(b"\0")
                member, begun = zlib.decompressobj(wbits=31), False
    if begun:
        raise _Broken


def _unzstd(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The frames of a zstandard file. :raises _Broken: it is damaged or cut off."""
    import zstandard

    frame = zstandard.ZstdDecompressor().decompressobj()
    begun = False
    for block in blocks:
        # Few bytes at a time: each may stand for thousands.
        for place in range(0, len(block), 4096):
            packed = block[place : place + 4096]
            while packed:
                begun = True
                try:
                    piece = frame.decompress(packed)
                except zstandard.ZstdError:
                    raise _Broken from None
                for begin in range(0, len(piece), BLOCK):
                    yield piece[begin : begin + BLOCK]
                packed = frame.unused_data if frame.eof else b""
                if frame.eof:
                    frame, begun = zstandard.ZstdDecompressor().decompressobj(), False
    if begun:
        raise _Broken


def _blocks(head: bytes, stream: Readable) -> Iterator[bytes]:
    """A stream in blocks, behind its first bytes, which were read to see what it is."""
    block = head + stream.read(BLOCK)
    while block:
        yield block
        block = stream.read(BLOCK)


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[Block]:
    """Blocks cut where lines end; of a line that is too long only the first bytes, as a block of its own.

    :raises _Broken: behind the last whole line.
    """
    number, held = 1, b""
    for block in blocks:
        cut = block.rfind(b"\n") + 1
        if not cut:
            # Inside a line; what is beyond the limit nobody needs.
            held = (held + block)[: LONGEST_LINE + 1]
            continue
        if len(held) > LONGEST_LINE:
            end = block.index(b"\n") + 1
            yield number, held
            number += 1
            block, cut, held = block[end:], cut - end, b""
        if cut:
            whole = held + block[:cut]
            yield number, whole
            number += whole.count(b"\n")
        held = block[cut:]
    if held:
        yield number, held


def read_blocks(stream: Readable, name: str = "") -> Iterator[Block | Damage]:
    """A file in blocks of whole lines, each with the number of its first line; after what cannot be read on, a Damage.

    A Parquet file gives one line a row, as canonical JSON. ``name`` may tell (by its suffix) what was meant.
    """
    head = stream.read(4)
    meant = _KIND_OF_SUFFIX.get(Path(name).suffix.lower(), "")
    kind = "gzip" if head[:2] == GZIP else "zstandard" if head == ZSTD else "Parquet" if head == PARQUET else ""
    if head and meant and not kind:
        yield Damage("not_of_kind", meant)
        return
    blocks = _blocks(head, stream)
    try:
        if kind == "Parquet":
            yield from _parquet_rows(head, stream)
        elif kind == "gzip":
            yield from _whole_lines(_without_bom(_gunzipped(blocks)))
        elif kind == "zstandard":
            yield from _whole_lines(_without_bom(_unzstd(blocks)))
        else:
            yield from _whole_lines(_without_bom(blocks))
    except _Broken:
        yield Damage("broken_off", kind)


def _without_bom(blocks: Iterator[bytes]) -> Iterator[bytes]:
    first = next(blocks, b"")
    while 0 < len(first) < len(BOM) and (more := next(blocks, b"")):
        first += more
    yield first.removeprefix(BOM)
    yield from blocks


def lines_of(block: Block) -> list[Line]:
    """The lines of a block that are not blank."""
    number, lines = block
    return [(number + place, line) for place, line in enumerate(lines.split(b"\n")) if line and not line.isspace()]


def read_lines(stream: Readable, name: str = "") -> Iterator[list[Line] | Damage]:
    """The same line by line, without the blank ones."""
    for block in read_blocks(stream, name):
        yield block if isinstance(block, Damage) else lines_of(block)


def _parquet_rows(head: bytes, stream: Readable) -> Iterator[Block]:
    """Rows of a Parquet file as JSON lines: the same fields; nulls are absent. :raises _Broken: it is damaged."""
    import io

    import msgspec
    import pyarrow as pa
    import pyarrow.parquet as pq

    encoder = msgspec.json.Encoder(decimal_format="number")
    # Parquet is read from its end.
    if isinstance(stream, Source):
        while stream.piped and stream.read(BLOCK):
            pass
    whole = stream.again() if isinstance(stream, Source) else io.BytesIO(head + stream.read())
    known = msgspec.structs.fields(Match)
    number = 1
    try:
        with whole:
            file = pq.ParquetFile(whole)
            columns = [field.name for field in known if field.name in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=_ROWS, columns=columns):
                yield number, b"\n".join(_row(batch, place, encoder) for place in range(batch.num_rows))
                number += batch.num_rows
    except (pa.ArrowException, OSError):
        raise _Broken from None


def _row(batch: Any, place: int, encoder: Any) -> bytes:
    """A row as one line of JSON; what no JSON can say (text that is not UTF-8, a year 12000) makes it no match."""
    try:
        (row,) = batch.slice(place, 1).to_pylist()
        line: bytes = encoder.encode(_without_nulls(row))
    except (ValueError, TypeError, OverflowError, LookupError, ArithmeticError):
        return b'"unreadable"'
    return line


def _without_nulls(value: Any) -> Any:
    """A row as JSON has it: no nulls in objects, and JSON texts in ``rules`` and ``claimed`` opened."""
    if isinstance(value, dict):
        kept = {}
        for name, inner in value.items():
            if inner is None:
                continue
            if name in ("rules", "claimed") and isinstance(inner, str):
                try:
                    kept[name] = parse(inner.encode())
                except (Problem, ValueError):
                    # A text is no object: the field is of the wrong type.
                    kept[name] = inner
            else:
                kept[name] = _without_nulls(inner)
        return kept
    if isinstance(value, list):
        return [_without_nulls(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        # JSON has no such number; left out it would count as absent.
        return str(value)
    return value
