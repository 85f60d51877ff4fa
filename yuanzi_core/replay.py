"""One match step by step: the state of a deal after each of its plays, as the referee itself leaves it.

A state is what the referee's own compiled walk holds when it stops there; nothing about plays is decided here. One
step costs a few microseconds, so a whole deal is stepped through in a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core import referee as r
from yuanzi_core.cards import (
    BIG_JOKER,
    COUNT_BITS,
    MOST_OF_A_CARD,
    ODD,
    PASS,
    RANKS,
    SEAT_SHIFT,
    SMALL_JOKER,
    Variant,
    cards_of,
    code_of,
)
from yuanzi_core.deals import Deals
from yuanzi_core.reasons import Violation


def match_deals(deals: Deals, match: int) -> Deals:
    """The deals of one match of a batch as a batch of their own; ``match`` is its place in the batch."""
    first, last = np.searchsorted(deals.head[d.MATCH], [match, match + 1])
    head = np.ascontiguousarray(deals.head[:, first:last])
    rulesets = [deals.rulesets[number] for number in dict.fromkeys(head[d.RULES].tolist())]
    head[d.MATCH] = head[d.RULES] = 0
    begin, end = deals.offsets[first], deals.offsets[last]
    odd = slice(*np.searchsorted(deals.odd_plays, [begin, end]))
    return Deals(
        deals.variant, rulesets, head, deals.hands[first:last], deals.offsets[first : last + 1] - begin,
        deals.plays[begin:end], deals.odd_plays[odd] - begin, deals.odd_cards[odd],
    )  # fmt: skip


@dataclass(frozen=True)
class Play:
    """A play as logged: its number in the deal (from 0), the seat, its code and its cards, none for a pass."""

    place: int
    seat: int
    code: int
    cards: tuple[int, ...]

    @property
    def is_pass(self) -> bool:
        """Whether the player passed (C1)."""
        return self.code == PASS


@dataclass(frozen=True)
class State:
    """A deal after ``plays`` of its plays. Lists are by seat, points are card points.

    ``on_table`` is the code to beat, ``PASS`` where the seat ``turn`` leads; ``by`` who played it. ``ended`` is 0 while
    the deal goes on, else ``referee.BY_C4`` or ``BY_C5``. ``revealed`` has (seat, play) for each partner (A6).
    """

    plays: int
    knife: int
    turn: int
    on_table: int
    by: int | None
    trick_points: int
    tricks: int
    atoms: int
    ended: int
    finish: tuple[int, ...]
    captured: tuple[int, ...]
    cards: tuple[int, ...]
    sides: tuple[int, ...]
    revealed: tuple[tuple[int, int], ...]
    hands: NDArray[np.uint16]

    def hand(self, seat: int) -> list[int]:
        """The card numbers in a hand (at most seven of a kind are told apart)."""
        return hand_cards(self.hands[seat])


def hand_cards(words: NDArray[np.uint16]) -> list[int]:
    """Card numbers of a hand's words (``Deals.hands``)."""
    found: list[int] = []
    for rank in range(len(RANKS)):
        for suit in range(4):
            found += [4 * rank + suit] * (int(words[rank]) >> COUNT_BITS * suit & MOST_OF_A_CARD)
    for joker in (SMALL_JOKER, BIG_JOKER):
        found += [joker] * (int(words[d.JOKER_WORD]) >> COUNT_BITS * (joker - SMALL_JOKER) & MOST_OF_A_CARD)
    return found


@dataclass(frozen=True)
class Step:
    """One play that was carried out, between the states before and after it."""

    play: Play
    before: State
    after: State

    @property
    def leads(self) -> bool:
        """Whether it opens a trick."""
        return self.before.on_table == PASS

    @property
    def ends_trick(self) -> bool:
        """Whether somebody takes the trick with it (C2, C4)."""
        return self.after.tricks > self.before.tricks

    @property
    def taker(self) -> int:
        """Who takes the trick that ends here: the last to play."""
        return self.play.seat if not self.play.is_pass or self.before.by is None else self.before.by

    @property
    def points(self) -> int:
        """Card points of the trick that ends here."""
        return sum(self.after.captured) - sum(self.before.captured)


class Replay:
    """The deals of one match, to be looked at play by play. Deals and plays count from 0, as in verdicts."""

    def __init__(self, deals: Deals, match: int = 0) -> None:
        self.deals = match_deals(deals, match)
        self.variant: Variant = deals.variant
        self.facts = r.referee(self.deals)
        # What is asked of the referee, a play longer than the log, so that one more can be asked about.
        self._logged = np.append(self.deals.plays, np.uint32(0))
        self._asked = replace(
            self.deals, plays=self._logged.copy(), head=self.deals.head.copy(), offsets=self.deals.offsets.copy()
        )
        self._facts = self.facts.copy()

    def __len__(self) -> int:
        return len(self.deals)

    def violation(self, deal: int) -> Violation | None:
        """What the referee found in a deal; the settlement may rule out a whole half besides (H2)."""
        found = int(self.facts[d.VIOLATION, deal])
        return Violation.numbered(found) if found > 0 else None

    def plays(self, deal: int) -> list[Play]:
        """All plays of a deal as logged, those behind a violation included."""
        begin, end = self._bounds(deal)
        return [self._play(at, begin) for at in range(begin, end)]

    def play(self, deal: int, place: int) -> Play | None:
        """One play of a deal as logged; None behind the last."""
        begin, end = self._bounds(deal)
        return self._play(begin + place, begin) if begin + place < end else None

    def _bounds(self, deal: int) -> tuple[int, int]:
        return int(self.deals.offsets[deal]), int(self.deals.offsets[deal + 1])

    def _play(self, at: int, begin: int) -> Play:
        seat, code = int(self.deals.plays[at]) >> SEAT_SHIFT, int(self.deals.plays[at]) & ODD
        if code != ODD:
            return Play(at - begin, seat, code, tuple(cards_of(code)))
        counts = self.deals.odd_cards[np.searchsorted(self.deals.odd_plays, at)]
        return Play(at - begin, seat, code, tuple(np.repeat(np.arange(len(counts)), counts).tolist()))

    def legal_plays(self, deal: int) -> int:
        """How many plays of a deal were carried out: all of them, or those before a violation."""
        begin, end = self._bounds(deal)
        place = int(self.facts[d.PLAY, deal])
        if self.facts[d.VIOLATION, deal] == 0:
            return end - begin
        return min(max(place, 0), end - begin)

    def state(self, deal: int, plays: int) -> State:
        """A deal after so many of its plays, or before its first violation if that comes sooner.

        :raises ValueError: a deal that was not judged, because an earlier one of the match holds a violation.
        """
        made = min(plays, self.legal_plays(deal))
        table, hands = self._ask(deal, made)
        t: list[int] = table.tolist()
        n = len(hands)
        pairs = t[r.REVEALED : r.REVEALED + 2 * t[r.REVEALS]]
        by = None if t[r.ON_TABLE] == PASS else t[r.LAST]
        return State(
            made, t[r.KNIFE_RANK], t[r.ON_TURN], t[r.ON_TABLE], by, t[r.TRICK_POINTS], t[r.TRICKS], t[r.ATOMS],
            t[r.ENDED], tuple(t[r.FINISH : r.FINISH + t[r.OUT]]), tuple(t[r.CAPTURED : r.CAPTURED + n]),
            tuple(t[r.CARDS : r.CARDS + n]), tuple(t[r.SIDE : r.SIDE + n]),
            tuple(zip(pairs[::2], pairs[1::2], strict=True)), hands,
        )  # fmt: skip

    def steps(self, deal: int) -> Iterator[Step]:
        """The legal plays of a deal one by one. :raises ValueError: as :meth:`state`."""
        before = self.state(deal, 0)
        for play in self.plays(deal)[: self.legal_plays(deal)]:
            after = self.state(deal, play.place + 1)
            yield Step(play, before, after)
            before = after

    def verdict(self, deal: int, plays: int, seat: int, cards: Sequence[int]) -> Violation | None:
        """What the referee would say to another play (no cards: a pass) after so many plays; ``None``: it is legal.

        Cards that no code holds are NOT_A_COMBO here without a look at the hand. :raises ValueError: as :meth:`state`.
        """
        code = code_of(cards) if cards else PASS
        if code == ODD:
            return Violation.NOT_A_COMBO
        at = int(self.deals.offsets[deal]) + plays
        self._asked.plays[at] = seat << SEAT_SHIFT | code
        self._ask(deal, plays + 1)
        self._asked.plays[at] = self._logged[at]
        # One past the last: the play was legal, and the referee only misses what would follow.
        return self._found(deal) if self._facts[d.PLAY, deal] <= plays else None

    def trial(self, deal: int, row: int, value: int) -> Violation | None:
        """What the referee would say to the deal, before any play, had the log another value in a row of ``head``."""
        logged = self.deals.head[row, deal]
        self._asked.head[row, deal] = value
        self._ask(deal, 0)
        self._asked.head[row, deal] = logged
        return self._found(deal) if self._facts[d.PLAY, deal] < 0 else None

    def _found(self, deal: int) -> Violation | None:
        found = int(self._facts[d.VIOLATION, deal])
        return Violation.numbered(found) if found > 0 else None

    def _ask(self, deal: int, plays: int) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
        """The referee's table and hands as if the log of a deal stopped after so many plays; facts in ``_facts``."""
        if self.facts[d.VIOLATION, deal] == d.NOT_JUDGED:
            raise ValueError(f"deal {deal} was not judged")
        self._asked.offsets[:] = self.deals.offsets
        self._asked.offsets[deal + 1] = self.deals.offsets[deal] + plays
        self._facts[:] = self.facts
        return r.stop(self._asked, deal, self._facts)
