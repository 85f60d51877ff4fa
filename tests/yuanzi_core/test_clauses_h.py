"""Clauses H1 and H2: what the referee looks at, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR_0_OUT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    five,
    four,
    four_match,
)
from tests.yuanzi_core.tables import Deal, Match, deal, judge, match, verdict, verdicts

CLAIMS = {"finish": [3, 1, 2], "captured": [1, 2, 3, 4], "side_points": [299, 1]}


def without_claims(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what its claims add."""
    return {name: value for name, value in answer.items() if name not in ("discrepancies", "notes")}


@pytest.mark.parametrize("plays", [FOUR_DOUBLE_OUT, FOUR_THREE_OUT, FOUR_0_OUT])
def test_H1_nothing_claimed_is_used(plays: str) -> None:
    honest = four_match(plays)
    claimed = four_match(plays, fields={"claimed": {"outcome": "escape", "winner": 1, "scores": [9, 9, -9, -9]}})
    claimed["deals"][0]["claimed"] = CLAIMS
    assert without_claims(judge(claimed)) == without_claims(judge(honest))


def test_H1_nor_is_a_balance_where_F6_does_not_ask_for_it() -> None:
    players = [{"id": f"p{seat}", "balance": seat - 2} for seat in range(4)]
    assert judge(four_match(FOUR_DOUBLE_OUT, fields={"players": players}))["scores"] == [2, -2, 2, -2]


def test_H1_the_referee_stops_at_the_first_violation() -> None:
    # The second trick is led out of turn, and seat 1 plays cards that it does not hold.
    answer = judge(four_match("0:4* . 2:2d 1:AdAd 0:- 1:3s9s"))
    assert verdict(answer) == ("TURN", 0, 4)


def test_H1_nothing_after_it_in_the_match_is_settled_and_no_points_change() -> None:
    answer = judge(match("four", four(f"{FOUR_0_OUT} 2:2d"), four(FOUR_THREE_OUT)))
    assert (answer["deals"], answer["outcome"], answer["winner"], answer["scores"]) == ([], None, None, None)


def test_H1_the_deals_before_the_violation_are_shown() -> None:
    answer = judge(match("four", four(FOUR_THREE_OUT), four("0:9d 2:2d")))
    assert verdict(answer) == ("TURN", 1, 1)
    assert [found["side_points"] for found in answer["deals"]] == [[180, 120]]
    assert answer["scores"] is None


def test_H1_claims_of_a_match_with_a_violation_are_not_compared() -> None:
    made = four_match("0:9d 2:2d", fields={"claimed": {"winner": 1}})
    made["deals"][0]["claimed"] = CLAIMS
    assert judge(made)["discrepancies"] == []


def fault(made: Deal, *faults: str) -> Match:
    """A deal with faults that do not undo each other."""
    variant = "five" if "dealer" in made else "four"
    hands = list(made["hands"])
    changed = dict(made)
    for name in faults:
        if name == "DECK":
            # A jack for a jack of another suit, in the hand of seat 2 or 1.
            place = next(seat for seat in (1, 2) if "Jd" in hands[seat])
            hands[place] = hands[place].replace("Jd", "Js", 1)
        elif name == "KNIFE":
            changed["knife"] = "9"
        elif name == "FIRST_DRAW":
            changed["first_draw"] = 2
        elif name == "HAND_SIZE":
            hands[0], hands[3] = hands[0][:-2], hands[3] + hands[0][-2:]
        elif name == "CALL":
            changed["called"] = "4h"
        elif name == "LEADER":
            changed["leader"] = 3
    return match(variant, {**changed, "hands": hands})


FOUR_CHECKS = ["DECK", "KNIFE", "FIRST_DRAW", "HAND_SIZE", "LEADER"]
FIVE_CHECKS = ["DECK", "KNIFE", "HAND_SIZE", "CALL", "LEADER"]


@pytest.mark.parametrize(("variant", "checks"), [("four", FOUR_CHECKS), ("five", FIVE_CHECKS)])
def test_H2_the_checks_of_a_deal_in_their_order(variant: str, checks: list[str]) -> None:
    made = four(FOUR_THREE_OUT) if variant == "four" else five(f"{FIVE_0_OUT} {FIVE_1_OUT}")
    # Each alone, and each together with all that come after it.
    assert verdicts(*(fault(made, check) for check in checks)) == [(check, 0, None) for check in checks]
    assert verdicts(*(fault(made, *checks[place:]) for place in range(len(checks)))) == [
        (check, 0, None) for check in checks
    ]
    assert verdict(judge(fault(made))) == (None, None, None)


def test_H2_the_checks_of_a_deal_come_before_those_of_its_plays() -> None:
    assert verdict(judge(fault(four("1:XBXB"), "LEADER"))) == ("LEADER", 0, None)


@pytest.mark.parametrize(
    ("plays", "code", "place"),
    [
        # After the end: also out of turn, not held, no combination.
        (f"{FOUR_DOUBLE_OUT} 0:3s9s", "AFTER_END", 30),
        (f"{FOUR_DOUBLE_OUT} 3:-", "AFTER_END", 30),
        # Out of turn: also a pass of somebody, cards not held, no combination, not high enough.
        ("1:-", "TURN", 0),
        ("0:4* 2:-", "TURN", 1),
        ("0:4* 2:AdAd", "TURN", 1),
        ("0:4* 2:3s9s", "TURN", 1),
        # Not held: also no combination, not high enough.
        ("0:4d3s", "NOT_HELD", 0),
        ("0:4d4d4d4d", "NOT_HELD", 0),
        ("0:9d 1:Ad", "NOT_HELD", 1),
        ("0:4d 1:Ad", "NOT_HELD", 1),
        ("0:4d 1:AdKd", "NOT_HELD", 1),
        # No combination: also not high enough.
        ("0:4dAd", "NOT_A_COMBO", 0),
        ("0:4d 1:3s6s", "NOT_A_COMBO", 1),
        ("0:4d 1:3s", "CANNOT_BEAT", 1),
        ("0:-", "LEAD_PASS", 0),
    ],
)
def test_H2_the_checks_of_a_play_in_their_order(plays: str, code: str, place: int) -> None:
    assert verdict(judge(four_match(plays))) == (code, 0, place)


def test_H2_more_of_a_card_than_a_deck_has_is_not_held() -> None:
    # Eight of one card fit into no hand.
    assert (
        verdicts(four_match("0:" + "4d" * 8), four_match("0:" + "XB" * 8), four_match("0:" + "4d" * 300))
        == [("NOT_HELD", 0, 0)] * 3
    )


def test_H2_cards_of_two_ranks_are_held_if_each_of_them_is() -> None:
    # Seat 0 holds 9d three times and 9c twice.
    assert verdicts(four_match("0:9d9d9dAd"), four_match("0:9d9d9d9dAd")) == [("NOT_A_COMBO", 0, 0), ("NOT_HELD", 0, 0)]


def test_H2_cards_already_played_are_no_longer_held() -> None:
    assert verdict(judge(four_match("0:9d9d9d . 0:9d"))) == ("NOT_HELD", 0, 4)


def test_H2_truncated_then_end() -> None:
    # Stopped on points with a trick open and nobody near the target: "never" makes it END all the same.
    made = five("0:Ad", end="points")
    assert verdicts(match("five", made), match("five", made, rules={"early_stop": "never"})) == [
        ("TRUNCATED", 0, 1),
        ("END", 0, 1),
    ]
    assert verdict(judge(match("five", five("")))) == ("TRUNCATED", 0, 0)


def test_H2_an_escape_is_no_truncation_and_cannot_follow_the_end() -> None:
    escape: dict[str, Any] = {"end": "escape", "escaped": 1}
    assert verdicts(
        match("five", five("0:Ad", **escape)), match("five", five(f"{FIVE_0_OUT} {FIVE_1_OUT}", **escape))
    ) == [
        (None, None, None),
        # Five tricks of 5 plays, four of 4 (seat 0 being out), and seat 1's last play.
        ("END", 0, 25 + 16 + 1),
    ]


@pytest.mark.parametrize("lower", [fault(four(FOUR_THREE_OUT), *FOUR_CHECKS)["deals"][0], four("3:3s9s")])
def test_H2_a_half_after_the_match_is_after_the_end_before_anything_in_it_is_checked(lower: Deal) -> None:
    over = [
        match("four", four(FOUR_DOUBLE_OUT), lower),
        match("four", four("", end="escape", escaped=0), lower),
        match("four", four(FOUR_THREE_OUT), lower, rules={"halves": 1}),
    ]
    assert verdicts(*over) == [("AFTER_END", 1, None)] * 3
    # Where a lower half may follow, it is checked.
    assert verdict(judge(match("four", four(FOUR_THREE_OUT), lower)))[0] in ("DECK", "TURN")


def test_H2_a_violation_of_the_upper_half_comes_before_a_half_too_many() -> None:
    assert verdict(judge(match("four", four("0:9d 2:2d"), four(FOUR_THREE_OUT), rules={"halves": 1}))) == ("TURN", 0, 1)


def test_H2_the_deal_that_holds_the_violation_is_not_settled() -> None:
    made = deal("four", ["4d", "", "", ""], "0:4d 0:4d")
    assert judge(match("four", made))["deals"] == []
