"""``yuanzi watch``, ``yuanzi report`` and ``yuanzi run --wait``: what a club sees of the inbox."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelines.commands import file_reports, warehousing, watching
from pipelines.commands.terminal import CallFailed
from pipelines.disk import DiskFull, is_full, is_of_machine
from pipelines.lock import Busy, Lock
from pipelines.run import run
from pipelines.warehouse import Warehouse
from tests.pipelines.homes import ask, hand_in, lines_of, snapshot
from tests.pipelines.test_cli import yuanzi
from tests.pipelines.test_lock import held_elsewhere
from yuanzi_core.history import Histories

ROOT = Path(__file__).parents[2]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files may be as young as they like; the two looks remain."""
    monkeypatch.setattr("pipelines.defs.intake.arrivals.QUIET", 0.0)
    monkeypatch.setattr("pipelines.defs.intake.remembered._SETTLED_NS", 0)


@pytest.mark.usefixtures("at_once")
def test_looks_again_and_again_until_something_is_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(tmp_path, "a.jsonl", lines_of("claims", 0, 5))
    from pipelines.watching import Memory

    memory = watching._look(tmp_path, Memory(), "en")
    assert not (tmp_path / "published").exists()
    memory = watching._look(tmp_path, memory, "en")
    assert ask(tmp_path, "select file_name, read from out_audit__files") == [("a.jsonl", 5)]
    assert "files: 1 new, 1 in all" in capsys.readouterr().out
    before = snapshot(tmp_path)
    for _ in range(2):
        memory = watching._look(tmp_path, memory, "en")
    assert (snapshot(tmp_path), capsys.readouterr().out) == (before, "")


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_watching_waits_for_another_run_and_for_room(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path, "a.jsonl", lines_of("logs", 0, 1))
    from pipelines.watching import Memory

    memory = watching._look(tmp_path, Memory(), "en")
    with held_elsewhere(tmp_path / ".lock"):
        memory = watching._look(tmp_path, memory, "en")
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.run._run", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        memory = watching._look(tmp_path, memory, "zh")
        assert "磁盘满了" in capsys.readouterr().err
    # Asked for just now, it waits a while.
    memory = watching._look(tmp_path, memory, "en")
    assert not (tmp_path / "published").exists()
    monkeypatch.setattr("pipelines.watching.AGAIN", 0.0)
    watching._look(tmp_path, memory, "en")
    assert ask(tmp_path, "select count(*) from out_matches") == [(1,)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
def test_the_command_ends_well_by_the_keyboard(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pipelines.cli", "watch", "--home", str(tmp_path), "--every", "1", "--lang", "en"],
        cwd=ROOT, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert "Watching" in process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


def test_too_short_a_time_is_refused(tmp_path: Path) -> None:
    for every in (0.0, -1.0, float("nan")):
        with pytest.raises(CallFailed):
            watching.watch(str(tmp_path), every, "en")


@pytest.mark.slow
def test_a_second_run_waits_or_is_told_who_is_at_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(tmp_path, "a.jsonl", lines_of("logs", 0, 1))
    with held_elsewhere(tmp_path / ".lock") as holder:
        with pytest.raises(CallFailed) as failed:
            warehousing.run(str(tmp_path), None, None, "en")
        for part in (str(holder.pid), socket.gethostname(), "--wait"):
            assert part in str(failed.value)
        begun = time.monotonic()
        with pytest.raises(CallFailed):
            warehousing.run(str(tmp_path), None, 1.0, "zh")
        assert time.monotonic() - begun >= 1.0
        assert str(holder.pid) in capsys.readouterr().err
    # While it waits, the other comes to its end.
    told: list[Busy] = []
    with held_elsewhere(tmp_path / ".lock") as holder:

        def waiting(busy: Busy) -> None:
            told.append(busy)
            holder.kill()

        assert run(tmp_path, wait=60.0, waiting=waiting).ok
    assert [busy.pid for busy in told] == [holder.pid]
    with pytest.raises(CallFailed, match="another run"):
        raise warehousing.in_use(Busy(tmp_path, None, None, None), "en")


def test_a_full_disk_is_told_in_our_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    hand_in(tmp_path, "a.jsonl", lines_of("logs", 0, 1))
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.warehouse.os.fsync", full)
        with pytest.raises(CallFailed, match="The disk is full"):
            warehousing.run(str(tmp_path), None, None, "en")
    assert run(tmp_path).ok


def test_what_is_about_a_full_disk_and_what_is_not() -> None:
    of_step = ValueError("a step failed")
    of_step.__cause__ = OSError(28, "No space left on device")
    assert is_full(of_step)
    assert is_of_machine(of_step)
    assert is_full(DiskFull("home"))
    assert is_full(RuntimeError("IO Error: Could not write all bytes to file"))
    assert is_of_machine(MemoryError())
    assert is_of_machine(OSError(24, "Too many open files"))
    for error in (OSError(13, "Permission denied"), ValueError("x"), FileNotFoundError(2, "No such file")):
        assert not is_full(error)
        assert not is_of_machine(error)


def test_a_lock_whose_holder_cannot_be_written_down_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.lock.json.dumps", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    with Lock(tmp_path / ".lock"):
        busy = Lock(tmp_path / ".lock").busy()
        assert busy is not None
        assert busy.pid is None


def report(home: Path, wanted: str | None, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """The JSON that is told."""
    capsys.readouterr()
    file_reports.report(wanted, str(home), True, "en")
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, list)
    return found


def test_a_report_of_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CallFailed):
        file_reports.report(None, str(tmp_path), False, "en")
    content = [*lines_of("claims", 0, 5), b"no json", *lines_of("claims", 4, 5)]
    hand_in(tmp_path, "deep/claims.jsonl", content)
    hand_in(tmp_path, "cut.jsonl.gz", b"\x1f\x8b\x08\x00")
    assert run(tmp_path).ok
    hand_in(tmp_path, "same.jsonl", content)
    assert run(tmp_path).ok
    first, second = report(tmp_path, None, capsys)
    assert (first["names"], first["damage"], first["adds_up"]) == (["cut.jsonl.gz"], "broken_off", True)
    assert second["names"] == ["deep/claims.jsonl", "same.jsonl"]
    assert second["bytes"] == (tmp_path / "inbox" / "same.jsonl").stat().st_size
    counts = [second[name] for name in ("read", "settled", "rejected", "duplicate")]
    assert counts == [7, 5, 1, 1]
    assert second["adds_up"] is True
    assert second["discrepancies"] == ask(tmp_path, "select count(*) from out_audit__discrepancies")[0][0]
    judged = second["judged"]
    assert isinstance(judged, dict)
    assert (judged["records"], judged["engine"]) == (7, second["engine"])
    assert judged["seconds"] > 0
    wanted = ask(
        tmp_path, "select distinct ruleset_name, ruleset from core_record where ruleset is not null order by 1, 2"
    )
    assert second["rulesets"] == [{"name": name, "hash": hash_} for name, hash_ in wanted]
    for name in ("same.jsonl", "deep/claims.jsonl", str(second["file_id"]), str(second["file_id"])[:6]):
        assert report(tmp_path, name, capsys) == [second], name
    with pytest.raises(CallFailed, match="other"):
        file_reports.report("other.jsonl", str(tmp_path), False, "en")
    for lang, words in (("en", "7 read = 5 settled + 1 rejected + 1 duplicate"), ("zh", "读入 7 = ")):
        assert file_reports.report("same.jsonl", str(tmp_path), False, lang) == 0  # type: ignore[arg-type]
        assert words in capsys.readouterr().out


@pytest.mark.slow
def test_a_report_of_a_file_that_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path, "a.jsonl", lines_of("logs", 0, 1))
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.defs.referee.judging.FileJudge.judge_file", lambda *_: 1 // 0)
        assert list(run(tmp_path).failures) == ["a.jsonl"]
    assert file_reports.report(None, str(tmp_path), False, "en") == 1
    assert "ZeroDivisionError" in capsys.readouterr().out
    (found,) = report(tmp_path, None, capsys)
    assert (found["published"], found["judged"]) == (False, None)
    # Tried again, it is judged.
    assert run(tmp_path).ok
    (found,) = report(tmp_path, None, capsys)
    assert (found["published"], found["failed"], found["read"]) == (True, None, 1)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"judging": 1}', b'{"received": 1, "names": 1, "judging": {}}']
)
@pytest.mark.slow
def test_a_history_that_cannot_be_read_is_none(tmp_path: Path, content: bytes) -> None:
    hand_in(tmp_path, "a.jsonl", lines_of("logs", 0, 1))
    run(tmp_path)
    warehouse = Warehouse(tmp_path)
    (file,) = warehouse.all_received()
    (warehouse.lake / "history" / f"{file.file_id}.json").write_bytes(content)
    assert Histories(warehouse.lake).of(file.file_id).received is None
    assert file_reports.report(None, str(tmp_path), True, "en") == 0


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for command in ("dashboard", "dev"):
            status, _, said = yuanzi(command, "--home", str(tmp_path), "--port", str(port), "--lang", "en")
            assert status == 2
            assert f"Port {port} is taken" in said


def test_simulate_replaces_a_file_only_when_told(tmp_path: Path) -> None:
    out = tmp_path / "sim.jsonl"
    out.write_bytes(b"precious")

    call = ["simulate", "--ruleset", "four-classic", "--matches", "1", "--out", str(out), "--lang", "en"]
    status, _, said = yuanzi(*call)
    assert status == 2
    assert "--force" in said
    assert out.read_bytes() == b"precious"
    assert yuanzi(*call, "--force")[0] == 0
    assert out.read_bytes().startswith(b"{")


def test_an_empty_inbox_is_told_every_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert warehousing.run(str(tmp_path), None, None, "en") == 0
        assert "The inbox is empty" in capsys.readouterr().err
