"""Clauses C1–C5: tricks, passing, going out, the end of a deal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR,
    FOUR_0_OUT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    SEAT_2,
    five,
    four_match,
)
from tests.yuanzi_core.tables import Answer, Match, deal, judge, judge_all, match, verdict, verdicts

ESCAPE: dict[str, Any] = {"end": "escape", "escaped": 3}


def left(plays: str, **rules: Any) -> Answer:
    """The deal of the layout for four as it stood when seat 3 left the table."""
    made = four_match(plays, **rules)
    made["deals"][0] |= ESCAPE
    answer = judge(made)
    assert answer["status"] == "settled", answer
    found: Answer = answer["deals"][0]
    return found


def stopped(plays: str, called: str = "Qd", **rules: Any) -> Match:
    """A match of the layout for five, its deal stopped on points."""
    return match("five", five(plays, called, end="points"), rules=rules)


def test_C1_the_leader_may_not_pass() -> None:
    # At the start, after a trick that was taken, and with the wind.
    assert verdicts(four_match("0:-"), four_match("0:4* . 0:-"), four_match(f"{FOUR_0_OUT} 1:-")) == [
        ("LEAD_PASS", 0, 0),
        ("LEAD_PASS", 0, 4),
        ("LEAD_PASS", 0, 16),
    ]


def test_C1_everyone_else_may_pass_though_able_to_beat() -> None:
    # Seat 2 could beat the 9 with a 2.
    assert verdict(judge(four_match("0:9d 1:- 2:- 3:-"))) == ("TRUNCATED", 0, 4)


def test_C1_a_player_who_passed_may_play_again_in_the_same_trick() -> None:
    hands = ["4d 3s6s", "7s", "5s", ""]
    made = deal("four", hands, "0:3s 1:- 2:5s 3:- 0:6s 1:7s", **ESCAPE)
    assert judge(match("four", made))["status"] == "settled"


def test_C1_every_pass_is_logged() -> None:
    assert verdict(judge(four_match("0:4* 1:- 2:- 0:A*"))) == ("TURN", 0, 3)


def test_C1_no_pass_follows_the_play_that_ends_a_deal() -> None:
    # Four tricks of 4 plays, one of 3, one of 4, two of 3, and seat 2's last play: 16 + 3 + 4 + 6 + 1.
    made = [four_match(FOUR_DOUBLE_OUT), four_match(f"{FOUR_DOUBLE_OUT} 3:-")]
    assert verdicts(*made) == [(None, None, None), ("AFTER_END", 0, 30)]


def test_C2_a_trick_ends_when_all_others_passed_since_the_last_play() -> None:
    # Seat 1 passed before seat 2 played, and has to be asked again.
    before = left("0:9d 1:- 2:2d 3:- 0:-")
    after = left("0:9d 1:- 2:2d 3:- 0:- 1:-")
    assert (before["tricks"], after["tricks"]) == (0, 1)


def test_C2_the_last_to_play_takes_all_points_of_the_trick_and_leads_the_next() -> None:
    hands = ["4d 5s", "Ts", "Ks", ""]
    made = deal("four", hands, "0:5s 1:Ts 2:Ks 3:- 0:- 1:-", **ESCAPE)
    answer = judge(match("four", made))["deals"][0]
    assert answer["captured"] == [0, 0, 5 + 10 + 10, 0]
    led = [deal("four", hands, f"0:5s 1:Ts 2:Ks 3:- 0:- 1:- {seat}:-") for seat in range(4)]
    # Seat 2 leads: it may not pass, and nobody else may do anything.
    assert [code for code, _, _ in verdicts(*(match("four", one) for one in led))] == [
        "TURN",
        "TURN",
        "LEAD_PASS",
        "TURN",
    ]


def test_C2_after_a_trick_any_play_may_be_led() -> None:
    # A single follows twelve 4s.
    assert verdict(judge(four_match("0:4* . 0:9d"))) == ("TRUNCATED", 0, 5)


def test_C2_players_who_are_out_are_not_asked() -> None:
    # Seat 0 is out: two passes end seat 1's trick. Seat 0's own last trick needed three.
    assert left(f"{FOUR_0_OUT} 1:5* 2:-")["tricks"] == 4
    assert left(f"{FOUR_0_OUT} 1:5* 2:- 3:-")["tricks"] == 5
    assert left("0:4* . 0:A* . 0:K* . 0:9d9d9d9c9c 1:- 2:-")["tricks"] == 3


@pytest.mark.parametrize(("rules", "seat"), [({}, 1), ({"wind": "next"}, 1), ({"wind": "partner"}, 2)])
def test_C3_the_lead_of_a_player_who_is_out_goes_to_the_next_or_by_option_to_the_partner(
    rules: dict[str, Any], seat: int
) -> None:
    answers = verdicts(*(four_match(f"{FOUR_0_OUT} {one}:-", **rules) for one in (1, 2, 3)))
    assert answers == [("LEAD_PASS" if one == seat else "TURN", 0, 16) for one in (1, 2, 3)]


def test_C3_the_next_is_the_next_who_still_holds_cards() -> None:
    # Seat 0 is out; seat 3 goes out and takes its trick: the lead passes over seat 0 to seat 1.
    plays = f"{FOUR_0_OUT} 1:5* . 1:3* 2:- 3:7* . 3:T* . 3:8* . 3:XBXSXSXS ."
    before = len(four_match(plays)["deals"][0]["plays"].split())
    assert verdicts(four_match(f"{plays} 1:-"), four_match(f"{plays} 2:-")) == [
        ("LEAD_PASS", 0, before),
        ("TURN", 0, before),
    ]


def test_C3_five_players_the_next_seat() -> None:
    assert verdicts(*(match("five", five(f"{FIVE_0_OUT} {seat}:-")) for seat in (1, 2))) == [
        ("LEAD_PASS", 0, 25),
        ("TURN", 0, 25),
    ]


@pytest.mark.parametrize("wind", ["next", "partner"])
def test_C3_the_points_stay_with_the_taker(wind: str) -> None:
    # Seat 0 goes out on K, whose 120 it takes, whoever leads then.
    plays = "0:4* . 0:A* . 0:9d9d9d9c9c . 0:K* ."
    answer = left(plays, wind=wind)
    assert (answer["captured"], answer["finish"], answer["tricks"]) == ([120, 0, 0, 0], [0], 4)


def test_C3_a_taker_who_still_holds_cards_leads_under_both_values() -> None:
    assert verdicts(*(four_match("0:4* . 0:-", wind=wind) for wind in ("next", "partner"))) == [("LEAD_PASS", 0, 4)] * 2


def test_C4_four_players_a_deal_ends_when_both_partners_are_out_and_both_opponents_hold_cards() -> None:
    answer = judge(four_match(FOUR_DOUBLE_OUT))
    assert (answer["status"], answer["deals"][0]["finish"]) == ("settled", [0, 2])


def test_C4_four_players_a_deal_ends_when_three_are_out() -> None:
    answer = judge(four_match(FOUR_THREE_OUT))
    assert answer["deals"][0]["finish"] == [0, 3, 2]


def test_C4_four_players_one_of_each_side_out_ends_nothing() -> None:
    plays = f"{FOUR_0_OUT} 1:5* . 1:3* 2:- 3:7* . 3:T* . 3:8* . 3:XBXSXSXS"
    at = len(four_match(plays)["deals"][0]["plays"].split())
    assert verdict(judge(four_match(plays))) == ("TRUNCATED", 0, at)


def test_C4_five_players_a_side_of_two_is_out() -> None:
    answer = judge(match("five", five(f"{FIVE_0_OUT} {FIVE_1_OUT}")))
    assert (answer["deals"][0]["finish"], answer["deals"][0]["sides"]) == ([0, 1], [0, 0, 1, 1, 1])


# Seats 1, 3 and 4 go out, who are a side when seat 2 is the partner.
ONE_OUT = "0:Ad 1:4h . 1:Q* . 1:J* . 1:4x4h . 1:5x4s . 1:XBXSXSXS ."
THREE_OUT = f"{ONE_OUT} 2:9d 3:2h . 3:8* . 3:7* . 3:5x2s . 3:5x3d . 3:3x3c ."
FOUR_OUT = f"{THREE_OUT} 4:6* . 4:5x5c4x5d5x5h5x5s . 4:2x3c . 4:5x3h . 4:5x3s . 4:XSXS . 4:2h"


def test_C4_five_players_a_side_of_three_is_out_only_with_its_third() -> None:
    assert verdict(judge(match("five", five(THREE_OUT, SEAT_2))))[0] == "TRUNCATED"
    # Seat 4 holds the lead, two of its side being out; seats 0 and 2 hold cards.
    made = five(FOUR_OUT, SEAT_2)
    answer = judge(match("five", made))
    assert (answer["deals"][0]["finish"], answer["deals"][0]["sides"]) == ([1, 3, 4], [0, 1, 0, 1, 1])


def test_C4_five_players_two_of_different_sides_out_end_nothing() -> None:
    # With seat 1 as partner, seats 1 and 3 are of different sides.
    at = len(five(THREE_OUT)["plays"].split())
    assert verdict(judge(match("five", five(THREE_OUT)))) == ("TRUNCATED", 0, at)


def test_C4_nothing_may_be_played_after_the_end() -> None:
    plays = f"{FIVE_0_OUT} {FIVE_1_OUT}"
    at = len(five(plays)["plays"].split())
    assert verdict(judge(match("five", five(f"{plays} 2:9d")))) == ("AFTER_END", 0, at)


def test_C4_the_trick_on_the_table_goes_to_the_player_of_the_last_play() -> None:
    # Seat 1 leads a K among the cards by which seat 2 goes out: 10 points and the last trick are seat 2's.
    hands = ["4*A*2* 9d9d9d9c9c", "K* 5*3* 9h9h9h9s9s", "T*Q*J* 9sXBXBXB", "6*7*8* 9c XSXSXS"]
    plays = "0:4* . 0:A* . 0:2* . 0:9d9d9d9c9c . 1:3* 2:T* . 2:Q* . 2:J* . 2:9s 3:- 1:Kd 2:XBXBXB"
    answer = judge(match("four", deal("four", hands, plays)))["deals"][0]
    # T 120 from its own trick, then K 10. Tricks: 4 + 1 + 2 + 1.
    assert (answer["captured"], answer["tricks"], answer["finish"]) == ([0, 0, 130, 0], 8, [0, 2])


# C5: seat 0 takes its 200 by K* (5 plays); with seat 2's 5 it has 205 (7 + 8 plays more).
K_200 = "0:K* ."
FIVE_MORE = "0:Ad 1:- 2:2d . 2:5d 3:- 4:- 0:Ah ."


def test_C5_play_may_stop_between_two_tricks_once_a_side_has_its_target() -> None:
    # Nobody is out: a side of two needs 205.
    answer = judge(stopped(f"{K_200} {FIVE_MORE}"))
    assert (answer["status"], answer["deals"][0]["end"], answer["winner"]) == ("settled", "points", 0)
    assert answer["deals"][0]["captured"] == [205, 0, 0, 0, 0]


def test_C5_not_below_the_target() -> None:
    # 200 of 205.
    assert verdict(judge(stopped(K_200))) == ("TRUNCATED", 0, 5)


def test_C5_the_target_is_five_lower_once_the_upstream_player_is_of_the_side() -> None:
    # 200 with seat 0 out.
    assert judge(stopped(FIVE_0_OUT))["status"] == "settled"


def test_C5_and_stays_five_higher_when_the_upstream_player_is_of_the_other_side() -> None:
    # With seat 2 as partner seat 1 is of the other side. Seat 0 takes 200, then seat 1 goes out.
    plays = f"{K_200} {ONE_OUT}"
    at = len(five(plays)["plays"].split())
    assert verdict(judge(stopped(plays, SEAT_2))) == ("TRUNCATED", 0, at)


def test_C5_a_side_of_three_has_its_own_target() -> None:
    # With 3c called, which seats 3 and 4 hold thrice and twice, seats 0, 3, 4 are a side: 305 points, nobody out.
    # Seat 0 takes K 200; seat 4 its nineteen 5s, 95: 295; and the tenth T of seat 2, falling under a knife, 10: 305.
    fives = "0:Ad 1:- 2:- 3:- 4:2h . 4:4x5d5x5c5x5h5x5s ."
    ten = "4:6d 0:Ah 1:- 2:2d . 2:Td 3:- 4:- 0:As ."
    assert verdicts(stopped(f"{K_200} {fives}", "3c"))[0][0] == "TRUNCATED"
    answer = judge(stopped(f"{K_200} {fives} {ten}", "3c"))
    assert (answer["status"], answer["deals"][0]["captured"]) == ("settled", [210, 0, 0, 0, 95])


def test_C5_only_between_two_tricks() -> None:
    assert verdict(judge(stopped(f"{K_200} {FIVE_MORE} 0:Ac"))) == ("TRUNCATED", 0, 21)
    assert verdict(judge(stopped(f"{K_200} 0:Ad 1:- 2:2d . 2:5d 3:- 4:- 0:Ah 1:- 2:- 3:-"))) == ("TRUNCATED", 0, 19)


def test_C5_only_captured_points_count_and_nothing_of_D3() -> None:
    # Seat 0 has taken nothing; the others hold 300 that D3 would give.
    assert verdict(judge(stopped("0:A* ."))) == ("TRUNCATED", 0, 5)


def test_C5_may_lets_a_side_play_on() -> None:
    # 205 reached in the middle of a deal that ends by C4.
    plays = f"{K_200} {FIVE_MORE} 0:3xAd4xAh5xAc4xAs . 0:AsAd . 0:5x4c . 0:5x4d . 0:4xXB . {FIVE_1_OUT}"
    for rules in ({}, {"early_stop": "may"}, {"early_stop": "never"}):
        answer = judge(match("five", five(plays), rules=rules))
        assert (answer["status"], answer["deals"][0]["finish"]) == ("settled", [0, 1])
    # With "must" the deal was over after three tricks, 20 plays: the next is one too many.
    assert verdict(judge(match("five", five(plays), rules={"early_stop": "must"}))) == ("AFTER_END", 0, 20)


def test_C5_must_ends_the_deal_at_the_first_such_moment() -> None:
    enough, at = f"{K_200} {FIVE_MORE}", 20
    made = five(enough)
    assert judge(stopped(enough, early_stop="must"))["status"] == "settled"
    # The log has to say so.
    assert verdict(judge(match("five", made, rules={"early_stop": "must"}))) == ("END", 0, at)
    assert verdict(judge(stopped(f"{enough} 0:Ac", early_stop="must"))) == ("AFTER_END", 0, at)
    assert verdict(judge(stopped(K_200, early_stop="must"))) == ("TRUNCATED", 0, 5)


def test_C5_never_forbids_it_whatever_was_captured() -> None:
    assert verdicts(
        stopped(f"{K_200} {FIVE_MORE}", early_stop="never"),
        stopped("", early_stop="never"),
        stopped("0:Ad", early_stop="never"),
    ) == [("END", 0, 20), ("END", 0, 0), ("END", 0, 1)]


def test_C5_a_deal_that_C4_ended_did_not_end_on_points() -> None:
    plays = f"{FIVE_0_OUT} {FIVE_1_OUT}"
    at = len(five(plays)["plays"].split())
    answers = judge_all([stopped(plays, early_stop=value) for value in ("may", "must", "never")])
    # With "must" it was over after the fifth trick already: seat 0 had 200 and was upstream.
    assert [verdict(answer) for answer in answers] == [("END", 0, at), ("AFTER_END", 0, 25), ("END", 0, at)]


def test_C5_four_players_have_no_such_end() -> None:
    made = match("four", deal("four", FOUR, FOUR_THREE_OUT, end="points"))
    assert judge(made)["code"] == "SCHEMA"
