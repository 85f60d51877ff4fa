"""Parquet made of batches: the same rows as made one by one, in row groups of one size."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from msgspec import Raw

from yuanzi_core.canonical import fill_in
from yuanzi_core.parquet_log import ROW_GROUP, parquet_schema
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.writer import LogWriter


@pytest.mark.parametrize("name", ["four-classic", "five-atomic"])
def test_a_batch_and_its_matches_give_equal_rows(name: str, tmp_path: Path) -> None:
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    headers, deals = next(iter(play_matches(Rulesets()[name], 60, 5, escape_rate=0.3, balances=True)))
    headers[0].rules, headers[0].base = Raw(b'{ "wind": "next" }'), Decimal("0.50")
    headers[1].claimed, headers[1].club, headers[1].revision = Raw(b'{"winner": 1}'), "桐庐 “老地方”", 3
    headers[2].players[0].balance, headers[2].players[1].balance = Decimal("-0.125"), 10**12 - 1
    headers[2].players[2].name, headers[3].claimed = "阿强", Raw(b"null")
    made = fill_in(headers, deals)
    made[4].deals[-1].claimed = Raw(b'{"finish": [2, 1]}')
    headers[4].deals = made[4].deals
    with LogWriter(one) as log:
        log.write_batch(headers, deals)
    with LogWriter(other) as log:
        log.write(made)
    assert pq.read_table(one).schema.equals(parquet_schema())
    assert pq.read_table(one).to_pylist() == pq.read_table(other).to_pylist()
    rows: Any = pq.read_table(one).to_pylist()
    assert rows[4]["deals"][-1]["claimed"] == '{"finish":[2,1]}'


def test_row_groups_are_of_one_size_whatever_comes_in(tmp_path: Path) -> None:
    path, rules = tmp_path / "log.parquet", Rulesets()["four-classic"].with_options({"halves": 1})
    with LogWriter(path) as log:
        for headers, deals in play_matches(rules, ROW_GROUP + 1500, 5, block=1000):
            log.write_batch(headers, deals)
        log.write(fill_in(headers, deals))
    metadata = pq.ParquetFile(path).metadata
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [
        ROW_GROUP, 1500 + len(headers),
    ]  # fmt: skip
    ids: Any = pq.read_table(path, columns=["match_id"])["match_id"].to_pylist()
    assert [int(one[-6:]) for one in ids[: ROW_GROUP + 1500]] == list(range(ROW_GROUP + 1500))
