"""Files of matches as other kinds of files: what is carried is equal or settles alike, and the rest is told."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.pipelines.homes import CASES, changed, lines_of
from yuanzi_core import file_limits, sheet_writer
from yuanzi_core.answers import answers
from yuanzi_core.conversion_report import LeftOut, Report
from yuanzi_core.convert import SheetIsNoLog, convert
from yuanzi_core.files import Damage, read_lines
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import simulate
from yuanzi_core.sheet_file import read_rows, records_of
from yuanzi_core.sheet_writer import TooManyRows
from yuanzi_core.stream import judge_files, same_content
from yuanzi_core.texts import LANGS, Lang, has

Told = tuple[Report, list[LeftOut]]
CLEAN, OTHER = lines_of("logs", 0, 2)
#: What a sheet cannot know of a deal.
UNKNOWN = ("knife", "leader", "revealed")


def carried(source: Path | str, out: Path, lang: Lang = "en") -> Told:
    """A conversion, and what was told of it."""
    told: list[LeftOut] = []
    report = convert(str(source), out, Rulesets(), lang, told.append)
    # read = written + duplicates + left out, whatever happens.
    assert report.read == report.written + report.duplicates + sum(report.left_out.values())
    assert len(told) == sum(report.left_out.values())
    assert all(has(f"convert.lost.{kind}", lang) for kind in report.lost)
    assert set(report.first) == set(report.lost)
    return report, told


def log(path: Path, *lines: bytes) -> Path:
    """A log file."""
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def lines(path: Path) -> list[bytes]:
    """The lines of a log."""
    found = []
    with path.open("rb") as stream:
        for block in read_lines(stream, path.name):
            assert not isinstance(block, Damage)
            found += [line for _, line in block]
    return found


def settled(path: Path) -> Iterator[dict[str, Any]]:
    """The answers to a file that are neither rejects, violations nor duplicates."""
    for judged in judge_files([str(path)], Rulesets()):
        yield from (answer for answer in answers(judged, "en") if answer["status"] in ("settled", "unfinished"))


def agree(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Two answers to the same match, of a log and of a sheet."""
    for name in ("match_id", "status", "outcome", "winner", "scores", "scores_before_cap", "ruleset_hash"):
        assert one[name] == other[name], (one["match_id"], name)
    for mine, its in zip(one["deals"], other["deals"], strict=True):
        assert {name: value for name, value in mine.items() if name not in UNKNOWN} == {
            name: value for name, value in its.items() if name not in UNKNOWN
        }, one["match_id"]
    found, same = (
        [claim for claim in answer["discrepancies"] if claim["code"] in ("CLAIM_SCORES", "CLAIM_OUTCOME")]
        for answer in (one, other)
    )
    assert [(claim["code"], bytes(claim["claimed"])) for claim in found] == [
        (claim["code"], bytes(claim["claimed"])) for claim in same
    ]


# Logs into logs


@pytest.mark.parametrize("name", ["logs", "claims", "edges", "rare", "pairs"])
def test_a_log_comes_back_from_parquet_as_it_was(name: str, tmp_path: Path) -> None:
    source, packed, back = CASES / f"{name}.jsonl", tmp_path / "x.parquet", tmp_path / "x.jsonl"
    report, _ = carried(source, packed)
    assert not report.left_out
    assert not report.lost
    assert carried(packed, back)[0].written == report.written
    pairs = list(zip(lines(source), lines(back), strict=True))
    assert len(pairs) == report.read
    assert all(same_content(one, other) for one, other in pairs)


def test_what_parquet_cannot_carry_is_told(tmp_path: Path) -> None:
    deal = {**json.loads(CLEAN)["deals"][0], "tempo": 3, "knife": None}
    unknown = changed(CLEAN, match_id="a", weather="rain", deals=[deal])
    letters = json.loads(lines_of("logs", 1, 2)[0])
    assert letters["variant"] == "four"
    letters["deals"][0] |= {"leader": "NESW"[letters["deals"][0]["leader"]], "dealer": [1]}
    source = log(tmp_path / "x.jsonl", b"{", CLEAN, unknown, b"", json.dumps(letters).encode(), changed(CLEAN, base=-1))
    report, told = carried(source, tmp_path / "x.parquet")
    assert [(left.line, left.code) for left in told] == [(1, "JSON"), (6, "SCHEMA")]
    assert dict(report.lost) == {"unknown_field": 2, "null": 1, "seat_letter": 1, "other_game": 1}
    assert report.first == {"unknown_field": 3, "null": 3, "seat_letter": 5, "other_game": 5}
    assert dict(report.fields) == {"weather": 1, "deals[].tempo": 1}
    # What is left of the two says the same.
    assert [answer["match_id"] for answer in settled(tmp_path / "x.parquet")] == [
        answer["match_id"] for answer in settled(source)
    ]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_lines_go_into_lines_as_they_stand_good_or_bad(suffix: str, tmp_path: Path) -> None:
    source, out = CASES / "dirty.jsonl", tmp_path / f"x{suffix}"
    report, _ = carried(source, out)
    assert not report.left_out
    assert lines(out) == [line.rstrip(b"\r") for line in lines(source)]


def test_a_damaged_file_gives_what_is_before_and_says_so(tmp_path: Path) -> None:
    source = tmp_path / "x.jsonl.gz"
    source.write_bytes(gzip.compress(CLEAN + b"\n" + OTHER + b"\n" + b"x" * 100_000)[:-20])
    report, told = carried(source, tmp_path / "x.jsonl")
    assert told[-1].code == "JSON"
    assert lines(tmp_path / "x.jsonl")[:2] == [CLEAN, OTHER]
    assert report.written >= 2


def test_a_file_of_too_many_records_is_told_with_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_limits, "MOST_RECORDS", 1)
    report, told = carried(log(tmp_path / "x.jsonl", CLEAN, OTHER), tmp_path / "x.parquet")
    assert (report.read, report.written) == (2, 1)
    assert [(left.line, left.code) for left in told] == [(2, "JSON")]
    assert "more than 1 " in told[0].message


def test_columns_of_parquet_that_no_log_has_are_told(tmp_path: Path) -> None:
    source = tmp_path / "x.parquet"
    carried(log(tmp_path / "x.jsonl", CLEAN), source)
    table = pq.read_table(source)
    pq.write_table(table.append_column("weather", pa.array(["rain"])), source)
    report, _ = carried(source, tmp_path / "back.jsonl")
    assert dict(report.lost) == {"unknown_column": 1}
    assert dict(report.fields) == {"weather": 1}
    assert same_content(lines(tmp_path / "back.jsonl")[0], CLEAN)


# Logs into sheets


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
@pytest.mark.parametrize("name", ["logs", "claims", "edges", "rare"])
@pytest.mark.slow
def test_a_sheet_settles_as_its_log(name: str, suffix: str, lang: Lang, tmp_path: Path) -> None:
    source, out = CASES / f"{name}.jsonl", tmp_path / f"x{suffix}"
    report, _ = carried(source, out, lang)
    mine, its = list(settled(source)), list(settled(out))
    assert len(mine) == len(its) == report.written > 0
    for one, other in zip(mine, its, strict=True):
        agree(one, other)


@pytest.mark.parametrize("ruleset", ["four-classic", "five-classic", "five-atomic"])
def test_self_played_matches_settle_as_sheets(ruleset: str, tmp_path: Path) -> None:
    source, out = tmp_path / "x.jsonl", tmp_path / "x.csv"
    simulate(source, Rulesets()[ruleset], 400, 11, escape_rate=0.15)
    report, _ = carried(source, out)
    assert report.written == report.read == 400
    for one, other in zip(settled(source), settled(out), strict=True):
        agree(one, other)


def test_what_a_sheet_leaves_out_and_loses_is_told(tmp_path: Path) -> None:
    match = json.loads(CLEAN)
    match["players"][0]["name"] = "王"
    match |= {"match_id": "b", "source": "real", "club": " ", "weather": 1}
    match["claimed"] = {"winner": 0, "outcome": "draw", "scores": [1], "scores_": 1}
    violation = lines_of("pairs", 0, 1)[0]
    source = log(
        tmp_path / "x.jsonl", b"{", CLEAN, CLEAN, changed(CLEAN, base=2), violation, changed(CLEAN, match_id=" x"),
        json.dumps(match, ensure_ascii=False).encode(),
    )  # fmt: skip
    report, told = carried(source, tmp_path / "x.csv")
    assert (report.read, report.written, report.duplicates) == (7, 2, 1)
    codes = [answer.get("code") for judged in judge_files([str(source)], Rulesets()) for answer in answers(judged)]
    assert [(left.line, left.code) for left in told] == [(1, "JSON"), (4, "DUPLICATE"), (5, codes[4]), (6, "unfit")]
    lost = dict(report.lost)
    assert {name: lost[name] for name in ("cards", "name", "club", "claimed_winner", "claimed_outcome")} == {
        "cards": 2, "name": 1, "club": 1, "claimed_winner": 1, "claimed_outcome": 1,
    }  # fmt: skip
    assert (lost["claim_unreadable"], lost["unknown_field"]) == (1, 2)


@pytest.mark.parametrize("match_id", ["", " a", "a\t", "a\u200b", "x" * 128 + " "])
def test_an_id_that_a_cell_would_change_is_left_out_or_rejected(match_id: str, tmp_path: Path) -> None:
    source = log(tmp_path / "x.jsonl", changed(CLEAN, match_id=match_id))
    report, _ = carried(source, tmp_path / "x.csv")
    assert report.written == 0


@pytest.mark.parametrize("match_id", ["=1+1", "-x", "'=x", "007", "1e5", "2026-03-01", 'a,"b";\tc', "a b", "＝x", "上"])
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_any_other_id_comes_back(match_id: str, suffix: str, tmp_path: Path) -> None:
    if "\t" in match_id:
        match_id = match_id.replace("\t", " ")
    source, out = log(tmp_path / "x.jsonl", changed(CLEAN, match_id=match_id)), tmp_path / f"x{suffix}"
    assert carried(source, out)[0].written == 1
    assert [answer["match_id"] for answer in settled(out)] == [match_id]


def test_more_rows_than_a_sheet_may_have_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_writer, "MOST_ROWS", 5)
    with pytest.raises(TooManyRows):
        carried(CASES / "logs.jsonl", tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


# Sheets


@pytest.mark.parametrize("pair", [(".csv", ".xlsx"), (".xlsx", ".csv"), (".csv", ".csv")])
def test_a_sheet_as_another_has_equal_records(pair: tuple[str, str], tmp_path: Path) -> None:
    source, out = tmp_path / f"x{pair[0]}", tmp_path / f"y{pair[1]}"
    carried(CASES / "claims.jsonl", source, "zh")
    report, _ = carried(source, out, "en")
    assert not report.lost
    one, other = read_rows(source.read_bytes(), source.name), read_rows(out.read_bytes(), out.name)
    assert isinstance(one, list)
    assert isinstance(other, list)
    records = records_of(one)
    assert [record.raw for record in records] == [record.raw for record in records_of(other)]
    assert report.written == len(records)


def test_a_sheet_is_copied_good_or_bad_with_its_own_columns(tmp_path: Path) -> None:
    source = tmp_path / "x.csv"
    source.write_text("match_id;备注;;captured0\na;=1+1;nameless;ten\nb;;;5;surplus\n", encoding="utf-8")
    report, _ = carried(source, tmp_path / "y.xlsx", "zh")
    assert (report.read, report.written, dict(report.lost)) == (2, 2, {"no_heading": 2})
    found = read_rows((tmp_path / "y.xlsx").read_bytes())
    assert isinstance(found, list)
    assert [row.cells for row in found] == [
        {"match_id": "a", "captured0": "ten", "备注": "=1+1"},
        {"match_id": "b", "captured0": "5"},
    ]


def test_what_is_no_sheet_is_told(tmp_path: Path) -> None:
    source = tmp_path / "x.xlsx"
    source.write_bytes(b"PK\x03\x04 and nothing else")
    report, told = carried(source, tmp_path / "y.csv")
    assert (report.read, report.written) == (1, 0)
    assert [left.code for left in told] == ["SHEET"]


def test_no_log_is_made_of_a_sheet(tmp_path: Path) -> None:
    source = tmp_path / "x.csv"
    carried(CASES / "claims.jsonl", source)
    for name in ("y.jsonl", "y.parquet"):
        with pytest.raises(SheetIsNoLog):
            carried(source, tmp_path / name)
    with pytest.raises(ValueError, match="ends in"):
        carried(source, tmp_path / "y.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]
