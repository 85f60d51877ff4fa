"""Bad input: a located reject or a clear error, never an exception, and the good lines of the file still go through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.yuanzi_core.layouts import (
    FOUR_THREE_OUT,
    four_match,
)
from tests.yuanzi_core.lines import good, in_file
from tests.yuanzi_core.tables import CASES, judge, judge_all, judge_lines, write
from yuanzi_core.log import json_schema


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
    line = bytearray(write([good("five", "five")])[0])
    for _ in range(data.draw(st.integers(1, 4))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    bad, kept = judge_lines([bytes(line), write([good()])[0]])
    assert bad["status"] in ("settled", "unfinished", "violation", "rejected")
    assert bad["message"] or bad["status"] in ("settled", "unfinished")
    assert kept["status"] == "settled"


def test_a_NUL_that_json_may_write_is_only_a_name() -> None:
    made = good() | {"club": "a\x00b"}
    made["players"][0]["name"] = "\x00"
    assert judge(made)["status"] == "settled"


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
    base = good() if variant == "four" else good("five", "five")
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
    answers_ = judge_all([made, plain, good("five", "five") | {"match_id": text, "ruleset": text}, plain])
    assert [answer["status"] for answer in answers_] == ["settled", "settled", "rejected", "settled"]
    assert answers_[0]["match_id"] == text
    assert answers_[0]["scores"] == answers_[1]["scores"]
    assert answers_[0]["discrepancies"] == [
        {"code": "CLAIM_OUTCOME", "deal": None, "claimed": text, "recomputed": "double"}
    ]
    for name in ("rules", "options"):
        assert judge(plain | {"rules": {text: name}})["code"] == "RULESET"


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
