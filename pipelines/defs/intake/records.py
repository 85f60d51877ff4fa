"""A received file as records: one row a line, or a match of a score sheet, in row groups of one chunk each, so that
nobody has to hold it all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.parquet import is_whole
from pipelines.warehouse import NO_FILE, Received, Warehouse, replacing
from yuanzi_core.files import Damage, Line, SheetRecord, Source, lines_of, read_blocks
from yuanzi_core.reasons import Reject

if TYPE_CHECKING:
    import pyarrow as pa

#: Bytes and records of a chunk, whichever comes first: enough for the work to outweigh planning its settlement, and
#: little enough to be held several times over.
_CHUNK_BYTES, _CHUNK_RECORDS = 24 << 20, 16_384


class _Counted(Source):
    """A file that knows how much of it was read."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        block = super().read(size)
        self.taken += len(block)
        return block


#: Lines of a log, or records of a score sheet.
Records = Sequence[Line] | Sequence[SheetRecord]


def _chunks(source: Source, name: str) -> Iterator[tuple[Records, Damage | None]]:
    """The records of a file in chunks; the last one may end in a damage."""
    held: list[Any] = []
    size = 0
    for block in read_blocks(source, name):
        if isinstance(block, Damage):
            yield held, block
            return
        for line in block if isinstance(block, list) else lines_of(block):
            held.append(line)
            size += len(line[1])
            if size >= _CHUNK_BYTES or len(held) >= _CHUNK_RECORDS:
                yield held, None
                held, size = [], 0
    if held:
        yield held, None


def _schema() -> pa.Schema:
    import pyarrow as pa

    columns: list[tuple[str, pa.DataType]] = [
        ("file_id", pa.string()),
        ("line", pa.int64()),
        # First 32 hex digits of the SHA-256 of the record.
        ("record_hash", pa.string()),
        # A line as received; a match of a sheet as JSON, rows and cells as in yuanzi_core.sheet_file.
        ("record", pa.binary()),
        # The numbers of a match's rows in its sheet, in the order of the record; null for a line.
        ("rows", pa.list_(pa.int64())),
        # Why the file cannot be read on, behind its last line: a text's key, the kind of file, the code of the reject
        # and, as JSON, what else the text names.
        ("damage", pa.string()),
        ("damage_kind", pa.string()),
        ("damage_code", pa.string()),
        ("damage_fields", pa.string()),
    ]
    return pa.schema(columns)


def hash_of(record: bytes) -> str:
    """The record_hash of a record."""
    return hashlib.sha256(record).hexdigest()[:32]


def _batch(file_id: str, found: Records, damage: Damage | None, behind: int) -> pa.RecordBatch:
    import pyarrow as pa

    rows = [(record[0], record[1]) for record in found]
    of_sheet = [record.rows if isinstance(record, SheetRecord) else None for record in found]
    about: list[tuple[str | None, ...]] = [(None,) * 4] * len(rows)
    if damage is not None:
        rows.append((damage.line or behind, b""))
        of_sheet.append(None)
        fields = json.dumps(dict(damage.fields), ensure_ascii=False)
        about.append((damage.key, damage.kind, damage.code.value, fields))
    key, kind, code, fields_of = zip(*about, strict=True) if about else ((),) * 4
    return pa.RecordBatch.from_arrays(
        [
            pa.array([file_id] * len(rows), pa.string()),
            pa.array([line for line, _ in rows], pa.int64()),
            pa.array([hash_of(raw) for _, raw in rows], pa.string()),
            pa.array([raw for _, raw in rows], pa.binary()),
            pa.array(of_sheet, pa.list_(pa.int64())),
            *[pa.array(column, pa.string()) for column in (key, kind, code, fields_of)],
        ],
        schema=_schema(),
    )


def write_records(warehouse: Warehouse, file: Received, tell: Callable[[int], None]) -> dict[str, int]:
    """Write ``raw_record`` of a file, unless it is there; returns the number of records."""
    import pyarrow.parquet as pq

    path = warehouse.table_of_file("raw_record", file.file_id)
    if (pack := warehouse.packs.of_file.get(file.file_id)) is not None:
        return {"records": pack.counts[file.file_id]["records"]}
    if is_whole(path):
        return {"records": pq.ParquetFile(path).metadata.num_rows}
    count, last = 0, 0
    with (
        replacing(path) as temporary,
        pq.ParquetWriter(temporary, _schema(), compression="zstd") as writer,
        closing(_Counted(str(warehouse.content_of(file)))) as source,
    ):
        for found, damage in _chunks(source, file.name):
            last = found[-1][0] if found else last
            writer.write_batch(_batch(file.file_id, found, damage, last + 1))
            count += len(found) + (damage is not None)
            tell(source.taken)
    return {"records": count}


def write_no_records(warehouse: Warehouse) -> None:
    """Write ``raw_record`` of no file."""
    import pyarrow.parquet as pq

    with replacing(warehouse.table_of_file("raw_record", NO_FILE)) as temporary:
        pq.write_table(_schema().empty_table(), temporary)


def read_records(path: Path) -> Iterator[tuple[Records, list[str], tuple[int, Damage] | None, float]]:
    """The chunks of ``raw_record`` of a file: records, their hashes, a damage and its line, the part of the file read.

    There is one hash more than records where there is a damage. A file without records gives one chunk without lines.
    """
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as source:
        groups = source.num_row_groups
        for number in range(groups):
            columns = source.read_row_group(number).to_pydict()
            damage = None
            if columns["damage"] and columns["damage"][-1] is not None:
                key, kind, code, fields = (columns[f"damage{of}"].pop() for of in ("", "_kind", "_code", "_fields"))
                line = columns["line"].pop()
                damage = line, Damage(key, kind, Reject(code), json.loads(fields), line)
            found = list(zip(columns["line"], columns["record"], columns["rows"], strict=False))
            records: Records = [(line, raw) for line, raw, _ in found]
            if found and found[0][2] is not None:
                records = [SheetRecord(line, raw, tuple(rows)) for line, raw, rows in found]
            yield records, columns["record_hash"], damage, (number + 1) / groups
        if groups == 0:
            yield [], [], None, 1.0
