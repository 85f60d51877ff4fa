"""One file judged: its records through the referee and the settlement, chunk by chunk, into the tables by file."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.defs.intake.records import Records, read_records, write_no_records
from pipelines.defs.referee.checks import BLOCKING
from pipelines.tables import BY_FILE
from pipelines.warehouse import NO_FILE, Received, Warehouse, replacing, sql
from yuanzi_core.files import Damage, SheetRecord
from yuanzi_core.judge import Judge
from yuanzi_core.records import Chunk, Reader, join

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

#: The tables that judging makes.
JUDGED = BY_FILE[1:]
#: Records read in one go: few enough to stay in the processor's cache.
_PART = 512


class Unbalanced(Exception):
    """A result that cannot be right (card points lost, scores that do not sum to zero): the engine has an error.

    ``check`` is the name of the check that found it, ``count`` the number of rows.
    """

    def __init__(self, check: str, count: int) -> None:
        super().__init__(f"{check}: {count} rows")
        self.check, self.count = check, count


class _Tables:
    """Parquet files that are written together and take their places when all are whole."""

    def __init__(self, paths: Mapping[str, Path], stack: ExitStack) -> None:
        self._temporary = {table: stack.enter_context(replacing(path)) for table, path in paths.items()}
        self._writers: dict[str, pq.ParquetWriter] = {}
        stack.callback(self.close)

    def add(self, name: str, rows: pa.Table) -> None:
        import pyarrow.parquet as pq

        if name not in self._writers:
            self._writers[name] = pq.ParquetWriter(self._temporary[name], rows.schema, compression="zstd")
        self._writers[name].write_table(rows)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


class FileJudge:
    """Judges files one after the other, with what is worth keeping between them. Close it at the end."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self._reader = Reader(warehouse.rulesets, warehouse.registry.sheet_defaults())
        self._judge = Judge(warehouse.connect())

    def close(self) -> None:
        """Give the connection back."""
        self._judge.con.close()

    def judge_file(self, file: Received, tell: Callable[[int], None]) -> dict[str, int]:
        """Write the tables of a file from its raw_record, unless they are there; returns counts of rows.

        :raises Unbalanced: a result cannot be right; nothing of the file is kept then.
        """
        if not self.warehouse.is_judged(file.file_id):
            try:
                self._write(file.file_id, lambda part: tell(int(part * file.bytes)))
            except Exception:
                self.renew()
                raise
        return dict(self.warehouse.counts_of(file.file_id))

    def judge_no_file(self) -> None:
        """Write the tables of no file."""
        write_no_records(self.warehouse)
        self._write(NO_FILE, lambda part: None)

    def read(self, found: Records, damage: tuple[int, Damage] | None) -> Chunk:
        """Records, and what stands for the rest of a damaged file, as one chunk; matches stay, but for their texts."""
        parts = []
        for first in range(0, len(found) or 1, _PART):
            some = found[first : first + _PART]
            sheet = [record for record in some if isinstance(record, SheetRecord)]
            part = self._reader.read_sheets(sheet) if sheet else self._reader.read([(at, raw) for at, raw, *_ in some])
            for record in part.records:
                if record.parsed is not None:
                    for deal in record.parsed.deals:
                        deal.hands, deal.plays = [], ""
            parts.append(part)
        return join([*parts, self._reader.damaged(*damage)] if damage is not None else parts)

    def judge_chunk(self, file_id: str, chunk: Chunk, hashes: Sequence[str]) -> dict[str, pa.Table]:
        """The rows of a chunk for each table but core_ruleset.

        :raises Unbalanced: a result cannot be right.
        """
        from pipelines.defs.referee.rows import deal_table, record_table

        self._judge.judge(chunk, file_id=file_id)
        for check, find in BLOCKING.items():
            if wrong := find(self._judge.con):
                raise Unbalanced(check, wrong)
        return {
            "core_record": record_table(file_id, chunk, hashes, self.rows("verdict")),
            "core_deal": deal_table(chunk, self.rows("core_deal")),
            **{name: self.rows(name) for name in ("core_claim", "core_settlement__deal", "core_settlement__match")},
        }

    def renew(self) -> None:
        """Forget what a failure may have left on the connection."""
        self.close()
        self._judge = Judge(self.warehouse.connect())

    def rows(self, name: str, parameters: dict[str, Any] | None = None) -> pa.Table:
        """What a statement of this stage gives for the chunk that was judged last."""
        found: pa.Table = self._judge.con.sql(sql("referee", name), params=parameters or {}).to_arrow_table()
        return found

    def _write(self, file_id: str, tell: Callable[[float], None]) -> None:
        used: set[str] = set()
        # The records of a chunk are many objects and no cycles: looking for some costs more than reading them.
        collecting = gc.isenabled()
        gc.disable()
        try:
            with ExitStack() as stack:
                tables = _Tables({table: self.warehouse.table_of_file(table, file_id) for table in JUDGED}, stack)
                for found, hashes, damage, part in read_records(self.warehouse.table_of_file("raw_record", file_id)):
                    chunk = self.read(found, damage)
                    used |= {record.ruleset.hash for record in chunk.records if record.ruleset is not None}
                    for name, rows in self.judge_chunk(file_id, chunk, hashes).items():
                        tables.add(name, rows)
                    tell(part)
                tables.add("core_ruleset", self.rows("core_ruleset", {"file_id": file_id, "used": sorted(used)}))
        finally:
            if collecting:
                gc.enable()
