"""Clauses D0–D4: card points at the end of a deal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR_0_OUT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    SEAT_2,
    five,
    four_match,
)
from tests.yuanzi_core.tables import CASES, Answer, judge, judge_file, match

ALL: dict[str, Any] = {"downstream": "all_holders"}
LAST: dict[str, Any] = {"downstream": "last_holder"}


def points(answer: Answer) -> tuple[Any, Any, Any, Any]:
    """Captured, points, side points and downstream of the first deal."""
    deal = answer["deals"][0]
    return deal["captured"], deal["points"], deal["side_points"], deal["downstream"]


def five_points(plays: str, called: str = "Qd", end: str = "out", **rules: Any) -> tuple[Any, Any, Any, Any]:
    """The same of the layout for five."""
    answer = judge(match("five", five(plays, called, end=end), rules=rules))
    assert answer["status"] == "settled", answer
    return points(answer)


def test_D0_a_side_has_its_players_points_and_what_goes_to_the_side_as_a_whole() -> None:
    # Double out: T 120 in seat 3's hand go to side 0 but to neither of its players. 120 + 0 + 120 = 240; 60 + 0 = 60.
    _, by_player, by_side, _ = points(judge(four_match(FOUR_DOUBLE_OUT)))
    assert by_player == [120, 60, 0, 0]
    assert by_side == [240, 60]


def test_D0_what_D1_moves_between_players_stays_with_them() -> None:
    # 120 + 60 + 0 = 180 for side 0; 0 + 120 for side 1.
    _, by_player, by_side, _ = points(judge(four_match(FOUR_THREE_OUT)))
    assert (by_player, by_side) == ([180, 0, 0, 120], [180, 120])


# Seat 1 takes six of its 5s and is left with the other six.
HALF_THE_FIVES = FOUR_THREE_OUT.replace("1:5*", "1:3x5d3x5c")


def test_D1_points_in_the_last_hand_go_to_the_third_player_out() -> None:
    captured, by_player, _, _ = points(judge(four_match(HALF_THE_FIVES)))
    # Third out is seat 2: 6 × 5 = 30.
    assert (captured[2], by_player[2]) == (0, 30)


def test_D1_then_every_point_that_downstream_captured_goes_to_upstream() -> None:
    captured, by_player, by_side, downstream = points(judge(four_match(HALF_THE_FIVES)))
    # Seat 1 is downstream with 6 × 5 = 30 captured: seat 0 has 120 + 30.
    assert (captured, by_player) == ([120, 30, 0, 120], [150, 0, 30, 120])
    # 150 + 30 for side 0, 120 for side 1.
    assert (by_side, downstream) == ([180, 120], 1)


def test_D1_the_option_downstream_changes_nothing_when_three_are_out() -> None:
    assert points(judge(four_match(HALF_THE_FIVES, **ALL))) == points(judge(four_match(HALF_THE_FIVES, **LAST)))


@pytest.mark.parametrize("rules", [{}, LAST])
def test_D2_double_out_unplayed_points_go_to_the_upstream_side_and_captured_points_stay(rules: dict[str, Any]) -> None:
    captured, by_player, by_side, downstream = points(judge(four_match(FOUR_DOUBLE_OUT, **rules)))
    assert captured == by_player == [120, 60, 0, 0]
    # 120 + 120 unplayed; 60 stay with seat 1.
    assert (by_side, downstream) == ([240, 60], None)


def test_D2_all_holders_hand_what_they_captured_to_the_upstream_player() -> None:
    _, by_player, by_side, downstream = points(judge(four_match(FOUR_DOUBLE_OUT, **ALL)))
    # Seats 1 and 3 still hold cards: seat 1's 60 go to seat 0. Two are downstream, so no one player is.
    assert (by_player, by_side, downstream) == ([180, 0, 0, 0], [300, 0], None)


def test_D3_unplayed_points_of_every_player_still_holding_cards_go_to_the_other_side() -> None:
    # Seats 2 and 4 hold T 200 + 5 and 95: 200 + 300 for side 0.
    captured, by_player, by_side, downstream = five_points(f"{FIVE_0_OUT} {FIVE_1_OUT}")
    assert captured == by_player == [200, 0, 0, 0, 0]
    assert (by_side, downstream) == ([500, 0], None)


def test_D3_also_those_of_the_dealers_side() -> None:
    # Sides 0 1 0 1 1. Stopped on points with 200 + 19 × 10 captured. Seat 2 still holds a T and a 5, which go to side
    # 1; seat 4's 95 to side 0. 390 + 95 = 485.
    plays = "0:K* . 0:Ad 1:- 2:2d . 2:4xTd5xTc5xTh5xTs ."
    captured, by_player, by_side, _ = five_points(plays, SEAT_2, "points")
    assert captured == by_player == [200, 0, 190, 0, 0]
    assert by_side == [485, 15]


# Seat 1 goes out, then 3, then 4; seat 2 has taken a 5 and four Ts; at last seat 0: seat 2 alone holds cards.
FOUR_ARE_OUT = (
    "0:Ad 1:4h . 1:Q* . 1:J* . 1:4x4h . 1:5x4s . 1:XBXSXSXS . 2:5d . 2:4xTd . 2:9d 3:2h . 3:8* . 3:7* . 3:5x2s ."
    " 3:5x3d . 3:3x3c . 4:6* . 4:4x5d5x5c5x5h5x5s . 4:2x3c . 4:5x3h . 4:5x3s . 4:XSXS . 4:2h . 0:K* ."
    " 0:4xAd5xAc5xAh5xAs . 0:5x4c . 0:5x4d . 0:4xXB"
)


@pytest.mark.parametrize("rules", [{}, LAST, ALL])
def test_D3_a_single_player_left_is_downstream_and_hands_what_was_captured_to_upstream(rules: dict[str, Any]) -> None:
    captured, by_player, by_side, downstream = five_points(FOUR_ARE_OUT, **rules)
    # Seat 2 took 5 + 4 × 10; seat 1 went out first.
    assert (captured, by_player, downstream) == ([200, 0, 45, 0, 95], [200, 45, 0, 0, 95], 2)
    # Seat 2 still holds sixteen Ts, 160, for side 0: 200 + 45 + 160.
    assert by_side == [405, 95]


# Seat 2 takes seven Ts, 70, before seats 0 and 1 go out.
SEVENTY = (
    "0:Ad 1:- 2:2d . 2:5xTd2xTc . 2:9d 3:- 4:- 0:As . 0:K* . 0:4xAd5xAc5xAh4xAs . 0:5x4c . 0:5x4d . 0:4xXB . "
    + FIVE_1_OUT
)


@pytest.mark.parametrize("rules", [{}, LAST])
def test_D3_several_left_keep_what_they_captured(rules: dict[str, Any]) -> None:
    captured, by_player, by_side, downstream = five_points(SEVENTY, **rules)
    assert captured == by_player == [200, 0, 70, 0, 0]
    # Unplayed: thirteen Ts, a 5, nineteen 5s: 130 + 5 + 95 = 230 for side 0.
    assert (by_side, downstream) == ([430, 70], None)


def test_D3_all_holders_hand_over_what_all_of_them_captured() -> None:
    _, by_player, by_side, downstream = five_points(SEVENTY, **ALL)
    assert (by_player, by_side, downstream) == ([270, 0, 0, 0, 0], [500, 0], None)


@pytest.mark.parametrize("rules", [LAST, ALL])
def test_D3_nobody_is_downstream_when_play_stopped_by_C5(rules: dict[str, Any]) -> None:
    # The same, stopped when seat 0 is out with its 200.
    plays = SEVENTY.removesuffix(FIVE_1_OUT)
    captured, by_player, by_side, downstream = five_points(plays, end="points", **rules)
    assert captured == by_player == [200, 0, 70, 0, 0]
    assert (by_side, downstream) == ([430, 70], None)


def test_D3_an_escape_moves_no_points() -> None:
    made = five(FIVE_0_OUT, end="escape", escaped=2)
    captured, by_player, by_side, downstream = points(judge(match("five", made)))
    assert (captured, by_player, by_side, downstream) == ([200, 0, 0, 0, 0], None, None, None)
    four_made = four_match(f"{FOUR_0_OUT} 1:5*")
    four_made["deals"][0] |= {"end": "escape", "escaped": 2}
    # The 5s lie in an open trick.
    assert points(judge(four_made)) == ([120, 0, 0, 0], None, None, None)


@pytest.mark.parametrize("name", ["logs", "edges", "rare"])
def test_D4_points_are_conserved_in_every_finished_deal(name: str) -> None:
    finished = 0
    for answer in judge_file(CASES / f"{name}.jsonl"):
        for deal in answer["deals"]:
            if deal["end"] != "escape":
                assert sum(deal["side_points"]) == (300 if len(deal["sides"]) == 4 else 500), answer
                finished += 1
    assert finished > 50
