"""Policies: what they weigh, in which order, that they keep to the rules and to what they know, and manners."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.yuanzi_core.tables import judge_block
from yuanzi_core import deals as d
from yuanzi_core.canonical import fill_in
from yuanzi_core.cards import CARDS, NATURALS, ODD, RANK_SHIFT, RANKS, SEAT_SHIFT, code_of, write_cards
from yuanzi_core.cards import cards_of as cards_of_code
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.judge import judge_deals
from yuanzi_core.policies import POLICIES, VERSIONS
from yuanzi_core.policies.candidates import MOST_CANDIDATES, candidates
from yuanzi_core.policies.partner import WORK_SIZE, play_as_partner
from yuanzi_core.policies.players import Players, UnknownPolicy
from yuanzi_core.policies.worth import worth_of
from yuanzi_core.referee import (
    CARDS as CARDS_LEFT,
)
from yuanzi_core.referee import (
    KNIFE_RANK,
    ON_TABLE,
    ON_TURN,
    REVEALED,
    SIDE,
    TABLE_SHAPE,
    TABLE_SIZE,
    stop,
)
from yuanzi_core.ruleset import PRESETS, RuleSet, Rulesets, options
from yuanzi_core.selfplay import play_matches
from yuanzi_core.shapes import ATOM3, KIND, shapes
from yuanzi_core.writer import encode_match

RULESETS = Rulesets()
SEED = 7
FOUR = RULESETS["four-classic"]


def numbers_of(text: str) -> list[int]:
    """Card numbers of a text as ``5s5s XB``."""
    text = text.replace(" ", "")
    return [CARDS.index(text[at : at + 2]) for at in range(0, len(text), 2)]


def weighed(held: str, on_table: str, knife: str, ruleset: RuleSet = FOUR) -> list[str]:
    """The candidates of seat 1 with these cards over that play, none for the lead."""
    known, table = shapes(ruleset.variant), np.zeros(TABLE_SIZE, np.int64)
    hand = np.zeros((5, d.HAND_WORDS), np.uint16)
    for card in numbers_of(held):
        hand[1, card >> 2] += np.uint16(1 << 3 * (card & 3))
    code = code_of(numbers_of(on_table))
    table[ON_TURN], table[KNIFE_RANK], table[CARDS_LEFT : CARDS_LEFT + 5] = 1, RANKS.index(knife), 9
    table[ON_TABLE], table[TABLE_SHAPE] = code, known.shape_of[code]
    found = np.zeros(MOST_CANDIDATES, np.int64)
    rules = np.array(d.rules_row(ruleset), np.int64)
    count = candidates(table, hand, known.shape_of, known.table, rules, 1, found)
    return [write_cards(cards_of_code(code)) for code in found[:count].tolist()]


HELD = "3s3h 5s5s5s5h 8h8c8d 9s XBXS"


@pytest.mark.parametrize(
    ("on_table", "expected"),
    [
        ("", "3s3h 3s3hXBXS 5s5s5s5h 5s5s5s5hXBXS 5s5s5s 5h 8h8c8d 8h8c8dXBXS 8h8c8dXS 9s XBXS"),
        # A lone 5 goes before the atom is broken; jokers make bombs of the pair and of the triple.
        ("4s4h", "3s3hXBXS 5s5h 5s5s5s5h 5s5s5s 8c8d 8h8c8dXS"),
        # B5: five 5s with a joker do not beat five 6s, six do; the 8s do with two jokers.
        ("6s6s6h6c6d", "5s5s5s5hXBXS 5s5s5s 8h8c8dXBXS"),
        # B4: on the knife's rank fall only atoms, and on an atom a higher one.
        ("9h", "5s5s5s"),
        ("6h6h6h", ""),
    ],
)
def test_the_order_of_the_candidates_is_fixed(on_table: str, expected: str) -> None:
    assert weighed(HELD, on_table, "9") == expected.split()


def test_B2_H_bombs_and_atoms_of_more_cards_are_among_the_candidates() -> None:
    five = RULESETS["five-classic"]
    h_bomb = "4s4s4h4h4c4c4d4d"
    assert weighed(h_bomb + "4s", "7s7s7s", "9") == ["4s4s4s", h_bomb][1:]
    assert weighed("4s4s4s4s4s", "7s7s7s", "9", five) == ["4s4s4s4s", "4s4s4s4s4s"]
    big = "4s4s4s4h4h4h4c4c4c4d4d4d"
    assert weighed(big + "4s", "8s8s8s8s8s", "9", five) == [big]
    assert weighed("XBXBXBXSXSXS", "7s7s7s", "9") == ["XSXSXS", "XBXBXB"]


def all_combinations(variant: str) -> list[RuleSet]:
    """A game under every combination of the values of its options; of a range its ends and a number between."""
    ruleset, values = RULESETS[f"{variant}-classic"], {}
    for name, option in options().items():
        if variant in option.values:
            values[name] = option.values[ruleset.variant]
        elif variant in option.range:
            limits = option.range[ruleset.variant]
            values[name] = (limits["least"], 7 if limits["decimals"] == 0 else Decimal("0.25"), limits["most"])
    return [ruleset.with_options(dict(zip(values, chosen, strict=True))) for chosen in product(*values.values())]


@pytest.mark.parametrize(
    ("variant", "combinations", "policies"),
    [
        ("four", 288 * 3**3, ("partner", "greedy", "partner", "random")),
        ("five", 1152 * 3, ("partner", "greedy", "partner", "random", "partner")),
    ],
)
@pytest.mark.slow
def test_what_is_played_is_settled_under_every_combination_of_options(
    variant: str, combinations: int, policies: tuple[str, ...]
) -> None:
    """By the checker, with nothing found; all combinations with YUANZI_THOROUGH=1, otherwise some of each value."""
    found = all_combinations(variant)
    assert len({rules.hash for rules in found}) == len(found) == combinations
    step, count, at_once = (1 if os.environ.get("YUANZI_THOROUGH") else 163), 2, 128
    for begin in range(0, combinations, at_once * step):
        lines = []
        for place in range(begin, min(begin + at_once * step, combinations), step):
            # Everybody plays in every seat, and at times makes mistakes or leaves.
            seats = policies[place % len(policies) :] + policies[: place % len(policies)]
            players = Players.of(len(policies), seats, (1.0 if place % 3 else 0.9,))
            played = play_matches(found[place], count, SEED, place * count, 0.1, players=players)
            lines += [encode_match(match) for headers, deals in played for match in fill_in(headers, deals)]
        judged = judge_block(lines)
        assert len(judged) == len(lines)
        assert {answer["status"] for answer in judged} == {"settled"}
        assert not [answer for answer in judged if answer["discrepancies"]]


@cache
def played(name: str, policy: str, matches: int = 1500) -> tuple[Deals, Ints]:
    """Matches of four or five players of one policy, and the referee's facts."""
    players = Players.of(RULESETS[name].players, (policy,))
    _, deals = next(iter(play_matches(RULESETS[name], matches, SEED, block=matches, players=players)))
    return deals, judge_deals(deals)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("policy", POLICIES)
def test_one_seed_gives_the_same_matches_whatever_the_block(name: str, policy: str) -> None:
    players = Players.of(RULESETS[name].players, (policy,), (0.95,))

    def lines(**settings: Any) -> list[bytes]:
        blocks = play_matches(RULESETS[name], seed=SEED, players=players, **settings)
        return [encode_match(match) for headers, deals in blocks for match in fill_in(headers, deals)]

    # A block of more than 256 is played in two threads.
    whole = lines(matches=300)
    assert lines(matches=300, block=37) == whole
    assert lines(matches=20, first=5, block=6) == whole[5:25]


@dataclass
class Move:
    """A play or a pass, and what lay on the table before it."""

    seat: int
    kind: int
    under: int
    last: int
    points: int


def moves(deals: Deals, facts: Ints) -> Iterator[tuple[int, Move]]:
    """The plays of deals one by one, each with the number of its deal."""
    known, n = shapes(deals.variant), deals.hands.shape[1]
    worth = np.array(deals.rulesets[0].rank_points)
    codes = deals.plays & ODD
    kinds = known.table[known.shape_of[codes], KIND].tolist()
    naturals = codes & NATURALS
    points = (worth[np.minimum(codes >> RANK_SHIFT, 12)] * sum(naturals >> 3 * suit & 7 for suit in range(4))).tolist()
    seats = (deals.plays >> SEAT_SHIFT).tolist()
    for deal in range(len(deals)):
        left = [
            sum(int(word) >> 3 * place & 7 for word in deals.hands[deal, seat] for place in range(4))
            for seat in range(n)
        ]
        under, last, lying, passed = 0, -1, 0, 0
        for at in range(deals.offsets[deal], deals.offsets[deal + 1]):
            seat, kind = seats[at], kinds[at]
            yield deal, Move(seat, kind, under, last, lying)
            if kind == 0:
                passed += 1
                others = sum(1 for other in range(n) if left[other] > 0 and other != last)
                if passed == others:
                    under, lying = 0, 0
                continue
            code = int(codes[at])
            left[seat] -= sum(code >> 3 * place & 7 for place in range(6))
            under, last, passed = kind, seat, 0
            lying += points[at]


def share_of_answers(policy: str) -> float:
    """How often four players of a policy play over their partner's play when they could pass."""
    deals, facts = played("four-classic", policy, 400)
    over = [move.kind > 0 for _, move in moves(deals, facts) if move.under and move.last == (move.seat + 2) % 4]
    return sum(over) / len(over)


def test_a_partner_is_overtaken_less_than_by_the_greedy() -> None:
    assert share_of_answers("partner") < share_of_answers("greedy")


def spent_on(policy: str, least_kind: int) -> float:
    """Card points that lay in the tricks in which atoms (or bombs) and more were played as an answer, on average."""
    deals, facts = played("four-classic", policy, 400)
    points = [move.points for _, move in moves(deals, facts) if move.under and move.kind >= least_kind]
    return sum(points) / len(points)


def test_atoms_are_kept_for_richer_tricks_than_by_chance() -> None:
    assert spent_on("partner", ATOM3) > 1.5 * spent_on("random", ATOM3)


def test_A6_partners_hide_longer_than_the_greedy_do() -> None:
    def mean_place(policy: str) -> float:
        deals, facts = played("five-classic", policy)
        shown = facts[d.REVEALED] >= 0
        place = facts[d.REVEALED + 1] / np.diff(deals.offsets)
        # A partner who never showed himself hid to the end.
        return float(np.where(shown, place, 1.0).mean())

    assert mean_place("partner") > mean_place("greedy")


def test_A6_the_partner_policy_calls_the_highest_card_that_it_lacks() -> None:
    deals, facts = played("five-classic", "partner")
    for deal in range(300):
        own = deals.hands[deal, deals.head[d.DEALER, deal]]
        lacking = [c for c in range(52) if not own[c >> 2] >> 3 * (c & 3) & 7 and c >> 2 != facts[d.KNIFE, deal]]
        assert deals.head[d.CALLED, deal] == max(lacking)


def test_C5_who_has_enough_stops_unless_the_losers_may_be_kept_below_the_double() -> None:
    greedy, _ = played("five-classic", "greedy")
    partner, facts = played("five-classic", "partner")
    # The greedy stop at the first moment: under "must" nothing would change.
    must = RULESETS["five-classic"].with_options({"early_stop": "must"})
    for policy, same in (("greedy", True), ("partner", False)):
        players = Players.of(5, (policy,))
        _, forced = next(iter(play_matches(must, 1500, SEED, block=1500, players=players)))
        free = greedy if policy == "greedy" else partner
        assert np.array_equal(forced.plays, free.plays) == same
    # Nobody who plays on lets the others have more than 25 a player by it (F3) for long: most deals still stop.
    assert (partner.head[d.END] == d.POINTS_END).mean() > 0.5
    assert not facts[d.VIOLATION].any()


def cut(deals: Deals, deal: int, plays: int) -> Deals:
    """One deal up to some of its plays."""
    begin = deals.offsets[deal]
    head = deals.head[:, deal : deal + 1].copy()
    head[d.MATCH] = 0
    return Deals(
        deals.variant, deals.rulesets, head, deals.hands[deal : deal + 1], np.array([0, plays]),
        deals.plays[begin : begin + plays],
    )  # fmt: skip


def choice(deals: Deals, table: NDArray[np.int64], hand: NDArray[np.uint16], seen: NDArray[np.int64]) -> int:
    """What the partner policy plays at a table."""
    ruleset, known = deals.rulesets[0], shapes(deals.variant)
    return play_as_partner(
        table, hand, known.shape_of, known.table, np.array(d.rules_row(ruleset), np.int64),
        np.array(ruleset.rank_points, np.int64), worth_of(deals.variant), ruleset.players, ruleset.decks,
        int(table[ON_TURN]), int(deals.head[d.DEALER, 0]), int(deals.head[d.CALLED, 0]), seen,
        np.zeros(MOST_CANDIDATES, np.int64), np.zeros(WORK_SIZE, np.int64),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["four-classic", "five-classic"])
def test_a_choice_hangs_only_on_what_the_seat_can_know(name: str) -> None:
    deals, _ = played(name, "partner")
    changed = 0
    for deal in range(40):
        if deals.head[d.DEAL, deal] > 0:
            continue
        for plays in range(0, 60, 7):
            part = cut(deals, deal, plays)
            table, hand = stop(part, 0, np.full((len(d.FACTS), 1), -1, np.int32))
            seen = np.zeros(d.HAND_WORDS, np.int64)
            for code in (part.plays & ODD).tolist():
                seen[code >> RANK_SHIFT] += code & NATURALS
            seat = int(table[ON_TURN])
            chosen = choice(part, table, hand, seen)
            # What really came next is what is chosen here.
            assert chosen == deals.plays[deals.offsets[deal] + plays] & ODD
            others = [other for other in range(hand.shape[0]) if other != seat]
            hand[others] = hand[others[1:] + others[:1]]
            shown = {seat, int(part.head[d.DEALER, 0]), int(table[REVEALED]), int(table[REVEALED + 2])}
            if name == "five-classic":
                for other in set(others) - shown:
                    table[SIDE + other] = 1 - table[SIDE + other]
                    changed += 1
            assert choice(part, table, hand, seen) == chosen
    assert changed > 100 or name == "four-classic"


def test_a_player_without_skill_plays_at_random_and_skill_lies_between() -> None:
    # Bombs a deal: random players tear groups apart, good ones do not.
    found = []
    for skill in (0.0, 0.6, 1.0):
        players = Players.of(4, ("partner",), (skill,))
        _, deals = next(iter(play_matches(FOUR, 300, SEED, players=players)))
        found.append(len(deals.plays) / len(deals))
    random = len(played("four-classic", "random")[0].plays) / len(played("four-classic", "random")[0])
    assert abs(found[0] - random) < 0.05 * random
    assert found[0] > found[1] > found[2]


def test_players_are_one_for_all_seats_or_one_for_each() -> None:
    assert Players.of(4, ("partner",)).code == f"p{VERSIONS['partner']}"
    assert Players.of(4, ("partner", "random") * 2).code == "p1r1p1r1"
    policies, mistakes = Players.of(4, ("random", "greedy", "partner", "random"), (1.0, 0.75, 0.0, 0.5)).rows(3)
    assert policies.tolist() == [[0, 1, 2, 0]] * 3
    assert mistakes.tolist() == [[0, 2**30, 2**32, 2**31]] * 3
    with pytest.raises(UnknownPolicy):
        Players.of(4, ("clever",))
    for seats, names, skills in ((4, ("random",) * 3, (1.0,)), (5, ("random",), (1.0,) * 4), (4, ("random",), (1.5,))):
        with pytest.raises(ValueError, match=r"skill"):
            Players.of(seats, names, skills)
    with pytest.raises(ValueError, match="5 seats"):
        play_matches(RULESETS["five-classic"], 1, SEED, players=Players.of(4))


@pytest.mark.slow
def test_plain_python_plays_the_same_matches_as_compiled_code() -> None:
    code = """
import sys
from yuanzi_core.canonical import fill_in
from yuanzi_core.policies.players import Players
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.writer import encode_match
for name, seats in (("four-classic", 4), ("five-atomic", 5)):
    players = Players.of(seats, (["partner", "greedy"] * 3)[:seats], (0.9,))
    for headers, deals in play_matches(Rulesets()[name], 2, 7, players=players):
        for match in fill_in(headers, deals):
            print(encode_match(match).decode())
"""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONWARNINGS": "error", "PYTHONUTF8": "1", **more},
            capture_output=True, check=True,
        ).stdout
        for more in ({"NUMBA_DISABLE_JIT": "1"}, {})
    ]  # fmt: skip
    assert outputs[0].count(b"\n") == 4
    assert outputs[0] == outputs[1]
