"""The lake judged again: however its file is cut into row groups and pieces, the stored results come out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from pipelines.warehouse import Warehouse
from tests.pipelines.conftest import Judged
from tests.pipelines.homes import ask
from yuanzi_core import lake
from yuanzi_core.database import THREADS

_COLUMNS = "line, status, violation, violation_deal, violation_play, outcome, winner, scores_before_cap"
_STORED = f"select {_COLUMNS} from core_settlement__match where file_id = ? order by line"
_DEALS = "select s.* exclude (file_id) from core_settlement__deal as s"


@pytest.mark.parametrize("name", ["logs.jsonl", "edges.jsonl"])
@pytest.mark.parametrize(("size", "piece"), [(1, 100), (3, 200), (100_000, 100_000)])
@pytest.mark.slow
def test_row_groups_and_pieces_change_nothing(
    cases: Judged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int, piece: int
) -> None:
    home, _ = cases
    warehouse = Warehouse(home)
    (file,) = (file for file in warehouse.all_received() if file.name == name)
    deal, record, ruleset = (
        warehouse.table_of_file(table, file.file_id) for table in ("core_deal", "core_record", "core_ruleset")
    )
    # Row groups of one deal cut through every match of two halves.
    cut = tmp_path / "core_deal.parquet"
    pq.write_table(pq.read_table(deal), cut, row_group_size=size)
    monkeypatch.setattr(lake, "PIECE", piece)
    monkeypatch.setattr(lake, "WORTH_TWO", 1)
    matches: list[tuple[Any, ...]] = []
    deals: list[tuple[Any, ...]] = []
    judges = 0
    for judge in lake.judge_lake(cut, record, ruleset):
        matches += judge.con.execute(f"select {_COLUMNS} from core_settlement__match order by line").fetchall()
        # Deals that nobody judged are not stored.
        judged = f"{_DEALS} join core_deal as d using (line, deal) where d.judged order by s.line, s.deal"
        deals += judge.con.execute(judged).fetchall()
        judges += 1
    assert matches == ask(home, _STORED, file.file_id)
    stored = str(warehouse.table_of_file("core_settlement__deal", file.file_id))
    query = "select * exclude (file_id) from read_parquet($path) order by line, deal"
    assert deals == duckdb.execute(query, {"path": stored}).fetchall()
    assert (judges > THREADS) == (piece < len(deals) // THREADS)
