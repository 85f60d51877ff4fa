"""Score sheets in the warehouse: the same tables as logs, the same results whatever kind of file a match came in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb

from pipelines.run import run
from pipelines.warehouse import Warehouse
from tests.pipelines.homes import ask, hand_in, lines_of
from tests.pipelines.test_cli import yuanzi
from tests.yuanzi_core.score_sheets import SIDE_OUT, THREE_OUT, as_csv, as_xlsx, five, four

UPPER, LOWER = four(**THREE_OUT, club="北山"), four(**THREE_OUT, half=2)


def rows(home: Path, table: str, columns: str, order: str = "line") -> list[tuple[Any, ...]]:
    """Rows of a table by file, over all files of the lake."""
    warehouse = Warehouse(home)
    paths = [str(warehouse.table_of_file(table, file.file_id)) for file in warehouse.all_received()]
    with duckdb.connect() as con:
        con.execute("set TimeZone = 'UTC'")
        statement = f"select {columns} from read_parquet($paths) order by {order}"
        return con.execute(statement, {"paths": paths}).fetchall()


def test_a_sheet_fills_the_tables_of_a_log(tmp_path: Path) -> None:
    bad = {**LOWER, "match_id": "bad"}
    atomic = five(match_id="m2", ruleset="five-atomic", atoms=4, balance=(5, None, 100, 0, -3), **SIDE_OUT)
    hand_in(tmp_path, "evening.csv", as_csv([UPPER, bad, atomic, LOWER, {**UPPER, "match_id": "m1"}, LOWER]))
    run(tmp_path)
    assert rows(tmp_path, "raw_record", "line, rows, damage") == [
        (2, [2, 5], None), (3, [3], None), (4, [4], None), (6, [6, 7], None)
    ]  # fmt: skip
    record = json.loads(rows(tmp_path, "raw_record", "record")[0][0])
    assert (record["format"], [row["half"] for row in record["rows"]]) == ("yuanzi-sheet/1", ["1", "2"])
    columns = "line, match_id, revision, variant, ruleset_name, club, player_ids, deals, status, code"
    assert rows(tmp_path, "core_record", columns) == [
        (2, "m1", 1, "four", "four-classic", "北山", ["a", "b", "c", "d"], 2, "settled", None),
        (3, "bad", None, None, None, None, None, None, "rejected", "SHEET"),
        (4, "m2", 1, "five", "five-atomic", None, ["a", "b", "c", "d", "e"], 1, "settled", None),
        (6, "m1", 1, "four", "four-classic", "北山", ["a", "b", "c", "d"], 2, "settled", None),
    ]
    messages = dict(rows(tmp_path, "core_record", "line, message_zh"))
    assert messages == {2: None, 3: "第 3 行“半局”栏写着“2”：只有下局，没有这一盘的上局。", 4: None, 6: None}
    columns = "line, deal, finish, captured, hand, cards, side, knife, leader, tricks, atoms, dealer, hands, plays"
    assert rows(tmp_path, "core_deal", columns, "line, deal")[2] == (
        4, 0, [0, 2, 1], [150, 60, 100, 90, 60], [0, 0, 0, 30, 10], [0, 0, 0, None, None], [0, 0, 1, 1, 1],
        None, None, None, 4, 0, [], [],
    )  # fmt: skip
    assert ask(tmp_path, "select line, status from out_audit__records order by line") == [
        (2, "settled"), (3, "rejected"), (4, "settled"), (6, "duplicate")
    ]  # fmt: skip
    assert ask(tmp_path, "select match_id, scores, tricks from out_matches order by match_id") == [
        ("m1", [1, -1, 1, -1], None), ("m2", [5, 9, -6, -6, -6], None)
    ]  # fmt: skip


def test_a_half_after_the_end_leaves_no_deal_behind(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.xlsx", as_xlsx([four(), LOWER, four(match_id="m2")]))
    run(tmp_path)
    assert rows(tmp_path, "core_record", "line, status, code") == [(2, "rejected", "SHEET"), (4, "settled", None)]
    assert rows(tmp_path, "core_deal", "line, deal") == [(4, 0)]
    assert rows(tmp_path, "core_settlement__match", "line") == [(4,)]


def test_a_file_that_is_no_table_is_one_reject(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.csv", b"match_id,match_id\nm1,m2\n")
    hand_in(tmp_path, "b.xlsx", b"PK\x03\x04")
    hand_in(tmp_path, "c.csv", as_csv([UPPER, LOWER]))
    run(tmp_path)
    assert ask(tmp_path, "select file_name, read, settled, rejected, damage from out_audit__files order by all") == [
        ("a.csv", 1, 0, 1, "same_column"), ("b.xlsx", 1, 0, 1, "broken_xlsx"), ("c.csv", 1, 1, 0, None)
    ]  # fmt: skip
    found = ask(tmp_path, "select line, code, message_en from out_audit__records where code is not null order by all")
    assert found[0] == (
        1,
        "SHEET",
        "The file cannot be read as XLSX: it is damaged, locked with a password, or made by something else.",
    )
    assert found[1][:2] == (2, "SHEET")


def test_which_record_counts_among_sheets_and_logs(tmp_path: Path) -> None:
    log = lines_of("logs", 0, 1)[0]
    own = four(match_id=json.loads(log)["match_id"])
    hand_in(tmp_path, "a.csv", as_csv([UPPER, LOWER]))
    hand_in(tmp_path, "b.xlsx", as_xlsx([LOWER, UPPER]))
    hand_in(tmp_path, "c.csv", as_csv([four(match_id="m3"), four(match_id="m4")]))
    hand_in(tmp_path, "d.csv", as_csv([four(match_id="m3", table="9")]))
    hand_in(
        tmp_path, "e.csv", as_csv([four(match_id="m4", revision=2, end="escape", escaped=1, finish=None, tricks=9)])
    )
    hand_in(tmp_path, "f.jsonl", [log])
    hand_in(tmp_path, "g.csv", as_csv([own]))
    run(tmp_path)
    found = ask(tmp_path, "select file_name, match_id, status, code from out_audit__records order by all")
    match_id = own["match_id"]
    assert found == [
        ("a.csv", "m1", "settled", None), ("b.xlsx", "m1", "duplicate", None),
        ("c.csv", "m3", "rejected", "DUPLICATE"), ("c.csv", "m4", "superseded", None),
        ("d.csv", "m3", "rejected", "DUPLICATE"), ("e.csv", "m4", "settled", None),
        ("f.jsonl", match_id, "rejected", "DUPLICATE"), ("g.csv", match_id, "rejected", "DUPLICATE"),
    ]  # fmt: skip


def test_what_clubs_toml_says_holds_for_their_sheets(tmp_path: Path) -> None:
    tmp_path.joinpath("clubs.toml").write_text(
        '[north]\nnames = { en = "North", zh = "北山" }\nzone = "Europe/Berlin"\nruleset = "four-classic"\nbase = 2\n',
        encoding="utf-8",
    )
    row = {**four(club="北山", played_at="2026-03-01 20:15"), "ruleset": ""}
    hand_in(tmp_path, "a.csv", as_csv([row]))
    run(tmp_path)
    assert ask(tmp_path, "select cast(played_at as varchar), ruleset, scores from out_matches") == [
        ("2026-03-01 19:15:00+00", "four-classic", [4, -4, 4, -4])
    ]


def test_the_command_takes_sheets_among_logs(tmp_path: Path) -> None:
    for name, content in (
        ("a.csv", as_csv([UPPER, {**UPPER, "match_id": "m2"}, LOWER])),
        ("b.xlsx", as_xlsx([four()])),
    ):
        (tmp_path / name).write_bytes(content)
    log = tmp_path / "c.jsonl"
    log.write_bytes(b"\n".join(lines_of("logs", 0, 3)))
    status, out, _ = yuanzi("check", str(tmp_path / "a.csv"), str(tmp_path / "b.xlsx"), str(log))
    assert status == 1
    # The second match of the first file is unfinished, that of the second has other content than the first.
    assert "b.xlsx:2: m1 - - DUPLICATE" in out
    assert "6 read = 4 settled + 1 unfinished + 0 violation + 1 rejected + 0 duplicate" in out
    # Any row of a match leads to it.
    for row in (2, 4):
        status, out, _ = yuanzi("explain", str(tmp_path / "a.csv"), f":{row}")
        assert status == 0
        assert out.startswith("m1")
        assert "lower half" in out.lower()
    assert yuanzi("explain", str(tmp_path / "a.csv"), "m2")[1].startswith("m2")
    assert yuanzi("explain", str(tmp_path / "a.csv"), ":9")[0] == 2
