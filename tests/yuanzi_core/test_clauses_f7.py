"""Clause F7: escape in the five-player game."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.yuanzi_core.layouts import FIVE_0_OUT, SEAT_2, atomic, five
from tests.yuanzi_core.tables import Answer, judge, judge_all, match

K_200 = "0:K* ."
FOUR_TRICKS = "0:K* . 0:A* . 0:5x4c . 0:5x4d ."
# Seat 1 leads a Q that seat 2 takes, and goes out: then seats 0 and 2 are out. Seat 2 takes T 200 + 5.
SEAT_2_OUT = "1:Qd 2:2d . 2:T* . 2:9* . 2:4x2d . 2:5x2c . 2:3x2h . 2:5d ."
SEAT_3_OUT = "3:8* . 3:7* . 3:2h5x2s . 3:5x3d . 3:3x3c ."
TWO_OUT = f"{FIVE_0_OUT} {SEAT_2_OUT}"
THREE_OUT = f"{TWO_OUT} {SEAT_3_OUT}"


def escape(plays: str, seat: int, called: str = "Qd", claimed: Any = None, **rules: Any) -> Answer:
    """The answer to a match of an ordinary table that a player left. With Qd called the sides are 0 0 1 1 1."""
    made = match("five", five(plays, called, end="escape", escaped=seat), rules=rules, claimed=claimed)
    answer = judge(made)
    assert (answer["status"], answer["outcome"], answer["winner"]) == ("settled", "escape", None), answer
    return answer


@pytest.mark.parametrize(
    ("plays", "penalty"),
    [
        # Nothing yet: 10.
        ("", 10),
        # 195 = 19 × 10 + 5 captured: one full hundred.
        ("0:4xKd5xKc5xKh5xKs . 0:Ad 1:- 2:2d . 2:5d .", 11),
        # 200 captured: two.
        (K_200, 12),
        # 200 in an open trick: none.
        ("0:K* 1:- 2:- 3:-", 10),
        # One out: 2 + 1, and 200 captured: 10 + 3 + 2.
        (FIVE_0_OUT, 15),
        # Two out: 2 + 2, and 405 captured, of which three hundreds count: 10 + 4 + 3.
        (TWO_OUT, 17),
        # Three out, and more cannot be (C4): 2 + 3: 10 + 5 + 3.
        (THREE_OUT, 18),
    ],
)
def test_F7_the_penalty_is_10_and_grows_with_players_out_and_hundreds_captured(plays: str, penalty: int) -> None:
    assert escape(plays, 4)["scores"][4] == -penalty


def test_F7_no_compensation_before_five_tricks() -> None:
    assert escape(FOUR_TRICKS, 4)["scores"] == [0, 0, 0, 0, -12]
    # The fifth trick is open.
    assert escape(FIVE_0_OUT.removesuffix(" .") + " 1:- 2:- 3:-", 4)["scores"][:2] == [0, 0]


@pytest.mark.parametrize(
    ("plays", "escaped", "scores"),
    [
        # Nobody out: 1 each. Five tricks, 200 captured.
        ("0:K* . 0:A* . 0:5x4c . 0:5x4d . 0:XB .", 4, [1, 1, 0, 0, -12]),
        # One out: 2 each, also for seat 0, which is out.
        (FIVE_0_OUT, 4, [2, 2, 0, 0, -15]),
        # Two out: 3 each.
        (TWO_OUT, 4, [3, 3, 0, 0, -17]),
        # Three out: still 3.
        (THREE_OUT, 4, [3, 3, 0, 0, -18]),
        # A player of a side of two leaves: three are compensated, seat 2 and 3 being out; the partner gets 0.
        (THREE_OUT, 1, [0, -18, 3, 3, 3]),
    ],
)
def test_F7_after_five_tricks_each_player_of_the_other_side_receives_1_to_3(
    plays: str, escaped: int, scores: list[int]
) -> None:
    assert escape(plays, escaped)["scores"] == scores


def test_F7_one_already_out_may_leave_and_counts_among_the_players_out() -> None:
    assert escape(FIVE_0_OUT, 0)["scores"] == [-15, 0, 2, 2, 2]


def test_F7_the_sides_are_those_of_A6_though_nobody_is_revealed() -> None:
    # Seat 2 is the dealer's partner.
    assert escape(FIVE_0_OUT, 2, SEAT_2)["scores"] == [0, 2, -15, 2, 2]


@pytest.mark.parametrize(("least", "due"), [(0, True), (4, True), (5, False), (50, False)])
def test_F7_how_many_tricks_is_an_option(least: int, due: bool) -> None:
    assert escape(FOUR_TRICKS, 4, escape_min_tricks=least)["scores"] == (
        [1, 1, 0, 0, -12] if due else [0, 0, 0, 0, -12]
    )


def test_F7_with_atom_doubling_the_escaper_pays_the_atoms_for_each_compensated_player() -> None:
    # FIVE_0_OUT has three atoms: seats 0 and 1 receive 2 + 3, seat 4 pays 15 + 3 × 2.
    made = five(FIVE_0_OUT, end="escape", escaped=4)
    assert judge(atomic(made))["scores"] == [5, 5, 0, 0, -21]
    # Seat 1 leaves: three are compensated, 15 + 3 × 3.
    assert judge(atomic(five(FIVE_0_OUT, end="escape", escaped=1)))["scores"] == [0, -24, 5, 5, 5]
    # F5 by option: two atoms.
    assert judge(atomic(made, count_head_out=False))["scores"] == [4, 4, 0, 0, -19]


def test_F7_without_compensation_no_atoms_either() -> None:
    # Four tricks, two atoms.
    made = five(FOUR_TRICKS, end="escape", escaped=4)
    assert judge(atomic(made))["scores"] == [0, 0, 0, 0, -12]
    assert judge(atomic(made, escape_min_tricks=4))["scores"] == [3, 3, 0, 0, -16]


def test_F7_all_times_base() -> None:
    made = five(FIVE_0_OUT, end="escape", escaped=4)
    assert judge(match("five", made, base=2))["scores"] == [4, 4, 0, 0, -30]
    fifth = Decimal("0.05")
    assert judge(atomic(made, base=0.01))["scores"] == [fifth, fifth, 0, 0, Decimal("-0.21")]


# FIVE_0_OUT, left by seat 4: the schedule says 2 2 0 0 −15, compensation being due.
@pytest.mark.parametrize(
    ("scores", "is_note"),
    [
        ([1, 1, 0, 0, -10], True),
        ([1, 1, 0, 0, -18], True),
        ([3, 4, 0, 0, -12], True),
        ([5, 5, 0, 0, -10], True),
        ([1.5, 2.5, 0, 0, -12.5], True),
        # Penalty out of 10–18.
        ([1, 1, 0, 0, -9], False),
        ([1, 1, 0, 0, -19], False),
        # An opponent with less than 1.
        ([0, 1, 0, 0, -12], False),
        ([0.5, 1, 0, 0, -12], False),
        # More compensation than penalty.
        ([6, 5, 0, 0, -10], False),
        # The partners have no part in it.
        ([2, 2, 1, 0, -15], False),
        ([2, 2, 1, -1, -15], False),
    ],
)
def test_F7_a_claim_off_the_schedule_but_within_the_texts_bounds_is_a_note(scores: list[float], is_note: bool) -> None:
    answer = escape(FIVE_0_OUT, 4, claimed={"scores": scores})
    assert [note["code"] for note in answer["notes"]] == ["ESCAPE_CLAIM"] * is_note
    assert [found["code"] for found in answer["discrepancies"]] == ["CLAIM_SCORES"] * (not is_note)


def test_F7_the_schedule_itself_is_neither() -> None:
    answer = escape(FIVE_0_OUT, 4, claimed={"scores": [2, 2, 0, 0, -15]})
    assert (answer["notes"], answer["discrepancies"]) == ([], [])


def test_F7_before_five_tricks_opponents_may_be_claimed_to_receive_nothing() -> None:
    # Schedule: 0 0 0 0 −12.
    for scores, is_note in (([0, 0, 0, 0, -10], True), ([1, 1, 0, 0, -12], True), ([-1, 0, 0, 0, -12], False)):
        assert bool(escape(FOUR_TRICKS, 4, claimed={"scores": scores})["notes"]) is is_note


def test_F7_the_bounds_are_those_without_the_atoms_and_times_base() -> None:
    # Three atoms, base 2: seats 0 and 1 receive 2 × (x + 3), seat 4 pays 2 × (y + 6); the schedule has x = 2, y = 15.
    made = five(FIVE_0_OUT, end="escape", escaped=4)
    claims = [
        ([8, 8, 0, 0, -32], True),  # x = 1, y = 10
        ([8, 8, 0, 0, -48], True),  # y = 18
        ([7, 8, 0, 0, -32], False),  # x = 0.5
        ([8, 8, 0, 0, -31], False),  # y = 9.5
        ([8, 8, 0, 0, -49], False),  # y = 18.5
    ]
    answers = judge_all([atomic(made, base=2) | {"claimed": {"scores": scores}} for scores, _ in claims])
    assert [bool(answer["notes"]) for answer in answers] == [is_note for _, is_note in claims]
    assert [bool(answer["discrepancies"]) for answer in answers] == [not is_note for _, is_note in claims]
