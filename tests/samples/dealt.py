"""Self-played deals by the number of their match, and a reading of them as the tricks that they are."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from yuanzi_core.canonical import fill_in
from yuanzi_core.ruleset import RuleSet, Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.writer import encode_match

Deal = dict[str, Any]

#: ``yuanzi simulate --seed 2026`` deals the same matches; the numbers in ``clean`` and ``faulty`` count from 0.
SEED = 2026
#: Matches for four are taken from the first so many: one block, since each block has to be settled on its way.
_FOUR_BLOCK = 64


def _deals(ruleset: RuleSet, matches: int, first: int) -> list[list[Deal]]:
    ((headers, batch),) = play_matches(ruleset, matches, SEED, first)
    return [msgspec.json.decode(encode_match(match))["deals"] for match in fill_in(headers, batch)]


@cache
def _four(wind: str) -> list[list[Deal]]:
    return _deals(Rulesets()["four-classic"].with_options({"wind": wind}), _FOUR_BLOCK, 0)


@cache
def _five(number: int) -> list[Deal]:
    return _deals(Rulesets()["five-classic"], 1, number)[0]


def four(number: int, halves: int = 2, wind: str = "next") -> list[Deal]:
    """The halves of a match for four, or the upper one alone."""
    return copy.deepcopy(_four(wind)[number][:halves])


def five(number: int) -> list[Deal]:
    """The deal of a match for five. Atom doubling changes the scores, not the play."""
    return copy.deepcopy(_five(number))


def cards_of(text: str) -> list[str]:
    """The cards of a text in canonical notation; none of a pass."""
    return [text[at : at + 2] for at in range(0, len(text) - 1, 2)]


class Play(NamedTuple):
    """A play and the moment before it: its seat, its text, what lies on the table (``""``: a lead), all hands."""

    place: int
    seat: int
    text: str
    on_table: str
    hands: list[Counter[str]]


def plays_of(deal: Deal) -> Iterator[Play]:
    """The plays of a legal deal, trick by trick (C2)."""
    hands = [Counter(cards_of(hand)) for hand in deal["hands"]]
    on_table, taker, passes = "", -1, 0
    for place, play in enumerate(deal["plays"].split()):
        seat, text = int(play[0]), play[2:]
        yield Play(place, seat, text, on_table, [hand.copy() for hand in hands])
        if text == "-":
            passes += 1
        else:
            hands[seat] -= Counter(cards_of(text))
            on_table, taker, passes = text, seat, 0
        if passes == sum(hand.total() > 0 for other, hand in enumerate(hands) if other != taker):
            on_table = ""


def with_plays(deal: Deal, plays: list[str], **fields: Any) -> Deal:
    """A deal with other plays."""
    return deal | {"plays": " ".join(plays)} | fields


def left_after(deal: Deal, tricks: int, seat: int) -> Deal:
    """A deal that a player leaves (E3, F7) in the trick after so many whole ones."""
    leads = [play.place for play in plays_of(deal) if not play.on_table]
    return with_plays(deal, deal["plays"].split()[: leads[tricks] + 2], end="escape", escaped=seat)
