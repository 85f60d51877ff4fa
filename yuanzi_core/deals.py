"""A batch of deals of one game as a handful of flat arrays, and the facts that the referee finds in them.

Nothing in a batch is an object a play: a deal is one column of ``head`` and ``facts``, its plays are a slice of one
array. A column that does not apply, or a value that the log does not give, is −1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.cards import RANKS, SUIT_BITS, Variant
from yuanzi_core.ruleset import RuleSet, options

Ints = NDArray[np.int32]

#: Rows of ``Deals.head``: what the log says of a deal. ``match`` is the match's place in the batch, ``deal`` 0 or 1,
#: ``rules`` the place of its ruleset in the batch; cards and ranks as numbers of ``cards``; ``end`` as ``ENDS``.
HEAD = (
    "match", "deal", "rules", "drawn", "knife_claimed", "first_draw", "dealer", "called", "leader", "end", "escaped",
)  # fmt: skip
MATCH, DEAL, RULES, DRAWN, KNIFE_CLAIMED, FIRST_DRAW, DEALER, CALLED, LEADER, END, ESCAPED = range(len(HEAD))
ENDS = ("out", "points", "escape")
OUT_END, POINTS_END, ESCAPE_END = range(3)


def _seats(name: str) -> tuple[str, ...]:
    return tuple(f"{name}{seat}" for seat in range(5))


#: Rows of ``facts``: what the referee found. ``violation`` is the number of a ``reasons.Violation`` (0 none, −1 not
#: judged, because an earlier deal of the match holds one or has no upstream player), ``play`` its place; ``out`` the
#: number of players out; ``finish0…4`` seats in order of going out; by seat ``captured`` and ``hand`` (card points
#: taken in tricks, left in hand), ``cards`` (left in hand) and ``side``; ``open_points`` lie in a trick that an escape
#: left open; ``revealed`` and ``revealed_play`` seat and play of the first and second partner revealed (A6).
FACTS = (
    "violation", "play", "knife", "out", "tricks", "atoms", "open_points",
    *_seats("finish"), *_seats("captured"), *_seats("hand"), *_seats("cards"), *_seats("side"),
    "revealed0", "revealed_play0", "revealed1", "revealed_play1",
)  # fmt: skip
VIOLATION, PLAY, KNIFE, OUT, TRICKS, ATOMS, OPEN_POINTS = range(7)
FINISH, CAPTURED, HAND, CARDS, SIDE, REVEALED = 7, 12, 17, 22, 27, 32
NOT_JUDGED = -1

#: Words of a hand: suit counts of each rank (as in a code), then the joker counts.
HAND_WORDS = len(RANKS) + 1
JOKER_WORD = len(RANKS)
assert SUIT_BITS <= 16

#: Columns of a row of ``Deals.rules``, see :func:`rules_row`.
(
    WIND_TO_PARTNER, KNIFE_BOMB, KNIFE_JOKERS, ANY_LEADER, EARLY_STOP, COUNT_HEAD_OUT,
    JOKER_KNIFE, LOWER_THREES, PARTNER_COPIES, TARGETS,
) = range(10)  # fmt: skip
_EARLY_STOPS = options()["early_stop"].values["five"]
MUST, NEVER = (_EARLY_STOPS.index(value) for value in ("must", "never"))


def rules_row(ruleset: RuleSet) -> list[int]:
    """What the referee needs of a ruleset: nine numbers and the four targets of F1.

    Targets stand as [side of two, side of three] × [without, with the upstream player]. ``JOKER_KNIFE`` is −1 where
    a joker cannot be drawn; ``LOWER_THREES`` has a bit for each rank that makes 3 the knife in a lower half.
    """
    o, c = ruleset.options, ruleset.constants
    return [
        int(o["wind"] == "partner"),
        options()["knife_bomb"].values[ruleset.variant].index(o["knife_bomb"]),
        int(o["knife_jokers"]),
        int(o.get("five_leader") == "any"),
        _EARLY_STOPS.index(o.get("early_stop", "never")),
        int(o["count_head_out"]),
        RANKS.index(c["knife_for_drawn_joker"]) if "knife_for_drawn_joker" in c else -1,
        sum(1 << RANKS.index(rank) for rank in c.get("lower_half_knife_is_three", ())),
        int(c.get("partner_copies", 0)),
        *(ruleset.target(size, upstream) for size in (2, 3) for upstream in (False, True)),
    ]


@dataclass
class Deals:
    """A batch of deals of one game, those of a match next to each other and in order.

    * ``head``: int32 (11, deals), rows as :data:`HEAD`;
    * ``hands``: uint16 (deals, seats, 14), a hand's suit counts by rank and its joker counts, three bits a count
      (7 stands for seven and more);
    * ``plays``: uint32, seat and code (``cards``); those of deal *d* are ``plays[offsets[d]:offsets[d + 1]]``;
    * ``odd_plays`` and ``odd_cards``: for each play of code ``ODD`` its place in ``plays``, ascending, and its counts
      of the 54 kinds of card (uint8, 255 stands for more);
    * ``rules``: int64 (rulesets, 13), rows as :func:`rules_row`; ``rulesets`` the same as objects.
    """

    variant: Variant
    rulesets: Sequence[RuleSet]
    head: Ints
    hands: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    plays: NDArray[np.uint32]
    odd_plays: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    odd_cards: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 54), np.uint8))

    def __len__(self) -> int:
        return int(self.head.shape[1])

    @cached_property
    def rules(self) -> NDArray[np.int64]:
        """The rulesets as the referee takes them."""
        return np.array([rules_row(ruleset) for ruleset in self.rulesets], dtype=np.int64).reshape(-1, TARGETS + 4)


def concatenate(batches: Sequence[Deals], first_match: Sequence[int]) -> Deals:
    """One batch of several of the same game; the matches of each are numbered on from its ``first_match``."""
    rulesets = list({ruleset.hash: ruleset for batch in batches for ruleset in batch.rulesets}.values())
    place = {ruleset.hash: number for number, ruleset in enumerate(rulesets)}
    heads, offsets, odd_plays, plays_before = [], [np.zeros(1, np.int64)], [], 0
    for batch, matches_before in zip(batches, first_match, strict=True):
        head = batch.head.copy()
        head[MATCH] += matches_before
        if len(batch):
            head[RULES] = np.array([place[ruleset.hash] for ruleset in batch.rulesets], np.int32)[head[RULES]]
        heads.append(head)
        offsets.append(batch.offsets[1:] + plays_before)
        odd_plays.append(batch.odd_plays + plays_before)
        plays_before += len(batch.plays)
    return Deals(
        batches[0].variant, rulesets, np.concatenate(heads, axis=1), np.concatenate([b.hands for b in batches]),
        np.concatenate(offsets), np.concatenate([b.plays for b in batches]), np.concatenate(odd_plays),
        np.concatenate([b.odd_cards for b in batches]),
    )  # fmt: skip
