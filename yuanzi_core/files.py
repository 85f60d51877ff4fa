"""Files of matches, record by record: plain, gzip and zstandard JSON lines, Parquet, score sheets, standard input.

What a file is, its first bytes say. A line longer than any match may be comes cut off, so that nobody has to hold
it; a file that breaks off or that cannot be unpacked gives the lines before and then a :class:`Damage`.
"""

from __future__ import annotations

import math
import os
import stat
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol, cast

from yuanzi_core.clubs import REGISTRIES
from yuanzi_core.file_limits import Records, TooMuch, Unpacked
from yuanzi_core.log import LONGEST_LINE, Match, Problem, parse
from yuanzi_core.reasons import Reject

GZIP, ZSTD, PARQUET, XLSX = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"PK\x03\x04"
BOM = b"\xef\xbb\xbf"
#: Bytes read at once: what is made of a block should still be in the processor's cache when the next step takes it.
BLOCK = 1 << 20
#: Rows of a Parquet file taken at once: few, since a small file may hold large texts many times.
_ROWS = 64
LOG_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")
SHEET_SUFFIXES = (".csv", ".xlsx")
#: What a name of a file of matches ends in.
SUFFIXES = (*LOG_SUFFIXES, *SHEET_SUFFIXES)
#: What a simulation knows of its own matches stands in files of such names: beside a file of matches, or of a league.
TRUTH_SUFFIX, TRUTH = ".truth.jsonl", "truth."
_KIND_OF_SUFFIX = {".gz": "gzip", ".zst": "zstandard", ".parquet": "Parquet"}


def is_packed_sheet(head: bytes, name: str) -> bool:
    """Whether a file is a score sheet by its name that was packed, or is no sheet at all by its first four bytes."""
    plain = name.lower()
    packed = head.startswith((GZIP, ZSTD))
    return (plain.endswith(SHEET_SUFFIXES) and (packed or head == PARQUET)) or (
        packed and plain.endswith(tuple(suffix + more for suffix in SHEET_SUFFIXES for more in (".gz", ".zst")))
    )


def is_of_matches(name: str) -> bool:
    """Whether a file may hold matches, by its name."""
    low = name.lower()
    return (
        low.endswith(SUFFIXES)
        and low not in REGISTRIES
        and not low.startswith(TRUTH)
        and not low.endswith(TRUTH_SUFFIX)
    )


def is_sheet(head: bytes, name: str) -> bool:
    """Whether a file is a score sheet: by its first four bytes XLSX, or CSV by its name where they say nothing else."""
    return head == XLSX or (name.lower().endswith(SHEET_SUFFIXES) and not head.startswith((GZIP, ZSTD, PARQUET)))


@dataclass(frozen=True)
class Damage:
    """Why a file cannot be read on: the ``key`` of a sentence, the kind of file, and what else the sentence names.

    ``code`` is what the reject in place of the rest is: JSON, or SHEET for a score sheet. ``line`` says where that
    reject stands; 0 is behind the last record. The sentence is found as that of a ``Problem``.
    """

    key: str
    kind: str = ""
    code: Reject = Reject.JSON
    fields: Mapping[str, str | int] = field(default_factory=dict)
    line: int = 0


class SheetRecord(NamedTuple):
    """One match of a score sheet: the number of its first row, its content as JSON, and the number of each row in it.

    ``raw`` is ``{"format": "yuanzi-sheet/1", "rows": [{column: cell, …}, …]}``, see ``sheet_file``; the rows are in the
    order of ``rows``.
    """

    line: int
    raw: bytes
    rows: tuple[int, ...]


Line = tuple[int, bytes]
#: Whole lines, and the number of the first.
Block = tuple[int, bytes]
#: Some records of a score sheet.
SheetBlock = list[SheetRecord]


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
    :raises TooMuch: behind the last record that may be read.
    """
    number, held, records = 1, b"", Records()
    for block in blocks:
        cut = block.rfind(b"\n") + 1
        if not cut:
            # Inside a line; what is beyond the limit nobody needs.
            held = (held + block)[: LONGEST_LINE + 1]
            continue
        if len(held) > LONGEST_LINE:
            end = block.index(b"\n") + 1
            yield from _within(records, number, held, 1)
            number += 1
            block, cut, held = block[end:], cut - end, b""
        if cut:
            whole = held + block[:cut]
            lines = whole.count(b"\n")
            yield from _within(records, number, whole, lines)
            number += lines
        held = block[cut:]
    if held:
        yield from _within(records, number, held, 1)


def _within(records: Records, number: int, block: bytes, lines: int) -> Iterator[Block]:
    """A block, or what of it may still be read. :raises TooMuch: not all of it."""
    part = records.take(block, lines)
    if part:
        yield number, part
    if part is not block:
        raise records.passed()


def read_blocks(stream: Readable, name: str = "") -> Iterator[Block | SheetBlock | Damage]:
    """A file in blocks of whole lines, each with the number of its first line; after what cannot be read on, a Damage.

    A Parquet file gives one line a row, as canonical JSON, a score sheet its records. ``name`` may tell (by its suffix)
    what was meant: a file is CSV if it says so.
    """
    head = _head(stream)
    if is_sheet(head, name):
        # Loaded only now: a log needs nothing of it.
        from yuanzi_core.sheet_file import read_sheet

        yield from read_sheet(head, stream, name)
        return
    if is_packed_sheet(head, name):
        yield Damage("packed", code=Reject.SHEET, line=1)
        return
    meant = _KIND_OF_SUFFIX.get(Path(name).suffix.lower(), "")
    kind = "gzip" if head[:2] == GZIP else "zstandard" if head == ZSTD else "Parquet" if head == PARQUET else ""
    if head and meant and not kind:
        yield Damage("not_of_kind", meant)
        return
    try:
        yield from _of_kind(kind, head, stream)
    except _Broken:
        yield Damage("broken_off", kind)
    except TooMuch as found:
        yield Damage(found.key, kind, fields={"limit": found.limit})


def _of_kind(kind: str, head: bytes, stream: Readable) -> Iterator[Block]:
    """The blocks of a file of logs. :raises _Broken: it is damaged. :raises TooMuch: it unpacks to too much."""
    blocks, sizes = _blocks(head, stream), Unpacked()
    if kind == "Parquet":
        return _parquet_rows(head, stream, sizes)
    if kind == "gzip":
        return _whole_lines(_without_bom(sizes.write(_gunzipped(sizes.read(blocks)))))
    if kind == "zstandard":
        return _whole_lines(_without_bom(sizes.write(_unzstd(sizes.read(blocks)))))
    return _whole_lines(_without_bom(blocks))


def _head(stream: Readable) -> bytes:
    """The first four bytes, or all of a shorter file: a pipe may give fewer at once."""
    head = stream.read(4)
    while 0 < len(head) < 4 and (more := stream.read(4 - len(head))):
        head += more
    return head


def _without_bom(blocks: Iterator[bytes]) -> Iterator[bytes]:
    first = next(blocks, b"")
    while 0 < len(first) < len(BOM) and (more := next(blocks, b"")):
        first += more
    yield first.removeprefix(BOM)
    yield from blocks


def lines_of(block: Block | SheetBlock) -> list[Line]:
    """The lines of a block that are not blank, or the records of a sheet with their first rows for lines."""
    if isinstance(block, list):
        return [(record.line, record.raw) for record in block]
    number, lines = block
    return [(number + place, line) for place, line in enumerate(lines.split(b"\n")) if line and not line.isspace()]


def read_lines(stream: Readable, name: str = "") -> Iterator[list[Line] | Damage]:
    """The same line by line, without the blank ones."""
    for block in read_blocks(stream, name):
        yield block if isinstance(block, Damage) else lines_of(block)


def _parquet_rows(head: bytes, stream: Readable, sizes: Unpacked) -> Iterator[Block]:
    """Rows of a Parquet file as JSON lines: the same fields; nulls are absent.

    :raises _Broken: it is damaged.
    :raises TooMuch: it unpacks to too much.
    """
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
    known, records = msgspec.structs.fields(Match), Records()
    number = 1
    try:
        with whole:
            sizes.packed = whole.seek(0, os.SEEK_END)
            file = pq.ParquetFile(whole)
            _look_at_sizes(file.metadata)
            columns = [field.name for field in known if field.name in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=_ROWS, columns=columns):
                rows = b"\n".join(_row(batch, place, encoder) for place in range(batch.num_rows))
                sizes.add(len(rows))
                yield from _within(records, number, rows, batch.num_rows)
                number += batch.num_rows
    except (pa.ArrowException, OSError, MemoryError):
        raise _Broken from None


def _look_at_sizes(metadata: Any) -> None:
    """Ask the file itself what its parts unpack to, before any is: a part is unpacked at one go.

    :raises TooMuch: one of them by itself is too much.
    """
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            part = metadata.row_group(group).column(column)
            alone = Unpacked()
            alone.packed = max(1, part.total_compressed_size)
            alone.add(part.total_uncompressed_size)


def _row(batch: Any, place: int, encoder: Any) -> bytes:
    """A row as one line of JSON; what no JSON can say (text that is not UTF-8, a year 12000) makes it no match."""
    try:
        (row,) = batch.slice(place, 1).to_pylist()
        line: bytes = encoder.encode(_without_nulls(row))
    except (ValueError, TypeError, OverflowError, LookupError, ArithmeticError, RecursionError):
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
