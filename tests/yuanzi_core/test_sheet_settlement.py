"""Score sheets settled: every expected number is worked out by hand from the clauses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.score_sheets import SIDE_OUT, THREE_OUT, Row, as_csv, five, four, judge, records_in, settled
from yuanzi_core.explain import explain_records
from yuanzi_core.judge import Judge
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets


def lower(**cells: Any) -> Row:
    """A lower half."""
    return four(half=2, **THREE_OUT | cells)


def test_E1_both_partners_out_is_a_double_clamp_and_D2_unplayed_points_go_to_the_upstream_side() -> None:
    answer = settled(four(tricks=31, atoms=2))
    assert (answer["outcome"], answer["winner"], answer["scores"]) == ("double", 0, [2, -2, 2, -2])
    # Captured 180 and 80; the 40 left in two hands go to the side of seat 2.
    assert answer["deals"] == [
        {
            "knife": None, "leader": None, "sides": [0, 1, 0, 1], "finish": [2, 0], "captured": [100, 60, 80, 20],
            "points": [100, 60, 80, 20], "side_points": [220, 80], "downstream": None, "atoms": 2, "tricks": 31,
            "end": "out", "revealed": None,
        }
    ]  # fmt: skip


def test_what_a_sheet_does_not_say_is_null() -> None:
    deal = settled(four())["deals"][0]
    assert (deal["tricks"], deal["atoms"], deal["knife"], deal["leader"], deal["revealed"]) == (None,) * 5


def test_D2_all_holders_hand_over_what_they_captured() -> None:
    deal = settled(four(rules="downstream=all_holders"))["deals"][0]
    # 60 and 20 to seat 2, and the 40 in hands to its side: everything.
    assert (deal["points"], deal["side_points"]) == ([100, 0, 160, 0], [300, 0])


@pytest.mark.parametrize(
    ("limit", "status"),
    [(60, "unfinished"), (65, "settled")],
)
def test_E1_three_out_is_a_double_clamp_below_the_limit(limit: int, status: str) -> None:
    # The side of seat 3 has 60 after D1.
    answer = judge(four(**THREE_OUT, rules=f"clamp_points={limit}"))
    assert (answer["status"], answer["deals"][0]["points"]) == (status, [140, 60, 100, 0])
    assert answer["scores"] == (None if status == "unfinished" else [2, -2, 2, -2])


def test_E2_the_totals_of_both_halves_decide() -> None:
    # Upper 240 and 60; lower: seat 0 holds 100, which go to seat 3, and its 20 to seat 1: 40 and 260.
    half = lower(finish="1 2 3", captured=(20, 60, 40, 80), hand=(100, 0, 0, 0))
    answer = settled(four(**THREE_OUT), half)
    assert [deal["side_points"] for deal in answer["deals"]] == [[240, 60], [40, 260]]
    assert (answer["outcome"], answer["winner"], answer["scores"]) == ("normal", 1, [-1, 1, -1, 1])


def test_E2_equal_totals_go_to_the_side_of_the_upper_halfs_upstream_player() -> None:
    half = lower(finish="1 2 3", captured=(0, 140, 60, 100), hand=(0, 0, 0, 0))
    answer = settled(four(**THREE_OUT), half)
    assert [deal["side_points"] for deal in answer["deals"]] == [[240, 60], [60, 240]]
    assert (answer["winner"], answer["scores"]) == (0, [1, -1, 1, -1])


def test_E2_one_half_is_a_match_where_the_option_says_so() -> None:
    answer = settled(four(**THREE_OUT, rules="halves=1"))
    assert (answer["outcome"], answer["scores"]) == ("normal", [1, -1, 1, -1])


@pytest.mark.parametrize(("tricks", "scores"), [(5, [1, -4, 1, 0]), (4, [0, -4, 0, 0])])
def test_E3_an_escape_in_the_upper_half(tricks: int, scores: list[int]) -> None:
    # Nobody is out; 100 of the 300 lie in an open trick or in hands that nobody counted.
    row = four(finish=None, captured=(100, 60, 40, 0), hand=(None,) * 4, end="escape", escaped=1, tricks=tricks)
    answer = settled(row)
    assert (answer["outcome"], answer["winner"], answer["scores"]) == ("escape", 0, scores)
    deal = answer["deals"][0]
    assert (deal["points"], deal["side_points"], deal["captured"]) == (None, None, [100, 60, 40, 0])


def test_E3_an_escape_in_the_lower_half_and_E5_the_base() -> None:
    half = lower(finish="1", captured=(100, 60, 40, 0), hand=(50, 0, 25, 25), end="escape", escaped="E", tricks=3)
    answer = settled(four(**THREE_OUT, base="2.50"), half)
    assert (answer["outcome"], answer["scores"]) == ("escape", [2.5, -5, 2.5, 0])


def five_settled(**cells: Any) -> tuple[Any, ...]:
    """Outcome, winner, side points and scores of a five-player match."""
    answer = settled(five(**cells))
    return answer["outcome"], answer["winner"], answer["deals"][0]["side_points"], answer["scores"]


def test_F2_two_winners_gain_3_and_three_losers_lose_2() -> None:
    # D3: the 40 in the hands of seats 3 and 4 go to the dealer's side: 210 + 40, which is its target of 200 and more.
    assert five_settled() == ("normal", 0, [250, 250], [3, 3, -2, -2, -2])


def test_D3_all_holders_are_downstream_and_F3_a_low_side_pays_double() -> None:
    points = {"captured": (210, 60, 40, 90, 60)}
    assert five_settled(**points) == ("normal", 0, [310, 190], [3, 3, -2, -2, -2])
    # 90 + 60 to seat 0: the three losers keep 40, less than 75.
    rules = {"rules": "downstream=all_holders"}
    assert five_settled(**points, **rules) == ("low", 0, [460, 40], [6, 6, -4, -4, -4])
    zero = {"captured": (250, 60, 0, 90, 60)}
    assert five_settled(**zero, **rules) == ("zero", 0, [500, 0], [9, 9, -6, -6, -6])


def test_D3_a_single_holder_is_downstream_and_three_winners_gain_2() -> None:
    # The dealer's side is 0, 1 and 3; 2 is its opponent that still holds cards.
    answer = settled(
        five(partners="1、3", finish="4 0 1 3", captured=(120, 80, 50, 60, 150), hand=(0, 0, 40, 0, 0))
    )  # fmt: skip
    # 50 to seat 4, 40 to the dealer's side: 300 and 200. The dealer's side lacks the upstream player: 305.
    deal = answer["deals"][0]
    assert (deal["sides"], deal["downstream"], deal["side_points"]) == ([0, 0, 1, 0, 1], 2, [300, 200])
    assert (answer["winner"], answer["scores"]) == (1, [-2, -2, 3, -2, 3])


def test_F4_atoms_and_F6_the_cap_by_balance() -> None:
    # 3 + 1.5 × 4 = 9 and 2 + 4 = 6. Seat 0 held 5, of seat 1 nothing is known.
    answer = settled(five(ruleset="five-atomic", atoms=4, balance=(5, None, 100, 0, -3)))
    assert (answer["scores"], answer["scores_before_cap"]) == ([5, 9, -6, -6, -6], [9, 9, -6, -6, -6])
    assert answer["notes"] == [{"code": "NO_CAP_UNKNOWN_STANDING", "seats": [1]}]


def test_F4_low_applies_to_the_sum_or_to_the_base_alone() -> None:
    low = {"captured": (210, 60, 40, 90, 60), "ruleset": "five-atomic", "atoms": 3}
    # (3 + 4.5) × 2 and (2 + 3) × 2; 3 × 2 + 4.5 and 2 × 2 + 3.
    answer = five_settled(**low, rules="downstream=all_holders; cap=none")
    assert answer[3] == [15, 15, -10, -10, -10]
    answer = five_settled(**low, rules="downstream=all_holders; cap=none; low_applies=base_only")
    assert answer[3] == [10.5, 10.5, -7, -7, -7]


def test_C5_play_may_stop_on_points_and_nobody_is_downstream() -> None:
    # Nobody is out, so a side of two needs 205; D3: 50 of the dealer's hands one way, 150 the other.
    row = {"finish": None, "captured": (210, 0, 40, 50, 0), "hand": (20, 30, 50, 60, 40), "end": "points"}
    assert five_settled(**row) == ("normal", 0, [360, 140], [3, 3, -2, -2, -2])
    assert five_settled(**row, rules="downstream=all_holders")[2] == [360, 140]


@pytest.mark.parametrize(
    ("tricks", "rules", "atoms", "scores"),
    [
        # 10, somebody is out 2, two are out 2, 405 captured 3: 17. Seats 0 and 1 get 1 + 1 + 1.
        (7, None, None, [3, 3, 0, 0, -17]),
        (4, None, None, [0, 0, 0, 0, -17]),
        # 2 atoms for each of the two on top.
        (7, "atom_doubling=true", 2, [5, 5, 0, 0, -21]),
        (4, "atom_doubling=是", 2, [0, 0, 0, 0, -17]),
    ],
)
def test_F7_an_escape_costs_what_the_schedule_says(
    tricks: int, rules: str | None, atoms: int | None, scores: list[int]
) -> None:
    cells = {**SIDE_OUT, "finish": "0 2", "captured": (200, 0, 205, 0, 0), "hand": (0, 40, 0, 30, 20)}
    answer = settled(five(**cells, end="逃跑", escaped=4, tricks=tricks, rules=rules, atoms=atoms))
    assert (answer["outcome"], answer["winner"], answer["scores"]) == ("escape", None, scores)


def test_the_explanation_of_a_sheet_says_what_a_sheet_knows() -> None:
    chunk = Reader(Rulesets()).read_sheets(
        records_in(as_csv([four(**THREE_OUT, tricks=30), lower(), five(match_id="m2")]))
    )
    judged = Judge()
    judged.judge(chunk)
    four_said, five_said = explain_records(chunk, [0, 1], judged, "en")
    of_a_deal = ["table", "end", "points"]
    assert [section.key for section in four_said.sections] == ["summary", *of_a_deal, *of_a_deal, "result", "scores"]
    assert [section.key for section in five_said.sections] == ["summary", *of_a_deal, "result", "scores"]
    upper, _, both = four_said.sections[1:4]
    assert [line.text for line in upper.lines] == [
        "North and South: North (a), South (c).",
        "East and West: East (b), West (d).",
    ]
    assert both.lines[-1].text.startswith("Both sides together: 300")
    assert [line.text for line in four_said.sections[2].lines][-1] == "Complete tricks: 30."
    assert not any(
        "None" in line.text for said in (four_said, five_said) for part in said.sections for line in part.lines
    )


def test_claims_of_a_sheet_are_compared_as_those_of_a_log() -> None:
    answer = settled(four(claimed=(1, -1, 1, -1), claimed_outcome="平胜"))
    assert answer["discrepancies"] == [
        {"code": "CLAIM_OUTCOME", "deal": None, "claimed": "normal", "recomputed": "double"},
        {"code": "CLAIM_SCORES", "deal": None, "claimed": [1, -1, 1, -1], "recomputed": [2, -2, 2, -2]},
    ]
    assert settled(four(claimed=("+2", "−2.0", 2, -2), claimed_outcome="双夹"))["discrepancies"] == []


def test_F7_a_claim_off_the_schedule_of_an_escape_is_a_note() -> None:
    cells = {**SIDE_OUT, "finish": "0 2", "captured": (200, 0, 205, 0, 0), "hand": (0, 40, 0, 30, 20)}
    answer = settled(five(**cells, end="escape", escaped=4, tricks=7, claimed=(1, 2, 0, 0, -12)))
    assert answer["discrepancies"] == []
    assert [note["code"] for note in answer["notes"]] == ["ESCAPE_CLAIM"]
