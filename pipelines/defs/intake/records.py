"""A received file as records: one row a line, in row groups of one chunk each, so that nobody has to hold it all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.warehouse import NO_FILE, Received, Warehouse, replacing
from yuanzi_core.files import Damage, Line, Source, lines_of, read_blocks

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


def _chunks(source: Source, name: str) -> Iterator[tuple[list[Line], Damage | None]]:
    """The lines of a file in chunks; the last one may end in a damage."""
    held: list[Line] = []
    size = 0
    for block in read_blocks(source, name):
        if isinstance(block, Damage):
            yield held, block
            return
        for line in lines_of(block):
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
        # First 32 hex digits of the SHA-256 of the line.
        ("record_hash", pa.string()),
        ("record", pa.binary()),
        # Why the file cannot be read on, behind its last line: a text's key and the kind of file.
        ("damage", pa.string()),
        ("damage_kind", pa.string()),
    ]
    return pa.schema(columns)


def hash_of(record: bytes) -> str:
    """The record_hash of a line."""
    return hashlib.sha256(record).hexdigest()[:32]


def _batch(file_id: str, lines: list[Line], damage: Damage | None, behind: int) -> pa.RecordBatch:
    import pyarrow as pa

    rows = [*lines, (behind, b"")] if damage is not None else lines
    none = [None] * len(lines)
    return pa.RecordBatch.from_arrays(
        [
            pa.array([file_id] * len(rows), pa.string()),
            pa.array([line for line, _ in rows], pa.int64()),
            pa.array([hash_of(raw) for _, raw in rows], pa.string()),
            pa.array([raw for _, raw in rows], pa.binary()),
            pa.array([*none, damage.key] if damage is not None else none, pa.string()),
            pa.array([*none, damage.kind] if damage is not None else none, pa.string()),
        ],
        schema=_schema(),
    )


def write_records(warehouse: Warehouse, file: Received, tell: Callable[[int], None]) -> dict[str, int]:
    """Write ``raw_record`` of a file, unless it is there; returns the number of records."""
    import pyarrow.parquet as pq

    path = warehouse.table_of_file("raw_record", file.file_id)
    if path.exists():
        return {"records": pq.ParquetFile(path).metadata.num_rows}
    count, last = 0, 0
    with (
        replacing(path) as temporary,
        pq.ParquetWriter(temporary, _schema(), compression="zstd") as writer,
        closing(_Counted(str(warehouse.content_of(file)))) as source,
    ):
        for lines, damage in _chunks(source, file.name):
            last = lines[-1][0] if lines else last
            writer.write_batch(_batch(file.file_id, lines, damage, last + 1))
            count += len(lines) + (damage is not None)
            tell(source.taken)
    return {"records": count}


def write_no_records(warehouse: Warehouse) -> None:
    """Write ``raw_record`` of no file."""
    import pyarrow.parquet as pq

    with replacing(warehouse.table_of_file("raw_record", NO_FILE)) as temporary:
        pq.write_table(_schema().empty_table(), temporary)


def read_records(path: Path) -> Iterator[tuple[list[Line], list[str], tuple[int, Damage] | None, float]]:
    """The chunks of ``raw_record`` of a file: lines, record hashes, a damage and its line, the part of the file read.

    There is one hash more than lines where there is a damage. A file without records gives one chunk without lines.
    """
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as source:
        groups = source.num_row_groups
        for number in range(groups):
            columns = source.read_row_group(number).to_pydict()
            lines = list(zip(columns["line"], columns["record"], strict=True))
            damage = None
            if columns["damage"] and columns["damage"][-1] is not None:
                damage = lines.pop()[0], Damage(columns["damage"][-1], columns["damage_kind"][-1])
            yield lines, columns["record_hash"], damage, (number + 1) / groups
        if groups == 0:
            yield [], [], None, 1.0
