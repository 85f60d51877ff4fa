"""How a simulated deal begins: a fair draw of the knife and a fair shuffle, or what a study has fixed of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.cards import COUNT_BITS, MOST_OF_A_CARD, RANKS, SMALL_JOKER
from yuanzi_core.chance import below
from yuanzi_core.compiled import inlined
from yuanzi_core.deals import HEAD, Deals
from yuanzi_core.notation import read_hands
from yuanzi_core.reasons import Violation
from yuanzi_core.referee import first_to_draw, hand_size, knife_of, referee
from yuanzi_core.ruleset import RuleSet

#: What is wrong with a drawn card or a first leader that cannot be, given the hands. (Of five players, a call follows.)
_IMPOSSIBLE = {v.number for v in (Violation.KNIFE, Violation.FIRST_DRAW, Violation.HAND_SIZE, Violation.LEADER)}


class ImpossibleStudy(ValueError):
    """What a study fixes cannot be dealt: ``part`` is ``hands``, or ``knife`` if these alone could be."""

    def __init__(self, part: str) -> None:
        super().__init__(f"these {part} cannot be dealt")
        self.part = part


@inlined
def draw_and_shuffle(
    state: Any, rules: Any, head: Any, hands: Any, deal: int, n: int, decks: int, lower: bool, upstream: int,
    drawable: Any, given: Any, dealer: int, deck: Any,
) -> int:  # fmt: skip
    """Draw the knife, choose the dealer and fill the hands; returns the knife's rank. Arguments as in ``Study``.

    ``dealer`` is −1 where anybody may be, ``deck`` a working array, int64 (cards).
    """
    # A3: any card of the deck may be drawn, but those that cannot be.
    drawn, knife = 0, -1
    while knife < 0:
        drawn = below(state, SMALL_JOKER + 2)
        if drawable[drawn]:
            knife = knife_of(drawn, lower, rules)
    first = first_to_draw(knife, lower, upstream, n)
    head[d.DRAWN, deal], head[d.KNIFE_CLAIMED, deal] = drawn, knife
    if n == 4:
        head[d.FIRST_DRAW, deal] = first
    else:
        head[d.DEALER, deal] = below(state, n) if dealer < 0 else dealer
    if len(given) > 0 and not lower:
        for seat in range(n):
            for word in range(d.HAND_WORDS):
                hands[deal, seat, word] = given[seat, word]
        return knife
    # A fair shuffle; then each seat takes as many cards as it draws (A4).
    cards = len(deck)
    for place in range(cards):
        deck[place] = place // decks
    for seat in range(n):
        for word in range(d.HAND_WORDS):
            hands[deal, seat, word] = 0
    left = cards
    for step in range(n):
        seat = (first + step) % n
        for _ in range(hand_size(cards, n, step)):
            chosen = below(state, left)
            card = deck[chosen]
            left -= 1
            deck[chosen] = deck[left]
            place = card & 3 if card < SMALL_JOKER else card - SMALL_JOKER
            hands[deal, seat, card >> 2] += np.uint16(1 << COUNT_BITS * place)
    return knife


@dataclass(frozen=True)
class Study:
    """What is not left to chance in the first deal of each match.

    * ``drawable``: which of the 54 cards may be drawn, bool (54);
    * ``hands``: uint16 (seats, 14) as in ``Deals``, or without rows where they are shuffled;
    * ``leader``: who leads, −1 for whoever may (A5); where only the dealer may, this is the dealer.
    """

    drawable: NDArray[np.bool_]
    hands: NDArray[np.uint16]
    leader: int = -1

    @classmethod
    def of(
        cls, ruleset: RuleSet, knife: str | None = None, hands: Sequence[str] | None = None, leader: int | None = None
    ) -> Study:
        """A study that fixes the rank of the drawn card, the text of each hand, or the first leader.

        A lower half is shuffled; its drawn card is of that rank too, and is the knife if it may be there (A3).

        :raises ImpossibleStudy: hands that are not the deck, or a knife that cannot be drawn, with these hands or by
            this leader.
        :raises ValueError: no such rank or seat.
        """
        seats = ruleset.players
        if knife is not None and knife not in list(RANKS):
            raise ValueError(f"no rank {knife!r}")
        if leader is not None and not 0 <= leader < seats:
            raise ValueError(f"no seat {leader}")
        drawable = np.ones(54, dtype=np.bool_)
        if knife is not None:
            drawable[:] = False
            drawable[4 * RANKS.index(knife) : 4 * RANKS.index(knife) + 4] = True
        study = cls(drawable, np.zeros((0, d.HAND_WORDS), np.uint16), -1 if leader is None else leader)
        return study if hands is None else study._with_hands(ruleset, hands)

    @property
    def key(self) -> bytes:
        """What is fixed, for ids; nothing if nothing is."""
        if self.drawable.all() and not len(self.hands) and self.leader < 0:
            return b""
        return self.drawable.tobytes() + self.hands.tobytes() + str(self.leader).encode()

    def _callable(self, ruleset: RuleSet, hands: NDArray[np.uint16]) -> NDArray[np.bool_]:
        """Drawn cards with which whoever may be dealer lacks a card that may be called (A6), bool (54)."""
        only_leader = self.leader >= 0 and ruleset.options["five_leader"] == "dealer"
        dealers = [self.leader] if only_leader else list(range(ruleset.players))
        counts = np.stack([hands >> COUNT_BITS * suit & MOST_OF_A_CARD for suit in range(4)])[..., : d.JOKER_WORD]
        lacking = (counts == 0).any(axis=0)[dealers]
        found = np.zeros_like(self.drawable)
        for rank in range(d.JOKER_WORD):
            found[4 * rank : 4 * rank + 4] = np.delete(lacking, rank, axis=1).any(axis=1).all()
        return found

    def _with_hands(self, ruleset: RuleSet, texts: Sequence[str]) -> Study:
        """The referee says which cards could have been drawn before these hands were dealt."""
        seats = ruleset.players
        hands, bad = read_hands(list(texts))
        if len(texts) != seats or bad.any():
            raise ImpossibleStudy("hands")
        leaders = range(seats) if self.leader < 0 else (self.leader,)
        tried = [(card, leader) for card in np.flatnonzero(self.drawable).tolist() for leader in leaders]
        head = np.full((len(HEAD), len(tried)), -1, dtype=np.int32)
        head[d.MATCH], head[d.DEAL], head[d.RULES], head[d.END] = np.arange(len(tried)), 0, 0, d.OUT_END
        head[d.DRAWN], head[d.LEADER] = np.array(tried, dtype=np.int32).T
        if seats == 5:
            head[d.DEALER], head[d.CALLED] = head[d.LEADER], 0
        repeated = np.repeat(hands[None], len(tried), axis=0)
        deals = Deals(
            ruleset.variant, [ruleset], head, repeated, np.zeros(len(tried) + 1, np.int64), np.zeros(0, np.uint32)
        )
        wrong = referee(deals)[d.VIOLATION]
        if (wrong == Violation.DECK.number).any():
            raise ImpossibleStudy("hands")
        possible = ~np.isin(wrong, list(_IMPOSSIBLE))
        drawable = np.zeros_like(self.drawable)
        drawable[head[d.DRAWN, possible]] = True
        if seats == 5:
            drawable &= self._callable(ruleset, hands)
        if not drawable.any():
            raise ImpossibleStudy("knife")
        return Study(drawable, hands, self.leader)
