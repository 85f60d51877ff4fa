"""Small files judged together: planning the settlement of five matches takes as long as settling thousands.

The records of several files are numbered through, judged as one chunk, and get their files and lines back afterwards.
Nothing of one file touches another: each record is judged alone. Where anything goes wrong the files are judged one by
one, as large ones are, so that one that fails fails alone.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pipelines.defs.intake.records import Records, read_records
from pipelines.disk import is_full
from pipelines.groups import FAN
from pipelines.packs import SMALL, Pack
from pipelines.parquet import concatenate
from pipelines.tables import BY_FILE
from pipelines.warehouse import Received, replacing
from yuanzi_core.files import SheetRecord
from yuanzi_core.records import Chunk, join

if TYPE_CHECKING:
    import pyarrow as pa

    from pipelines.defs.referee.judging import FileJudge
    from yuanzi_core.files import Damage

#: Records that are judged together.
_TOGETHER = 4096

_Rows = tuple[Records, list[str], "tuple[int, Damage] | None"]


def judge_small_files(judge: FileJudge, files: Sequence[Received]) -> None:
    """Judge those of some files that are small and not judged yet, and put them into packs."""
    batch: dict[str, _Rows] = {}
    of_sheets, count = False, 0
    for file_id, rows in _small(judge, files):
        is_sheet = any(isinstance(record, SheetRecord) for record in rows[0])
        # Facts of sheets and plays of logs do not go into one chunk.
        if batch and (count >= _TOGETHER or (rows[0] and is_sheet != of_sheets)):
            _judge(judge, batch)
            batch, count = {}, 0
        batch[file_id] = rows
        of_sheets, count = is_sheet, count + len(rows[0]) + 1
    _judge(judge, batch)


def _small(judge: FileJudge, files: Sequence[Received]) -> Iterator[tuple[str, _Rows]]:
    """The records of small files, logs first."""
    import pyarrow.parquet as pq

    warehouse = judge.warehouse
    for file in sorted(files, key=lambda file: (file.suffix in (".csv", ".xlsx"), file.file_id)):
        path = warehouse.table_of_file("raw_record", file.file_id)
        if warehouse.is_judged(file.file_id) or not warehouse.has_records(file.file_id):
            continue
        about = pq.ParquetFile(path).metadata
        if about.num_rows < SMALL and about.num_row_groups <= 1:
            ((found, hashes, damage, _),) = read_records(path)
            yield file.file_id, (found, hashes, damage)


def _judge(judge: FileJudge, batch: dict[str, _Rows]) -> None:
    """Judge a batch and put it into a pack; where that fails, the files are left as they were."""
    if len(batch) < FAN:
        return
    collecting = gc.isenabled()
    gc.disable()
    try:
        _write(judge, batch)
    except Exception as error:
        if is_full(error):
            raise
        judge.renew()
    finally:
        if collecting:
            gc.enable()


def _write(judge: FileJudge, batch: dict[str, _Rows]) -> None:
    import pyarrow as pa

    places: list[tuple[str, int]] = []
    parts: list[Chunk] = []
    hashes: list[str] = []
    pending: list[Any] = []
    for file_id, (found, of_file, damage) in batch.items():
        hashes += of_file
        for record in found:
            places.append((file_id, record[0]))
            number = len(places)
            pending.append(record._replace(line=number) if isinstance(record, SheetRecord) else (number, record[1]))
        if damage is not None:
            places.append((file_id, damage[0]))
            parts.append(judge.read(pending, (len(places), damage[1])))
            pending = []
    chunk = join([*parts, judge.read(pending, None)])
    used = {(places[record.line - 1][0], record.ruleset.hash) for record in chunk.records if record.ruleset is not None}
    tables = judge.judge_chunk("", chunk, hashes)
    file_ids = pa.array([file_id for file_id, _ in places], pa.string())
    lines = pa.array([line for _, line in places], pa.int64())
    for name, rows in tables.items():
        numbers = pa.array(rows.column("line").to_numpy() - 1)
        tables[name] = _with(_with(rows, "file_id", file_ids.take(numbers)), "line", lines.take(numbers))
    rulesets = judge.rows("core_ruleset", {"file_id": "", "used": sorted({ruleset for _, ruleset in used})})
    at = {ruleset: number for number, ruleset in enumerate(rulesets.column("ruleset").to_pylist())}
    order = {file_id: number for number, file_id in enumerate(batch)}
    of_files = sorted(used, key=lambda pair: (order[pair[0]], pair[1]))
    chosen = rulesets.take(pa.array([at[ruleset] for _, ruleset in of_files], pa.int64()))
    tables["core_ruleset"] = _with(chosen, "file_id", pa.array([file_id for file_id, _ in of_files], pa.string()))
    _keep(judge, list(batch), tables)


def _keep(judge: FileJudge, file_ids: list[str], tables: dict[str, pa.Table]) -> None:
    """Write the tables as a pack."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    counts: dict[str, dict[str, int]] = {file_id: {"records": 0, "deals": 0, "claims": 0} for file_id in file_ids}
    for name in ("records", "deals", "claims"):
        number: Any = pc.value_counts(tables[f"core_{name[:-1]}"].column("file_id"))
        for found in number.to_pylist():
            counts[found["values"]][name] = found["counts"]
    warehouse, pack = judge.warehouse, Pack(counts)
    with ExitStack() as stack:
        for table in BY_FILE:
            temporary = stack.enter_context(replacing(warehouse.table_of_file(table, pack.id)))
            if table == "raw_record":
                concatenate([warehouse.table_of_file(table, file_id) for file_id in file_ids], temporary)
            else:
                pq.write_table(tables[table], temporary, compression="zstd")
    warehouse.packs.add(pack)


def _with(rows: pa.Table, name: str, column: pa.Array[Any]) -> pa.Table:
    """The rows with another column in the place of one of that name."""
    place = rows.schema.get_field_index(name)
    return rows.set_column(place, rows.schema.field(place), column)
