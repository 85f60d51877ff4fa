"""Rejects: each code of the log format with its place, in their order, and what is no reject."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.yuanzi_core.layouts import FIVE_0_OUT, FIVE_1_OUT, FOUR_DOUBLE_OUT, FOUR_THREE_OUT, five, four, four_match
from tests.yuanzi_core.tables import Answer, Match, judge, judge_all, judge_file, judge_lines, match, write

LIMIT = 4 << 20


def good(variant: str = "four") -> Match:
    """A match that is settled."""
    if variant == "four":
        return match("four", four(FOUR_DOUBLE_OUT))
    return match("five", five(f"{FIVE_0_OUT} {FIVE_1_OUT}"))


def changed(path: str, value: Any, variant: str = "four") -> Match:
    """A good match with the value at a path replaced, or (``...``) removed."""
    made: Any = json.loads(json.dumps(good(variant)))
    inner = made
    *steps, last = [
        int(step) if step.isdigit() else step for step in path.replace("[", ".").replace("]", "").split(".")
    ]
    for step in steps:
        inner = inner[step]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    assert isinstance(made, dict)
    return made


def is_rejected(answer: Answer, code: str, path: str = "") -> None:
    """Check a reject: no settlement, and a message that names the path."""
    assert (answer["status"], answer["code"], answer["deal"], answer["play"]) == ("rejected", code, None, None), answer
    assert (answer["deals"], answer["outcome"], answer["winner"], answer["scores"]) == ([], None, None, None)
    assert path in answer["message"], answer["message"]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"not json", id="text"),
        pytest.param(b'{"format": "yuanzi-log/1"', id="cut off"),
        pytest.param(b"{'format': 1}", id="single quotes"),
        pytest.param(b'{"a": 1} {"b": 2}', id="two objects"),
        pytest.param(b'{"a": NaN}', id="NaN"),
        pytest.param(b'{"a": Infinity}', id="Infinity"),
        pytest.param(b'{"a": 01}', id="leading zero"),
        pytest.param(b'{"a": "\xff\xfe"}', id="not UTF-8"),
        pytest.param(b'{"a": "\\ud800"}', id="unpaired surrogate"),
        pytest.param(b"\x00\x00\x00", id="NUL bytes"),
        pytest.param(b"[]", id="array"),
        pytest.param(b"null", id="null"),
        pytest.param(b"17", id="number"),
        pytest.param(b'"yuanzi-log/1"', id="string"),
        pytest.param(b"[" * 100_000, id="nested"),
        pytest.param(b'{"a": ' * 5000 + b"1" + b"}" * 5000, id="nested objects"),
    ],
)
def test_JSON_not_json_not_utf8_or_not_an_object(line: bytes) -> None:
    bad, kept = judge_lines([line, *write([good()])])
    is_rejected(bad, "JSON")
    assert kept["status"] == "settled"


def test_JSON_not_utf8_in_any_text() -> None:
    line = write([good()])[0]
    for text in (b'"m1"', b'"p0"', b'"yuanzi-log/1"'):
        (answer,) = judge_lines([line.replace(text, text[:-1] + b'\xc3"')])
        is_rejected(answer, "JSON")
    # Also where the value is not used.
    for field in (
        b'"club": "\xc3"',
        b'"claimed": {"outcome": "\xc3"}',
        b'"rules": {"wind": "\xc3"}',
        b'"else": "\xc3"',
    ):
        (answer,) = judge_lines([line[:-1] + b", " + field + b"}"])
        is_rejected(answer, "JSON")


def test_JSON_a_line_over_4_mib_and_that_record_alone() -> None:
    made = good()
    # The field "pad" brings the line to the limit exactly, and then one byte over it.
    empty = len(write([made | {"pad": ""}])[0])
    at_limit, over = (made | {"pad": "x" * (LIMIT - empty + more)} for more in (0, 1))
    answers = judge_all([over, at_limit, made])
    is_rejected(answers[0], "JSON", "4 MiB")
    assert [answer["status"] for answer in answers[1:]] == ["settled", "settled"]


@pytest.mark.parametrize(
    "value", [..., None, "yuanzi-log/2", "yuanzi-log", "", "YUANZI-LOG/1", "yuanzi-log/1 ", 1, [], {}]
)
def test_VERSION_missing_or_not_supported(value: object) -> None:
    is_rejected(judge(changed("format", value)), "VERSION")


REQUIRED = {
    "four": ["match_id", "variant", "ruleset", "played_at", "players", "deals", "players[2].id", "deals[0].drawn",
             "deals[0].leader", "deals[0].hands", "deals[0].plays"],
    "five": ["deals[0].dealer", "deals[0].called", "deals[0].drawn", "deals[0].leader"],
}  # fmt: skip


@pytest.mark.parametrize("variant", ["four", "five"])
def test_SCHEMA_a_required_field_is_missing_or_null(variant: str) -> None:
    paths = REQUIRED[variant]
    answers = judge_all([changed(path, value, variant) for path in paths for value in (..., None)])
    for place, answer in enumerate(answers):
        is_rejected(answer, "SCHEMA", paths[place // 2])


@pytest.mark.parametrize(
    ("variant", "path", "values"),
    [
        ("four", "match_id", ["", "x" * 129, 7, True, [], {}]),
        ("four", "variant", ["six", "Four", "", 4, []]),
        ("four", "ruleset", [7, [], {}, True]),
        ("four", "played_at", ["2026-03-01", "2026-03-01T20:15:00", "yesterday", "", 1772367300]),
        ("four", "played_at", ["2026-13-01T20:15:00Z", "2026-03-01 20:15 CET", []]),
        ("four", "players", [[], {}, "p0 p1 p2 p3", 4]),
        ("four", "players[1]", ["p1", 1, None, []]),
        ("four", "players[1].id", [7, [], {}, False]),
        ("four", "players[1].name", [7, [], {}]),
        ("four", "players[1].balance", ["7", [], True, 1e12, -1e12, 0.0001, 10**12]),
        ("four", "deals", [[], {}, "", 1]),
        ("four", "deals[0]", ["", 1, None, []]),
        ("four", "deals[0].drawn", [7, [], {}, True]),
        ("four", "deals[0].knife", [7, [], {}]),
        ("four", "deals[0].first_draw", [-1, 4, "0", 1.0, True, [], "X", "EAST"]),
        ("four", "deals[0].leader", [-1, 4, "0", 0.0, 0.5, True, [], 2**70]),
        ("four", "deals[0].hands", [[], ["", "", ""], [""] * 5, "", {}]),
        ("four", "deals[0].hands[3]", [7, [], {}]),
        ("four", "deals[0].plays", [7, [], ["0:4d"], {}]),
        ("four", "deals[0].end", ["points", "Out", "", 7, []]),
        ("four", "club", [7, [], {}, True]),
        ("four", "table", [7, [], {}, True]),
        ("four", "source", ["Real", "", 7]),
        ("four", "revision", [0, -1, 2**31, 1.0, "1", True, 10**30]),
        ("four", "base", [0, -1, 10**6, 0.001, "1", True, [], 1e300]),
        ("four", "rules", [7, [], "wind=next", True]),
        ("five", "deals[0].dealer", [-1, 5, "0", 0.0, "E"]),
        ("five", "deals[0].called", [7, [], True]),
        ("five", "deals[0].leader", [5, -1, "E"]),
        ("five", "deals[0].end", ["Points", 7]),
        ("five", "deals[0].hands", [[""] * 4, [""] * 6]),
    ],
)  # fmt: skip
def test_SCHEMA_wrong_type_range_or_count_with_its_path(variant: str, path: str, values: list[Any]) -> None:
    for value, answer in zip(values, judge_all([changed(path, value, variant) for value in values]), strict=True):
        assert answer["code"] == "SCHEMA", (path, value, answer)
        is_rejected(answer, "SCHEMA", path)


def test_SCHEMA_numbers_of_deals_and_players() -> None:
    deal = four(FOUR_THREE_OUT)
    three = match("four", deal, deal, deal)
    two_of_five = match("five", *[five(f"{FIVE_0_OUT} {FIVE_1_OUT}")] * 2)
    is_rejected(judge(three), "SCHEMA", "deals")
    is_rejected(judge(two_of_five), "SCHEMA", "deals")
    for count in (0, 3, 5, 10_000):
        is_rejected(judge(good() | {"players": [{"id": f"p{seat}"} for seat in range(count)]}), "SCHEMA", "players")


def test_SCHEMA_players_are_all_different() -> None:
    is_rejected(judge(changed("players[3].id", "p0")), "SCHEMA", "players")


@pytest.mark.parametrize("value", [..., None, 4, -1, "x", 1.0])
def test_SCHEMA_escaped_goes_with_escape(value: object) -> None:
    made = four("0:9d", end="escape", escaped=0)
    if value is ...:
        del made["escaped"]
    else:
        made["escaped"] = value
    is_rejected(judge(match("four", made)), "SCHEMA", "deals[0].escaped")


@pytest.mark.parametrize(
    ("variant", "ruleset", "rules"),
    [
        ("four", "four-modern", {}),
        ("four", "", {}),
        ("four", "../four-classic", {}),
        ("four", "five-classic", {}),
        ("five", "four-classic", {}),
        ("four", "four-classic", {"winds": "next"}),
        ("four", "four-classic", {"": 1}),
        ("four", "four-classic", {"wind": "south"}),
        ("four", "four-classic", {"wind": 1}),
        ("four", "four-classic", {"knife_jokers": "true"}),
        ("four", "four-classic", {"knife_jokers": 1}),
        ("four", "four-classic", {"halves": 3}),
        ("four", "four-classic", {"halves": True}),
        ("four", "four-classic", {"halves": "2"}),
        ("four", "four-classic", {"clamp_points": 0}),
        ("four", "four-classic", {"clamp_points": 151}),
        ("four", "four-classic", {"clamp_points": 60.0}),
        ("four", "four-classic", {"escape_min_tricks": -1}),
        ("four", "four-classic", {"escape_min_tricks": 51}),
        ("four", "four-classic", {"escape_min_tricks": True}),
        ("four", "four-classic", {"escape_upper_compensation": 2.01}),
        ("four", "four-classic", {"escape_upper_compensation": -0.01}),
        ("four", "four-classic", {"escape_upper_compensation": 0.125}),
        ("four", "four-classic", {"escape_upper_compensation": "1"}),
        # An option of the other game.
        ("four", "four-classic", {"atom_doubling": True}),
        ("four", "four-classic", {"five_leader": "any"}),
        ("four", "four-classic", {"early_stop": "may"}),
        ("four", "four-classic", {"cap": "none"}),
        ("four", "four-classic", {"low_applies": "total"}),
        ("five", "five-classic", {"clamp": "any_side"}),
        ("five", "five-classic", {"clamp_points": 60}),
        ("five", "five-classic", {"halves": 2}),
        ("five", "five-classic", {"escape_upper_compensation": 1}),
        # A value that the option has in the other game only.
        ("five", "five-classic", {"wind": "partner"}),
        ("five", "five-atomic", {"cap": None, "low_applies": "all"}),
        # The right value beside a wrong one.
        ("four", "four-classic", {"wind": "next", "clamp": "nobody"}),
    ],
)
def test_RULESET_unknown_or_of_the_other_game(variant: str, ruleset: str, rules: dict[str, Any]) -> None:
    answer = judge(good(variant) | {"ruleset": ruleset, "rules": rules})
    is_rejected(answer, "RULESET", next(reversed(rules), ""))


def test_RULESET_an_option_without_effect_and_an_absent_value_are_accepted() -> None:
    assert judge(good("five") | {"rules": {"cap": "none", "low_applies": "base_only"}})["status"] == "settled"
    assert judge(good() | {"rules": {"wind": None}})["status"] == "settled"
    assert judge(good() | {"rules": None})["status"] == "settled"
    assert judge(good() | {"rules": {}})["status"] == "settled"


@pytest.mark.parametrize(
    ("path", "value", "piece"),
    [
        ("deals[0].drawn", "1d", "1d"),
        ("deals[0].drawn", "", ""),
        ("deals[0].drawn", "4d4d", "4d4d"),
        ("deals[0].drawn", "4", "4"),
        ("deals[0].knife", "1", "1"),
        ("deals[0].knife", "4d", "4d"),
        ("deals[0].knife", "", ""),
        ("deals[0].hands[2]", "4d4d4", "4"),
        ("deals[0].hands[2]", "4d 4d", " 4d"),
        ("deals[0].hands[2]", "4dXX", "XX"),
        ("deals[0].hands[2]", "王", "王"),
    ],
)
def test_NOTATION_a_card_or_hand_with_its_path_and_the_text(path: str, value: str, piece: str) -> None:
    answer = judge(changed(path, value))
    is_rejected(answer, "NOTATION", path)
    assert piece in answer["message"]


@pytest.mark.parametrize(
    ("play", "piece"),
    [
        ("9:4d", "9:4d"),
        ("4:4d", "4:4d"),  # no such seat in the game for four
        ("4d", "4d"),
        ("0:", ""),
        ("0:4", "4"),
        ("0:4dd", "d"),
        ("0:4d-", "-"),
        ("0:--", "--"),
        ("0-4d", "0-4d"),
        ("X:4d", "X:4d"),
        ("0:1d", "1d"),
        ("00:4d", "00:4d"),
        ("0:4d,", ","),
        ("0:4d\u00a0", ""),
        ("0:4d0:4d", "0:4d"),
    ],
)  # fmt: skip
def test_NOTATION_a_play_with_its_path_place_and_text(play: str, piece: str) -> None:
    made = good()
    made["deals"][0]["plays"] = f"0:4d 1:- {play} 3:-"
    answer = judge(made)
    if play == "0:4d\u00a0":
        # A no-break space is white space.
        assert answer["code"] != "NOTATION"
        return
    is_rejected(answer, "NOTATION", "deals[0].plays")
    assert "play 2" in answer["message"]
    assert piece in answer["message"]


def test_NOTATION_the_called_card_of_five() -> None:
    is_rejected(judge(changed("deals[0].called", "Q", "five")), "NOTATION", "deals[0].called")


def test_NOTATION_seat_letters_are_of_the_game_for_four_only() -> None:
    made = good("five")
    made["deals"][0]["plays"] = "N:Kd"
    is_rejected(judge(made), "NOTATION", "deals[0].plays")


def test_the_first_reject_that_applies() -> None:
    # NOTATION, RULESET, SCHEMA, VERSION and JSON, each on top of those before it.
    made = changed("deals[0].drawn", "??")
    codes = [judge(made)["code"]]
    made["rules"] = {"wind": "south"}
    codes.append(judge(made)["code"])
    made["table"] = 7
    codes.append(judge(made)["code"])
    made["format"] = "yuanzi-log/0"
    codes.append(judge(made)["code"])
    codes.append(judge_lines([write([made])[0][:-1]])[0]["code"])
    assert codes == ["NOTATION", "RULESET", "SCHEMA", "VERSION", "JSON"]


def answers_to(tmp_path: Path, *lines: bytes) -> list[Answer]:
    """The answers to the lines of a file, with the records that came before in mind."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(lines))
    return judge_file(path)


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


def test_a_reject_keeps_the_id_where_it_can_be_read() -> None:
    assert judge(changed("variant", "six"))["match_id"] == "m1"
    assert judge(changed("format", 7))["match_id"] == "m1"
    assert judge(changed("match_id", 7))["match_id"] is None
    assert judge_lines([b'{"match_id": "m1"'])[0]["match_id"] is None


def test_unknown_fields_at_any_depth_are_counted_and_nothing_else() -> None:
    made = good() | {"weather": "rain"}
    made["players"][1]["hat"] = {"colour": "red"}
    made["deals"][0]["tea"] = [1, 2]
    made["deals"][0]["claimed"] = {"mood": 1}
    made["claimed"] = {"song": None}
    answer = judge(made)
    assert answer["status"] == "settled"
    assert sum(note["count"] for note in answer["notes"]) == 5
    assert {note["code"] for note in answer["notes"]} == {"UNKNOWN_FIELDS"}


@pytest.mark.parametrize(("variant", "name", "value"), [
    ("four", "dealer", 1), ("four", "called", "Qd"), ("four", "dealer", "nobody"), ("four", "called", 7),
    ("five", "first_draw", 1), ("five", "first_draw", "E"),
])  # fmt: skip
def test_fields_of_the_other_game_are_counted_and_never_used(variant: str, name: str, value: Any) -> None:
    answer = judge(changed(f"deals[0].{name}", value, variant))
    assert answer["status"] == "settled"
    assert answer["notes"] == [{"code": "OTHER_VARIANT_FIELDS", "count": 1}]


def test_null_is_absent() -> None:
    made = good()
    optional = {
        "club": None,
        "table": None,
        "source": None,
        "revision": None,
        "base": None,
        "rules": None,
        "claimed": None,
    }
    for name in ("knife", "first_draw", "end", "escaped", "claimed", "dealer", "called"):
        made["deals"][0][name] = None
    made["players"][0] |= {"name": None, "balance": None}
    answer = judge(made | optional)
    assert (answer["status"], answer["notes"], answer["discrepancies"]) == ("settled", [], [])


def test_of_a_key_given_twice_the_last_counts() -> None:
    line = write([good()])[0]
    (answer,) = judge_lines([line[:-1] + b', "base": 7, "base": 3}'])
    assert answer["scores"] == [6, -6, 6, -6]
    (answer,) = judge_lines([line.replace(b'"leader": 0', b'"leader": "x", "leader": 0')])
    assert answer["status"] == "settled"


@pytest.mark.parametrize("value", [999_999.99, 0.01, 1, 1.5, 1e2, 123456.7])
def test_base_is_a_positive_number_below_a_million_with_two_decimals(value: float) -> None:
    assert judge(good() | {"base": value})["status"] == "settled"


@pytest.mark.parametrize("value", [999_999_999_999.999, -999_999_999_999.999, 0.001, -0.5, 0, 12])
def test_a_balance_is_below_10_to_the_12_with_three_decimals(value: float) -> None:
    assert judge(changed("players[0].balance", value))["status"] == "settled"
