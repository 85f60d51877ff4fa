"""Bad files: packed ones that break off, Parquet of another kind, lines without end, standard input."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from tests.yuanzi_core.lines import good, in_file, statuses
from tests.yuanzi_core.tables import Match, judge_file, write
from yuanzi_core import files, stream
from yuanzi_core.answers import answers, encode
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files


def numbered(number: int) -> Match:
    """A good match of that number."""
    return good(match_id=f"good-{number}")


@pytest.mark.parametrize("name", ["log.jsonl", "log.bin", "log"])
def test_a_file_of_random_bytes(tmp_path: Path, name: str) -> None:
    data = Random(3).randbytes(20_000)
    found = in_file(tmp_path, data, name)
    assert {answer["code"] for answer in found} == {"JSON"}


@pytest.mark.parametrize("name", ["log.jsonl.gz", "log.jsonl.zst", "log.parquet"])
def test_a_file_that_is_not_what_its_name_says(tmp_path: Path, name: str) -> None:
    (answer,) = in_file(tmp_path, Random(3).randbytes(20_000), name)
    assert (answer["status"], answer["code"], answer["line"]) == ("rejected", "JSON", 1)
    assert answer["message"]


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    assert in_file(tmp_path, b"") == []
    assert in_file(tmp_path, b"\n\n \t \r\n") == []
    assert in_file(tmp_path, gzip.compress(b""), "log.jsonl.gz") == []


def test_bom_crlf_blank_lines_and_a_last_line_without_its_end(tmp_path: Path) -> None:
    first, second = write([numbered(1), numbered(2)])
    data = b"\xef\xbb\xbf" + first + b"\r\n\r\n  \r\n" + second
    assert statuses(in_file(tmp_path, data)) == [(1, "settled", None), (4, "settled", None)]


def test_NUL_bytes(tmp_path: Path) -> None:
    first, second = write([numbered(1), numbered(2)])
    data = first + b"\n\x00\x00\x00\n" + second.replace(b'"good-2"', b'"go\x00od"') + b"\n" + second + b"\n\x00"
    assert statuses(in_file(tmp_path, data)) == [
        (1, "settled", None),
        (2, "rejected", "JSON"),
        (3, "rejected", "JSON"),
        (4, "settled", None),
        (5, "rejected", "JSON"),
    ]


def many(count: int) -> bytes:
    """A log of so many matches that hardly pack, so that a cut-off file still has whole lines."""
    rng = Random(4)
    return b"\n".join(write(numbered(number) | {"note": rng.randbytes(2000).hex()} for number in range(count))) + b"\n"


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_a_packed_file_that_breaks_off_gives_the_lines_before(tmp_path: Path, kind: str, share: float) -> None:
    data = many(300)
    if kind == "gz":
        packed = gzip.compress(data, mtime=0)
    else:
        compressor = zstandard.ZstdCompressor().compressobj()
        packed = b"".join(
            compressor.compress(data[at : at + 50_000]) + compressor.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
            for at in range(0, len(data), 50_000)
        )
        packed += compressor.flush()
    assert [answer["status"] for answer in in_file(tmp_path, packed, f"log.jsonl.{kind}")] == ["settled"] * 300
    cut = packed[: max(8, int(len(packed) * share))]
    found = in_file(tmp_path, cut, f"log.jsonl.{kind}")
    *kept, damage = found
    assert (damage["status"], damage["code"]) == ("rejected", "JSON")
    # Only the last line may be a cut one.
    assert [answer["status"] for answer in kept][:-1] == ["settled"] * (len(kept) - 1 if kept else 0)
    assert len(kept) >= int(300 * share) - 40
    assert damage["line"] > (kept[-1]["line"] if kept else 0)


def test_a_packed_file_with_a_changed_byte(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(many(300), mtime=0))
    packed[len(packed) // 2] ^= 0xFF
    found = in_file(tmp_path, bytes(packed), "log.jsonl.gz")
    assert found[-1]["code"] == "JSON"
    assert all(answer["status"] in ("settled", "rejected") for answer in found)
    assert sum(answer["status"] == "settled" for answer in found) > 100


def test_several_members_and_what_follows_them(tmp_path: Path) -> None:
    first, second = write([numbered(1), numbered(2)])
    members = gzip.compress(first + b"\n") + gzip.compress(second + b"\n")
    assert statuses(in_file(tmp_path, members, "a.jsonl.gz")) == [(1, "settled", None), (2, "settled", None)]
    zeros = in_file(tmp_path, members + b"\0" * 500, "b.jsonl.gz")
    assert [answer["status"] for answer in zeros] == ["settled", "settled"]
    rest = in_file(tmp_path, members + b"rest", "c.jsonl.gz")
    assert [answer["status"] for answer in rest] == ["settled", "settled", "rejected"]


def test_a_line_of_100_mb_in_little_memory(tmp_path: Path) -> None:
    first, second = write([numbered(1), numbered(2)])
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(first + b"\n" + b'{"format": "')
        for _ in range(100):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n' + second + b"\n")
    assert statuses(judge_file(path)) == [(1, "settled", None), (2, "rejected", "JSON"), (3, "settled", None)]
    # And in a process that may have hardly more than what its libraries take.
    run = subprocess.run(
        [sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True, cwd=Path.cwd()
    )
    without, growth = map(int, run.stdout.split())
    assert without > 0
    assert growth < 60 << 10, f"{growth} KiB more for a line of 100 MiB"


PEAK = """
import resource, sys
from tests.yuanzi_core.tables import judge_file, judge, match
from tests.yuanzi_core.lines import good
judge(good())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert len(judge_file(sys.argv[1])) == 3
print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_small_packed_file_that_unpacks_to_a_huge_line(tmp_path: Path) -> None:
    first, second = write([numbered(1), numbered(2)])
    body = first + b"\n" + b"x" * (64 << 20) + b"\n" + second + b"\n"
    wanted = [(1, "settled", None), (2, "rejected", "JSON"), (3, "settled", None)]
    assert statuses(in_file(tmp_path, gzip.compress(body, 1), "log.jsonl.gz")) == wanted
    assert statuses(in_file(tmp_path, zstandard.compress(body), "log.jsonl.zst")) == wanted


def from_standard_input(path: Path) -> list[dict[str, Any]]:
    """The answers to a file that comes as standard input."""
    kept = os.dup(0)
    given_ = os.open(path, os.O_RDONLY)
    try:
        os.dup2(given_, 0)
        return [json.loads(encode(answer)) for judged in judge_files(["-"], Rulesets()) for answer in answers(judged)]
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(given_)


def test_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join([*write([numbered(1)]), b"junk", *write([numbered(2)])])))
    found = from_standard_input(path)
    assert statuses(found) == [(1, "settled", None), (2, "rejected", "JSON"), (3, "settled", None)]
    assert {answer["file"] for answer in found} == {"-"}


def test_DUPLICATE_looking_back_into_standard_input_does_not_disturb_reading_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Chunks of a few matches, blocks of a few lines: the first match is looked up again while others are still read.
    monkeypatch.setattr(stream, "CHUNK_RECORDS", 3)
    monkeypatch.setattr(files, "BLOCK", 4096)
    others = [numbered(number) for number in range(2, 40)]
    again = [numbered(1) | {"club": f"club {number}"} for number in range(38)]
    lines = write([numbered(1), *(match for pair in zip(others, again, strict=True) for match in pair)])
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(lines))
    wanted = [(line, "rejected", "DUPLICATE") if line % 2 else (line, "settled", None) for line in range(2, 78)]
    assert statuses(from_standard_input(path)) == [(1, "settled", None), *wanted]


def test_a_file_that_is_not_there_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere\.jsonl"):
        list(judge_files([str(tmp_path / "nowhere.jsonl")], Rulesets()))


def parquet(rows: list[Any], **settings: Any) -> bytes:
    """Rows as a Parquet file."""
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink, **settings)
    return sink.getvalue()


def test_a_parquet_file_of_other_columns(tmp_path: Path) -> None:
    found = in_file(tmp_path, parquet([{"a": 1, "b": b"\xff"}, {"a": None, "b": None}]), "log.parquet")
    assert [answer["status"] for answer in found] == ["rejected", "rejected"]


def test_a_parquet_file_with_columns_of_wrong_types(tmp_path: Path) -> None:
    rows = [numbered(1) | {"match_id": 7, "players": "p0 p1"}, numbered(2) | {"match_id": 8, "players": "p0 p1"}]
    found = in_file(tmp_path, parquet(rows), "log.parquet")
    assert [(answer["line"], answer["code"]) for answer in found] == [(1, "SCHEMA"), (2, "SCHEMA")]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_parquet_file_that_breaks_off(tmp_path: Path, share: float) -> None:
    whole = parquet([numbered(number) for number in range(50)])
    assert [answer["status"] for answer in in_file(tmp_path, whole, "log.parquet")] == ["settled"] * 50
    (answer,) = in_file(tmp_path, whole[: int(len(whole) * share)], "cut.parquet")
    assert (answer["status"], answer["code"]) == ("rejected", "JSON")


def test_a_parquet_file_with_a_spoilt_page(tmp_path: Path) -> None:
    whole = bytearray(parquet([numbered(number) for number in range(50)], compression="zstd"))
    whole[len(whole) // 3 : len(whole) // 3 + 200] = bytes(200)
    found = in_file(tmp_path, bytes(whole), "log.parquet")
    assert found
    assert all(answer["status"] in ("settled", "rejected", "violation") for answer in found)


def columns_with(rows: list[Match], **columns: pa.Array[Any]) -> bytes:
    """A Parquet file of some matches with columns replaced or added."""
    table = pa.Table.from_pylist(rows)
    for name, column in columns.items():
        place = table.schema.get_field_index(name)
        table = table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
    written = io.BytesIO()
    pq.write_table(table, written)
    return written.getvalue()


def test_a_parquet_row_that_no_json_can_say_is_a_reject_of_its_own(tmp_path: Path) -> None:
    rows = [numbered(1), numbered(2)]
    not_utf8 = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0\4\0\0\0"), pa.py_buffer(b"\xff\xfeok")]
    )
    found = in_file(tmp_path, columns_with(rows, club=not_utf8), "log.parquet")
    assert statuses(found) == [(1, "rejected", "JSON"), (2, "settled", None)]
    not_a_number = pa.array([float("nan"), 1.0])
    found = in_file(tmp_path, columns_with(rows, base=not_a_number), "log.parquet")
    assert statuses(found) == [(1, "rejected", "SCHEMA"), (2, "settled", None)]


def test_unknown_columns_of_a_parquet_file_do_not_matter(tmp_path: Path) -> None:
    odd = pa.array([2**62, 1], pa.duration("s"))
    found = in_file(tmp_path, columns_with([numbered(1), numbered(2)], odd=odd), "log.parquet")
    assert statuses(found) == [(1, "settled", None), (2, "settled", None)]


def test_a_text_of_rules_in_parquet_sets_no_other_field(tmp_path: Path) -> None:
    rules = pa.array(['{},"base":7', '{\n  "clamp_points": 60\n}'])
    found = in_file(tmp_path, columns_with([numbered(1), numbered(2)], rules=rules), "log.parquet")
    assert statuses(found) == [(1, "rejected", "SCHEMA"), (2, "settled", None)]


def test_a_small_file_that_unpacks_to_very_many_blank_lines(tmp_path: Path) -> None:
    (line,) = write([numbered(1)])
    body = line + b"\n" * (32 << 20) + line.replace(b"good-1", b"good-2")
    found = in_file(tmp_path, zstandard.compress(body), "log.jsonl.zst")
    assert statuses(found) == [(1, "settled", None), (1 + (32 << 20), "settled", None)]


def test_rejects_keep_no_frames(tmp_path: Path) -> None:
    reader = Reader(Rulesets())
    (record,) = reader.read([(1, b"{}")]).records
    assert record.problem is not None
    assert record.problem.__traceback__ is None
    assert record.problem.__context__ is None
