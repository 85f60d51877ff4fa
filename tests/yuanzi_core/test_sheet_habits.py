"""What clubs write otherwise than the specification does, and means the same; and what only seems to mean something."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from tests.yuanzi_core.score_sheets import (
    THREE_OUT,
    Row,
    as_csv,
    five,
    four,
    judge,
    judge_rows,
    reason,
    records_in,
    settled,
)
from tests.yuanzi_core.test_sheet_files import order
from yuanzi_core.conversion_report import LeftOut
from yuanzi_core.files import Damage
from yuanzi_core.log import read_match
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.sheet_columns import BY_NAME, column_of, heading_of
from yuanzi_core.sheet_copy import copy_sheet
from yuanzi_core.sheet_file import read_rows

UPPER, LOWER = four(**THREE_OUT), four(**THREE_OUT, half=2)


def played_at(content: bytes) -> list[str]:
    """When the matches of a sheet began, in UTC."""
    chunk = Reader(Rulesets()).read_sheets(records_in(content))
    found = []
    for record in chunk.records:
        assert record.match is not None, record.problem
        found.append(record.match.played_at.astimezone(UTC).replace(tzinfo=None).isoformat())
    return found


@pytest.mark.parametrize(
    "cells",
    [
        {"half": "1.0"}, {"variant": "4.0"}, {"finish": "南家 北家"}, {"finish": "南家北家"},
        {"finish": "South North"}, {"finish": "south, NORTH"},
        {"ruleset": "Four-Classic"}, {"ruleset": "原子"}, {"ruleset": "yuanzi, four players"},
        {"hand0": "-", "hand2": "nan"}, {"hand0": "无", "hand2": "—"}, {"escaped": "None"}, {"end": "-"},
        {"tricks": "nan", "atoms": "None"}, {"revision": "-"}, {"base": "无"}, {"balance0": "-"},
    ],
)  # fmt: skip
def test_a_four_player_row_may_be_written_in_many_ways(cells: Row) -> None:
    answer = settled(four(**cells))
    usual = settled(four())
    assert {**answer, "deals": None} == {**usual, "deals": None}
    assert (answer["deals"][0]["finish"], answer["scores"]) == ([2, 0], [2, -2, 2, -2])


@pytest.mark.parametrize(
    "cells",
    [
        {"variant": "5.0"},
        {"dealer": "0.0", "partners": "1.0"},
        {"finish": "0 2 1"},
        {"ruleset": "五人原子"},
        {"half": "1.0"},
    ],
)
def test_a_five_player_row_may_be_written_in_many_ways(cells: Row) -> None:
    assert settled(five(**cells))["scores"] == settled(five())["scores"]


def test_nobody_out_may_be_said() -> None:
    escape = {"end": "escape", "escaped": "1.0", "tricks": "9.0"}
    for nobody in ("None", "none", "无", "-", "nan", None):
        assert settled(four(**escape | {"finish": nobody}))["scores"] == [1, -4, 1, 0]
    assert settled(four(**escape | {"finish": "2.0"}))["deals"][0]["finish"] == [2]


def test_what_has_to_be_filled_in_is_not_filled_in_with_a_dash() -> None:
    assert reason(four(captured1="-")).startswith("Row 2, column captured1, “-”: ")
    assert "atom count has to be filled in" in reason(five(ruleset="five-atomic", atoms="-"))


def test_a_name_of_two_rulesets_names_neither(tmp_path: Path) -> None:
    for name in ("ours", "theirs"):
        (tmp_path / f"{name}.toml").write_text('extends = "four-classic"\nnames.zh = "老规则"\n', encoding="utf-8")
    (tmp_path / "plain.toml").write_text('extends = "four-classic"\nclamp_points = 70\n', encoding="utf-8")
    rulesets = Rulesets(tmp_path)
    assert judge(four(ruleset="老规则"), rulesets=rulesets)["code"] == "RULESET"
    # A name that is only inherited is that of the other.
    assert settled(four(ruleset="原子"), rulesets=rulesets)["ruleset_hash"] == rulesets["four-classic"].hash
    assert settled(four(ruleset="PLAIN"), rulesets=rulesets)["ruleset_hash"] == rulesets["plain"].hash


def test_captured_points_have_three_headings_in_chinese() -> None:
    assert heading_of(BY_NAME["captured2"], "zh") == "抓分2"
    for heading in ("抓分2", "得分2", "吃分2", "南家抓分", "抓分南"):
        assert column_of(heading) is BY_NAME["captured2"]


def test_day_and_hour_in_two_columns_are_one_time() -> None:
    for day, hour in (("日期", "时间"), ("date", "time"), ("Date", "开局时间")):
        row = {**UPPER, day: "2026/3/1", hour: "20:15"}
        del row["played_at"]
        assert played_at(as_csv([row])) == ["2026-03-01T12:15:00"]
        assert played_at(as_csv([{hour: "20:15:30", **row}])) == ["2026-03-01T12:15:00"]
        # Only a day is its beginning, in the zone of the club; only an hour is no time.
        assert played_at(as_csv([{**row, hour: ""}, row | {"match_id": "m2"}]))[0] == "2026-02-28T16:00:00"
        assert "date and time" in reason({**row, day: ""})
        assert "“2026/3/1 later”" in reason({**row, hour: "later"})


def test_two_columns_of_the_same_are_not_two_halves_of_one() -> None:
    for one, other in (("date", "日期"), ("time", "时间"), ("played_at", "date"), ("played_at", "time")):
        found = read_rows(f"match_id,{one},{other}\nm,1,2\n".encode())
        assert isinstance(found, Damage)
        assert found.key == "same_column"


def test_a_lower_half_may_say_when_it_began() -> None:
    lower = {**LOWER, "played_at": "2026-03-01 21:05"}
    for rows in ([UPPER, lower], [lower, UPPER]):
        assert played_at(as_csv(rows)) == ["2026-03-01T12:15:00"]
    assert settled(UPPER, lower)["notes"] == []
    assert reason(UPPER, {**LOWER, "played_at": "later"}).startswith("Row 3, column played_at, “later”")


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01t20:15:00+08:00", "2026-03-01T12:15:00z", "2026-03-01T20:15:00.1234567+08:00",
        "2026-03-01T20:15:00.9999999+08:00", "2026-03-01T20:15:00.123456789012+08:00",
    ],
)  # fmt: skip
def test_a_time_as_logs_have_it_is_the_time_that_a_log_says(text: str) -> None:
    line = (Path(__file__).parents[1] / "cases" / "logs.jsonl").read_bytes().splitlines()[0]
    match, _ = read_match(json.dumps({**json.loads(line), "played_at": text}).encode())
    at = match.played_at.astimezone(UTC).replace(tzinfo=None).isoformat()
    assert played_at(as_csv([four(played_at=text)])) == [at]


# Halves that nobody named


def test_two_halves_without_a_name_are_told_so() -> None:
    upper, lower = four(**THREE_OUT, half=None), four(**THREE_OUT, half=None) | {"captured0": 80, "captured2": 100}
    found = judge_rows(four(match_id="x"), upper, lower)
    assert [(one["line"], one["status"], one["code"]) for one in found] == [
        (2, "settled", None), (3, "rejected", "SHEET")
    ]  # fmt: skip
    assert found[1]["message"].startswith("Row 4, column half: row 3 of the same match is an upper half too")
    # However often they come: none of them may stand for the match.
    assert order(upper, lower, upper, lower, upper) == [(2, (2, 3, 4, 5, 6))]


def test_one_half_without_a_name_is_the_upper_half() -> None:
    upper = four(**THREE_OUT, half=None)
    assert len(settled(upper, LOWER)["deals"]) == 2
    # The same row twice is the same match twice, and in the five-player game there are no halves.
    assert order(upper, upper) == [(2, (2,)), (3, (3,))]
    assert order(five(), five(base=2)) == [(2, (2,)), (3, (3,))]


# What a match under early_stop = must cannot have been (C5, F1)

MUST: Row = {"rules": "early_stop=must", "dealer": 0, "partners": "1", "finish": "0 1"}
STOPPED: Row = {**MUST, "finish": None, "end": "points"}


@pytest.mark.parametrize(
    ("cells", "points"),
    [
        # Seat 1 took the last trick. Before it the defenders had 410, of 305 needed.
        (MUST, (20, 70, 160, 130, 120)),
        # Before it seat 0 alone had 260, of 205 needed.
        (MUST, (260, 40, 100, 50, 50)),
        (MUST, (205, 95, 100, 50, 50)),
        # Whoever took the last trick: two of the dealer's side have 230 each, and three defenders the rest.
        (STOPPED, (230, 230, 20, 10, 10)),
        # The defenders have 490 of 305 needed; without the largest of them still 310.
        (STOPPED, (5, 5, 155, 155, 180)),
    ],
)  # fmt: skip
def test_C5_a_deal_that_had_to_be_over_before_its_last_trick(cells: Row, points: tuple[int, ...]) -> None:
    message = reason(five(**cells, captured=points, hand=(0, 0, 0, 0, 0)))
    assert "was over before its last trick" in message
    assert message.startswith("Row 2, column end")


@pytest.mark.parametrize(
    ("cells", "points"),
    [
        # Before the last trick seat 0 had 160, and the defenders 200 of 305.
        (MUST, (160, 140, 100, 50, 50)),
        # Nobody may have been out before the last trick: 205 were needed, and 200 were there.
        (MUST, (200, 100, 100, 50, 50)),
        # The last trick may have been seat 0's.
        (STOPPED, (180, 80, 100, 90, 50)),
        (STOPPED, (250, 200, 20, 20, 10)),
    ],
)
def test_C5_a_deal_that_may_have_ended_with_its_last_trick(cells: Row, points: tuple[int, ...]) -> None:
    settled(five(**cells, captured=points, hand=(0, 0, 0, 0, 0)))


def test_C5_without_must_play_may_go_on() -> None:
    settled(five(**MUST | {"rules": None}, captured=(260, 40, 100, 50, 50), hand=(0, 0, 0, 0, 0)))


# Rulesets


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"ruleset": "no-such"}, "Row 2, column ruleset, “no-such”: There is no ruleset called no-such."),
        ({"rules": "bold=true"}, "Row 2, column rules, “bold=true”: There is no option called bold."),
        (
            {"rules": "escape_upper_compensation=0.001"},
            "Row 2, column rules, “escape_upper_compensation=0.001”: The option escape_upper_compensation cannot be"
            " 0.001; allowed: 0–2, with at most 2 decimals.",
        ),
    ],
)
def test_a_message_of_a_ruleset_names_row_and_column(cells: dict[str, Any], message: str) -> None:
    assert judge(four(**cells))["message"] == message


def test_a_number_with_too_many_decimals_in_a_file_is_told_how_many_it_may_have(tmp_path: Path) -> None:
    own = 'extends = "four-classic"\nescape_upper_compensation = 0.125\n'
    (tmp_path / "ours.toml").write_text(own, encoding="utf-8")
    found = judge(four(ruleset="ours"), rulesets=Rulesets(tmp_path))
    assert found["message"] == (
        "Row 2, column ruleset, “ours”: ours.toml, line 2: the option escape_upper_compensation cannot be 0.125;"
        " allowed: 0–2, with at most 2 decimals."
    )


def test_a_copy_leaves_out_what_is_no_row_and_says_so(tmp_path: Path) -> None:
    content = as_csv([UPPER, LOWER]) + b'm2,"open\n'
    (tmp_path / "a.csv").write_bytes(content)
    told: list[LeftOut] = []
    report = copy_sheet(str(tmp_path / "a.csv"), tmp_path / "b.csv", "en", told.append)
    assert (report.read, report.written, report.rows, dict(report.left_out)) == (2, 1, 2, {"SHEET": 1})
    assert [(one.line, one.message.partition(":")[0]) for one in told] == [(4, "Row 4")]
    assert records_in((tmp_path / "b.csv").read_bytes()) == records_in(as_csv([UPPER, LOWER]))
