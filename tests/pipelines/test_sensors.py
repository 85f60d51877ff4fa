"""The watched inbox: what is taken for complete, which runs are asked for and in which order, what is tried again."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from pipelines.definitions import defs
from pipelines.defs import partitions, sensors
from pipelines.defs.intake import arrivals
from pipelines.defs.intake.arrivals import look
from pipelines.defs.partitions import FILES, stretch
from pipelines.lock import Lock
from pipelines.run import run
from pipelines.warehouse import Warehouse
from pipelines.watching import AGAIN, LONGEST_PAUSE, Asked, Memory, Step, due, next_step
from tests.pipelines.homes import ask, hand_in, lines_of
from tests.pipelines.test_lock import held_elsewhere

FIRST, SECOND, THIRD = lines_of("logs", 0, 3)


class Watched:
    """A home with a record of runs, on which the sensor's runs are carried out at once."""

    def __init__(self, home: Path, instance: dg.DagsterInstance) -> None:
        self.home, self.instance = home, instance
        self.cursor: str | None = None
        self.skipped: str | None = None
        self.runs: list[tuple[str, str]] = []

    def tick(self) -> list[dg.RunRequest]:
        """One look; the runs that it asks for."""
        context = dg.build_sensor_context(instance=self.instance, cursor=self.cursor)
        result = sensors.inbox(context)
        assert isinstance(result, dg.SensorResult)
        self.cursor = result.cursor
        self.skipped = result.skip_reason.skip_message if isinstance(result.skip_reason, dg.SkipReason) else None
        return list(result.run_requests or ())

    def carry_out(self, request: dg.RunRequest) -> bool:
        """Do what was asked for; whether it succeeded."""
        job = defs.resolve_job_def(str(request.job_name))
        self.runs.append((str(request.job_name), str(request.run_key)))
        return bool(
            job.execute_in_process(
                instance=self.instance, run_config=dict(request.run_config), tags=dict(request.tags),
                raise_on_error=False,
            ).success
        )  # fmt: skip

    def settle(self, ticks: int = 8) -> list[str]:
        """Look until nothing is to be done; the jobs that were run."""
        before = len(self.runs)
        for _ in range(ticks):
            for request in self.tick():
                self.carry_out(request)
        return [job for job, _ in self.runs[before:]]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setenv("YUANZI_HOME", str(tmp_path))
    # Files may be as young as they like; the two looks remain.
    monkeypatch.setattr(arrivals, "QUIET", 0.0)
    monkeypatch.setattr("pipelines.defs.intake.remembered._SETTLED_NS", 0)
    with dg.DagsterInstance.ephemeral() as instance:
        yield Watched(tmp_path, instance)


def files(home: Path) -> list[tuple[Any, ...]]:
    """What is published."""
    return ask(home, "select file_name, read, damage from out_audit__files order by file_name")


@pytest.mark.slow
def test_new_files_are_received_judged_and_published_in_one_run_each(watched: Watched) -> None:
    hand_in(watched.home, "a.jsonl", FIRST)
    hand_in(watched.home, "deep/b.jsonl.gz", gzip.compress(SECOND))
    # At the first look nobody knows yet whether they are complete.
    assert watched.tick() == []
    assert watched.settle() == ["receive", "judge", "publish"]
    assert files(watched.home) == [("a.jsonl", 1, None), ("deep/b.jsonl.gz", 1, None)]
    assert watched.skipped == "nothing is new"
    # Another file, and the same content once more under another name.
    hand_in(watched.home, "c.jsonl", THIRD)
    assert watched.settle() == ["receive", "judge", "publish"]
    hand_in(watched.home, "d.jsonl", THIRD)
    assert watched.settle() == ["receive"]
    assert len(files(watched.home)) == 3
    assert len({key for _, key in watched.runs}) == len(watched.runs)


@pytest.mark.slow
def test_a_file_being_written_waits(watched: Watched) -> None:
    path = hand_in(watched.home, "a.jsonl", FIRST[:100])
    for part in (FIRST[100:200], FIRST[200:300], FIRST[300:]):
        assert watched.tick() == []
        assert watched.skipped == "1 files are still being written"
        with path.open("ab") as file:
            file.write(part)
    assert watched.tick() == []
    assert watched.settle() == ["receive", "judge", "publish"]
    assert files(watched.home) == [("a.jsonl", 1, None)]
    assert ask(watched.home, "select status from out_audit__records") == [("settled",)]


@pytest.mark.slow
def test_a_file_written_on_before_its_run_begins_waits_for_the_next(watched: Watched) -> None:
    path = hand_in(watched.home, "a.jsonl", FIRST)
    hand_in(watched.home, "b.jsonl", SECOND)
    watched.tick()
    (request,) = watched.tick()
    path.write_bytes(FIRST + b"\n" + THIRD)
    assert watched.carry_out(request)
    assert [file.name for file in Warehouse(watched.home).all_received()] == ["b.jsonl"]
    watched.settle()
    assert files(watched.home) == [("a.jsonl", 2, None), ("b.jsonl", 1, None)]


def test_what_was_changed_just_now_is_not_complete(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "a.jsonl", FIRST)
    warehouse = Warehouse(tmp_path)
    seen = look(warehouse, {}).seen
    assert look(warehouse, seen).ready == {}
    assert look(warehouse, seen).waiting == 1
    # A time of change that somebody set does not make it older, nor one ahead younger.
    for time in (0, 2**33):
        os.utime(path, (time, time))
        seen = look(warehouse, {}).seen
        assert look(warehouse, seen).ready == {}


@pytest.mark.slow
def test_unfinished_hidden_and_temporary_files_and_links_are_left_alone(watched: Watched) -> None:
    outside = watched.home / "outside"
    outside.mkdir()
    (outside / "secret.jsonl").write_bytes(FIRST)
    for name in (".a.jsonl", "~a.jsonl", "~$a.jsonl", "a.jsonl.part", "b.jsonl.tmp", "c.jsonl.crdownload", "d.txt"):
        hand_in(watched.home, name, FIRST)
    # The name that a download will have is taken already, and empty.
    hand_in(watched.home, "e.jsonl", b"")
    hand_in(watched.home, "e.jsonl.part", FIRST[:50])
    inbox = watched.home / "inbox"
    if sys.platform != "win32":
        (inbox / "link.jsonl").symlink_to(outside / "secret.jsonl")
        (inbox / "folder").symlink_to(outside, target_is_directory=True)
        (inbox / "round.jsonl").symlink_to(inbox / "round.jsonl")
        os.mkfifo(inbox / "pipe.jsonl")
    assert watched.settle(3) == []
    (inbox / "e.jsonl.part").replace(inbox / "e.jsonl")
    assert watched.settle()[0] == "receive"
    assert [file.name for file in Warehouse(watched.home).all_received()] == ["e.jsonl"]


@pytest.mark.slow
def test_a_file_that_vanishes_is_no_failure(watched: Watched) -> None:
    path = hand_in(watched.home, "a.jsonl", FIRST)
    hand_in(watched.home, "b.jsonl", SECOND)
    watched.tick()
    (request,) = watched.tick()
    path.unlink()
    assert watched.carry_out(request)
    watched.settle()
    assert files(watched.home) == [("b.jsonl", 1, None)]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="everything may be read")
def test_a_file_that_may_not_be_read_is_left_alone_until_it_changes(watched: Watched) -> None:
    path = hand_in(watched.home, "a.jsonl", FIRST)
    path.chmod(0)
    assert watched.settle() == ["receive"]
    assert watched.settle() == []
    path.chmod(0o600)
    assert watched.settle() == ["receive", "judge", "publish"]


@pytest.mark.slow
def test_a_failed_file_is_tried_again_only_when_it_or_the_engine_changes(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    broken = True
    work = partitions.each_file

    def failing(context: Any, warehouse: Warehouse, stage: str, do: Any) -> Any:
        def judged(file: Any, tell: Any) -> Any:
            if stage == "referee":
                tried.append(file.name)
                if broken and file.name == "b.jsonl":
                    raise ValueError("b")
            return do(file, tell)

        return work(context, warehouse, stage, judged)

    monkeypatch.setattr("pipelines.defs.referee.assets.each_file", failing)
    for name, line in (("a.jsonl", FIRST), ("b.jsonl", SECOND)):
        hand_in(watched.home, name, line)
    # The good one is judged and published all the same.
    assert watched.settle() == ["receive", "judge", "publish"]
    assert files(watched.home) == [("a.jsonl", 1, None)]
    hand_in(watched.home, "c.jsonl", THIRD)
    assert watched.settle() == ["receive", "judge", "publish"]
    assert sorted(tried) == ["a.jsonl", "b.jsonl", "c.jsonl"]
    broken = False
    assert watched.settle() == []
    # Another engine: all are judged anew.
    monkeypatch.setattr(Warehouse, "tag", "another")
    assert watched.settle() == ["judge", "publish"]
    assert [name for name, *_ in files(watched.home)] == ["a.jsonl", "b.jsonl", "c.jsonl"]


@pytest.mark.slow
def test_who_asks_for_a_run_tries_a_failed_file_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(tmp_path, "a.jsonl", FIRST)
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.defs.referee.judging.FileJudge.judge_file", lambda *_: 1 // 0)
        assert list(run(tmp_path).failures) == ["a.jsonl"]
    assert due(Warehouse(tmp_path), look(Warehouse(tmp_path), {})) is None
    assert run(tmp_path, only={}).files == 0
    assert run(tmp_path).files == 1


def test_nothing_is_asked_for_while_another_works_on_the_home(watched: Watched) -> None:
    hand_in(watched.home, "a.jsonl", FIRST)
    watched.tick()
    with held_elsewhere(watched.home / ".lock") as holder:
        assert watched.tick() == []
        assert watched.skipped is not None
        assert str(holder.pid) in watched.skipped
    assert len(watched.tick()) == 1


def test_work_left_undone_is_asked_for_again_after_a_pause(watched: Watched) -> None:
    step, now = Step("judge", "judge-1"), 1000.0
    asked = Asked()
    for pause in (AGAIN, 2 * AGAIN, 4 * AGAIN):
        assert asked.may_again(step, now)
        asked = asked.again(step, now)
        assert not asked.may_again(step, now + pause - 1)
        assert asked.may_again(Step("judge", "judge-2"), now + 1)
        now += pause
    for _ in range(20):
        asked = asked.again(step, now)
    assert asked.may_again(step, now + LONGEST_PAUSE)
    # A run that was killed before it did anything.
    hand_in(watched.home, "a.jsonl", FIRST)
    watched.tick()
    assert len(watched.tick()) == 1
    assert watched.tick() == []
    assert watched.skipped is not None
    assert "left undone" in watched.skipped


@pytest.mark.parametrize("cursor", ["", "[]", "{", '{"seen": 1}', '{"seen": {"a": [1]}, "asked": ["", 0, 0]}', "null"])
def test_a_cursor_that_cannot_be_read_costs_a_look(watched: Watched, cursor: str) -> None:
    hand_in(watched.home, "a.jsonl", FIRST)
    watched.cursor = cursor
    assert Memory.read(cursor) == Memory()
    assert watched.tick() == []
    assert len(watched.tick()) == 1


def test_a_record_of_runs_that_knows_nothing_of_the_lake_is_told(watched: Watched) -> None:
    hand_in(watched.home, "a.jsonl", FIRST)
    assert run(watched.home).ok
    assert watched.instance.get_dynamic_partitions(str(FILES.name)) == []
    assert watched.settle() == ["receive"]
    assert len(watched.instance.get_dynamic_partitions(str(FILES.name))) == 1


def test_what_is_received_is_published_before_more_is_received(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    hand_in(tmp_path, "a.jsonl", FIRST)
    run(tmp_path)
    (file,) = warehouse.all_received()
    hand_in(tmp_path, "b.jsonl", SECOND)
    found = look(warehouse, {})
    waiting = arrivals.Arrivals(found.seen, found.seen)
    assert next_step(warehouse, waiting, [file.file_id]) == Step("receive", due(warehouse, waiting).key, waiting.ready)  # type: ignore[union-attr]
    (tmp_path / "published" / "current.json").unlink()
    step = due(warehouse, waiting)
    assert step is not None
    assert step.job == "publish"


def test_a_range_of_partitions_holds_none_that_failed() -> None:
    assert stretch("abcdefg", set("bdg"), set("e")) == ["b", "c", "d"]
    assert stretch("abcdefg", set("g"), set("e")) == ["g"]
    assert stretch("abc", set(), set("b")) == []


def test_a_look_at_the_lock_takes_it_from_nobody(tmp_path: Path) -> None:
    lock = Lock(tmp_path / ".lock")
    assert lock.busy() is None
    with lock:
        busy = Lock(tmp_path / ".lock").busy()
        assert busy is not None
        assert busy.pid == os.getpid()
        assert lock.busy() is None
