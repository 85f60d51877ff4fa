"""A run as a whole: repeated, in any order, with files that cannot be read, that fail, or that change the rules."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pipelines.defs.audit import checks
from pipelines.defs.intake import assets, records
from pipelines.defs.publish import snapshot as snapshots
from pipelines.defs.referee.checks import BLOCKING
from pipelines.defs.referee.judging import FileJudge
from pipelines.run import RunReport, run
from pipelines.tables import BY_FILE, BY_STATE
from pipelines.warehouse import Received
from tests.pipelines.homes import ask, changed, hand_in, hashes, lines_of, snapshot
from yuanzi_core.levels import LEVELS

Files = dict[str, bytes | list[bytes]]

CLEAN = lines_of("logs", 0, 6)
# Later revisions, copies with other spelling, and conflicts over several files.
MIXED: Files = {
    "a.jsonl": CLEAN,
    "b.jsonl": [
        changed(CLEAN[0], revision=2, club="later"),
        changed(CLEAN[1]),
        changed(CLEAN[2], club="other"),
        changed(CLEAN[3], revision=3, ruleset="no-such"),
    ],
    "c.jsonl.gz": gzip.compress(b"\n".join([changed(CLEAN[0], revision=2, club="later"), *lines_of("claims", 0, 20)])),
    "d.jsonl": [b"not JSON", *lines_of("dirty", 0, 25), *lines_of("logs", 157, 163)],
}


def lake_of(home: Path) -> dict[str, int]:
    """The files of the lake with the time they were last written."""
    return {
        str(path): path.stat().st_mtime_ns
        for path in (home / "lake").rglob("*")
        if path.is_file() and path.name not in ("state.json", "inbox.json")
    }


def test_repeating_a_run_changes_nothing(tmp_path: Path) -> None:
    for name, content in MIXED.items():
        hand_in(tmp_path, name, content)
    first = run(tmp_path)
    assert first.ok
    assert [file.name for file in sorted(first.new, key=lambda file: file.name)] == sorted(MIXED)
    before, lake, published = hashes(tmp_path), lake_of(tmp_path), snapshot(tmp_path).stat().st_mtime_ns
    again = run(tmp_path)
    assert (again.ok, again.files, again.new) == (True, len(MIXED), ())
    assert again.snapshot == first.snapshot == snapshot(tmp_path)
    assert hashes(tmp_path) == before
    assert lake_of(tmp_path) == lake
    assert snapshot(tmp_path).stat().st_mtime_ns == published


@pytest.mark.slow
def test_the_order_in_which_files_come_changes_nothing(tmp_path: Path) -> None:
    found = []
    for number, rounds in enumerate([[list(MIXED)], [[name] for name in MIXED], [[name] for name in reversed(MIXED)]]):
        home = tmp_path / str(number)
        for names in rounds:
            for name in names:
                hand_in(home, name, MIXED[name])
            assert run(home).ok
        found.append(hashes(home))
    assert found[0] == found[1] == found[2]
    statuses = {status for (status,) in ask(tmp_path / "0", "select distinct status from out_audit__records")}
    assert statuses >= {"settled", "rejected", "duplicate", "superseded", "violation"}
    assert ask(tmp_path / "0", "select count(*) from core_match where conflict") != [(0,)]


@pytest.mark.slow
def test_renaming_and_deleting_received_files_changes_nothing(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "b.jsonl", CLEAN)
    hand_in(tmp_path, "c.jsonl", lines_of("edges", 0, 5))
    first = run(tmp_path)
    before = hashes(tmp_path)
    path.rename(path.with_name("a.jsonl"))
    (tmp_path / "inbox" / "c.jsonl").unlink()
    assert run(tmp_path).snapshot == first.snapshot
    assert hashes(tmp_path) == before


def test_an_empty_inbox_publishes_empty_tables(tmp_path: Path) -> None:
    report = run(tmp_path)
    assert (report.ok, report.files) == (True, 0)
    for table in (*BY_FILE, *BY_STATE):
        # The ladder of G1 is there for nobody too.
        rows = {"out_snapshot": 1, "out_levels__step": LEVELS}.get(table, 0)
        assert ask(tmp_path, f"select count(*) from {table}") == [(rows,)], table
    hand_in(tmp_path, "a.jsonl", CLEAN)
    assert run(tmp_path).ok
    assert ask(tmp_path, "select settled from out_audit__files") == [(len(CLEAN),)]


def test_a_file_that_cannot_be_read_is_an_audit_row(tmp_path: Path) -> None:
    whole = gzip.compress(b"\n".join(CLEAN))
    hand_in(tmp_path, "no.jsonl.gz", b"no gzip")
    hand_in(tmp_path, "no.parquet", b"no Parquet")
    hand_in(tmp_path, "cut.parquet", b"PAR1 and no more")
    hand_in(tmp_path, "cut.jsonl.gz", whole[: len(whole) - 8])
    hand_in(tmp_path, "empty.jsonl", b"")
    hand_in(tmp_path, "good.jsonl", lines_of("edges", 0, 2))
    report = run(tmp_path)
    assert report.ok
    rows = ask(tmp_path, "select file_name, read, rejected, damage from out_audit__files order by file_name")
    assert [row for row in rows if row[0] != "cut.jsonl.gz"] == [
        ("cut.parquet", 1, 1, "broken_off"),
        ("empty.jsonl", 0, 0, None),
        ("good.jsonl", 2, 0, None),
        ("no.jsonl.gz", 1, 1, "not_of_kind"),
        ("no.parquet", 1, 1, "not_of_kind"),
    ]
    (cut,) = [row for row in rows if row[0] == "cut.jsonl.gz"]
    assert cut[1] > 1
    assert cut[2:] == (1, "broken_off")
    # The good lines of a file that is cut off go through.
    assert ask(tmp_path, "select count(*) from out_matches where file_name = 'cut.jsonl.gz'") == [(cut[1] - 1,)]


@pytest.mark.slow
def test_a_file_that_fails_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_file = FileJudge.judge_file

    def fail(self: FileJudge, file: Received, tell: Callable[[int], None]) -> Mapping[str, int]:
        if file.name == "bad.jsonl":
            raise OSError("a bad block")
        return judge_file(self, file, tell)

    for name in ("a.jsonl", "bad.jsonl", "c.jsonl"):
        hand_in(tmp_path, name, [changed(CLEAN[0], match_id=name)])
    monkeypatch.setattr(FileJudge, "judge_file", fail)
    report = run(tmp_path)
    assert report.failures == {"bad.jsonl": "OSError: a bad block"}
    assert ask(tmp_path, "select match_id from out_matches order by 1") == [("a.jsonl",), ("c.jsonl",)]
    monkeypatch.undo()
    report = run(tmp_path)
    assert report.ok
    assert ask(tmp_path, "select count(*) from out_matches") == [(3,)]


def test_an_inbox_that_cannot_be_looked_through_leaves_what_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(inbox: Path) -> list[tuple[str, Path, int]]:
        raise OSError("the disk is gone")

    hand_in(tmp_path, "a.jsonl", CLEAN)
    before = run(tmp_path).snapshot
    # A changed rule: nothing is judged under it yet.
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "own.toml").write_text('extends = "four-classic"\n', encoding="utf-8")
    monkeypatch.setattr("pipelines.defs.intake.assets.logs_in", fail)
    report = run(tmp_path)
    assert set(report.failures) == {"raw_file"}
    assert "the disk is gone" in report.failures["raw_file"]
    assert report.snapshot == before == snapshot(tmp_path)
    assert ask(tmp_path, "select count(*) from out_matches") == [(len(CLEAN),)]


def test_a_file_with_a_result_that_cannot_be_right_is_kept_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(con: Any) -> int:
        return int(con.execute("select count(*) from core_record where variant = 'five'").fetchall()[0][0])

    five = next(line for line in CLEAN if b'"five"' in line)
    four = next(line for line in CLEAN if b'"four"' in line)
    hand_in(tmp_path, "five.jsonl", [five])
    hand_in(tmp_path, "four.jsonl", [four])
    monkeypatch.setitem(BLOCKING, "scores_sum_to_zero", wrong)
    report = run(tmp_path)
    assert set(report.failures) == {"five.jsonl", "scores_sum_to_zero"}
    assert ask(tmp_path, "select file_name from out_audit__files") == [("four.jsonl",)]


@pytest.mark.slow
def test_a_broken_audit_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(tmp_path, "a.jsonl", CLEAN[:1])
    before = run(tmp_path).snapshot
    hand_in(tmp_path, "b.jsonl", CLEAN[1:2])
    monkeypatch.setattr(checks, "_SUMS", "select 1")
    report = run(tmp_path)
    assert set(report.failures) == {"counts_add_up"}
    assert report.snapshot == before == snapshot(tmp_path)
    monkeypatch.undo()
    assert run(tmp_path).snapshot != before


@pytest.mark.slow
def test_a_clubs_own_ruleset_is_used_and_its_change_judges_again(tmp_path: Path) -> None:
    four = next(line for line in CLEAN if b'"four"' in line)
    hand_in(tmp_path, "a.jsonl", [changed(four, ruleset="own", rules=None)])
    query = "select status, code from out_audit__records"
    assert run(tmp_path).ok
    assert ask(tmp_path, query) == [("rejected", "RULESET")]
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "own.toml").write_text('extends = "four-classic"\n', encoding="utf-8")
    assert run(tmp_path).ok
    assert ask(tmp_path, query) == [("settled", None)]
    first = ask(tmp_path, "select ruleset, ruleset_hash from out_matches")
    (tmp_path / "rulesets" / "own.toml").write_text('extends = "four-classic"\nclamp_points = 61\n', encoding="utf-8")
    assert run(tmp_path).ok
    second = ask(tmp_path, "select ruleset, ruleset_hash from out_matches")
    assert first[0][0] == second[0][0] == "own"
    assert first[0][1] != second[0][1]


def test_names_are_data_wherever_they_turn_up(tmp_path: Path) -> None:
    home = tmp_path / "it's; 家"
    evil = "'); drop table out_matches; --"
    hand_in(home, "o'clock $x {y}.jsonl", [changed(CLEAN[0], match_id=evil, club=evil, table="\x00")])
    assert run(home).ok
    assert ask(home, 'select match_id, club, "table", file_name from out_matches') == [
        (evil, evil, "\x00", "o'clock $x {y}.jsonl")
    ]
    assert ask(home, "select count(*) from raw_record") == [(1,)]


@pytest.mark.slow
def test_old_snapshots_and_what_only_they_name_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert snapshots.KEPT == 3
    monkeypatch.setattr(snapshots, "KEPT", 2)
    for number in range(3):
        hand_in(tmp_path, f"{number}.jsonl", [changed(CLEAN[0], match_id=str(number))])
        assert run(tmp_path).files == number + 1
    assert len(list((tmp_path / "published").glob("snapshot-*.duckdb"))) == 2
    assert len(list((tmp_path / "published").glob("snapshot-*.json"))) == 2
    assert len(list((tmp_path / "lake" / "out_snapshot").rglob("*.parquet"))) == 2
    # A changed rule makes all files again; those of before go with the last snapshot that names them.
    (tmp_path / "rulesets").mkdir()
    for number in range(2):
        (tmp_path / "rulesets" / "own.toml").write_text(f'extends = "four-classic"\n# {number}\n', encoding="utf-8")
        before = snapshot(tmp_path)
        assert run(tmp_path).snapshot != before
        assert hashes(tmp_path)
    assert len(list((tmp_path / "lake" / "core_deal").iterdir())) == 2
    assert ask(tmp_path, "select count(*) from core_deal") == ask(tmp_path, "select count(*) from raw_record")


@pytest.mark.slow
def test_a_home_that_was_moved_is_published_anew(tmp_path: Path) -> None:
    hand_in(tmp_path / "old", "a.jsonl", CLEAN)
    run(tmp_path / "old")
    before = hashes(tmp_path / "old")
    shutil.move(tmp_path / "old", tmp_path / "new")
    assert run(tmp_path / "new").ok
    assert hashes(tmp_path / "new") == before


def test_progress_is_told_stage_by_stage(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    hand_in(tmp_path, "a.jsonl", CLEAN)
    report: RunReport = run(tmp_path, progress=lambda *what: told.append(what))
    assert list(dict.fromkeys(stage for stage, _, _ in told)) == [
        "intake", "records", "referee", "tables", "ratings",
    ]  # fmt: skip
    for stage in ("intake", "records", "referee", "tables", "ratings"):
        done = [part for name, part, _ in told if name == stage]
        assert done == sorted(done)
        assert done[-1] == next(total for name, _, total in reversed(told) if name == stage)
    assert report.files == 1


def test_the_largest_balances_pass_through_the_ledger(tmp_path: Path) -> None:
    (line,) = lines_of("logs", 0, 1)
    players = [{"id": f"p{seat}", "balance": 999_999_999_999.125} for seat in range(5)]
    hand_in(tmp_path, "rich.jsonl", [changed(line, players=players), *CLEAN[1:3]])
    report = run(tmp_path)
    assert report.ok
    assert ask(tmp_path, "select count(*) from out_matches") == [(3,)]


@pytest.mark.slow
def test_a_file_whose_records_cannot_be_taken_in_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path, "good.jsonl", CLEAN[:2])
    hand_in(tmp_path, "bad.jsonl", CLEAN[2:4])
    whole = records.write_records

    def failing(warehouse: Any, file: Received, *rest: Any) -> Any:
        if file.name == "bad.jsonl":
            raise RuntimeError("the disk has a hole")
        return whole(warehouse, file, *rest)

    monkeypatch.setattr(assets, "write_records", failing)
    report = run(tmp_path)
    assert list(report.failures) == ["bad.jsonl"]
    assert ask(tmp_path, "select count(*) from out_matches") == [(2,)]
    # Mended, the file follows.
    monkeypatch.setattr(assets, "write_records", whole)
    assert run(tmp_path).ok
    assert ask(tmp_path, "select count(*) from out_matches") == [(4,)]


@pytest.mark.slow
def test_a_damaged_lake_file_is_noticed_and_made_again(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", CLEAN)
    hand_in(tmp_path, "b.jsonl", lines_of("claims", 0, 3))
    assert run(tmp_path).ok
    before = hashes(tmp_path)
    tables = (*BY_FILE, *BY_STATE)
    # Three at a time, far from each other.
    for damaged in (tables[first::6] for first in range(6)):
        for table in damaged:
            (path, *_) = sorted((tmp_path / "lake" / table).glob("*/*.parquet"))
            whole = path.read_bytes()
            path.write_bytes(whole[: len(whole) * 2 // 3])
        assert run(tmp_path).ok, damaged
        assert hashes(tmp_path) == before, damaged
