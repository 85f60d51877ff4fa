"""Transfers of card points by hand, and the flow of real matches added up again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from yuanzi_core.explain import tell
from yuanzi_core.judge import Judge
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.settlement_flow import settlement_flow
from yuanzi_core.transfers import Transfer, transfers

CASES = Path(__file__).parent.parent / "cases"
LINES = (CASES / "logs.jsonl").read_bytes().splitlines()


def _row(**changed: Any) -> dict[str, Any]:
    """A deal as it is settled, of which a test says what matters to it."""
    row = {"sides": [0, 1, 0, 1], "downstream_players": [], "handed_over": 0, "end": "out"}
    return row | changed


def test_D1_the_last_hand_goes_to_the_third_out_and_what_downstream_took_to_upstream() -> None:
    # Out: east, south, west. North still holds 25 points and captured 40; 300 in all.
    row = _row(
        captured=[40, 100, 60, 75], hand=[25, 0, 0, 0], holders=[0], upstream=1, downstream_players=[0],
        handed_over=40, points=[0, 140, 60, 100], side_points=[60, 240],
    )  # fmt: skip
    assert transfers("four", row) == [
        Transfer(True, (0,), 25, 3, None, "D1"),
        Transfer(False, (0,), 40, 1, None, "D1"),
    ]


def test_D2_both_hands_of_a_double_out_go_to_the_upstream_side() -> None:
    row = _row(
        captured=[20, 150, 30, 70], hand=[10, 0, 20, 0], holders=[0, 2], upstream=1,
        points=[20, 150, 30, 70], side_points=[50, 250],
    )  # fmt: skip
    assert transfers("four", row) == [Transfer(True, (0, 2), 30, None, 1, "D2")]


def test_D3_hands_of_a_side_go_to_the_other() -> None:
    # The dealer's side (0 and 3) is out; 1, 2 and 4 hold 50 points together: nobody is downstream.
    row = _row(
        sides=[0, 1, 1, 0, 1], captured=[120, 90, 60, 110, 70], hand=[0, 20, 30, 0, 0], holders=[1, 2, 4], upstream=3,
        points=[120, 90, 60, 110, 70], side_points=[280, 220],
    )  # fmt: skip
    assert transfers("five", row) == [Transfer(True, (1, 2, 4), 50, None, 0, "D3")]


def test_D4_moves_applied_to_the_captured_points_give_the_settled_ones() -> None:
    chunk = Reader(Rulesets()).read(list(enumerate(LINES[:20] + LINES[150:165] + LINES[-20:], 1)))
    judge = Judge()
    judge.judge(chunk)
    followed = stopped = 0
    for said in tell(chunk, range(len(chunk.records)), judge, "en"):
        assert said.say is not None
        assert said.settled is not None
        flow = settlement_flow(said.say.variant, said.deals, said.settled)
        if flow is None:
            assert said.explanation.status == "violation"
            stopped += 1
            continue
        for deal in flow.deals:
            if deal.points is None:
                assert not deal.moves
                continue
            points, given = list(deal.captured), [0, 0]
            for move in deal.moves:
                if not move.unplayed:
                    points[move.sources[0]] -= move.points
                if move.seat is not None:
                    points[move.seat] += move.points
                if move.side is not None:
                    given[move.side] += move.points
            assert tuple(points) == deal.points
            assert tuple(given) == deal.given
            sides = [
                sum(own for own, its in zip(points, deal.sides, strict=True) if its == side) + given[side]
                for side in (0, 1)
            ]
            assert tuple(sides) == deal.side_points
            assert sum(sides) == (300 if said.say.variant == "four" else 500)
            followed += 1
    assert followed > 20
    assert stopped > 5
