"""What is kept of a file beside the lake: read back, and nothing where it cannot be read."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from yuanzi_core.history import Histories, History, Judging, now


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    histories = Histories(tmp_path)
    before = now()
    for name in ("a.jsonl", "again.jsonl", "a.jsonl"):
        histories.came("f1", name)
    histories.was_judged("f1", Judging("t1", "e1", "2026-01-01T00:00:00+00:00", failed="broken"))
    found = histories.of("f1")
    assert found.names == ("a.jsonl", "again.jsonl")
    assert found.received_at is not None
    assert before <= found.received_at.isoformat() <= now()
    assert histories.failed_before("t1", ["f1", "f2"]) == {"f1"}
    assert histories.failed_before("t2", ["f1", "f2"]) == set()


def written(folder: Path, content: bytes) -> History:
    (folder / "history").mkdir()
    (folder / "history" / "f1.json").write_bytes(content)
    return Histories(folder).of("f1")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"[" * 100_000, b"\xff", b'{"judging": 1}', b'{"received": 1, "names": 1, "judging": {}}'],
    ids=range(7),
)
def test_a_history_that_cannot_be_read_is_none(content: bytes, tmp_path: Path) -> None:
    assert written(tmp_path, content) == History()


def test_a_folder_in_its_place_is_none(tmp_path: Path) -> None:
    (tmp_path / "history" / "f1.json").mkdir(parents=True)
    assert Histories(tmp_path).of("f1") == History()


@pytest.mark.parametrize(
    "received", [None, 7, "", "yesterday", "2026-13-01", "2026-01-01", "9999-12-31T23:59:59+00:00", "0001-01-01T00:00Z"]
)
def test_what_is_no_time_is_none(received: object, tmp_path: Path) -> None:
    content = json.dumps({"received": received, "names": [], "judging": None})
    assert written(tmp_path, content.encode()).received_at is None


def test_a_time_is_one_of_any_zone(tmp_path: Path) -> None:
    content = json.dumps({"received": "2026-01-01T01:00:00+08:00", "names": [], "judging": None})
    assert written(tmp_path, content.encode()).received_at == datetime(2025, 12, 31, 17, tzinfo=UTC)
