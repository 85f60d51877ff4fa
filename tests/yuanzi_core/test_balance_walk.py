"""What a walk counts, against a plain count of the cards and plays as they stand in the log."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.oracle.cards import is_joker, rank_of, split_cards
from tests.oracle.combos import name
from tests.oracle.options import options_of
from yuanzi_core import deals as d
from yuanzi_core.balance.walk import COUNTED, HELD, walk
from yuanzi_core.cards import VARIANTS
from yuanzi_core.records import Reader
from yuanzi_core.referee import referee
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.shapes import KIND_NAMES

CASES = Path(__file__).parents[1] / "cases"
#: The oracle's names of kinds.
ORACLE = {"atom_3": "atom3", "atom_4": "atom4", "atom_5": "atom5", "h_bomb": "hbomb", "big_h_bomb": "big_hbomb"}
CANONICAL = re.compile(r"([0-4]:)?(-|([2-9TJQKA][shdc]|X[SB])+)")
Found = tuple[dict[str, Any], int, str, Any, int, Any]


def plays_of(deal: dict[str, Any]) -> list[Any]:
    """The plays of a deal, written as one text or as a list."""
    plays = deal["plays"]
    return plays.split() if isinstance(plays, str) else list(plays)


def counted_in_log(deal: dict[str, Any], match: dict[str, Any], knife: str) -> dict[Any, Any]:
    """Kinds of combination of a legal deal, counted play by play with the oracle's names."""
    options = options_of(match["ruleset"], match.get("rules"))
    points = {"5": 5, "T": 10, "K": 10}
    counts: dict[Any, Counter[str]] = {}
    lying, trick, passed, left = None, 0, 0, [len(split_cards(hand)) for hand in deal["hands"]]
    last = -1

    def taken() -> None:
        nonlocal lying, trick
        counts[lying]["won"] += 1
        counts[lying]["points"] += trick
        lying, trick = None, 0

    for play in plays_of(deal):
        seat, _, text = play.partition(":")
        if text == "-":
            passed += 1
            if passed == sum(cards > 0 for at, cards in enumerate(left) if at != last):
                taken()
            continue
        cards = split_cards(text)
        combo = name(cards, match["variant"], knife, options)
        assert combo is not None
        key = (ORACLE.get(combo.kind, combo.kind), combo.of_knife)
        own = counts.setdefault(key, Counter())
        if lying is None:
            own["led"] += 1
        else:
            own["answered"] += 1
            counts[lying]["beaten"] += 1
        lying, passed, last = key, 0, int(seat)
        trick += sum(points.get(rank_of(card), 0) for card in cards if not is_joker(card))
        left[last] -= len(cards)
    if lying is not None and deal.get("end", "out") == "out":
        taken()
    return {key: dict(counter) for key, counter in counts.items()}


def held_in_log(hand: str, variant: str, knife: str) -> dict[str, int]:
    """What a hand holds, counted card by card."""
    cards = Counter(split_cards(hand))
    most = 3 if variant == "four" else 5
    ranks = {
        rank: {card: n for card, n in cards.items() if not is_joker(card) and rank_of(card) == rank}
        for rank in "3456789TJQKA2"
    }

    def is_bomb(of: dict[str, int]) -> bool:
        return sum(of.values()) >= 4 and not (len(of) == 1 and 3 <= sum(of.values()) <= most)

    return {
        "atoms": sum(3 <= number <= most for number in cards.values()),
        "hbombs": sum(len(of) == 4 and min(of.values()) >= 2 for of in ranks.values()),
        "bombs": sum(is_bomb(of) for of in ranks.values()),
        "knives": sum(ranks[knife].values()),
        "jokers": sum(number for card, number in cards.items() if is_joker(card)),
    }


@pytest.fixture(scope="module")
def walked() -> list[Found]:
    """The legal deals of handed cases: match, deal, knife and what the walk found."""
    lines = [line for case in ("logs", "rare") for line in (CASES / f"{case}.jsonl").read_bytes().split(b"\n")[:160]]
    matches: list[tuple[int, bytes]] = []
    for line in lines:
        try:
            match = json.loads(line)
            names = [play for deal in match["deals"] for play in plays_of(deal)]
        except (ValueError, KeyError, TypeError):
            continue
        if names:
            matches.append((len(matches) + 1, line))
    chunk = Reader(Rulesets()).read(matches)
    return [found for variant in VARIANTS for found in _walk(chunk, variant, dict(matches))]


def _walk(chunk: Any, variant: Any, lines: dict[int, bytes]) -> Iterator[Found]:
    deals = chunk.deals[variant]
    facts = referee(deals)
    legal = np.flatnonzero(facts[d.VIOLATION] == 0)
    upstream = np.full(len(deals), -1, np.int64)
    lower = deals.head[d.DEAL] > 0
    upstream[lower] = facts[d.FINISH, np.flatnonzero(lower) - 1]
    found = walk(deals, upstream)
    for deal in legal.tolist():
        record = chunk.records[chunk.rows[variant][deals.head[d.MATCH, deal]]]
        match, number = json.loads(lines[record.line]), int(deals.head[d.DEAL, deal])
        knife = "3456789TJQKA2"[facts[d.KNIFE, deal]]
        yield match, number, knife, found, deal, facts[:, deal]


def canonical(match: dict[str, Any], number: int) -> bool:
    """Whether a deal is written in the notation that the plain count reads."""
    deal = match["deals"][number]
    written = [*deal["hands"], *plays_of(deal)]
    return all(isinstance(text, str) and CANONICAL.fullmatch(text) for text in written)


def test_kinds_are_counted_as_the_log_says(walked: list[Found]) -> None:
    looked_at = Counter[str]()
    for match, number, knife, found, deal, facts in walked:
        if not canonical(match, number):
            continue
        looked_at[match["variant"]] += 1
        own = {
            (KIND_NAMES[place // 2], place % 2 == 1): {
                name: int(value) for name, value in zip(COUNTED, found.kinds[deal, place], strict=True) if value
            }
            for place in range(len(found.kinds[deal]))
            if found.kinds[deal, place].any()
        }
        plain = counted_in_log(match["deals"][number], match, knife)
        assert own == {key: {name: n for name, n in counts.items() if n} for key, counts in plain.items()}
        # C2, C4: every trick goes to somebody, and so do its card points.
        assert found.kinds[deal, :, COUNTED.index("won")].sum() == facts[d.TRICKS]
        captured = facts[d.CAPTURED : d.CAPTURED + 5]
        assert found.kinds[deal, :, COUNTED.index("points")].sum() == captured[captured > 0].sum()
    assert min(looked_at["four"], looked_at["five"]) > 10


def test_hands_are_counted_card_by_card(walked: list[Found]) -> None:
    for match, number, knife, found, deal, _ in walked:
        if canonical(match, number):
            for seat, hand in enumerate(match["deals"][number]["hands"]):
                own = dict(zip(HELD, found.held[deal, seat].tolist(), strict=True))
                assert own == held_in_log(hand, match["variant"], knife)


def test_A4_the_first_two_to_draw_hold_one_card_more(walked: list[Found]) -> None:
    for match, number, _, found, deal, _ in walked:
        draw = found.draw[deal].tolist()
        if match["variant"] == "five":
            assert set(draw) == {-1}
            continue
        assert sorted(draw) == [0, 1, 2, 3]
        if canonical(match, number):
            sizes = [len(split_cards(hand)) for hand in match["deals"][number]["hands"]]
            assert [size - 40 for size in sizes] == [int(place < 2) for place in draw]


def test_A6_a_reveal_lies_in_the_trick_of_its_play(walked: list[Found]) -> None:
    seen = 0
    for _, _, _, found, deal, facts in walked:
        for which in range(2):
            place, trick = facts[d.REVEALED + 2 * which + 1], found.reveal_tricks[deal, which]
            assert (place >= 0) == (trick > 0)
            if place >= 0:
                seen += 1
                # No more tricks than leads before it, and at least one.
                assert 1 <= trick <= place + 1
                assert trick <= facts[d.TRICKS] + 1
    assert seen > 10
