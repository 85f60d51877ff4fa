"""What a page needs to step through a match: seats, sorted hands, every play with what it left, where it stops."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from yuanzi_core.cards import CARD_NUMBER
from yuanzi_core.explain import Told, tell
from yuanzi_core.judge import Judge
from yuanzi_core.records import Reader
from yuanzi_core.replay_view import PLACES, place_at_table, replay_view, sorted_hand
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import text

CASES = Path(__file__).parent.parent / "cases"
LINES = (CASES / "logs.jsonl").read_bytes().splitlines()
ANSWERS = (CASES / "logs.expected.jsonl").read_bytes().splitlines()
EXPECTED: list[dict[str, Any]] = [json.loads(line) for line in ANSWERS]
#: Where the places lie, by hand: x to the right, y upwards, the viewer below.
DRAWN = {
    "bottom": (0, -1), "right": (1, 0), "top": (0, 1), "left": (-1, 0), "top-right": (1, 1), "top-left": (-1, 1),
}  # fmt: skip


def told(numbers: list[int]) -> list[Told]:
    """Some lines of the handed logs, judged and explained."""
    chunk = Reader(Rulesets()).read([(at + 1, LINES[at]) for at in numbers])
    judge = Judge()
    judge.judge(chunk)
    return list(tell(chunk, range(len(numbers)), judge, "en"))


def view(said: Told) -> dict[str, Any]:
    """What a page gets of it, after a way through JSON."""
    assert said.say is not None
    assert said.replay is not None
    assert said.settled is not None
    found: dict[str, Any] = json.loads(json.dumps(replay_view(said.say, said.replay, said.settled, said.deals)))
    return found


def first(wanted: Any) -> int:
    """The first line of the handed logs whose answer is as wanted."""
    return next(at for at, answer in enumerate(EXPECTED) if wanted(answer))


def pairs(cards_text: str) -> Counter[str]:
    """Cards of a text, two signs each."""
    return Counter(one + other for one, other in zip(cards_text[::2], cards_text[1::2], strict=True))


@pytest.mark.parametrize("seats", [4, 5])
def test_A1_play_goes_counter_clockwise_and_the_next_seat_is_at_the_right(seats: int) -> None:
    assert len(PLACES[seats]) == seats
    for viewer in range(seats):
        placed = [DRAWN[place_at_table(seats, viewer, (viewer + step) % seats)] for step in range(seats)]
        assert placed[0] == (0, -1)
        assert placed[1] == (1, 0)
        assert placed[-1] == (-1, 0)
        angles = [math.atan2(y, x) % math.tau for x, y in placed[1:]]
        assert angles == sorted(angles)


def test_A1_from_east_south_sits_at_the_right_and_west_opposite() -> None:
    north, east, south, west = range(4)
    assert [place_at_table(4, east, seat) for seat in (east, south, west, north)] == ["bottom", "right", "top", "left"]
    assert place_at_table(4, north, east) == "right"


def test_G4_a_hand_by_rank_and_by_count() -> None:
    seven, none = 4, -1
    held = [CARD_NUMBER[card] for card in ["5c", "2h", "As", "XB", "7d", "5s", "Kd", "XS", "Ac", "7s", "5h"]]
    assert sorted_hand(held, seven) == ["7s7dXBXS2hAsAcKd5s5h5c", "7s7dXBXS5s5h5cAsAc2hKd"]
    # Without a knife jokers come first, and 7 is a rank like others.
    assert sorted_hand(held, none) == ["XBXS2hAsAcKd7s7d5s5h5c", "XBXS5s5h5cAsAc7s7d2hKd"]


def test_every_play_leaves_what_the_log_and_the_handed_answers_say() -> None:
    numbers = [
        first(lambda answer: answer.get("outcome") == "double"),
        first(lambda answer: answer.get("outcome") == "normal" and len(answer["deals"]) == 2),
        first(lambda answer: answer.get("outcome") == "escape" and len(answer["deals"][0]["captured"]) == 5),
        first(lambda answer: answer.get("outcome") == "low"),
        # Stopped on points (C5): settled while nobody was out.
        first(lambda answer: answer.get("outcome") == "normal" and answer["deals"][0]["finish"] == []),
    ]  # fmt: skip
    for number, said in zip(numbers, told(numbers), strict=True):
        log, shown = json.loads(LINES[number]), view(said)
        assert len(shown["deals"]) == len(log["deals"])
        for deal, logged, answer in zip(shown["deals"], log["deals"], EXPECTED[number]["deals"], strict=True):
            assert deal["stop"] is None
            assert deal["end"]
            state, hands = dict(deal["state"]), [pairs(by_rank) for by_rank, _ in deal["hands"]]
            assert hands == [pairs(hand) for hand in logged["hands"]]
            for play, token in zip(deal["plays"], logged["plays"].split(), strict=True):
                seat, made = token.split(":")
                assert play["seat"] == int(seat) == state["turn"]
                state |= play["changed"]
                if made == "-":
                    assert play["cards"] == ""
                    assert "hand" not in play
                    continue
                assert pairs(play["cards"]) == pairs(made)
                hands[int(seat)] -= pairs(made)
                assert [pairs(order) for order in play["hand"]] == [hands[int(seat)]] * 2
                assert state["cards"][int(seat)] == hands[int(seat)].total()
            assert state["captured"] == answer["captured"]
            assert state["finish"] == answer["finish"]
            assert state["atoms"] == answer["atoms"]
            sides = answer["sides"]
            assert deal["sides"] == sides
            assert state["by_side"] == [
                sum(points for points, own in zip(answer["captured"], sides, strict=True) if own == side)
                for side in (0, 1)
            ]
            tricks = [play["trick"] for play in deal["plays"]]
            assert all(later - earlier in (0, 1) for earlier, later in pairwise(tricks))
            assert sum("taken" in play for play in deal["plays"]) == answer["tricks"]


def test_C2_the_taker_of_a_trick_and_its_points_are_said() -> None:
    (said,) = told([first(lambda answer: answer.get("outcome") == "double")])
    plays = view(said)["deals"][0]["plays"]
    taken = next(play for play in plays if play.get("taken", {}).get("points"))
    assert taken["taken"]["said"] in taken["said"]
    assert f"and {taken['taken']['points']} points" in taken["said"]
    assert plays[0]["said"].startswith(f"{text('terms.seat.four.' + str(plays[0]['seat']), 'en')} leads ")


def test_H1_a_violation_ends_the_replay_with_its_play_reason_and_rule() -> None:
    number = first(lambda answer: answer.get("code") == "CANNOT_BEAT" and answer["deal"] == 0)
    (said,) = told([number])
    answer, log = EXPECTED[number], json.loads(LINES[number])
    (deal,) = view(said)["deals"]
    assert len(deal["plays"]) == answer["play"]
    seat, made = log["deals"][0]["plays"].split()[answer["play"]].split(":")
    stop = deal["stop"]
    assert (stop["play"]["seat"], pairs(stop["play"]["cards"])) == (int(seat), pairs(made))
    assert stop["name"] == text("reasons.violation.CANNOT_BEAT.name", "en")
    assert stop["rule"] == text("reasons.violation.CANNOT_BEAT.rule", "en")
    assert "B4" in stop["clauses"]
    assert deal["end"] is None


def test_H2_a_violation_of_the_deal_and_a_half_after_the_end_have_no_plays() -> None:
    of_deal = first(lambda answer: answer.get("code") == "CALL")
    surplus = first(lambda answer: answer.get("code") == "AFTER_END" and answer["play"] is None)
    called, after = told([of_deal, surplus])
    (deal,) = view(called)["deals"]
    assert (deal["plays"], deal["stop"]["play"]) == ([], None)
    assert deal["state"]["cards"] == [54] * 5
    upper, lower = view(after)["deals"]
    assert upper["stop"] is None
    assert (lower["state"], lower["plays"]) == (None, [])
    assert lower["stop"]["name"] == text("reasons.violation.AFTER_END.name", "en")


def test_A6_partners_and_the_play_that_reveals_one() -> None:
    number = first(lambda answer: answer["status"] == "settled" and any(d["revealed"] for d in answer["deals"]))
    (said,) = told([number])
    (deal,) = view(said)["deals"]
    assert [seat for seat, side in enumerate(deal["sides"]) if side == 0] == [
        seat for seat, hand in enumerate(deal["hands"])
        if seat == deal["dealer"] or pairs(hand[0])[deal["called"]] >= 2
    ]  # fmt: skip
    assert deal["most_partners"] == 2
    for seat, place in EXPECTED[number]["deals"][0]["revealed"]:
        assert seat in deal["plays"][place]["changed"]["revealed"]
        assert text("explain.trick.revealed", "en") in deal["plays"][place]["marks"]


def test_a_replay_speaks_one_language() -> None:
    chunk = Reader(Rulesets()).read([(1, LINES[0])])
    judge = Judge()
    judge.judge(chunk)
    for lang, passing in (("en", " passes"), ("zh", "过牌")):
        shown = view(next(tell(chunk, [0], judge, "zh" if lang == "zh" else "en")))
        said = "".join(play["said"] for deal in shown["deals"] for play in deal["plays"])
        assert passing in said
        assert (" passes" in said) != ("过牌" in said)
