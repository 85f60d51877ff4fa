"""Clauses E1–E5: the result of a four-player match."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FOUR,
    FOUR_0_OUT,
    FOUR_2_LEFT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    POOR,
    POOR_0_OUT,
    POOR_1_LEFT,
    POOR_2_LEFT,
    four,
    four_match,
    turned,
)
from tests.yuanzi_core.tables import Answer, Deal, Match, deal, judge, judge_all, match, verdict

Result = tuple[str, str | None, int | None, list[Any] | None]


def result(answer: Answer) -> Result:
    """Status, outcome, winner and scores."""
    return answer["status"], answer["outcome"], answer["winner"], answer["scores"]


UNFINISHED: Result = ("unfinished", "unfinished", None, None)
SIDE_0_BY_CLAMP: Result = ("settled", "double", 0, [2, -2, 2, -2])
SIDE_1_BY_CLAMP: Result = ("settled", "double", 1, [-2, 2, -2, 2])


def test_E1_double_out_wins_by_double_clamp() -> None:
    assert result(judge(four_match(FOUR_DOUBLE_OUT))) == SIDE_0_BY_CLAMP
    assert result(judge(match("four", turned(FOUR_DOUBLE_OUT)))) == SIDE_1_BY_CLAMP


# Seat 3 takes 240 in tricks before seat 2 follows seat 0 out.
POOR_DOUBLE_OUT = (
    f"{POOR_0_OUT} 1:5* . 1:3* 2:- 3:K* . 3:T* . 3:XS 1:- 2:2d . 2:2x2d3x2c3x2h3x2s . 2:Q* . 2:J* . 2:9s9sXBXB"
)


@pytest.mark.parametrize("clamp", ["both_out", "any_side", "upstream_side"])
def test_E1_double_out_comes_first_under_all_three_readings(clamp: str) -> None:
    # Side 0 wins with 0 points against 300.
    answer = judge(match("four", deal("four", POOR, POOR_DOUBLE_OUT), rules={"clamp": clamp}))
    assert answer["deals"][0]["side_points"] == [0, 300]
    assert result(answer) == SIDE_0_BY_CLAMP


# Seat 3 has the 5s: it takes 60, or 55 where seat 2 has one of them. Seat 1 is left, holding or having taken T.
SIXTY = ("4*A*K* 9d9d9d9c9c", "6*T*3* 9c9h9h9h9s", "2*Q*J* 9s9sXBXB", "5*7*8* XBXSXSXS")
FIFTY_FIVE = ("4*A*K* 9d9d9d9c9c", "6*T*3* 9c9h9h9h9s", "2*Q*J* 9s9sXB5d", "2x5d3x5c3x5h3x5s 7*8* XBXBXSXSXS")
SIXTY_PLAYS = FOUR_THREE_OUT.replace("1:5*", "1:T*").replace("3:T*", "3:5*")
FIFTY_FIVE_PLAYS = (
    SIXTY_PLAYS.replace("3:5*", "3:2x5d3x5c3x5h3x5s")
    .replace("3:XBXSXSXS", "3:XBXBXSXSXS")
    .replace("2:9s9sXBXB", "2:5d . 2:9s9sXB")
)


@pytest.mark.parametrize(
    ("hands", "plays", "limit", "side_points", "clamped"),
    [
        # Side 0: K 120, seat 1's T 120 as downstream, and seat 2's 5.
        (SIXTY, SIXTY_PLAYS, None, [240, 60], False),
        (FIFTY_FIVE, FIFTY_FIVE_PLAYS, None, [245, 55], True),
        (SIXTY, SIXTY_PLAYS, 60, [240, 60], False),
        (SIXTY, SIXTY_PLAYS, 61, [240, 60], True),
        (FIFTY_FIVE, FIFTY_FIVE_PLAYS, 55, [245, 55], False),
        (FIFTY_FIVE, FIFTY_FIVE_PLAYS, 56, [245, 55], True),
        (SIXTY, SIXTY_PLAYS, 1, [240, 60], False),
        (SIXTY, SIXTY_PLAYS, 150, [240, 60], True),
    ],
)
def test_E1_three_out_the_side_left_with_fewer_points_than_the_limit_loses_by_double_clamp(
    hands: tuple[str, ...], plays: str, limit: int | None, side_points: list[int], clamped: bool
) -> None:
    answer = judge(match("four", deal("four", hands, plays), rules={"clamp_points": limit}))
    assert answer["deals"][0]["side_points"] == side_points
    assert result(answer) == (SIDE_0_BY_CLAMP if clamped else UNFINISHED)


def test_E1_the_limit_is_asked_after_D1() -> None:
    # Side 1 captured 120 + 55; but seat 1, which is left, hands its 120 to seat 0.
    answer = judge(match("four", deal("four", FIFTY_FIVE, FIFTY_FIVE_PLAYS)))
    assert answer["deals"][0]["captured"] == [120, 120, 5, 55]
    assert result(answer) == SIDE_0_BY_CLAMP


# The other way round, seat 0 has T and K, 240, and side 1 only seat 1's 60.
RICH = ("4*T*K* 9d9d9d9c9c", "6*5*3* 9c9h9h9h9s", "2*Q*J* 9s9sXBXB", "A*7*8* XBXSXSXS")
RICH_2_LEFT = (
    "0:4* . 0:T* . 0:K* . 0:9d9d9d9c9c . 1:5* . 1:3* . 1:6* . 1:9c9h9h9h9s . 2:XB 3:Ad . 3:2xAd3xAc3xAh3xAs . 3:7* ."
    " 3:8* . 3:XBXSXSXS"
)


@pytest.mark.parametrize(
    ("hands", "plays", "limit", "side_points", "both_out", "any_side", "upstream_side"),
    [
        # The side left is upstream's own, with 0.
        (POOR, POOR_2_LEFT, 60, [0, 300], SIDE_1_BY_CLAMP, SIDE_1_BY_CLAMP, UNFINISHED),
        # The side left has 240, the other one 60.
        (RICH, RICH_2_LEFT, 61, [240, 60], UNFINISHED, SIDE_0_BY_CLAMP, SIDE_0_BY_CLAMP),
        (RICH, RICH_2_LEFT, 60, [240, 60], UNFINISHED, UNFINISHED, UNFINISHED),
        # The side left has 240, upstream's side 60.
        (POOR, POOR_1_LEFT, 61, [60, 240], UNFINISHED, SIDE_1_BY_CLAMP, UNFINISHED),
        (POOR, POOR_1_LEFT, 60, [60, 240], UNFINISHED, UNFINISHED, UNFINISHED),
        # The side left is not upstream's and below the limit.
        (FIFTY_FIVE, FIFTY_FIVE_PLAYS, 60, [245, 55], SIDE_0_BY_CLAMP, SIDE_0_BY_CLAMP, SIDE_0_BY_CLAMP),
    ],
)
def test_E1_three_readings_of_whose_points_count(
    hands: tuple[str, ...], plays: str, limit: int, side_points: list[int], both_out: Result, any_side: Result,
    upstream_side: Result,
) -> None:  # fmt: skip
    made = deal("four", hands, plays)
    readings = ("both_out", "any_side", "upstream_side")
    answers = judge_all([match("four", made, rules={"clamp": clamp, "clamp_points": limit}) for clamp in readings])
    assert answers[0]["deals"][0]["side_points"] == side_points
    assert [result(answer) for answer in answers] == [both_out, any_side, upstream_side]


def test_E1_a_double_clamp_ends_the_match() -> None:
    assert verdict(judge(four_match(FOUR_DOUBLE_OUT, FOUR_THREE_OUT))) == ("AFTER_END", 1, None)


def test_E1_there_is_none_in_the_lower_half() -> None:
    # 180 + 240 against 120 + 60.
    answer = judge(four_match(FOUR_THREE_OUT, FOUR_DOUBLE_OUT))
    assert result(answer) == ("settled", "normal", 0, [1, -1, 1, -1])


def test_E2_the_totals_of_both_halves_are_compared() -> None:
    # Upper half 180 : 120. Lower half: the poor hands, 60 : 240. 240 : 360.
    answer = judge(match("four", four(FOUR_THREE_OUT), deal("four", POOR, POOR_1_LEFT)))
    assert [found["side_points"] for found in answer["deals"]] == [[180, 120], [60, 240]]
    assert result(answer) == ("settled", "normal", 1, [-1, 1, -1, 1])
    # 180 + 180 : 120 + 120.
    assert result(judge(four_match(FOUR_THREE_OUT, FOUR_THREE_OUT))) == ("settled", "normal", 0, [1, -1, 1, -1])


def test_E2_equal_totals_go_to_the_side_of_the_upper_halfs_upstream_player() -> None:
    # 180 + 120 : 120 + 180.
    answer = judge(four_match(FOUR_THREE_OUT, FOUR_2_LEFT))
    assert [found["side_points"] for found in answer["deals"]] == [[180, 120], [120, 180]]
    assert result(answer) == ("settled", "normal", 0, [1, -1, 1, -1])
    # The same with seat 1 upstream.
    answer = judge(match("four", turned(FOUR_THREE_OUT), turned(FOUR_2_LEFT)))
    assert [found["side_points"] for found in answer["deals"]] == [[120, 180], [180, 120]]
    assert result(answer) == ("settled", "normal", 1, [-1, 1, -1, 1])


# Side 0: K 120 and six 5s in the last hand; side 1: T 120 and six 5s.
EVEN = ("4*A*K* 9d9d9d9c9c", "6*3* 3x5d3x5c 3x8d3x8c 9c9h9h9h9s", "2*Q*J* 9s9sXBXB", "T*7* 3x5h3x5s 3x8h3x8s XBXSXSXS")
EVEN_PLAYS = (
    f"{FOUR_0_OUT} 1:3* 2:- 3:7* . 3:T* . 3:3x5h3x5s . 3:3x8h3x8s . 3:XBXSXSXS . 1:6* 2:2* . 2:Q* . 2:J* . 2:9s9sXBXB"
)


def test_E2_a_single_half_decides_by_the_same_comparison() -> None:
    assert result(judge(four_match(FOUR_THREE_OUT, halves=1))) == ("settled", "normal", 0, [1, -1, 1, -1])
    assert result(judge(four_match(FOUR_2_LEFT, halves=1))) == ("settled", "normal", 1, [-1, 1, -1, 1])
    # Equal: 150 : 150.
    answer = judge(match("four", deal("four", EVEN, EVEN_PLAYS), rules={"halves": 1}))
    assert answer["deals"][0]["side_points"] == [150, 150]
    assert result(answer) == ("settled", "normal", 0, [1, -1, 1, -1])
    assert result(judge(match("four", turned(EVEN_PLAYS, EVEN), rules={"halves": 1}))) == (
        "settled",
        "normal",
        1,
        [-1, 1, -1, 1],
    )


def test_E2_a_single_half_is_an_upper_half() -> None:
    # Double clamp; escape −4; a 5 drawn is the knife.
    assert result(judge(four_match(FOUR_DOUBLE_OUT, halves=1))) == SIDE_0_BY_CLAMP
    left = deal("four", FOUR, FOUR_0_OUT, end="escape", escaped=1)
    assert judge(match("four", left, rules={"halves": 1}))["scores"] == [0, -4, 0, 0]


def test_E2_with_a_single_half_a_second_one_is_after_the_end() -> None:
    assert verdict(judge(four_match(FOUR_THREE_OUT, FOUR_THREE_OUT, halves=1))) == ("AFTER_END", 1, None)


def escape(plays: str, seat: int, upper: Deal | None = None, **rules: Any) -> Match:
    """A match of which a player leaves the first half, or the second behind ``upper``."""
    left = four(plays, end="escape", escaped=seat)
    return match("four", *([left] if upper is None else [upper, left]), rules=rules)


FOUR_TRICKS, FIVE_TRICKS = FOUR_0_OUT, f"{FOUR_0_OUT} 1:5* ."


def test_E3_upper_half_the_escaper_pays_4_and_the_partner_nothing() -> None:
    assert result(judge(escape("0:9d", 1))) == ("settled", "escape", 0, [0, -4, 0, 0])
    assert result(judge(escape("", 2))) == ("settled", "escape", 1, [0, 0, -4, 0])


def test_E3_upper_half_each_opponent_gains_1_once_five_tricks_are_complete() -> None:
    assert judge(escape(FOUR_TRICKS, 1))["scores"] == [0, -4, 0, 0]
    assert judge(escape(f"{FOUR_0_OUT} 1:5* 2:-", 1))["scores"] == [0, -4, 0, 0]
    assert judge(escape(FIVE_TRICKS, 1))["scores"] == [1, -4, 1, 0]


def test_E3_by_a_player_who_is_out_already() -> None:
    assert result(judge(escape(FIVE_TRICKS, 0))) == ("settled", "escape", 1, [-4, 1, 0, 1])


@pytest.mark.parametrize(("least", "received"), [(0, 1), (4, 1), (5, 0), (50, 0)])
def test_E3_how_many_tricks_is_an_option(least: int, received: int) -> None:
    assert judge(escape(FOUR_TRICKS, 1, escape_min_tricks=least))["scores"] == [received, -4, received, 0]


def test_E3_with_no_tricks_needed_even_the_first_moment_counts() -> None:
    assert judge(escape("", 1, escape_min_tricks=0))["scores"] == [1, -4, 1, 0]


@pytest.mark.parametrize(
    ("amount", "received"), [(0, 0), (1, 1), (2, 2), (0.25, Decimal("0.25")), (1.5, Decimal("1.5"))]
)
def test_E3_how_much_each_opponent_gains_is_an_option(amount: float, received: int | Decimal) -> None:
    assert judge(escape(FIVE_TRICKS, 1, escape_upper_compensation=amount))["scores"] == [received, -4, received, 0]


def test_E3_lower_half_2_and_1_whatever_was_played_and_set() -> None:
    upper = four(FOUR_THREE_OUT)
    wanted = ("settled", "escape", 0, [1, 0, 1, -2])
    for plays in ("", FOUR_TRICKS, FIVE_TRICKS):
        assert result(judge(escape(plays, 3, upper))) == wanted
    assert result(judge(escape("", 3, upper, escape_min_tricks=50, escape_upper_compensation=2))) == wanted


def test_E3_the_tricks_of_the_other_half_do_not_count() -> None:
    # Thirteen in the upper half, four in the half that is left.
    answer = judge(escape(FOUR_TRICKS, 3, four(FOUR_THREE_OUT)))
    assert [found["tricks"] for found in answer["deals"]] == [13, 4]


def test_E3_a_half_behind_an_escape_is_after_the_end() -> None:
    made = match("four", four("", end="escape", escaped=1), four(FOUR_THREE_OUT))
    answer = judge(made)
    assert verdict(answer) == ("AFTER_END", 1, None)
    # The deal that was left is shown as it stood.
    assert [found["end"] for found in answer["deals"]] == ["escape"]


def test_E4_an_upper_half_without_its_lower_half_is_unfinished() -> None:
    answer = judge(four_match(FOUR_THREE_OUT))
    assert result(answer) == UNFINISHED
    assert answer["deals"][0]["side_points"] == [180, 120]


@pytest.mark.parametrize(
    ("base", "one"),
    [
        (1, 1),
        (2, 2),
        (0.5, Decimal("0.5")),
        (0.15, Decimal("0.15")),
        (0.01, Decimal("0.01")),
        (999999.99, Decimal("999999.99")),
    ],
)
def test_E5_all_scores_are_multiples_of_the_base(base: float, one: Decimal) -> None:
    fields = {"base": base}
    normal = four_match(FOUR_THREE_OUT, FOUR_THREE_OUT, fields=fields)
    double = four_match(FOUR_DOUBLE_OUT, fields=fields)
    upper, lower = escape(FIVE_TRICKS, 1) | fields, escape("", 1, four(FOUR_THREE_OUT)) | fields
    assert [answer["scores"] for answer in judge_all([normal, double, upper, lower])] == [
        [one, -one, one, -one],
        [2 * one, -2 * one, 2 * one, -2 * one],
        [one, -4 * one, one, 0],
        [one, -2 * one, one, 0],
    ]
