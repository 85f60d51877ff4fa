"""What players decide beside their plays: the dealer's call (A6), and whether play stops between two tricks (C5)."""

from __future__ import annotations

from typing import Any

from yuanzi_core.cards import SMALL_JOKER
from yuanzi_core.chance import below
from yuanzi_core.compiled import inlined, part, wide
from yuanzi_core.policies import GREEDY, RANDOM
from yuanzi_core.policies.at_random import STOP_ONE_IN
from yuanzi_core.referee import CAPTURED, CARDS, ON_TURN, SIDE, copies


@part
def call(policy: int, state: Any, hand: Any, dealer: int, knife: int) -> int:
    """The card that a dealer calls. The referee's own test decides whether it may be called.

    The partner policy calls the highest card that it does not hold: whoever has two of it has strength. (Of all calls
    that look at ranks and at one's own hand this won most.) The greedy policy calls the lowest such card.
    """
    if policy == RANDOM:
        return below(state, SMALL_JOKER)
    for place in range(SMALL_JOKER):
        card = place if policy == GREEDY else SMALL_JOKER - 1 - place
        if card >> 2 != knife and copies(wide(hand[dealer, card >> 2]), card) == 0:
            return card
    return 0


@inlined
def side_ahead(table: Any, n: int) -> int:
    """The side that has captured more card points a player: where a side has reached its target, that side."""
    captured, size, total = 0, 0, 0
    for seat in range(n):
        total += table[CAPTURED + seat]
        if table[SIDE + seat] == 0:
            captured += table[CAPTURED + seat]
            size += 1
    return 0 if captured * n >= total * size else 1


@inlined
def who_stops(table: Any, n: int) -> int:
    """The player who decides whether play stops: the first, from the one to lead, of the side that is ahead."""
    ahead = side_ahead(table, n)
    for step in range(n):
        seat = (table[ON_TURN] + step) % n
        if table[SIDE + seat] == ahead:
            return int(seat)
    return int(table[ON_TURN])


@part
def stops(policy: int, state: Any, table: Any, n: int, low_points: int, total: int, seat: int) -> bool:
    """Whether a player whose side has reached its target has had enough."""
    if policy == RANDOM:
        return below(state, STOP_ONE_IN) == 0
    if policy == GREEDY:
        return True
    # F3: with few points the losers pay double. D3: a side that stops gives them the points in its hands. So play goes
    # on while the losers have few, and what the winners hold would lift them.
    theirs, losers, cards, ours = 0, 0, 0, 0
    unplayed = total
    for other in range(n):
        unplayed -= table[CAPTURED + other]
        cards += table[CARDS + other]
        if table[SIDE + other] == table[SIDE + seat]:
            ours += table[CARDS + other]
        else:
            losers += 1
            theirs += table[CAPTURED + other]
    few = low_points * losers
    return theirs >= few or theirs + unplayed * ours // max(cards, 1) < few
