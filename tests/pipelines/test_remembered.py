"""An inbox that nobody touched is not read again, and a change never goes unseen."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from pipelines import version
from pipelines.defs.intake import assets, inbox, remembered
from pipelines.run import run
from pipelines.warehouse import Received, Warehouse
from tests.pipelines.homes import ask, hand_in, lines_of

FIRST, SECOND = lines_of("logs", 0, 2)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read from now on; files may be as young as they like."""
    names: list[str] = []

    def receive(warehouse: Warehouse, name: str, path: Path, tell: Callable[[int], None]) -> tuple[Received, bool]:
        names.append(name)
        return inbox.receive(warehouse, name, path, tell)

    monkeypatch.setattr(assets, "receive", receive)
    monkeypatch.setattr(remembered, "_SETTLED_NS", 0)
    return names


def count(home: Path) -> int:
    """How many files are judged."""
    return int(ask(home, "select count(*) from out_audit__files")[0][0])


def test_a_file_is_read_once_and_again_when_it_changes(tmp_path: Path, read: list[str]) -> None:
    path = hand_in(tmp_path, "a.jsonl", FIRST)
    hand_in(tmp_path, "b.jsonl", SECOND)
    for _ in range(2):
        assert run(tmp_path).ok
        assert sorted(read) == ["a.jsonl", "b.jsonl"]
    # Another content of the same length, under the same time of change.
    about = path.stat()
    path.write_bytes(FIRST.replace(b'"revision": 1', b'"revision": 2').swapcase()[: len(FIRST)])
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert path.stat().st_size == about.st_size
    assert len(run(tmp_path).new) == 1
    assert read[2:] == ["a.jsonl"]
    assert count(tmp_path) == 3


def test_a_file_put_in_the_place_of_another_is_read(tmp_path: Path, read: list[str]) -> None:
    path = hand_in(tmp_path, "a.jsonl", b"x" * 9)
    assert run(tmp_path).ok
    about = path.stat()
    other = hand_in(tmp_path, "other.tmp", b"y" * 9)
    os.utime(other, ns=(about.st_atime_ns, about.st_mtime_ns))
    other.replace(path)
    assert len(run(tmp_path).new) == 1
    assert read == ["a.jsonl", "a.jsonl"]


def test_a_file_that_was_changed_only_just_now_is_not_remembered(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "_SETTLED_NS", 3600 * 10**9)
    hand_in(tmp_path, "a.jsonl", FIRST)
    for _ in range(2):
        assert run(tmp_path).ok
    assert read == ["a.jsonl", "a.jsonl"]


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b'{"a.jsonl": 1}', b'{"a.jsonl": []}'])
@pytest.mark.slow
def test_a_memory_that_cannot_be_read_is_none(content: bytes, tmp_path: Path, read: list[str]) -> None:
    hand_in(tmp_path, "a.jsonl", FIRST)
    assert run(tmp_path).ok
    (tmp_path / "lake" / "inbox.json").write_bytes(content)
    assert run(tmp_path).ok
    assert read == ["a.jsonl", "a.jsonl"]


def test_a_lake_without_the_content_gets_it_again(tmp_path: Path, read: list[str]) -> None:
    hand_in(tmp_path, "a.jsonl", FIRST)
    (file,) = run(tmp_path).new
    (tmp_path / "lake" / "raw_file" / f"{file.file_id}.json").unlink()
    assert run(tmp_path).new == (file,)


def test_the_tag_covers_the_whole_core_and_how_tables_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tag() -> str:
        version.rows_version.cache_clear()
        return Warehouse(tmp_path).tag

    before = tag()
    assert tag() == before
    with monkeypatch.context() as patched:
        patched.setattr(version, "code_version", lambda: "another sentence in messages.py")
        assert tag() != before
    for changed in ("tables.py", "warehouse.py"):
        copy = tmp_path / changed / "pipelines"
        copy.mkdir(parents=True)
        for module in ("tables.py", "warehouse.py"):
            content = Path(version.__file__).with_name(module).read_bytes()
            (copy / module).write_bytes(content + b"# other\n" * (module == changed))
        with monkeypatch.context() as patched:
            patched.setattr(
                version, "files", lambda package, copy=copy: copy if package == "pipelines" else files(package)
            )
            assert tag() != before
    assert tag() == before
