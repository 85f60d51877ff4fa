"""Rejects: each code of the log format with its place, in their order, and what is no reject."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.layouts import FIVE_0_OUT, FIVE_1_OUT, FOUR_THREE_OUT, five, four
from tests.yuanzi_core.lines import changed, good, is_rejected
from tests.yuanzi_core.tables import judge, judge_all, judge_lines, match, write

LIMIT = 4 << 20


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


def test_a_reject_keeps_the_id_where_it_can_be_read() -> None:
    assert judge(changed("variant", "six"))["match_id"] == "m1"
    assert judge(changed("format", 7))["match_id"] == "m1"
    assert judge(changed("match_id", 7))["match_id"] is None
    assert judge_lines([b'{"match_id": "m1"'])[0]["match_id"] is None
