"""Duplicates: which record of a match counts where each is judged alone."""

from __future__ import annotations

import json
from pathlib import Path

from tests.yuanzi_core.layouts import four_match
from tests.yuanzi_core.lines import changed, good, in_file, is_rejected
from tests.yuanzi_core.tables import Answer, write


def answers_to(tmp_path: Path, *lines: bytes) -> list[Answer]:
    """The answers to the lines of a file."""
    return in_file(tmp_path, b"\n".join(lines))


def test_DUPLICATE_other_content_under_the_same_id_and_revision(tmp_path: Path) -> None:
    lines = write([good(), good() | {"club": "east"}, good(), good() | {"revision": 1, "club": "west"}])
    found = answers_to(tmp_path, *lines)
    assert [answer["status"] for answer in found] == ["settled", "rejected", "duplicate", "rejected"]
    is_rejected(found[1], "DUPLICATE", "m1")
    # Only file, line, id and status.
    assert found[2].keys() == {"file", "line", "match_id", "status"}


def test_DUPLICATE_equal_content_is_compared_as_parsed_json(tmp_path: Path) -> None:
    made = good() | {"base": 1, "extra": {"a": [1, 2], "b": True}}
    turned = dict(reversed(made.items()))
    spaced = json.dumps(turned, indent=None, separators=(" , ", " : ")).encode()
    escaped = json.dumps(made).replace("m1", "\\u006d1").encode()
    number = json.dumps(made | {"base": 1.0}).encode()
    other = json.dumps(made | {"extra": {"a": [1, 2], "b": 1}}).encode()
    order = json.dumps(made | {"extra": {"a": [2, 1], "b": True}}).encode()
    found = answers_to(tmp_path, *write([made]), spaced, escaped, number, other, order)
    assert [answer["status"] for answer in found] == ["settled", *["duplicate"] * 3, "rejected", "rejected"]


def test_DUPLICATE_different_revisions_are_all_judged(tmp_path: Path) -> None:
    found = answers_to(tmp_path, *write([good() | {"revision": number} for number in (2, 1, 3)]))
    assert [answer["status"] for answer in found] == ["settled"] * 3


def test_DUPLICATE_is_asked_of_readable_records_only(tmp_path: Path) -> None:
    broken = changed("deals[0].drawn", "??")
    found = answers_to(tmp_path, *write([broken, good(), broken, changed("ruleset", "none")]))
    assert [(answer["status"], answer["code"]) for answer in found] == [
        ("rejected", "NOTATION"),
        ("settled", None),
        ("rejected", "NOTATION"),
        ("rejected", "RULESET"),
    ]


def test_DUPLICATE_a_match_with_a_violation_is_readable(tmp_path: Path) -> None:
    wrong = four_match("0:9d 2:2d")
    found = answers_to(tmp_path, *write([wrong, good(), wrong]))
    assert [answer["status"] for answer in found] == ["violation", "rejected", "duplicate"]


def test_DUPLICATE_unknown_fields_nested_too_deeply_to_be_compared(tmp_path: Path) -> None:
    # JSON that can still be read, twice with another order of fields, so that the texts differ.
    deep = "[" * 600 + "]" * 600
    (line,) = write([good()])
    first = line[:-1] + f', "a": {deep}, "b": 1}}'.encode()
    second = line[:-1] + f', "b": 1, "a": {deep}}}'.encode()
    found = answers_to(tmp_path, first, second, *write([good(match_id="m2")]))
    assert [answer["status"] for answer in found][::2] == ["settled", "settled"]
    assert found[1]["status"] in ("duplicate", "rejected")
