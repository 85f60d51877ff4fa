"""Files that unpack to too much or hold too much come to an early end, and what was read before is judged."""

from __future__ import annotations

import gzip
import io
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from tests.yuanzi_core.lines import good, in_file, statuses
from tests.yuanzi_core.tables import write
from yuanzi_core import file_limits
from yuanzi_core.messages import message_of_problem
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets

FIRST, SECOND, THIRD = write([good(match_id=f"good-{number}") for number in range(3)])
PACKED: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "zst": zstandard.compress}


def bomb_of_gzip(size: int) -> bytes:
    """A good line, so many bytes of blanks, and another good line."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(FIRST + b"\n")]
    parts += [packer.compress(b" " * (1 << 20)) for _ in range(size >> 20)]
    return b"".join([*parts, packer.compress(b"\n" + SECOND), packer.flush()])


@pytest.mark.slow
def test_a_bomb_goes_off_early(tmp_path: Path) -> None:
    # 1 : 1000; nobody waits until all of it is there.
    data = bomb_of_gzip(2 << 30)
    begun = time.monotonic()
    first, damage = in_file(tmp_path, data, "bomb.jsonl.gz")
    assert time.monotonic() - begun < 20
    assert (first["status"], damage["status"], damage["code"]) == ("settled", "rejected", "JSON")
    assert "200 times" in damage["message"]
    assert damage["line"] == 2


@pytest.mark.parametrize("kind", list(PACKED))
def test_the_ratio_counts_only_beyond_what_is_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    body = FIRST + b"\n" + b"\n" * (4 << 20) + SECOND
    packed = PACKED[kind](body)
    assert len(body) > file_limits.HIGHEST_RATIO * len(packed)
    assert [answer["status"] for answer in in_file(tmp_path, packed, f"a.jsonl.{kind}")] == ["settled", "settled"]
    monkeypatch.setattr(file_limits, "HARMLESS", 1 << 20)
    *before, damage = in_file(tmp_path, packed, f"b.jsonl.{kind}")
    assert [answer["status"] for answer in before] == ["settled"]
    assert "200 times" in damage["message"]


@pytest.mark.parametrize("kind", [*PACKED, "parquet"])
def test_all_that_a_packed_file_unpacks_to_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if kind == "parquet":
        sink = io.BytesIO()
        pq.write_table(pa.Table.from_pylist([good(match_id=f"p{number}") for number in range(3)]), sink)
        packed, name = sink.getvalue(), "a.parquet"
    else:
        packed, name = PACKED[kind](b"\n".join([FIRST, SECOND, THIRD])), f"a.jsonl.{kind}"
    assert len(in_file(tmp_path, packed, name)) == 3
    monkeypatch.setattr(file_limits, "MOST_UNPACKED", 1000)
    (damage,) = in_file(tmp_path, packed, name)
    assert (damage["code"], damage["line"]) == ("JSON", 1)
    assert "GiB" in damage["message"]


def test_a_part_of_a_parquet_file_that_unpacks_too_far_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_limits, "HARMLESS", 1 << 20)
    sink = io.BytesIO()
    table = pa.table({"match_id": ["x" * (8 << 20)], "format": ["yuanzi-log/1"]})
    pq.write_table(table, sink, compression="zstd", use_dictionary=False)
    (damage,) = in_file(tmp_path, sink.getvalue(), "bomb.parquet")
    assert (damage["status"], damage["line"]) == ("rejected", 1)
    assert "200 times" in damage["message"]


@pytest.mark.parametrize("blank", [b"", b"\n", b"\n\r\n \n"])
def test_so_many_records_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blank: bytes) -> None:
    data = (b"\n" + blank).join([FIRST, SECOND, THIRD])
    monkeypatch.setattr(file_limits, "MOST_RECORDS", 3)
    assert [answer["status"] for answer in in_file(tmp_path, data)] == ["settled"] * 3
    assert len(in_file(tmp_path, data + b"\n" + blank * 5)) == 3
    monkeypatch.setattr(file_limits, "MOST_RECORDS", 2)
    *kept, damage = in_file(tmp_path, data)
    assert [answer["status"] for answer in kept] == ["settled", "settled"]
    assert (damage["code"], damage["line"]) == ("JSON", kept[-1]["line"] + 1)
    assert "more than 2 records" in damage["message"]


def test_records_are_counted_over_all_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [FIRST.replace(b"good-0", b"n%d" % number) for number in range(1500)]
    monkeypatch.setattr(file_limits, "MOST_RECORDS", 1400)
    found = in_file(tmp_path, b"\n".join(lines))
    assert statuses(found[-2:]) == [(1400, "settled", None), (1401, "rejected", "JSON")]


@pytest.mark.parametrize("depth", [10, 500, 100_000])
@pytest.mark.parametrize(("open_", "shut"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_nesting_is_read_the_same_in_both_lanes(depth: int, open_: bytes, shut: bytes) -> None:
    inner = open_ * depth + b"1" + shut * depth
    line = SECOND[:-1] + b', "note": ' + inner + b"}"
    # Large enough for the fast lane.
    block = b"\n".join([FIRST, line, *[THIRD] * (1 + (1 << 17) // len(THIRD))])
    reader = Reader(Rulesets())
    fast = reader.read_block(1, block).records[:3]
    slow = reader.read(list(enumerate(block.split(b"\n"), 1))).records[:3]
    for one, other in zip(fast, slow, strict=True):
        shown = [None if r.problem is None else message_of_problem(r.problem, "en") for r in (one, other)]
        assert shown[0] == shown[1]
    assert [record.problem is None for record in fast] == [True, depth < 1000, True]


@pytest.mark.parametrize(
    "line",
    [rb'{"a": "\ud800"}', rb'{"a": "\ud800\u0041"}', rb'{"a": "\udc00"}', rb'{"a": "\ud83d", "b": 1}'],
)
def test_JSON_half_a_character_is_called_so(tmp_path: Path, line: bytes) -> None:
    (answer,) = in_file(tmp_path, line)
    assert (answer["status"], answer["code"]) == ("rejected", "JSON")
    assert "half of a character" in answer["message"]


@pytest.mark.parametrize("line", [b'{"a": "\\ud83d', b'{"a": "\\\\ud83d"', b'{"a": "x"', b'{"a": [1'])
def test_JSON_a_line_that_ends_early_is_called_so(tmp_path: Path, line: bytes) -> None:
    (answer,) = in_file(tmp_path, line)
    assert "middle of its JSON" in answer["message"]
