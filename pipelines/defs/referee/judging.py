"""One file judged: its records through the referee and the settlement, chunk by chunk, into the tables by file."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.defs.intake.records import read_records, write_no_records
from pipelines.defs.referee.checks import BLOCKING
from pipelines.warehouse import BY_FILE, NO_FILE, Received, Warehouse, replacing, sql
from yuanzi_core.files import Damage, Line
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
        self._reader, self._judge = Reader(warehouse.rulesets), Judge(warehouse.open())

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
                # What a failure leaves on the connection must not touch the next file.
                self.close()
                self._judge = Judge(self.warehouse.open())
                raise
        return self._counts(file.file_id)

    def judge_no_file(self) -> None:
        """Write the tables of no file."""
        write_no_records(self.warehouse)
        self._write(NO_FILE, lambda part: None)

    def _counts(self, file_id: str) -> dict[str, int]:
        import pyarrow.parquet as pq

        paths = {
            name: self.warehouse.table_of_file(f"core_{name[:-1]}", file_id) for name in ("records", "deals", "claims")
        }
        return {name: pq.ParquetFile(path).metadata.num_rows for name, path in paths.items()}

    def _rows(self, name: str, parameters: dict[str, Any] | None = None) -> pa.Table:
        found: pa.Table = self._judge.con.sql(sql("referee", name), params=parameters or {}).to_arrow_table()
        return found

    def _write(self, file_id: str, tell: Callable[[float], None]) -> None:
        from pipelines.defs.referee.rows import deal_table, record_table

        used: set[str] = set()
        # The records of a chunk are many objects and no cycles: looking for some costs more than reading them.
        collecting = gc.isenabled()
        gc.disable()
        try:
            with ExitStack() as stack:
                tables = _Tables({table: self.warehouse.table_of_file(table, file_id) for table in JUDGED}, stack)
                for lines, hashes, damage, part in read_records(self.warehouse.table_of_file("raw_record", file_id)):
                    chunk = _chunk(self._reader, lines, damage)
                    used |= {record.ruleset.hash for record in chunk.records if record.ruleset is not None}
                    self._judge.judge(chunk, file_id=file_id)
                    for check, find in BLOCKING.items():
                        if wrong := find(self._judge.con):
                            raise Unbalanced(check, wrong)
                    tables.add("core_record", record_table(file_id, chunk, hashes, self._rows("verdict")))
                    tables.add("core_deal", deal_table(chunk, self._rows("core_deal")))
                    for name in ("core_claim", "core_settlement__deal", "core_settlement__match"):
                        tables.add(name, self._rows(name))
                    tell(part)
                tables.add("core_ruleset", self._rows("core_ruleset", {"file_id": file_id, "used": sorted(used)}))
        finally:
            if collecting:
                gc.enable()


def _chunk(reader: Reader, lines: list[Line], damage: tuple[int, Damage] | None) -> Chunk:
    """Lines, and what stands for the rest of a damaged file, as one chunk; the matches stay, but for their texts."""
    parts = []
    for first in range(0, len(lines) or 1, _PART):
        part = reader.read(lines[first : first + _PART])
        for record in part.records:
            if record.parsed is not None:
                for deal in record.parsed.deals:
                    deal.hands, deal.plays = [], ""
        parts.append(part)
    return join([*parts, reader.damaged(*damage)] if damage is not None else parts)
