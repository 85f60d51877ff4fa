"""The inbox: what is taken, what is left alone, and what a file is known by."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

import pytest

from pipelines.defs.intake.inbox import StillWritten, logs_in, receive
from pipelines.defs.intake.records import hash_of, read_records, write_records
from pipelines.warehouse import Received, Warehouse
from tests.pipelines.homes import hand_in, lines_of


def nothing(done: int) -> None:
    """Nobody wants to know."""


def take(home: Path) -> dict[str, tuple[Received, bool]]:
    """Take in what is in the inbox, by name."""
    warehouse = Warehouse(home)
    return {name: receive(warehouse, name, path, nothing) for name, path, _ in logs_in(warehouse.inbox)}


def records_of(home: Path, content: bytes, name: str = "a.jsonl") -> list[tuple[int, bytes, str | None]]:
    """raw_record of a file as (line, record, damage)."""
    hand_in(home, name, content)
    warehouse = Warehouse(home)
    file, _ = take(home)[name]
    assert write_records(warehouse, file, nothing) == write_records(warehouse, file, nothing)
    rows: list[tuple[int, bytes, str | None]] = []
    for lines, hashes, damage, _ in read_records(warehouse.table_of_file("raw_record", file.file_id)):
        rows += [(each[0], each[1], None) for each in lines]
        rows += [(damage[0], b"", damage[1].key)] if damage else []
        assert hashes == [hash_of(raw) for _, raw, _ in rows[len(rows) - len(hashes) :]]
    return rows


def test_logs_are_known_by_their_suffix(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.JSONL.GZ", "c.jsonl.zst", "d.parquet", "deep/er/e.jsonl", "h.csv", "m.XLSX"):
        hand_in(tmp_path, name, b"x")
    for name in ("f.json", "g.jsonl.part", "h.xls", ".i.jsonl", "~j.jsonl", ".hidden/k.jsonl", "README.md", "l.gz"):
        hand_in(tmp_path, name, b"x")
    (tmp_path / "inbox" / "folder.jsonl").mkdir()
    found = [name for name, _, _ in logs_in(tmp_path / "inbox")]
    assert found == ["a.JSONL.GZ", "b.jsonl", "c.jsonl.zst", "d.parquet", "deep/er/e.jsonl", "h.csv", "m.XLSX"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need privileges there")
def test_links_that_lead_out_of_the_inbox_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.jsonl").write_bytes(b"x")
    inside = hand_in(tmp_path, "a.jsonl", b"a")
    inbox = inside.parent
    (inbox / "b.jsonl").symlink_to(outside / "secret.jsonl")
    (inbox / "folder").symlink_to(outside, target_is_directory=True)
    (inbox / "c.jsonl").symlink_to(inside)
    (inbox / "broken.jsonl").symlink_to(inbox / "gone.jsonl")
    assert [name for name, _, _ in logs_in(inbox)] == ["a.jsonl", "c.jsonl"]


@pytest.mark.skipif(sys.platform != "linux", reason="only there may names be any bytes")
def test_a_name_that_is_not_unicode_is_written_as_it_can_be(tmp_path: Path) -> None:
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / os.fsdecode(b"\xb8\xf1.jsonl")).write_bytes(b"x")
    (file, _), *_ = take(tmp_path).values()
    assert file.name.endswith(".jsonl")
    file.name.encode()


def test_a_file_is_known_by_its_content(tmp_path: Path) -> None:
    first = hand_in(tmp_path, "first.jsonl", b"content")
    file, is_new = take(tmp_path)["first.jsonl"]
    assert is_new
    # SHA-256 of "content", worked out elsewhere.
    assert file.file_id == "ed7002b439e9ac84"
    first.rename(first.with_name("renamed.jsonl"))
    hand_in(tmp_path, "copy.jsonl.gz", b"content")
    assert take(tmp_path) == {"renamed.jsonl": (file, False), "copy.jsonl.gz": (file, False)}
    for path in (tmp_path / "inbox").iterdir():
        path.unlink()
    warehouse = Warehouse(tmp_path)
    assert warehouse.all_received() == [file]
    assert warehouse.content_of(file).read_bytes() == b"content"


def test_a_file_that_changes_while_it_is_read_is_left_for_the_next_time(tmp_path: Path) -> None:
    path = hand_in(tmp_path, "growing.jsonl", b"half")

    def grow(done: int) -> None:
        path.write_bytes(b"half and the rest")

    with pytest.raises(StillWritten):
        receive(Warehouse(tmp_path), "growing.jsonl", path, grow)
    assert Warehouse(tmp_path).all_received() == []
    assert take(tmp_path)["growing.jsonl"][0].bytes == 17


def test_records_are_the_lines_as_received_with_their_numbers(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbf{}\r\n\n  \n\xff\xfe\nlast"
    assert records_of(tmp_path, content) == [(1, b"{}\r", None), (4, b"\xff\xfe", None), (5, b"last", None)]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_a_file_without_lines_has_no_records(tmp_path: Path, content: bytes) -> None:
    assert records_of(tmp_path, content) == []


def test_a_cut_off_file_has_its_lines_and_a_damage_behind_them(tmp_path: Path) -> None:
    lines = lines_of("logs", 0, 40)
    whole = gzip.compress(b"\n".join(lines))
    *rows, last = records_of(tmp_path, whole[: len(whole) // 2], "cut.jsonl.gz")
    assert 0 < len(rows) < 40
    assert [(line, raw) for line, raw, _ in rows] == list(enumerate(lines, 1))[: len(rows)]
    assert last == (len(rows) + 1, b"", "broken_off")


@pytest.mark.parametrize("name", ["no.jsonl.gz", "no.jsonl.zst", "no.parquet"])
def test_a_file_that_is_not_what_its_name_says_is_one_damage(tmp_path: Path, name: str) -> None:
    assert records_of(tmp_path, b"no such thing", name) == [(1, b"", "not_of_kind")]


def test_a_damage_behind_a_full_chunk_has_the_line_behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.defs.intake.records._CHUNK_RECORDS", 2)
    whole = gzip.compress(b"a\nb\nc\nd\n")
    rows = records_of(tmp_path, whole[:-4], "cut.jsonl.gz")
    assert [line for line, _, _ in rows] == [1, 2, 3, 4, 5]
    assert rows[-1][2] == "broken_off"
