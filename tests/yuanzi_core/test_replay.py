"""Stepping through deals, against the plain-Python oracle."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.match import settle
from tests.oracle.options import options_of
from tests.oracle.referee import Violation as OracleViolation
from tests.oracle.referee import _five_sides, _Table, judge_deal
from yuanzi_core.cards import CARDS
from yuanzi_core.deals import LEADER
from yuanzi_core.reasons import Violation
from yuanzi_core.records import Reader
from yuanzi_core.referee import BY_C4
from yuanzi_core.replay import Replay
from yuanzi_core.ruleset import Rulesets

LINES = (Path(__file__).parent.parent / "cases" / "logs.jsonl").read_bytes().splitlines()
MATCHES: list[dict[str, Any]] = [json.loads(line) for line in LINES]


@pytest.fixture(scope="module")
def replays() -> list[Replay]:
    """The matches of LINES, in their order."""
    chunk = Reader(Rulesets()).read(list(enumerate(LINES, 1)))
    found: dict[int, Replay] = {}
    for variant, rows in chunk.rows.items():
        for place, row in enumerate(rows):
            found[row] = Replay(chunk.deals[variant], place)
    return [found[row] for row in range(len(LINES))]


def _texts(cards: list[int]) -> Counter[str]:
    return Counter(CARDS[card] for card in cards)


def test_the_end_of_each_deal_is_the_oracle_s(replays: list[Replay]) -> None:
    compared = 0
    for match, replay in zip(MATCHES, replays, strict=True):
        options, upstream = options_of(match["ruleset"], match.get("rules")), None
        # A half that the settlement rules out has no state of its own.
        surplus = settle(match)
        for half, deal in enumerate(match["deals"]):
            if surplus["code"] == "AFTER_END" and surplus["play"] is None and half == 1:
                break
            facts = judge_deal(deal, match["variant"], half, options, upstream)
            if isinstance(facts, OracleViolation):
                violation = replay.violation(half)
                assert violation is not None
                assert (violation.value, replay.legal_plays(half)) == (facts.code, facts.play or 0)
                break
            state = replay.state(half, replay.legal_plays(half))
            assert replay.violation(half) is None
            assert state.plays == len(deal["plays"].split())
            assert list(state.finish) == facts.finish
            assert list(state.captured) == facts.captured
            assert (state.tricks, state.atoms) == (facts.tricks, facts.atoms)
            assert [list(pair) for pair in state.revealed] == facts.revealed
            assert list(state.sides) == facts.sides
            assert [seat for seat, held in enumerate(state.cards) if held] == facts.holders
            assert (state.ended == BY_C4) == (facts.end == "out")
            upstream = facts.finish[0] if facts.finish else None
            compared += 1
    assert compared > 300


def test_each_step_is_the_oracle_s(replays: list[Replay]) -> None:
    stepped = 0
    for number in (0, 1, 3, 7, 12, 20):
        match, replay = MATCHES[number], replays[number]
        variant, options = match["variant"], options_of(match["ruleset"], match.get("rules"))
        for half, deal in enumerate(match["deals"]):
            hands = [[text[at : at + 2] for at in range(0, len(text), 2)] for text in deal["hands"]]
            sides = [0, 1, 0, 1] if variant == "four" else _five_sides(hands, deal["dealer"], deal["called"])
            oracle = _Table(deal, variant, deal["knife"], hands, sides, options)
            for place, (step, text) in enumerate(zip(replay.steps(half), deal["plays"].split(), strict=True)):
                seat, cards = text.split(":")
                assert step.play.place == place == step.before.plays
                assert step.before.turn == oracle.turn == step.play.seat == int(seat)
                taken = oracle.facts.tricks
                if cards == "-":
                    oracle.passes()
                else:
                    oracle.play(place, [cards[at : at + 2] for at in range(0, len(cards), 2)])
                after = step.after
                assert step.ends_trick == (oracle.facts.tricks > taken)
                assert list(after.captured) == oracle.facts.captured
                assert after.trick_points == oracle.trick_points
                assert after.atoms == oracle.facts.atoms
                assert (after.by is None) == (oracle.top is None)
                assert after.by in (None, oracle.top_seat)
                if step.ends_trick:
                    assert step.taker == oracle.top_seat
                for player, held in enumerate(oracle.hands):
                    assert _texts(after.hand(player)) == Counter(held)
                stepped += 1
    assert stepped > 500


def test_H2_asking_about_a_play_gets_the_referee_s_verdict_and_changes_nothing(replays: list[Replay]) -> None:
    replay = replays[1]
    plays = replay.plays(0)
    for play in plays[:40]:
        assert replay.verdict(0, play.place, play.seat, play.cards) is None
        assert replay.verdict(0, play.place, (play.seat + 1) % 4, ()) is Violation.TURN
    # West leads six 9s; a lead may not be a pass, a card must be held, and a single does not answer a bomb.
    nine, king = CARDS.index("9s"), CARDS.index("Ks")
    assert replay.verdict(0, 0, 3, ()) is Violation.LEAD_PASS
    assert replay.verdict(0, 0, 3, [nine] * 3) is Violation.NOT_HELD
    assert replay.verdict(0, 0, 3, [nine, king]) is Violation.NOT_A_COMBO
    assert replay.verdict(0, 1, 0, [king]) is Violation.CANNOT_BEAT
    assert replay.verdict(0, len(plays), 0, [king]) is Violation.AFTER_END
    assert replay.plays(0) == plays
    assert replay.state(0, len(plays)).ended == BY_C4


def test_A5_asking_about_another_leader(replays: list[Replay]) -> None:
    # The ♠8 was drawn; North and West hold one.
    verdicts = [replays[1].trial(0, LEADER, seat) for seat in range(4)]
    assert verdicts == [None, Violation.LEADER, Violation.LEADER, None]


def test_H1_a_deal_behind_a_violation_has_no_state() -> None:
    match = json.loads(LINES[1])
    match["deals"][0]["plays"] = "3:-"
    replay = Replay(Reader(Rulesets()).read([(1, json.dumps(match).encode())]).deals["four"], 0)
    assert len(replay) == 2
    assert replay.violation(0) is Violation.LEAD_PASS
    assert (replay.legal_plays(0), replay.state(0, 5).plays) == (0, 0)
    assert replay.violation(1) is None
    with pytest.raises(ValueError, match="not judged"):
        replay.state(1, 0)


def test_odd_plays_keep_their_cards() -> None:
    match = json.loads(LINES[1])
    match["deals"][0]["plays"] = "3:9s8d 0:" + "Ks" * 9 + " 0:Ks"
    replay = Replay(Reader(Rulesets()).read([(1, json.dumps(match).encode())]).deals["four"], 0)
    assert [_texts(list(play.cards)) for play in replay.plays(0)] == [
        Counter({"9s": 1, "8d": 1}),
        Counter({"Ks": 9}),
        Counter({"Ks": 1}),
    ]
    assert replay.play(0, 3) is None
