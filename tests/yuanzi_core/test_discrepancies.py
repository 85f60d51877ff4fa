"""Discrepancies: each code with its deal, what was claimed and what came out; and what is no discrepancy."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    atomic,
    five,
    four,
    four_match,
)
from tests.yuanzi_core.tables import Answer, Match, judge, judge_lines, match, write
from yuanzi_core.reasons import Discrepancy

# FOUR_THREE_OUT: finish 0 3 2, captured 120 60 0 120, sides 180 : 120.
TRUTH = {"finish": [0, 3, 2], "captured": [120, 60, 0, 120], "side_points": [180, 120]}


def claiming(in_deal: dict[str, Any] | None = None, in_match: Any = None, lower: dict[str, Any] | None = None) -> Match:
    """A match of two halves alike, won by side 0 with 360 : 240."""
    halves = [four(FOUR_THREE_OUT, claimed=in_deal), four(FOUR_THREE_OUT, claimed=lower)]
    return match("four", *halves, claimed=in_match)


def found(answer: Answer) -> list[tuple[str, int | None, Any, Any]]:
    """The discrepancies of an answer."""
    return [(row["code"], row["deal"], row["claimed"], row["recomputed"]) for row in answer["discrepancies"]]


@pytest.mark.parametrize(
    ("code", "claim", "recomputed"),
    [
        ("CLAIM_FINISH", {"finish": [0, 2, 3]}, [0, 3, 2]),
        ("CLAIM_FINISH", {"finish": [0, 3]}, [0, 3, 2]),
        ("CLAIM_FINISH", {"finish": []}, [0, 3, 2]),
        # Before D1, and it is seat 0 that has 180 then.
        ("CLAIM_CAPTURED", {"captured": [180, 0, 0, 120]}, [120, 60, 0, 120]),
        ("CLAIM_SIDE_POINTS", {"side_points": [120, 180]}, [180, 120]),
    ],
)
def test_a_claim_of_a_deal(code: str, claim: dict[str, Any], recomputed: list[int]) -> None:
    (name,) = claim
    assert found(judge(claiming(claim))) == [(code, 0, claim[name], recomputed)]
    assert found(judge(claiming(lower=claim))) == [(code, 1, claim[name], recomputed)]


@pytest.mark.parametrize(
    ("code", "claim", "recomputed"),
    [
        ("CLAIM_OUTCOME", {"outcome": "double"}, "normal"),
        ("CLAIM_OUTCOME", {"outcome": "anything at all"}, "normal"),
        ("CLAIM_WINNER", {"winner": 1}, 0),
        ("CLAIM_SCORES", {"scores": [2, -2, 2, -2]}, [1, -1, 1, -1]),
        ("CLAIM_SCORES", {"scores": [1, -1, 1, -1.01]}, [1, -1, 1, -1]),
    ],
)
def test_a_claim_of_a_match(code: str, claim: dict[str, Any], recomputed: Any) -> None:
    (value,) = json.loads(json.dumps(claim), parse_float=Decimal).values()
    assert found(judge(claiming(None, claim))) == [(code, None, value, recomputed)]


def test_every_discrepancy_of_a_log_in_the_order_of_listing() -> None:
    wrong = {"side_points": [1, 299], "captured": [0, 0, 0, 0], "finish": [3]}
    answer = judge(claiming(wrong, {"scores": [0, 0, 0, 0], "winner": 1, "outcome": "low"}, wrong))
    of_a_deal = ["CLAIM_FINISH", "CLAIM_CAPTURED", "CLAIM_SIDE_POINTS"]
    of_the_match = ["CLAIM_OUTCOME", "CLAIM_WINNER", "CLAIM_SCORES"]
    assert [(code, deal) for code, deal, _, _ in found(answer)] == [
        *[(code, 0) for code in of_a_deal],
        *[(code, 1) for code in of_a_deal],
        *[(code, None) for code in of_the_match],
    ]
    # CLAIM_BALANCE needs a ledger.
    assert {*of_a_deal, *of_the_match} == {str(code) for code in Discrepancy} - {"CLAIM_BALANCE"}


def test_claims_that_hold_are_none() -> None:
    claims = {"outcome": "normal", "winner": 0, "scores": [1, -1, 1, -1]}
    answer = judge(claiming(TRUTH, claims, TRUTH))
    assert (answer["discrepancies"], answer["notes"]) == ([], [])


def test_numbers_are_compared_as_numbers() -> None:
    answer = judge(claiming(None, {"scores": [1.0, -1.00, 1e0, -1]}))
    assert answer["discrepancies"] == []
    made = match("four", four(FOUR_DOUBLE_OUT), base=0.15, claimed={"scores": [0.3, -0.30, 0.300, -0.3]})
    assert judge(made)["discrepancies"] == []
    made["claimed"] = {"scores": [0.3, -0.3, 0.30000000000000004, -0.3]}
    assert [code for code, *_ in found(judge(made))] == ["CLAIM_SCORES"]


def test_scores_are_compared_after_the_cap() -> None:
    made = atomic(five(f"{FIVE_0_OUT} {FIVE_1_OUT}"), balances=[4, 5, 0, 0, 0])
    assert found(judge(made | {"claimed": {"scores": [4, 5, -15, -15, -15]}})) == []
    assert found(judge(made | {"claimed": {"scores": [22.5, 5, -15, -15, -15]}})) == [
        ("CLAIM_SCORES", None, [Decimal("22.5"), 5, -15, -15, -15], [4, 5, -15, -15, -15])
    ]


def test_an_unfinished_match_is_compared_where_there_is_a_value() -> None:
    fields = {"claimed": {"outcome": "normal", "winner": 0, "scores": [1, -1, 1, -1]}}
    made = four_match(FOUR_THREE_OUT, fields=fields)
    made["deals"][0]["claimed"] = {"finish": [3, 0, 2]}
    # No winner and no scores to compare with.
    assert found(judge(made)) == [
        ("CLAIM_FINISH", 0, [3, 0, 2], [0, 3, 2]),
        ("CLAIM_OUTCOME", None, "normal", "unfinished"),
    ]


def test_an_escape_has_no_side_points_to_compare() -> None:
    made = four(
        "0:Kd .", end="escape", escaped=1, claimed={"side_points": [10, 0], "captured": [0, 0, 0, 0], "finish": [0]}
    )
    assert found(judge(match("four", made))) == [
        ("CLAIM_FINISH", 0, [0], []),
        ("CLAIM_CAPTURED", 0, [0, 0, 0, 0], [10, 0, 0, 0]),
    ]


def test_the_winner_of_a_five_player_escape_is_not_compared() -> None:
    made = five("", end="escape", escaped=1)
    assert found(judge(match("five", made, claimed={"winner": 0, "outcome": "escape"}))) == []


def test_matches_with_a_violation_are_not_compared() -> None:
    made = four_match("0:4* 2:2d", fields={"claimed": {"winner": 1, "outcome": "low"}})
    made["deals"][0]["claimed"] = {"finish": [3]}
    answer = judge(made)
    assert (answer["status"], answer["discrepancies"]) == ("violation", [])


UNREADABLE: list[tuple[str, Any]] = [
    ("finish", "0 3 2"), ("finish", [0, 3, 2, 1, 0]), ("finish", [0.5]), ("finish", [True]), ("finish", {"0": 1}),
    ("captured", [120, 60, 0]), ("captured", [120, 60, 0, 120, 0]), ("captured", ["120", 60, 0, 120]),
    ("captured", 300), ("captured", [120.0, 60, 0, 120]),
    ("side_points", [180]), ("side_points", [180, 120, 0]), ("side_points", "180:120"), ("side_points", [None, 120]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), UNREADABLE)
def test_a_claim_of_a_deal_of_the_wrong_type_or_size_is_a_note(name: str, value: Any) -> None:
    answer = judge(claiming({name: value}))
    assert (answer["status"], answer["discrepancies"]) == ("settled", [])
    assert answer["notes"] == [{"code": "CLAIM_UNREADABLE", "path": f"deals[0].claimed.{name}"}]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("outcome", 7), ("outcome", ["normal"]), ("winner", "0"), ("winner", 0.0), ("winner", True), ("winner", [0]),
        ("scores", [1, -1, 1]), ("scores", [1, -1, 1, -1, 0]), ("scores", ["1", -1, 1, -1]), ("scores", 1),
        ("scores", [1, -1, 1, None]), ("scores", [True, -1, 1, -1]),
    ],
)  # fmt: skip
def test_a_claim_of_a_match_of_the_wrong_type_or_size_is_a_note(name: str, value: Any) -> None:
    answer = judge(claiming(None, {name: value}))
    assert (answer["status"], answer["discrepancies"]) == ("settled", [])
    assert answer["notes"] == [{"code": "CLAIM_UNREADABLE", "path": f"claimed.{name}"}]


@pytest.mark.parametrize("value", [7, "double", [1], True])
def test_claims_that_are_no_object_are_a_note(value: Any) -> None:
    answer = judge(claiming(value, value))
    assert answer["status"] == "settled"
    assert answer["notes"] == [
        {"code": "CLAIM_UNREADABLE", "path": "deals[0].claimed"},
        {"code": "CLAIM_UNREADABLE", "path": "claimed"},
    ]


@pytest.mark.parametrize("text", [b"1e999999", b"-1e-999999", b"1" + b"0" * 5000, b"0." + b"0" * 5000 + b"1"])
def test_a_claim_of_absurd_size_costs_nothing_and_changes_nothing(text: bytes) -> None:
    line = write([claiming(None, {"scores": [1, -1, 1, 12345]})])[0].replace(b"12345", text)
    (answer,) = judge_lines([line])
    assert (answer["status"], answer["code"]) in (("settled", None), ("rejected", "SCHEMA"))


def test_seats_in_a_claimed_finish_may_be_letters_with_four_players() -> None:
    assert found(judge(claiming({"finish": ["N", "W", "S"]}))) == []
    assert found(judge(claiming({"finish": ["N", "S", "W"]}))) == [("CLAIM_FINISH", 0, [0, 2, 3], [0, 3, 2])]
