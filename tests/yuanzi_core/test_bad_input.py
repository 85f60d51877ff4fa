"""Bad input: a located reject or a clear error, never an exception, and the good lines of the file still go through."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR_0_OUT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    atomic,
    five,
    four,
    four_match,
)
from tests.yuanzi_core.tables import CASES, Answer, Match, judge, judge_all, judge_file, judge_lines, match, write
from yuanzi_core.answers import answers, encode
from yuanzi_core.judge import Judge
from yuanzi_core.log import json_schema
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import Judged, judge_files


def good(number: int = 0) -> Match:
    """A match that is settled, for four."""
    return match("four", four(FOUR_DOUBLE_OUT), match_id=f"good-{number}")


def good_five() -> Match:
    """One for five."""
    return match("five", five(f"{FIVE_0_OUT} {FIVE_1_OUT}"), match_id="five")


def in_file(tmp_path: Path, data: bytes, name: str = "log.jsonl") -> list[Answer]:
    """The answers to a file of these bytes."""
    path = tmp_path / name
    path.write_bytes(data)
    return judge_file(path)


def statuses(found: list[Answer]) -> list[tuple[int, str, str | None]]:
    """Line, status and code of answers."""
    return [(answer["line"], answer["status"], answer.get("code")) for answer in found]


@given(st.lists(st.binary(max_size=60).filter(lambda line: b"\n" not in line and bool(line.strip())), max_size=5))
def test_random_bytes_between_good_lines(bad: list[bytes]) -> None:
    line = write([good()])[0]
    found = judge_lines([line, *bad, line])
    assert [answer["code"] for answer in found] == [None, *["JSON"] * len(bad), None] or all(
        answer["status"] == "rejected" for answer in found[1:-1]
    )
    assert found[0]["status"] == found[-1]["status"] == "settled"


@given(st.data())
def test_a_good_line_with_some_bytes_changed(data: st.DataObject) -> None:
    line = bytearray(write([good_five()])[0])
    for _ in range(data.draw(st.integers(1, 4))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    bad, kept = judge_lines([bytes(line), write([good()])[0]])
    assert bad["status"] in ("settled", "unfinished", "violation", "rejected")
    assert bad["message"] or bad["status"] in ("settled", "unfinished")
    assert kept["status"] == "settled"


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
    first, second = write([good(1), good(2)])
    data = b"\xef\xbb\xbf" + first + b"\r\n\r\n  \r\n" + second
    assert statuses(in_file(tmp_path, data)) == [(1, "settled", None), (4, "settled", None)]


def test_NUL_bytes(tmp_path: Path) -> None:
    first, second = write([good(1), good(2)])
    data = first + b"\n\x00\x00\x00\n" + second.replace(b'"good-2"', b'"go\x00od"') + b"\n" + second + b"\n\x00"
    assert statuses(in_file(tmp_path, data)) == [
        (1, "settled", None),
        (2, "rejected", "JSON"),
        (3, "rejected", "JSON"),
        (4, "settled", None),
        (5, "rejected", "JSON"),
    ]


def test_a_NUL_that_json_may_write_is_only_a_name() -> None:
    made = good() | {"club": "a\x00b"}
    made["players"][0]["name"] = "\x00"
    assert judge(made)["status"] == "settled"


def many(count: int) -> bytes:
    """A log of so many matches that hardly pack, so that a cut-off file still has whole lines."""
    rng = Random(4)
    return b"\n".join(write(good(number) | {"note": rng.randbytes(2000).hex()} for number in range(count))) + b"\n"


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
    first, second = write([good(1), good(2)])
    members = gzip.compress(first + b"\n") + gzip.compress(second + b"\n")
    assert statuses(in_file(tmp_path, members, "a.jsonl.gz")) == [(1, "settled", None), (2, "settled", None)]
    zeros = in_file(tmp_path, members + b"\0" * 500, "b.jsonl.gz")
    assert [answer["status"] for answer in zeros] == ["settled", "settled"]
    rest = in_file(tmp_path, members + b"rest", "c.jsonl.gz")
    assert [answer["status"] for answer in rest] == ["settled", "settled", "rejected"]


def test_a_line_of_100_mb_in_little_memory(tmp_path: Path) -> None:
    first, second = write([good(1), good(2)])
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
from tests.yuanzi_core.test_bad_input import good
judge(good())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert len(judge_file(sys.argv[1])) == 3
print(before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_small_packed_file_that_unpacks_to_a_huge_line(tmp_path: Path) -> None:
    first, second = write([good(1), good(2)])
    body = first + b"\n" + b"x" * (64 << 20) + b"\n" + second + b"\n"
    wanted = [(1, "settled", None), (2, "rejected", "JSON"), (3, "settled", None)]
    assert statuses(in_file(tmp_path, gzip.compress(body, 1), "log.jsonl.gz")) == wanted
    assert statuses(in_file(tmp_path, zstandard.compress(body), "log.jsonl.zst")) == wanted


@pytest.mark.parametrize("depth", [100, 1000, 10_000, 1_000_000])
@pytest.mark.parametrize("shape", ["[", '{"a":'])
def test_deeply_nested_json(depth: int, shape: str) -> None:
    close = "]" if shape == "[" else "}"
    nested = (shape * depth + "1" + close * depth).encode()
    line = write([good()])[0]
    found = judge_lines([line[:-1] + b', "deep": ' + nested + b"}", nested, line])
    assert found[0]["status"] in ("settled", "rejected")
    assert found[0]["code"] in (None, "JSON")
    assert found[1]["code"] in ("JSON", "VERSION")
    assert found[2]["status"] == "settled"
    for field in (b"claimed", b"rules", b"players", b"deals"):
        (answer,) = judge_lines([line[:-1] + b', "' + field + b'": ' + nested + b"}"])
        assert answer["status"] in ("settled", "rejected"), answer


def schema_paths() -> Iterator[tuple[Any, ...]]:
    """The paths of every field that the schema knows, in a match for either game."""
    schema = json_schema()
    definitions = schema["$defs"]

    def walk(name: str, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        for field in definitions[name]["properties"]:
            yield (*path, field)

    yield from walk("Match", ())
    yield from walk("Player", ("players", 1))
    yield from walk("Deal", ("deals", 0))
    yield from (("players", 2), ("deals", 0, "hands", 2), ("deals", 0))


JUNK: list[Any] = [
    None, True, False, 0, -1, 4, 5, 2**31, 2**53 + 1, 2**63, 2**64, -(2**64), 10**40, 0.5, 2.0, -0.0, 1e308, "", "x",
    "0", "N", "\u0000", "刀", "x" * 5000, [], [[]], [None], [1, 2], {}, {"a": 1}, {"": {}}, ["", "", "", ""],
]  # fmt: skip


@pytest.mark.parametrize("variant", ["four", "five"])
def test_any_value_in_any_field(variant: str) -> None:
    base = good() if variant == "four" else good_five()
    text = json.dumps(base)
    matches, paths = [], []
    for path in schema_paths():
        for value in JUNK:
            made: Any = json.loads(text)
            inner = made
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = value
            matches.append(made)
            paths.append((path, value))
    # A field given twice, and a good line behind it all.
    found = judge_all([*matches, base])
    assert len(found) == len(matches) + 1
    assert found[-1]["status"] == "settled"
    for (path, value), answer in zip(paths, found, strict=False):
        assert answer["status"] in ("settled", "unfinished", "violation", "rejected"), (path, value)
        if answer["status"] == "rejected":
            assert answer["message"], (path, value)
            field = [step for step in path if isinstance(step, str)][-1]
            located = (
                answer["code"] in ("JSON", "VERSION") or field in answer["message"] or path[0] in answer["message"]
            )
            assert located or answer["code"] == "RULESET", (path, value, answer["message"])


@pytest.mark.parametrize(
    "number", ["1" + "0" * 100, "9" * 4000, "9" * 5000, "-" + "9" * 5000, "1e400", "1e-400", "-1e400", "1e999999999",
               "1e-999999999", "0e99999", "0e999999999", "0." + "0" * 5000 + "1", "123456789012345678901234567890.5"],
)  # fmt: skip
def test_huge_and_tiny_numbers_in_every_place(number: str) -> None:
    line = write([good() | {"base": 7}])[0].decode()
    lines = [
        line.replace('"base": 7', f'"base": {number}'),
        line.replace('"base": 7', f'"revision": {number}'),
        line.replace('"base": 7', f'"unknown": {number}'),
        line.replace('"base": 7', f'"claimed": {{"scores": [{number}, 1, 1, 1], "winner": {number}}}'),
        line.replace('"base": 7', f'"rules": {{"clamp_points": {number}}}'),
        line.replace('"base": 7', f'"rules": {{"escape_upper_compensation": {number}}}'),
        line.replace('{"id": "p1"}', f'{{"id": "p1", "balance": {number}}}'),
        line.replace('"leader": 0', f'"leader": {number}'),
        line,
    ]
    found = judge_lines([text.encode() for text in lines])
    assert all(answer["status"] in ("settled", "rejected") for answer in found)
    assert found[0]["code"] in ("SCHEMA", None)
    assert found[1]["code"] == "SCHEMA"
    assert found[-1]["status"] == "settled"


def test_huge_numbers_in_records_that_come_again(tmp_path: Path) -> None:
    line = write([good() | {"unknown": 7}])[0]
    numbers = [
        b"1e999999999",
        b"1E999999999",
        b"10e999999998",
        b"1e-999999999",
        b"1.0000000000000000000000000000001",
        b"1",
    ]
    data = b"\n".join(line.replace(b'"unknown": 7', b'"unknown": ' + number) for number in numbers)
    found = in_file(tmp_path, data)
    assert [answer["status"] for answer in found] == ["settled", "duplicate", "duplicate", *["rejected"] * 3]


def test_NaN_and_Infinity_are_not_json() -> None:
    line = write([good() | {"base": 7}])[0].decode()
    for word in ("NaN", "Infinity", "-Infinity", "nan", "1.", ".5", "+1", "0x10", "1_000", "'1'"):
        (answer,) = judge_lines([line.replace('"base": 7', f'"base": {word}').encode()])
        assert answer["code"] == "JSON", word


@pytest.mark.parametrize("text", ["\\ud800", "\\udc00", "\\ud800\\ud800", "\\udc00\\ud800", "a\\udfffb"])
def test_unpaired_surrogates_are_not_unicode(text: str) -> None:
    line = write([good()])[0].decode()
    fields = ('"club"', '"unknown"', '"match_id"', '"claimed": {"outcome"', '"rules": {"wind"')
    for field in fields:
        close = "}" if "{" in field else ""
        (answer,) = judge_lines([f'{line[:-1]}, {field}: "{text}"{close}}}'.encode()])
        assert answer["code"] == "JSON", field
    # A pair is one character.
    assert judge_lines([f'{line[:-1]}, "club": "\\ud83c\\udca1"}}'.encode()])[0]["status"] == "settled"


def test_10_000_players() -> None:
    made = good() | {"players": [{"id": f"p{seat}"} for seat in range(10_000)]}
    answer = judge(made)
    assert (answer["code"], "players" in answer["message"]) == ("SCHEMA", True)


def test_100_000_keys_given_twice_and_a_thousand_unknown_ones() -> None:
    line = write([good()])[0].decode()
    twice = ", ".join(['"base": 5'] * 100_000)
    unknown = ", ".join(f'"key{number}": {{"inner": [{number}]}}' for number in range(1000))
    answer = judge_lines([f"{line[:-1]}, {twice}, {unknown}}}".encode()])[0]
    assert answer["scores"] == [10, -10, 10, -10]
    assert answer["notes"] == [{"code": "UNKNOWN_FIELDS", "count": 1000}]


INJECTIONS = [
    "'; drop table core_deal; --",
    "' or 1=1 --",
    '"; select 1; "',
    "$unknown",
    "?",
    "{seat}",
    "%s",
    "\\",
    "$$",
    "read_csv('/etc/passwd')",
]


@pytest.mark.parametrize("text", INJECTIONS)
def test_names_and_ids_reach_sql_only_as_parameters(text: str) -> None:
    plain = good()
    made = json.loads(json.dumps(plain)) | {"match_id": text, "club": text, "table": text}
    for seat, player in enumerate(made["players"]):
        player |= {"id": f"{text}{seat}", "name": text}
    made["claimed"] = {"outcome": text, "winner": 0}
    answers_ = judge_all([made, plain, good_five() | {"match_id": text, "ruleset": text}, plain])
    assert [answer["status"] for answer in answers_] == ["settled", "settled", "rejected", "settled"]
    assert answers_[0]["match_id"] == text
    assert answers_[0]["scores"] == answers_[1]["scores"]
    assert answers_[0]["discrepancies"] == [
        {"code": "CLAIM_OUTCOME", "deal": None, "claimed": text, "recomputed": "double"}
    ]
    for name in ("rules", "options"):
        assert judge(plain | {"rules": {text: name}})["code"] == "RULESET"


def test_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join([*write([good(1)]), b"junk", *write([good(2)])])))
    kept = os.dup(0)
    given_ = os.open(path, os.O_RDONLY)
    try:
        os.dup2(given_, 0)
        found = [json.loads(encode(answer)) for judged in judge_files(["-"], Rulesets()) for answer in answers(judged)]
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(given_)
    assert statuses(found) == [(1, "settled", None), (2, "rejected", "JSON"), (3, "settled", None)]
    assert {answer["file"] for answer in found} == {"-"}


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
    rows = [good(1) | {"match_id": 7, "players": "p0 p1"}, good(2) | {"match_id": 8, "players": "p0 p1"}]
    found = in_file(tmp_path, parquet(rows), "log.parquet")
    assert [(answer["line"], answer["code"]) for answer in found] == [(1, "SCHEMA"), (2, "SCHEMA")]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_parquet_file_that_breaks_off(tmp_path: Path, share: float) -> None:
    whole = parquet([good(number) for number in range(50)])
    assert [answer["status"] for answer in in_file(tmp_path, whole, "log.parquet")] == ["settled"] * 50
    (answer,) = in_file(tmp_path, whole[: int(len(whole) * share)], "cut.parquet")
    assert (answer["status"], answer["code"]) == ("rejected", "JSON")


def test_a_parquet_file_with_a_spoilt_page(tmp_path: Path) -> None:
    whole = bytearray(parquet([good(number) for number in range(50)], compression="zstd"))
    whole[len(whole) // 3 : len(whole) // 3 + 200] = bytes(200)
    found = in_file(tmp_path, bytes(whole), "log.parquet")
    assert found
    assert all(answer["status"] in ("settled", "rejected", "violation") for answer in found)


@pytest.mark.parametrize(
    ("base", "three_bases", "as_text"),
    [(0.1, "0.3", "[0.3,0.3,-0.2,-0.2,-0.2]"), (0.15, "0.45", "[0.45,0.45,-0.3,-0.3,-0.3]"),
     (0.07, "0.21", "[0.21,0.21,-0.14,-0.14,-0.14]"), (1.1, "3.3", "[3.3,3.3,-2.2,-2.2,-2.2]"),
     (0.01, "0.03", "[0.03,0.03,-0.02,-0.02,-0.02]"), (999999.99, "2999999.97", "[2999999.97,2999999.97,-1999999.98,")],
)  # fmt: skip
def test_scores_are_exact_and_never_print_as_binary_floats(base: float, three_bases: str, as_text: str) -> None:
    plays = (
        "0:Ad 1:- 2:2d . 2:5xTd2xTc . 2:5d . 2:9d 3:- 4:- 0:As . 0:K* . 0:4xAd5xAc5xAh4xAs . 0:5x4c . 0:5x4d . 0:4xXB ."
        + FIVE_1_OUT
    ).replace(".1:", ". 1:")
    answer = judge(match("five", five(plays), base=base))
    assert answer["scores"][0] == Decimal(three_bases)
    assert as_text in printed(match("five", five(plays), base=base))


def printed(made: Match) -> str:
    """The answer to a match as it is written."""
    chunk = Reader(Rulesets()).read([(1, write([made])[0])])
    judge_ = Judge()
    judge_.judge(chunk)
    (answer,) = answers(Judged("-", chunk, set(), judge_))
    return encode(answer).decode()


def test_a_quarter_of_a_hundredth_is_exact() -> None:
    # 0.25 × 0.01 = 0.0025 and 4 × 0.01 = 0.04.
    made = match(
        "four",
        four(f"{FOUR_0_OUT} 1:5* .", end="escape", escaped=1),
        rules={"escape_upper_compensation": 0.25},
        base=0.01,
    )
    assert '"scores":[0.0025,-0.04,0.0025,0]' in printed(made)


def test_a_fractional_cap_is_exact() -> None:
    players = atomic(five(f"{FIVE_0_OUT} {FIVE_1_OUT}"), balances=[0.1, 0.123, 1, 1, 1], base=0.3)
    # 22.5 × 0.3 = 6.75, capped; 15 × 0.3 = 4.5.
    assert '"scores":[0.1,0.123,-4.5,-4.5,-4.5]' in printed(players)


def test_the_largest_scores_fit() -> None:
    # 999999.99 × (3 + 1.5 × 3) × 3 and a balance just below 10 ** 12.
    made = atomic(five(f"{FIVE_0_OUT} {FIVE_1_OUT}"), balances=[999_999_999_999.999, None, 0, 0, 0], base=999_999.99)
    full = Decimal("999999.99") * Decimal("22.5")
    assert judge(made)["scores"] == [full, full, *[Decimal("-14999999.85")] * 3]


def test_a_hundred_thousand_plays_are_only_too_many() -> None:
    made = four_match(FOUR_THREE_OUT)
    made["deals"][0]["plays"] = " ".join(["0:-"] * 100_000)
    assert judge(made)["code"] == "LEAD_PASS"


def test_every_line_of_the_dirty_cases_leaves_a_good_one_alone(tmp_path: Path) -> None:
    line = write([good()])[0]
    dirty = [text for text in (CASES / "dirty.jsonl").read_bytes().split(b"\n") if text.strip()]
    found = judge_lines([text for bad in dirty for text in (bad, line)])
    assert {answer["status"] for answer in found[1::2]} == {"settled"}


def test_the_schema_names_every_field_of_the_format() -> None:
    names = {"/".join(str(step) for step in path) for path in schema_paths()}
    assert {"match_id", "rules", "players/1/balance", "deals/0/escaped", "deals/0/plays", "claimed"} <= names
    assert msgspec.json.encode(json_schema())
