"""Violations: each code with its place, the deal or the play, in the upper and in the lower half."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.layouts import FIVE_0_OUT, FIVE_1_OUT, FOUR_DOUBLE_OUT, FOUR_THREE_OUT, five, four
from tests.yuanzi_core.tables import Deal, Match, deal, judge, match
from yuanzi_core.reasons import Violation

FINISHED = f"{FIVE_0_OUT} {FIVE_1_OUT}"


def upper(made: Deal, **rules: Any) -> Match:
    """A deal as the upper half of a match for four."""
    return match("four", made, rules=rules)


def lower(made: Deal) -> Match:
    """A deal as a lower half."""
    return match("four", four(FOUR_THREE_OUT), made)


def with_hands(made: Deal, *hands: str) -> Deal:
    """A deal with other hands."""
    return made | {"hands": list(hands)}


SOUND = four(FOUR_THREE_OUT)
EAST, SOUTH, WEST, NORTH = SOUND["hands"]

EACH: list[tuple[str, Match, int, int | None]] = [
    ("DECK", upper(with_hands(SOUND, EAST, SOUTH, WEST, NORTH.replace("7d", "7s", 1))), 0, None),
    ("DECK", upper(with_hands(SOUND, "", "", "", "")), 0, None),
    ("DECK", lower(with_hands(SOUND, EAST[:-2], SOUTH, WEST, NORTH)), 1, None),
    ("KNIFE", upper(SOUND | {"knife": "3"}), 0, None),
    ("KNIFE", lower(SOUND | {"drawn": "Kd", "knife": "K"}), 1, None),
    ("KNIFE", match("five", five(FINISHED, drawn="XS")), 0, None),
    ("FIRST_DRAW", upper(SOUND | {"first_draw": 1}), 0, None),
    ("FIRST_DRAW", lower(SOUND | {"first_draw": 3}), 1, None),
    ("HAND_SIZE", upper(with_hands(SOUND, EAST[:-2], SOUTH, WEST + EAST[-2:], NORTH)), 0, None),
    ("HAND_SIZE", lower(with_hands(SOUND, EAST + WEST[-2:], SOUTH, WEST[:-2], NORTH)), 1, None),
    ("CALL", match("five", five(FINISHED, "Kd")), 0, None),
    ("LEADER", upper(SOUND | {"leader": 1}), 0, None),
    ("LEADER", lower(SOUND | {"leader": 1}), 1, None),
    ("LEADER", match("five", five(FINISHED, leader=4)), 0, None),
    ("AFTER_END", upper(four(f"{FOUR_DOUBLE_OUT} 1:6*")), 0, 30),
    ("AFTER_END", match("four", four(FOUR_DOUBLE_OUT), SOUND), 1, None),
    ("TURN", upper(four("0:4* 2:2d")), 0, 1),
    ("TURN", lower(four("0:4* 1:- 3:-")), 1, 2),
    ("LEAD_PASS", upper(four("0:-")), 0, 0),
    ("LEAD_PASS", lower(four("0:4* . 0:-")), 1, 4),
    ("NOT_HELD", upper(four("0:4* 1:Ad")), 0, 1),
    ("NOT_HELD", match("five", five("0:5xKd . 0:Kd")), 0, 5),
    ("NOT_A_COMBO", upper(four("0:4dAd")), 0, 0),
    ("NOT_A_COMBO", match("four", deal("four", ["4d4dXB", "", "", ""], "0:4dXB")), 0, 0),
    ("CANNOT_BEAT", upper(four("0:Ad 1:6d")), 0, 1),
    ("CANNOT_BEAT", lower(four("0:Ad 1:- 2:Qd")), 1, 2),
    ("TRUNCATED", upper(four("")), 0, 0),
    ("TRUNCATED", upper(four("0:4* 1:-")), 0, 2),
    ("TRUNCATED", match("five", five("0:K* .", end="points")), 0, 5),
    ("END", match("five", five(FINISHED, end="points")), 0, 42),
    ("END", match("five", five(FINISHED, end="escape", escaped=2)), 0, 42),
    ("END", match("five", five(FIVE_0_OUT), rules={"early_stop": "must"}), 0, 25),
    ("END", match("five", five("", end="points"), rules={"early_stop": "never"}), 0, 0),
]


@pytest.mark.parametrize(
    ("code", "made", "at", "play"), EACH, ids=[f"{code}-{place}" for place, (code, *_) in enumerate(EACH)]
)
def test_a_violation_is_reported_with_its_place(code: str, made: Match, at: int, play: int | None) -> None:
    answer = judge(made)
    assert (answer["status"], answer["code"], answer["deal"], answer["play"]) == ("violation", code, at, play)
    assert (answer["outcome"], answer["winner"], answer["scores"]) == (None, None, None)
    assert len(answer["deals"]) == at
    assert answer["message"]


def test_every_violation_is_among_them() -> None:
    assert {code for code, *_ in EACH} == {str(code) for code in Violation}
