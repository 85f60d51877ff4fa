"""Clauses F1–F6: the result of a five-player match that nobody leaves. (F7: ``test_clauses_f7``.)"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from tests.yuanzi_core.layouts import FIVE_0_OUT, FIVE_1_OUT, SEAT_1, SEAT_2, atomic, five
from tests.yuanzi_core.tables import Answer, deal, judge, judge_all, match
from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.ledger import fold

# Seat 3 goes out from a lead of seat 2's 9, then seat 4 from the wind. Seat 4 takes its own 5s, 95.
FIVE_3_OUT = "2:9d 3:2h . 3:8* . 3:7* . 3:5x2s . 3:5x3d . 3:3x3c ."
FIVE_3_4_OUT = f"{FIVE_3_OUT} 4:6* . 4:4x5d5x5c5x5h5x5s . 4:2x3c . 4:5x3h . 4:5x3s . 4:XSXS . 4:2h"
# Seat 1 is upstream and a side with seats 3 and 4 (seat 2 being the partner): all of them are out, seats 0 and 2 hold
# K 200 and T 200 + 5. Two atoms, a 4-atom and a 5-atom, are played before seat 1 is out.
SIDE_OF_THREE_OUT = f"0:Ad 1:4h . 1:Q* . 1:J* . 1:4x4h . 1:5x4s . 1:XBXSXSXS . {FIVE_3_4_OUT}"
# Seats 0 and 1 go out, a side of two; seat 2 has taken seven Ts, 70, or a 5 more. Three atoms: 5-atoms of 4c and 4d,
# and the 4-atom of jokers by which seat 0 goes out.
LAST_LEAD = "2:9d 3:- 4:- 0:As ."
SEAT_0_OUT = "0:K* . 0:4xAd5xAc5xAh4xAs . 0:5x4c . 0:5x4d . 0:4xXB ."
SEVENTY = f"0:Ad 1:- 2:2d . 2:5xTd2xTc . {LAST_LEAD} {SEAT_0_OUT} {FIVE_1_OUT}"
SEVENTY_FIVE = SEVENTY.replace(LAST_LEAD, f"2:5d . {LAST_LEAD}")
FIVE_POINTS = SEVENTY_FIVE.replace("2:5xTd2xTc . ", "")
NOTHING = f"{FIVE_0_OUT} {FIVE_1_OUT}"

WIN_0, WIN_1 = 0, 1


def result(answer: Answer) -> tuple[list[int], str, int, list[Any]]:
    """Side points, outcome, winner and scores."""
    assert answer["status"] == "settled", answer
    return answer["deals"][0]["side_points"], answer["outcome"], answer["winner"], answer["scores"]


def classic(plays: str, called: str = SEAT_1, **rules: Any) -> tuple[list[int], str, int, list[Any]]:
    """The result at an ordinary table."""
    return result(judge(match("five", five(plays, called), rules=rules)))


def test_F1_a_side_of_two_without_upstream_needs_205() -> None:
    # All of seats 1, 3 and 4 go out; still the points decide. Seat 0 took K 200 and seat 2 a 5; seat 4 took 95, and
    # the T 200 in seat 2's hand go to its side: 205 against 295 of 300.
    start = "0:K* . 0:Ad 1:- 2:2d . 2:5d ."
    seat_1 = "1:4xQd5xQc5xQh5xQs . 1:J* . 1:5x4h . 1:5x4s . 1:XBXSXSXS ."
    to_seat_1 = "2:9c 3:- 4:- 0:- 1:Qd ."
    plays = f"{start} {to_seat_1} {seat_1} {FIVE_3_4_OUT}"
    assert classic(plays, SEAT_2) == ([205, 295], "normal", WIN_0, [3, -2, 3, -2, -2])
    # Without the 5 it is 200 of 205 against 300 of 300.
    assert classic(plays.replace(" 2:5d .", ""), SEAT_2) == ([200, 300], "normal", WIN_1, [-3, 2, -3, 2, 2])


def test_F1_a_side_of_two_with_upstream_needs_200() -> None:
    # Seat 0 goes out first with 200, then all of seats 1, 3 and 4; seat 2 is left. 200 of 200 against 95 + 205 = 300
    # of 305.
    plays = f"{FIVE_0_OUT} {FIVE_1_OUT} . {FIVE_3_4_OUT}"
    assert classic(plays, SEAT_2) == ([200, 300], "normal", WIN_0, [3, -2, 3, -2, -2])
    # Ten points less, taken by seat 1 with a knife: 190 of 200 against 310 of 305.
    start = "0:Kd 1:4h . 1:Qd 2:- 3:- 4:- 0:Ad . 0:4xKd5xKc5xKh5xKs . 0:4xAd5xAc5xAh5xAs . 0:5x4c . 0:5x4d . 0:4xXB ."
    seat_1 = "1:4xQd5xQc5xQh5xQs . 1:J* . 1:4x4h . 1:5x4s . 1:XBXSXSXS ."
    assert classic(f"{start} {seat_1} {FIVE_3_4_OUT}", SEAT_2) == ([190, 310], "normal", WIN_1, [-3, 2, -3, 2, 2])


def test_F1_while_nobody_is_out_the_higher_target_holds() -> None:
    # 205 captured and stopped; seat 1 holds no points, the other side's 295 are unplayed.
    plays = "0:K* . 0:Ad 1:- 2:2d . 2:5d 3:- 4:- 0:Ah ."
    answer = judge(match("five", five(plays, end="points")))
    assert result(answer) == ([500, 0], "zero", WIN_0, [9, 9, -6, -6, -6])


def test_F2_two_winners_get_3_each_and_three_losers_pay_2() -> None:
    assert classic(SEVENTY_FIVE) == ([425, 75], "normal", WIN_0, [3, 3, -2, -2, -2])


def test_F2_three_winners_get_2_each_and_two_losers_pay_3() -> None:
    # Side 0 took 50 with five Ks; the rest goes to side 1.
    plays = f"0:4xKdKc . {SIDE_OF_THREE_OUT}"
    assert classic(plays, SEAT_2) == ([50, 450], "normal", WIN_1, [-3, 2, -3, 2, 2])


def test_F2_the_dealers_side_may_be_the_three() -> None:
    # Sides 0 1 1 0 0 (3c called). Stopped with 305 captured: K 200, 95, and 10 from seat 2; its other Ts go to side 0.
    plays = "0:K* . 0:Ad 1:- 2:- 3:- 4:2h . 4:4x5d5x5c5x5h5x5s . 4:6d 0:Ah 1:- 2:2d . 2:Td 3:- 4:- 0:As ."
    answer = judge(match("five", five(plays, "3c", end="points")))
    assert result(answer) == ([500, 0], "zero", WIN_0, [6, -9, -9, 6, 6])


@pytest.mark.parametrize("base", [2, 0.5, 0.15])
def test_F2_all_times_base(base: float) -> None:
    one = Decimal(str(base))
    answer = judge(match("five", five(SEVENTY_FIVE), base=base))
    assert answer["scores"] == [3 * one, 3 * one, -2 * one, -2 * one, -2 * one]


@pytest.mark.parametrize(
    ("plays", "points", "outcome", "scores"),
    [
        # Three losers: fewer than 75 is low.
        (SEVENTY_FIVE, 75, "normal", [3, 3, -2, -2, -2]),
        (SEVENTY, 70, "low", [6, 6, -4, -4, -4]),
        (FIVE_POINTS, 5, "low", [6, 6, -4, -4, -4]),
        (NOTHING, 0, "zero", [9, 9, -6, -6, -6]),
    ],
)
def test_F3_three_losers_below_25_a_player_double_and_0_triples(
    plays: str, points: int, outcome: str, scores: list[int]
) -> None:
    assert classic(plays) == ([500 - points, points], outcome, WIN_0, scores)


@pytest.mark.parametrize(
    ("start", "points", "outcome", "scores"),
    [
        # Two losers: fewer than 50 is low.
        ("0:4xKdKc .", 50, "normal", [-3, 2, -3, 2, 2]),
        ("0:4xKd . 0:Ad 1:- 2:2d . 2:5d . 2:9c 3:- 4:- 0:Ac .", 45, "low", [-6, 4, -6, 4, 4]),
        ("0:Kd .", 10, "low", [-6, 4, -6, 4, 4]),
        ("", 0, "zero", [-9, 6, -9, 6, 6]),
    ],
)
def test_F3_two_losers_below_25_a_player_double_and_0_triples(
    start: str, points: int, outcome: str, scores: list[int]
) -> None:
    plays = f"{start} {SIDE_OF_THREE_OUT}"
    assert classic(plays, SEAT_2) == ([points, 500 - points], outcome, WIN_1, scores)


def test_F3_the_points_after_D3_count() -> None:
    # Under all_holders the 70 of seat 2 go to seat 0.
    assert classic(SEVENTY, downstream="all_holders") == ([500, 0], "zero", WIN_0, [9, 9, -6, -6, -6])


@pytest.mark.parametrize(
    ("plays", "low_applies", "winners", "losers"),
    [
        # Three atoms: 3 + 1.5 × 3 = 7.5 for each of two winners, 2 + 3 = 5 for each of three losers.
        (SEVENTY_FIVE, "total", Decimal("7.5"), -5),
        (SEVENTY_FIVE, "base_only", Decimal("7.5"), -5),
        # Low: (3 + 4.5) × 2 and (2 + 3) × 2; on F2 alone 3 × 2 + 4.5 and 2 × 2 + 3.
        (SEVENTY, "total", 15, -10),
        (SEVENTY, "base_only", Decimal("10.5"), -7),
        # Zero: (3 + 4.5) × 3 and (2 + 3) × 3; 3 × 3 + 4.5 and 2 × 3 + 3.
        (NOTHING, "total", Decimal("22.5"), -15),
        (NOTHING, "base_only", Decimal("13.5"), -9),
    ],
)
def test_F4_atom_doubling_adds_the_atoms_and_F3_multiplies_the_sum_or_by_option_F2_alone(
    plays: str, low_applies: str, winners: Decimal | int, losers: int
) -> None:
    answer = judge(atomic(five(plays), low_applies=low_applies, cap="none"))
    assert answer["deals"][0]["atoms"] == 3
    assert answer["scores"] == [winners, winners, losers, losers, losers]


def test_F4_total_is_the_default() -> None:
    assert judge(atomic(five(SEVENTY), cap="none"))["scores"] == [15, 15, -10, -10, -10]


def test_F4_a_side_of_three_that_wins_gets_the_atoms_once_and_two_losers_pay_one_and_a_half_times() -> None:
    # Two atoms: 2 + 2 = 4 against 3 + 3 = 6.
    answer = judge(atomic(five(f"0:4xKdKc . {SIDE_OF_THREE_OUT}", SEAT_2), cap="none"))
    assert (answer["deals"][0]["atoms"], answer["scores"]) == (2, [-6, 4, -6, 4, 4])
    # A third by 5xKd: 5 against 7.5.
    answer = judge(atomic(five(f"0:5xKd . {SIDE_OF_THREE_OUT}", SEAT_2), cap="none"))
    losers = Decimal("-7.5")
    assert (answer["deals"][0]["atoms"], answer["scores"]) == (3, [losers, 5, losers, 5, 5])


def test_F4_halves_are_exact_under_any_base() -> None:
    # 7.5 × 0.01 and 5 × 0.01.
    winner, loser = Decimal("0.075"), Decimal("-0.05")
    answer = judge(atomic(five(SEVENTY_FIVE), cap="none", base=0.01))
    assert answer["scores"] == [winner, winner, loser, loser, loser]


def test_F4_at_an_ordinary_table_atoms_count_for_nothing_but_are_reported() -> None:
    for made in (match("five", five(SEVENTY_FIVE)), atomic(five(SEVENTY_FIVE), atom_doubling=False)):
        answer = judge(made)
        assert (answer["deals"][0]["atoms"], answer["scores"]) == (3, [3, 3, -2, -2, -2])
    made = match("five", five(SEVENTY_FIVE), rules={"atom_doubling": True, "cap": "none"})
    assert judge(made)["scores"][0] == Decimal("7.5")


FOUR_ATOMS = ("3s3s3s", "XBXBXB", "6s6s6h6h6c6c6d6d")
FIVE_ATOMS = (*FOUR_ATOMS, "3s3s3s3s", "3s3s3s3s3s", "XBXBXBXB", "XBXBXBXBXB", "6s6s6s6h6h6h6c6c6c6d6d6d")
NO_ATOMS = ("3s3s3h", "6*", "6s6s6h6h6c6c6d", "XBXBXSXS", "3s3sXB", "8s8s8s8h8h8h8c8c8c8d8dXB")


@pytest.mark.parametrize(
    ("variant", "plays", "count"),
    [("four", FOUR_ATOMS, 1), ("five", FIVE_ATOMS, 1), ("four", NO_ATOMS, 0), ("five", NO_ATOMS, 0)],
)
def test_F5_each_atom_and_H_bomb_counts_and_nothing_else(variant: str, plays: tuple[str, ...], count: int) -> None:
    rest = ["", "", "", "5x7s"] if variant == "five" else ["", "", ""]
    made = [
        match(variant, deal(variant, [f"{play}4d", *rest], f"0:{play}", called="7s", end="escape", escaped=0))
        for play in plays
    ]
    assert [answer["deals"][0]["atoms"] for answer in judge_all(made)] == [count] * len(plays)


def test_F5_also_as_an_answer_and_by_anyone() -> None:
    # Seat 2's atom over seat 0's, seat 3's over a pass.
    made = five("0:5x4c . 0:Ad 1:- 2:2d . 2:9d 3:2h . 3:5x3d 4:- 0:5x4d .", end="escape", escaped=0)
    assert judge(match("five", made))["deals"][0]["atoms"] == 3


def test_F5_nothing_counts_once_the_upstream_player_is_out() -> None:
    # Seat 1's two 5-atoms come after seat 0 is out.
    assert judge(match("five", five(NOTHING)))["deals"][0]["atoms"] == 3


@pytest.mark.parametrize(("rules", "count"), [({}, 3), ({"count_head_out": True}, 3), ({"count_head_out": False}, 2)])
def test_F5_the_atom_by_which_the_upstream_player_goes_out_counts_by_option(rules: dict[str, Any], count: int) -> None:
    answer = judge(atomic(five(SEVENTY_FIVE), cap="none", **rules))
    assert answer["deals"][0]["atoms"] == count
    # 3 + 1.5 × 3 or 3 + 1.5 × 2.
    assert answer["scores"][0] == (Decimal("7.5") if count == 3 else 6)


@pytest.mark.parametrize(("rules", "count"), [({}, 1), ({"count_head_out": False}, 0)])
def test_F5_four_players_only_report_the_count(rules: dict[str, Any], count: int) -> None:
    hands = ("4*A*K* 9d9d9d9c9c", "6*5*3* 9c9h9h9h9s", "2*Q*J* 9s9sXBXB", "T*7*8* XBXSXSXS")
    # Seat 0 goes out by the atom 9d9d9d.
    made = deal("four", hands, "0:4* . 0:A* . 0:K* . 0:9c9c . 0:9d9d9d .", end="escape", escaped=1)
    answer = judge(match("four", made, rules=rules))
    assert (answer["deals"][0]["atoms"], answer["scores"]) == (count, [1, -4, 1, 0])


# F6: at the atom-doubling table NOTHING is worth 22.5 to seats 0 and 1.
FULL = Decimal("22.5")


@pytest.mark.parametrize(
    ("balance", "gain"),
    [
        (100, FULL),
        (23, FULL),
        (22.5, FULL),
        (22.499, Decimal("22.499")),
        (22, 22),
        (0.125, Decimal("0.125")),
        (0, 0),
        (-1, 0),
        (-0.5, 0),
    ],
)
def test_F6_a_winner_gains_no_more_than_the_standing_held_before(balance: float, gain: Decimal | int) -> None:
    answer = judge(atomic(five(NOTHING), balances=[balance, 1000, 0, -5, 1]))
    # Each winner has a cap of their own, and losers pay in full whatever they hold.
    assert answer["scores"] == [gain, FULL, -15, -15, -15]
    assert answer["scores_before_cap"] == [FULL, FULL, -15, -15, -15]


def test_F6_a_cap_of_0_is_noted() -> None:
    answer = judge(atomic(five(NOTHING), balances=[0, -3, 0, 0, 0]))
    assert [note for note in answer["notes"] if note["code"] == "CAP_ZERO"] == [{"code": "CAP_ZERO", "seats": [0, 1]}]
    answer = judge(atomic(five(NOTHING), balances=[1, 1, 0, 0, 0]))
    assert answer["notes"] == []


def test_F6_without_a_standing_there_is_no_cap_and_the_settlement_says_so() -> None:
    answer = judge(atomic(five(NOTHING), balances=[None, 5, None, None, None]))
    assert answer["scores"] == [FULL, 5, -15, -15, -15]
    assert answer["notes"] == [{"code": "NO_CAP_UNKNOWN_STANDING", "seats": [0]}]


def test_F6_the_option_none_caps_nobody() -> None:
    answer = judge(atomic(five(NOTHING), balances=[0, 0, 0, 0, 0], cap="none"))
    assert (answer["scores"], answer["notes"]) == ([FULL, FULL, -15, -15, -15], [])
    capped = judge(atomic(five(NOTHING), balances=[0, 0, 0, 0, 0], cap="winner_only"))
    assert capped["scores"] == [0, 0, -15, -15, -15]


def test_F6_an_ordinary_table_has_no_cap() -> None:
    players = [{"id": f"p{seat}", "balance": 0} for seat in range(5)]
    answer = judge(match("five", five(NOTHING), players=players, rules={"cap": "winner_only"}))
    assert (answer["scores"], answer["notes"]) == ([9, 9, -6, -6, -6], [])


def test_F6_the_cap_never_touches_an_escape() -> None:
    # F7: five tricks, one out: 2 + 3 atoms for seats 0 and 1, who hold nothing.
    made = five(FIVE_0_OUT, end="escape", escaped=4)
    assert judge(atomic(made, balances=[0, -9, 0, 0, 0]))["scores"][:2] == [5, 5]


def test_F6_in_a_ledger_the_cap_is_the_standing_after_all_earlier_matches() -> None:
    def whole(*points: float) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.array([points_ * SCALE if points_ != UNKNOWN else UNKNOWN for points_ in points], dtype=np.int64)

    # One player with 5 to begin with: +10 capped to 5, +30 capped to 10, −8, then +4 in an escape (no cap), +20 capped
    # to 16, and at last +50 with a logged balance of 1.
    score = whole(10, 30, -8, 4, 20, 50)
    capped = np.array([True, True, False, False, True, True])
    change, before = fold(
        np.zeros(6, dtype=np.int64), score, capped, whole(*[UNKNOWN] * 5, 1), np.array([5 * SCALE], dtype=np.int64)
    )
    assert change.tolist() == whole(5, 10, -8, 4, 16, 1).tolist()
    assert before.tolist() == whole(5, 10, 20, 12, 16, 1).tolist()


def test_F6_in_a_ledger_a_standing_that_is_not_known_caps_nobody() -> None:
    change, before = fold(
        np.array([0, 1, 0], dtype=np.int64),
        np.array([7, 7, 7], dtype=np.int64),
        np.array([True, True, True]),
        np.array([UNKNOWN, UNKNOWN, 3], dtype=np.int64),
        np.array([UNKNOWN, 2], dtype=np.int64),
    )
    assert (change.tolist(), before.tolist()) == ([7, 2, 3], [UNKNOWN, 2, 3])
