"""LOG_FORMAT, *Which record counts*: files taken out of what counts, and back."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pipelines.run import run
from pipelines.tables import BY_FILE, BY_STATE
from pipelines.warehouse import Warehouse, write_json
from pipelines.withdrawals import Withdrawal, withdrawals
from pipelines.withdrawals import withdraw as put_on_record
from tests.pipelines.homes import ask, changed, hand_in, hashes, lines_of, snapshot

LINE = lines_of("logs", 0, 1)[0]
OTHERS = lines_of("logs", 1, 3)
#: What became of each record, and where.
VERDICTS = "select file_name, line, status, code from out_audit__records order by file_name, line"
AT = "2026-05-01T10:00:00+00:00"


def withdraw(home: Path, *names: str, undo: bool = False, reason: str | None = None) -> None:
    """Put withdrawals on record and publish."""
    warehouse = Warehouse(home)
    for name in names:
        (file,) = [file for file in warehouse.all_received() if file.name == name]
        put_on_record(warehouse.lake, Withdrawal(file.file_id, name, not undo, AT, reason), write_json)
    assert run(home, only={}).ok


def without_events(found: dict[str, Any]) -> dict[str, Any]:
    """Hashes of the tables that do not tell of withdrawals themselves."""
    return {table: of for table, of in found.items() if table not in ("raw_withdrawal", "out_snapshot")}


@pytest.mark.slow
def test_a_withdrawn_files_records_count_no_longer_and_stay(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", [LINE, b"not JSON"])
    hand_in(tmp_path, "b.jsonl", OTHERS)
    assert run(tmp_path).ok
    before = hashes(tmp_path)
    withdraw(tmp_path, "a.jsonl", reason="the wrong table")
    # A reject of the file is withdrawn with it: all that is in it tells nothing any more.
    assert ask(tmp_path, VERDICTS) == [
        ("a.jsonl", 1, "withdrawn", None),
        ("a.jsonl", 2, "withdrawn", None),
        ("b.jsonl", 1, "settled", None),
        ("b.jsonl", 2, "settled", None),
    ]
    told = "file_name, read, settled, rejected, withdrawn, strftime(withdrawn_at, '%Y-%m-%d'), withdrawn_reason"
    assert ask(tmp_path, f"select {told} from out_audit__files order by file_name") == [
        ("a.jsonl", 2, 0, 0, 2, "2026-05-01", "the wrong table"),
        ("b.jsonl", 2, 2, 0, 0, None, None),
    ]
    assert ask(tmp_path, "select file_name from out_matches") == [("b.jsonl",)] * 2
    assert ask(tmp_path, "select distinct file_id from core_ledger__movement") == ask(
        tmp_path, "select file_id from out_audit__files where file_name = 'b.jsonl'"
    )
    # What was received, and judged alone, is all there.
    assert {table: hashes(tmp_path)[table] for table in BY_FILE} == {table: before[table] for table in BY_FILE}
    assert ask(tmp_path, 'select file_name, withdrawn, reason, "at" is null from raw_withdrawal') == [
        ("a.jsonl", True, "the wrong table", False)
    ]


@pytest.mark.slow
def test_a_copy_in_the_inbox_does_not_bring_it_back_and_undo_does(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", [LINE])
    hand_in(tmp_path, "b.jsonl", OTHERS)
    assert run(tmp_path).ok
    before = hashes(tmp_path)
    withdraw(tmp_path, "a.jsonl")
    without = hashes(tmp_path)
    hand_in(tmp_path, "copy.jsonl", [LINE])
    (tmp_path / "inbox" / "a.jsonl").unlink()
    assert run(tmp_path).new == ()
    assert hashes(tmp_path) == without
    withdraw(tmp_path, "a.jsonl", undo=True)
    assert without_events(hashes(tmp_path)) == without_events(before)
    assert ask(tmp_path, "select withdrawn from raw_withdrawal") == [(True,), (False,)]


@pytest.mark.parametrize(
    ("withdrawn", "verdicts"),
    [
        # The first by file name counts, the copy is a duplicate; withdrawn, the copy takes its place.
        pytest.param(
            "a.jsonl", {"a": "withdrawn", "b": "settled", "old": "superseded", "other": "settled"}, id="the first"
        ),
        pytest.param(
            "b.jsonl", {"a": "settled", "b": "withdrawn", "old": "superseded", "other": "settled"}, id="its duplicate"
        ),
        # Without the conflict's other side and the revisions above it, what is left counts.
        pytest.param(
            "other.jsonl", {"a": "settled", "b": "duplicate", "old": "superseded", "other": "withdrawn"}, id="another"
        ),
    ],
)
@pytest.mark.slow
def test_what_a_withdrawn_record_kept_from_counting_counts(
    tmp_path: Path, withdrawn: str, verdicts: dict[str, str]
) -> None:
    hand_in(tmp_path, "a.jsonl", [changed(LINE, revision=2)])
    hand_in(tmp_path, "b.jsonl", [changed(LINE, revision=2), b""])
    hand_in(tmp_path, "old.jsonl", [LINE])
    hand_in(tmp_path, "other.jsonl", OTHERS[:1])
    assert run(tmp_path).ok
    withdraw(tmp_path, withdrawn)
    found = {name.removesuffix(".jsonl"): status for name, _, status, _ in ask(tmp_path, VERDICTS)}
    assert found == verdicts


@pytest.mark.slow
def test_a_withdrawal_settles_a_conflict_and_gives_way_to_a_lower_revision(tmp_path: Path) -> None:
    hand_in(tmp_path, "1.jsonl", [LINE])
    hand_in(tmp_path, "2a.jsonl", [changed(LINE, revision=2, club="a")])
    hand_in(tmp_path, "2b.jsonl", [changed(LINE, revision=2, club="b")])
    assert run(tmp_path).ok

    def found() -> list[tuple[str, str | None]]:
        return [(status, code) for _, _, status, code in ask(tmp_path, VERDICTS)]

    assert found() == [("superseded", None), ("rejected", "DUPLICATE"), ("rejected", "DUPLICATE")]
    withdraw(tmp_path, "2a.jsonl")
    assert found() == [("superseded", None), ("withdrawn", None), ("settled", None)]
    withdraw(tmp_path, "2b.jsonl")
    assert found() == [("settled", None), ("withdrawn", None), ("withdrawn", None)]
    withdraw(tmp_path, "2a.jsonl", undo=True)
    assert found() == [("superseded", None), ("settled", None), ("withdrawn", None)]


@pytest.mark.slow
def test_the_order_of_files_and_withdrawals_changes_nothing(tmp_path: Path) -> None:
    files = {
        "a.jsonl": [LINE, *OTHERS],
        "b.jsonl": [changed(LINE, revision=2), b"not JSON"],
        "c.jsonl": [changed(LINE, revision=2, club="other"), changed(OTHERS[0])],
    }
    found = []
    for number, names in enumerate(list(permutations(files))[::3]):
        home = tmp_path / str(number)
        for name in names:
            hand_in(home, name, files[name])
            assert run(home).ok
            if name == "b.jsonl":
                withdraw(home, name)
        found.append(without_events(hashes(home)))
    home = tmp_path / "at once"
    for name in files:
        hand_in(home, name, files[name])
    assert run(home).ok
    withdraw(home, "c.jsonl", "b.jsonl")
    withdraw(home, "c.jsonl", undo=True)
    found.append(without_events(hashes(home)))
    assert all(one == found[0] for one in found)
    assert set(found[0]) == {*BY_FILE, *BY_STATE} - {"raw_withdrawal", "out_snapshot"}


def yuanzi(*arguments: str) -> tuple[int, str]:
    """The command, in a process of its own: exit status and what it said."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "pipelines.cli", *arguments], capture_output=True, text=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_the_command_names_one_file_publishes_at_once_and_repeats_nothing(tmp_path: Path) -> None:
    hand_in(tmp_path, "old/evening.jsonl", [LINE])
    hand_in(tmp_path, "new/evening.jsonl", OTHERS)
    assert run(tmp_path).ok
    home = ("--home", str(tmp_path), "--lang", "en")
    files = {file.name: file.file_id for file in Warehouse(tmp_path).all_received()}
    status, said = yuanzi("withdraw", "evening.jsonl", *home)
    assert status == 2
    for name, file_id in files.items():
        assert f"{name}  {file_id}" in said
    assert yuanzi("withdraw", "nothing.jsonl", *home)[0] == 2
    assert withdrawals(tmp_path / "lake") == ()
    # What waits in the inbox is left there.
    hand_in(tmp_path, "later.jsonl", lines_of("logs", 5, 6))
    status, said = yuanzi("withdraw", "old/evening.jsonl", "--reason", "entered twice", *home)
    assert status == 0, said
    assert ask(tmp_path, "select file_name, withdrawn_reason from out_audit__files order by file_name") == [
        ("new/evening.jsonl", None), ("old/evening.jsonl", "entered twice"),
    ]  # fmt: skip
    published = snapshot(tmp_path)
    assert "--undo" in yuanzi("withdraw", files["old/evening.jsonl"], *home)[1]
    assert len(withdrawals(tmp_path / "lake")) == 1
    assert snapshot(tmp_path) == published
    assert yuanzi("withdraw", files["old/evening.jsonl"][:8], "--undo", *home)[0] == 0
    assert ask(tmp_path, "select sum(withdrawn), sum(settled) from out_audit__files") == [(0, 3)]
