"""Files of simulated records: truths that name the right line, and complete files only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.yuanzi_core.tables import judge_file
from yuanzi_core.canonical import fill_in
from yuanzi_core.faults.injection import Injection, Record
from yuanzi_core.faults.kinds import Fault, parse_faults
from yuanzi_core.files import is_of_matches
from yuanzi_core.match_files import KINDS, MatchFiles
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import play_matches


def records(count: int, faults: str = "", sheets: bool = False) -> Iterator[Record]:
    """Records of the atomic game, base 10."""
    plan = parse_faults(faults, ["five"], sheets)

    def played() -> Iterator[Any]:
        for headers, deals in play_matches(Rulesets()["five-atomic"], count, 7, escape_rate=0.05):
            yield from (msgspec.structs.replace(match, base=10) for match in fill_in(headers, deals))

    return Injection(plan, 7, sheets=sheets).run(played())


def of_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.truth.jsonl")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_the_truth_beside_a_file_is_what_its_checker_finds(kind: str, tmp_path: Path) -> None:
    sheets = kind in ("csv", "xlsx")
    with MatchFiles("zh", of_file) as out:
        for place, record in enumerate(records(300, "all=0.5", sheets)):
            out.put(tmp_path / f"part-{place // 120}.{kind}", record)
    paths = sorted(tmp_path.glob(f"part-?.{kind}"))
    assert out.files == len(paths) == 3
    assert not [path.name for path in tmp_path.glob(".*")]
    faulty = 0
    for path in paths:
        truths = [json.loads(line, parse_float=Decimal) for line in of_file(path).read_bytes().splitlines()]
        assert {truth["file"] for truth in truths} <= {path.name}
        told = {truth["line"]: truth for truth in truths}
        assert len(told) == len(truths)
        ids = set()
        for answer in judge_file(path):
            truth = told.pop(answer["line"], None)
            again = answer["match_id"] in ids
            ids.add(answer["match_id"])
            if truth is not None and truth["status"] in ("duplicate", "rejected") and not again:
                # The first of the two is in the file before.
                continue
            assert answer["status"] == (truth["status"] if truth else "settled"), answer
            assert answer.get("discrepancies", []) == (truth["discrepancies"] if truth else [])
            faulty += truth is not None
        assert not told
    assert faulty > 50


def test_what_is_interrupted_leaves_the_complete_files(tmp_path: Path) -> None:
    def interrupted() -> None:
        with MatchFiles("en", of_file) as out:
            for place, record in enumerate(records(100, "all=0.9")):
                if place == 95:
                    raise KeyboardInterrupt
                out.put(tmp_path / f"part-{place // 30}.jsonl", record)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    names = [f"part-{number}.jsonl{ending}" for number in range(3) for ending in ("", ".truth.jsonl")]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert all(len(judge_file(path)) == 30 for path in tmp_path.glob("part-?.jsonl"))


def test_what_is_interrupted_leaves_the_truths_about_the_complete_files(tmp_path: Path) -> None:
    """Also where one file has the truths about many."""
    told = tmp_path / "truth.faults.jsonl"

    def interrupted(at: int) -> None:
        with MatchFiles("en", lambda _: told) as out:
            for place, record in enumerate(records(100, "all=0.9")):
                if place == at:
                    raise KeyboardInterrupt
                out.put(tmp_path / f"part-{place // 30}.jsonl", record)

    for at in (20, 95):
        with pytest.raises(KeyboardInterrupt):
            interrupted(at)
        assert told.exists() == (at > 30)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"part-{number}.jsonl" for number in range(3)),
        told.name,
    ]
    wanted = [(truth.fault, truth.code) for place, (_, truths) in enumerate(records(100, "all=0.9")) if place < 90
              for truth in truths]  # fmt: skip
    found = [json.loads(line) for line in told.read_bytes().splitlines()]
    assert [(one["fault"], one["code"]) for one in found] == wanted
    assert {one["file"] for one in found} == {f"part-{number}.jsonl" for number in range(3)}


def test_a_full_disk_leaves_the_complete_files(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def too_much() -> None:
        with MatchFiles("en") as out:
            for place, record in enumerate(records(200)):
                out.put(tmp_path / ("small.jsonl" if place < 5 else "large.jsonl"), record)

    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OSError, match=r"[Ff]ile too large"):
            too_much()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [path.name for path in tmp_path.iterdir()] == ["small.jsonl"]


def test_a_match_that_no_sheet_can_hold_is_the_callers_mistake(tmp_path: Path) -> None:
    match, _ = next(records(1))
    with pytest.raises(ValueError, match="cell"), MatchFiles("en") as out:
        out.put(tmp_path / "sheet.csv", (msgspec.structs.replace(match, match_id=" m"), []))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["truth.players.jsonl", "truth.faults.jsonl", "a.jsonl.truth.jsonl", "A.TRUTH.JSONL"])
def test_truths_are_no_matches(name: str) -> None:
    assert not is_of_matches(name)
    assert is_of_matches(name.lower().replace("truth", "untruth"))


def test_a_share_for_all_faults_is_spread_over_those_that_can_be() -> None:
    five = parse_faults("turn=0.1,all=0.3", ["five"])
    assert five[Fault.TURN] == 0.1
    assert Fault.DOUBLE_CLAMP_MISSED not in five
    rest = [share for fault, share in five.items() if fault is not Fault.TURN]
    assert len(set(rest)) == 1
    assert 0.3 - 1e-6 < sum(rest) <= 0.3
    sheets = parse_faults("ALL=1", ["four", "five"], sheets=True)
    assert not [fault for fault in sheets if fault.kind == "plays"]
    assert sum(map(Decimal, map(str, sheets.values()))) <= 1
    assert parse_faults("all=0") == {}
