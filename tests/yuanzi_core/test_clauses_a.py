"""Clauses A1–A6: seats, deck, knife, first draw, first lead, call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FIVE,
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR,
    FOUR_0_OUT,
    FOUR_THREE_OUT,
    five,
    four,
    four_match,
)
from tests.yuanzi_core.tables import deal, judge, judge_all, match, verdict, verdicts

# A4: pip of the knife mod 4, worked out by hand.
FIRST_TO_DRAW = {"A": 1, "2": 2, "3": 3, "4": 0, "5": 1, "6": 2, "7": 3, "8": 0, "9": 1, "T": 2, "J": 3, "Q": 0, "K": 1}


def test_A1_in_the_four_player_game_partners_sit_opposite() -> None:
    answer = judge(four_match(FOUR_THREE_OUT, halves=1))
    assert answer["deals"][0]["sides"] == [0, 1, 0, 1]


def test_A1_the_turn_passes_to_the_next_seat_and_from_the_last_to_seat_0() -> None:
    wrong = ("0:9d 2:-", "0:9d 3:-", "0:9d 0:-", "0:9d 1:- 3:-", "0:9d 1:- 2:- 0:-")
    assert verdicts(*map(four_match, wrong)) == [("TURN", 0, place) for place in (1, 1, 1, 2, 3)]
    # After seats 0, 1, 2 and 3 it is seat 0's turn again.
    assert verdicts(four_match("0:9d 1:- 2:2d 3:- 0:-"), four_match("0:9d 1:- 2:2d 3:- 1:-")) == [
        ("TRUNCATED", 0, 5),
        ("TURN", 0, 4),
    ]
    # With five players seat 4 comes between.
    plays = "0:KdKd 1:- 2:2d2d 3:-"
    assert verdicts(match("five", five(f"{plays} 4:- 0:4d4d")), match("five", five(f"{plays} 0:4d4d"))) == [
        ("TRUNCATED", 0, 6),
        ("TURN", 0, 4),
    ]


def test_A1_players_without_cards_are_skipped() -> None:
    # Seat 0 is out after four tricks of four plays: after seat 3 it is seat 1's turn.
    assert verdicts(four_match(f"{FOUR_0_OUT} 1:3* 2:- 3:7* 1:-"), four_match(f"{FOUR_0_OUT} 1:3* 2:- 3:7* 0:-")) == [
        ("TRUNCATED", 0, 20),
        ("TURN", 0, 19),
    ]


@pytest.mark.parametrize(("variant", "hands"), [("four", FOUR), ("five", FIVE)])
def test_A2_the_hands_are_three_or_five_times_54_cards(variant: str, hands: tuple[str, ...]) -> None:
    made = deal(variant, hands, called="Qd")
    assert sum(len(hand) for hand in made["hands"]) // 2 == {"four": 3 * 54, "five": 5 * 54}[variant]
    assert verdict(judge(match(variant, made))) == ("TRUNCATED", 0, 0)
    # One card of the deck for another; one missing; one too many.
    hand = made["hands"][3]
    for wrong in (hand.replace("7d", "7s", 1), hand.replace("7d", "", 1), f"{hand}7d", f"{hand[:-2]}XB"):
        spoilt = made | {"hands": [*made["hands"][:3], wrong, *made["hands"][4:]]}
        assert verdict(judge(match(variant, spoilt))) == ("DECK", 0, None)


@pytest.mark.parametrize("variant", ["four", "five"])
def test_A2_a_5_is_worth_5_and_a_10_or_K_10_and_nothing_else_anything(variant: str) -> None:
    worth = {"5": 5, "T": 10, "K": 10}
    copies = {"four": 12, "five": 20}[variant]
    ranks = "23456789TJQKA"
    matches = []
    for rank in ranks:
        # Seat 0 leads every card of the rank and takes them; then somebody leaves the table.
        hands = [f"{rank}*4d" if rank != "4" else "4*", "", "", "", ""][: 4 if variant == "four" else 5]
        called = "6s" if rank != "6" else "8s"
        hands[-1] = f"{copies // 4}x{called}"
        made = deal(variant, hands, f"0:{rank}* .", called=called, end="escape", escaped=1)
        matches.append(match(variant, made))
    captured = [answer["deals"][0]["captured"][0] for answer in judge_all(matches)]
    assert captured == [copies * worth.get(rank, 0) for rank in ranks]


@pytest.mark.parametrize("variant", ["four", "five"])
def test_A2_jokers_are_worth_nothing(variant: str) -> None:
    hands = ["4dKsXBXS", "", "", "", "6s6s6s"]
    for plays, points in (("0:KsXB .", 10), ("0:KsXBXS .", 10), ("0:XBXS .", 0)):
        made = deal(variant, hands[: 4 if variant == "four" else 5], plays, called="6s", end="escape", escaped=1)
        assert judge(match(variant, made))["deals"][0]["captured"][0] == points


@pytest.mark.parametrize(("variant", "points"), [("four", 300), ("five", 500)])
def test_A2_a_deck_has_300_or_500_points(variant: str, points: int) -> None:
    made = four(FOUR_THREE_OUT) if variant == "four" else five(f"{FIVE_0_OUT} {FIVE_1_OUT}")
    assert sum(judge(match(variant, made))["deals"][0]["side_points"]) == points


@pytest.mark.parametrize(
    ("drawn", "knife"),
    [("7h", "7"), ("As", "A"), ("2c", "2"), ("5d", "5"), ("Th", "T"), ("Kc", "K"), ("XB", "3"), ("XS", "3")],
)
def test_A3_upper_half_the_knife_is_the_rank_drawn_and_3_for_a_joker(drawn: str, knife: str) -> None:
    made = deal(
        "four", [f"{drawn} 6d", "", "", ""], "0:6d", drawn=drawn, first=FIRST_TO_DRAW[knife], end="escape", escaped=0
    )
    assert judge(match("four", made))["deals"][0]["knife"] == knife
    others = [rank for rank in "3456789TJQKA2" if rank != knife]
    claimed = [match("four", made | {"knife": rank}) for rank in others]
    assert {verdict(answer) for answer in judge_all(claimed)} == {("KNIFE", 0, None)}
    assert judge(match("four", made | {"knife": knife}))["status"] == "settled"


@pytest.mark.parametrize(
    ("drawn", "knife"),
    [
        ("7h", "7"),
        ("As", "A"),
        ("2c", "2"),
        ("5d", "3"),
        ("Th", "3"),
        ("Kc", "3"),
        ("XB", "3"),
        ("XS", "3"),
        ("3s", "3"),
    ],
)
def test_A3_lower_half_a_joker_5_10_or_K_makes_3_the_knife(drawn: str, knife: str) -> None:
    lower = four("0:9d", drawn=drawn, end="escape", escaped=0)
    upper = four(FOUR_THREE_OUT)
    assert judge(match("four", upper, lower))["deals"][1]["knife"] == knife
    assert judge(match("four", upper, lower | {"knife": knife}))["status"] == "settled"
    if knife != drawn[0] and drawn[0] != "X":
        assert verdict(judge(match("four", upper, lower | {"knife": drawn[0]}))) == ("KNIFE", 1, None)


@pytest.mark.parametrize("drawn", ["5d", "Th", "Kc", "As"])
def test_A3_five_players_the_knife_is_the_rank_drawn(drawn: str) -> None:
    made = five("", drawn=drawn, end="escape", escaped=0)
    assert judge(match("five", made))["deals"][0]["knife"] == drawn[0]
    assert verdict(judge(match("five", made | {"knife": "3"}))) == ("KNIFE", 0, None)


@pytest.mark.parametrize("joker", ["XB", "XS"])
def test_A3_five_players_never_draw_a_joker(joker: str) -> None:
    assert verdict(judge(match("five", five("", drawn=joker)))) == ("KNIFE", 0, None)
    assert verdict(judge(match("five", five("", drawn=joker, knife="3")))) == ("KNIFE", 0, None)


def test_A3_the_drawn_card_goes_back_into_the_deck() -> None:
    made = four("")
    without = made | {"hands": [made["hands"][0].replace("4d", "", 1), *made["hands"][1:]]}
    assert verdict(judge(match("four", without))) == ("DECK", 0, None)


@pytest.mark.parametrize("knife", list(FIRST_TO_DRAW))
def test_A4_upper_half_the_pip_of_the_knife_mod_4_draws_first(knife: str) -> None:
    first = FIRST_TO_DRAW[knife]
    drawn = f"{knife}h"
    made = deal("four", [drawn, "", "", ""], "", drawn=drawn, first=first)
    answers = judge_all([match("four", made | {"first_draw": seat}) for seat in range(4)])
    assert [verdict(answer)[0] for answer in answers] == [
        "TRUNCATED" if seat == first else "FIRST_DRAW" for seat in range(4)
    ]


def test_A4_a_joker_drawn_counts_as_3() -> None:
    made = deal("four", ["XB", "", "", ""], "", drawn="XB", first=3)
    assert verdict(judge(match("four", made | {"first_draw": 3}))) == ("TRUNCATED", 0, 0)
    assert verdict(judge(match("four", made | {"first_draw": 0}))) == ("FIRST_DRAW", 0, None)


def test_A4_lower_half_the_upstream_player_draws_first_whatever_the_knife() -> None:
    # Seat 0 was upstream. Knife 7 would have seat 3 draw first in an upper half.
    upper = four(FOUR_THREE_OUT)
    lower = four("", drawn="7d")
    answers = judge_all([match("four", upper, lower | {"first_draw": seat}) for seat in range(4)])
    assert [verdict(answer) for answer in answers] == [("TRUNCATED", 1, 0)] + [("FIRST_DRAW", 1, None)] * 3
    # Knife 7 of an upper half: seat 3 and seat 0 hold 41 cards.
    wrong = deal("four", ["4*A*K*", "6*5*3*", "2*Q*J*", "T*7*8*"], "", drawn="7d", first=3)
    assert verdict(judge(match("four", upper, wrong))) == ("HAND_SIZE", 1, None)


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_A4_the_first_two_to_draw_hold_41_cards(first: int) -> None:
    # The knife 8 has seat 0 draw first.
    made = deal("four", ["8d", "", "", ""], "", drawn="8d", first=first)
    assert [len(hand) // 2 for hand in made["hands"]].count(41) == 2
    assert verdict(judge(match("four", made))) == (("TRUNCATED", 0, 0) if first == 0 else ("HAND_SIZE", 0, None))


def test_A4_five_players_hold_54_each() -> None:
    made = five("")
    hands = made["hands"]
    moved = made | {"hands": [hands[0][:-2], hands[1] + hands[0][-2:], *hands[2:]]}
    assert verdict(judge(match("five", made))) == ("TRUNCATED", 0, 0)
    assert verdict(judge(match("five", moved))) == ("HAND_SIZE", 0, None)


def test_A5_upper_half_whoever_was_dealt_the_drawn_card_leads() -> None:
    # Two copies of 9h with seat 0, one with seat 2; seats 1 and 3 have none (but other 9s).
    made = deal("four", ["9h9h", "9s9s9s", "9h", "9d9d9d"], "", drawn="9h", first=1)
    answers = judge_all([match("four", made | {"leader": seat}) for seat in range(4)])
    assert [verdict(answer)[0] for answer in answers] == ["TRUNCATED", "LEADER", "TRUNCATED", "LEADER"]


def test_A5_the_leader_need_not_play_the_drawn_card() -> None:
    assert verdict(judge(four_match("0:Ad"))) == ("TRUNCATED", 0, 1)


@pytest.mark.parametrize("joker", ["XB", "XS"])
def test_A5_a_joker_drawn_its_holders_and_those_of_any_3_may_lead(joker: str) -> None:
    other = "XS" if joker == "XB" else "XB"
    # Seat 0 has the joker, seat 1 a 3, seat 2 the other joker and no 3, seat 3 neither.
    hands = [f"{joker}{joker}{joker}", "3*", f"{other}{other}{other}Q*J*A*", "T*K*2*4d"]
    made = deal("four", hands, "", drawn=joker, first=3)
    answers = judge_all([match("four", made | {"leader": seat}) for seat in range(4)])
    assert [verdict(answer)[0] for answer in answers] == ["TRUNCATED", "TRUNCATED", "LEADER", "LEADER"]


def test_A5_a_5_10_or_K_drawn_in_the_upper_half_gives_no_lead_to_a_3() -> None:
    # Seat 1 holds 3s, but K was drawn; the knife is K, so seat 1 draws first.
    made = deal("four", ["KhKhKh", "3*", "", ""], "", drawn="Kh", first=1)
    assert verdict(judge(match("four", made | {"leader": 1}))) == ("LEADER", 0, None)


def test_A5_lower_half_the_upstream_player_leads_whoever_holds_the_drawn_card() -> None:
    # Seat 1 holds all 6s; seat 0 was upstream.
    upper, lower = four(FOUR_THREE_OUT), four("", drawn="6d")
    answers = judge_all([match("four", upper, lower | {"leader": seat}) for seat in range(4)])
    assert [verdict(answer) for answer in answers] == [("TRUNCATED", 1, 0)] + [("LEADER", 1, None)] * 3


@pytest.mark.parametrize(
    ("rules", "allowed"), [({}, [0]), ({"five_leader": "dealer"}, [0]), ({"five_leader": "any"}, [0, 1, 2, 3, 4])]
)
def test_A5_five_players_the_dealer_leads_or_by_option_anyone(rules: dict[str, Any], allowed: list[int]) -> None:
    answers = judge_all([match("five", five("", leader=seat), rules=rules) for seat in range(5)])
    assert [seat for seat in range(5) if verdict(answers[seat])[0] == "TRUNCATED"] == allowed
    assert {verdict(answer) for answer in answers} <= {("TRUNCATED", 0, 0), ("LEADER", 0, None)}


def test_A5_the_dealer_leads_from_any_seat() -> None:
    # Seat 3 deals; it holds no Q.
    assert verdict(judge(match("five", five("", dealer=3, leader=3)))) == ("TRUNCATED", 0, 0)
    assert verdict(judge(match("five", five("", dealer=3, leader=0)))) == ("LEADER", 0, None)


@pytest.mark.parametrize(
    ("called", "code"),
    [
        ("Qd", "TRUNCATED"),
        ("Kd", "CALL"),  # the dealer holds it
        ("XS", "CALL"),  # a joker, though the dealer holds none
        ("XB", "CALL"),
        ("4h", "CALL"),  # the knife's rank, though the dealer holds none
    ],
)
def test_A6_the_call_is_a_card_that_the_dealer_lacks_no_joker_and_no_knife(called: str, code: str) -> None:
    assert verdict(judge(match("five", five("", called)))) == (code, 0, None if code == "CALL" else 0)


def test_A6_one_copy_in_the_dealers_hand_forbids_the_call() -> None:
    made = deal("five", ["4dQd", "QdQdQdQd", "", "", ""], "", called="Qd")
    assert verdict(judge(match("five", made))) == ("CALL", 0, None)


@pytest.mark.parametrize(
    ("copies", "sides"),
    [
        ([0, 5, 0, 0, 0], [0, 0, 1, 1, 1]),
        ([0, 2, 1, 1, 1], [0, 0, 1, 1, 1]),
        ([0, 0, 1, 3, 1], [0, 1, 1, 0, 1]),
        ([0, 0, 0, 1, 4], [0, 1, 1, 1, 0]),
        ([0, 2, 2, 1, 0], [0, 0, 0, 1, 1]),
        ([0, 2, 0, 0, 3], [0, 0, 1, 1, 0]),
        ([0, 0, 1, 2, 2], [0, 1, 1, 0, 0]),
    ],
)
def test_A6_partners_were_dealt_two_or_more_copies(copies: list[int], sides: list[int]) -> None:
    # Other suits of the rank count for nothing: seat 4 has every Qs.
    hands = [f"{number}xQd" if number else "" for number in copies]
    hands[0] = "4d5xQh"
    hands[4] += "5xQs"
    made = deal("five", hands, "", called="Qd", end="escape", escaped=0)
    assert judge(match("five", made))["deals"][0]["sides"] == sides


def test_A6_the_dealers_side_comes_first_wherever_the_dealer_sits() -> None:
    made = five("", "Kd", dealer=3, leader=3, end="escape", escaped=3)
    assert judge(match("five", made))["deals"][0]["sides"] == [0, 1, 1, 0, 1]


def test_A6_a_partner_is_revealed_when_the_second_copy_leaves_the_hand() -> None:
    # Seats 1 and 2 are partners with two and three copies; seat 1 takes two plays to show them, seat 2 one.
    hands = ["4d4d4dAdAd", "QdQd2s", "QdQdQdQhQh", "", ""]
    plays = "0:3c 1:Qd 2:- 3:- 4:- 0:Ad 1:- 2:- 3:- 4:- 0:3c 1:Qd 2:- 3:- 4:- 0:4d ."
    hands[0] += "3c3c3c3c"
    made = deal("five", hands, f"{plays} 0:3c3c 1:- 2:QdQd . 2:Qd", called="Qd", end="escape", escaped=0)
    answer = judge(match("five", made))["deals"][0]
    assert answer["sides"] == [0, 0, 0, 1, 1]
    # Plays 0–9 are the first trick, 10: 3c, 11: the second Qd. 10–19 the second trick, 20: 3c3c, 21: pass, 22: QdQd.
    assert answer["revealed"] == [[1, 11], [2, 22]]


def test_A6_one_copy_of_a_defender_reveals_nobody() -> None:
    hands = ["4d3c", "QdQd", "Qd", "Qd", "Qd"]
    made = deal("five", hands, "0:3c 1:- 2:Qd", called="Qd", end="escape", escaped=0)
    assert judge(match("five", made))["deals"][0]["revealed"] == []
