"""A walk over legal deals: what each hand held, and how each kind of combination was played and what it brought home.

The table is laid and every play is carried out by the referee's own functions, and what cards are is looked up in the
shape table; here it is only counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.cards import COUNT_BITS, JOKER_SHIFT, MOST_OF_A_CARD, ODD, PASS, RANK_SHIFT, SEAT_SHIFT
from yuanzi_core.compiled import compiled, inlined, wide
from yuanzi_core.deals import Deals
from yuanzi_core.referee import (
    CAPTURED,
    KNIFE_RANK,
    ON_TABLE,
    REVEALS,
    TABLE_SIZE,
    TRICKS,
    constants,
    count_cards,
    do_play,
    first_to_draw,
    set_table,
)
from yuanzi_core.shapes import ATOM3, ATOM4, ATOM5, BIG_HBOMB, BOMB, HBOMB, KIND, KIND_NAMES, is_of_knife, shapes

#: What is counted of a kind of combination, in this order: ``led`` and ``answered`` (how often it was played),
#: ``beaten`` (how often another was put on it), ``won`` (tricks taken with it) and ``points`` (card points of those).
COUNTED = ("led", "answered", "beaten", "won", "points")
LED, ANSWERED, BEATEN, WON, POINTS = range(len(COUNTED))
#: Places of ``Walk.kinds``: a kind's number of ``shapes``, twice, and one more where it is of the knife's rank.
PLACES = 2 * len(KIND_NAMES)
#: What is counted of a hand, in this order. What could be played is counted kind by kind, so a card may count in
#: several: ``atoms`` kinds of card (rank and suit, or a joker) whose copies together are an atom; ``hbombs`` ranks of
#: which an H-bomb or big H-bomb could be played; ``bombs`` ranks whose cards, played together, are a bomb or an H-bomb;
#: ``knives`` natural cards of the knife's rank; ``jokers``.
HELD = ("atoms", "hbombs", "bombs", "knives", "jokers")
ATOMS_HELD, HBOMBS_HELD, BOMBS_HELD, KNIVES_HELD, JOKERS_HELD = range(len(HELD))


@dataclass(frozen=True)
class Walk:
    """What a walk over a batch found, one row a deal.

    ``kinds``: int32 (deals, PLACES, 5), places as :data:`PLACES`, columns as :data:`COUNTED`; ``held``: int32 (deals,
    seats, 5), columns as :data:`HELD`; ``draw``: int32 (deals, seats), each seat's place in drawing from 0 (A4), −1 in
    the five-player game; ``reveal_tricks``: int32 (deals, 2), the trick (from 1) in which the first and the second
    partner were revealed (A6), −1 where none was.
    """

    kinds: NDArray[np.int32]
    held: NDArray[np.int32]
    draw: NDArray[np.int32]
    reveal_tricks: NDArray[np.int32]


@inlined
def look_at_hand(hands: Any, deal: int, seat: int, shape_of: Any, shape_table: Any, knife: int, held: Any) -> None:
    """Count what a hand holds, see :data:`HELD`."""
    for rank in range(d.JOKER_WORD):
        word = wide(hands[deal, seat, rank])
        code = rank << RANK_SHIFT
        least = MOST_OF_A_CARD
        for suit in range(4):
            alone = word & MOST_OF_A_CARD << COUNT_BITS * suit
            least = min(least, alone >> COUNT_BITS * suit)
            kind = shape_table[shape_of[code | alone], KIND] if alone else 0
            if kind in (ATOM3, ATOM4, ATOM5):
                held[deal, seat, ATOMS_HELD] += 1
        found = False
        for each in range(1, least + 1):
            same = each | each << COUNT_BITS | each << 2 * COUNT_BITS | each << 3 * COUNT_BITS
            kind = shape_table[shape_of[code | same], KIND]
            found = found or kind in (HBOMB, BIG_HBOMB)
        held[deal, seat, HBOMBS_HELD] += 1 if found else 0
        together = shape_table[shape_of[code | word], KIND] if word else 0
        if together in (BOMB, HBOMB, BIG_HBOMB):
            held[deal, seat, BOMBS_HELD] += 1
        if rank == knife:
            held[deal, seat, KNIVES_HELD] = count_cards(word)
    jokers = wide(hands[deal, seat, d.JOKER_WORD])
    for joker in range(2):
        alone = jokers & MOST_OF_A_CARD << COUNT_BITS * joker
        kind = shape_table[shape_of[alone << JOKER_SHIFT], KIND] if alone else 0
        if kind in (ATOM3, ATOM4, ATOM5):
            held[deal, seat, ATOMS_HELD] += 1
    held[deal, seat, JOKERS_HELD] = count_cards(jokers)


@compiled(
    "void(i8, i8, i8[::1], i8[:, ::1], u2[::1], i4[:, ::1], i4[:, ::1],"
    " Array(u2, 3, 'C', readonly=True), i8[::1], Array(u4, 1, 'C', readonly=True), i8[::1], i8[::1], u2[:, ::1],"
    " i4[:, :, ::1], i4[:, :, ::1], i4[:, ::1], i4[:, ::1])"
)
def _walk(
    n: int, decks: int, rank_points: Any, rules: Any, shape_of: Any, shape_table: Any, head: Any, hands: Any,
    offsets: Any, plays: Any, upstream: Any, table: Any, hand: Any, kinds: Any, held: Any, draw: Any, reveals: Any,
) -> None:  # fmt: skip
    for deal in range(len(upstream)):
        row = rules[head[d.RULES, deal]]
        set_table(head, deal, hands, row, n, decks, upstream[deal], table)
        knife, called = table[KNIFE_RANK], head[d.CALLED, deal]
        first = first_to_draw(knife, head[d.DEAL, deal] > 0, upstream[deal], n)
        for seat in range(n):
            for word in range(d.HAND_WORDS):
                hand[seat, word] = hands[deal, seat, word]
            look_at_hand(hands, deal, seat, shape_of, shape_table, knife, held)
            if n == 4:
                # A4: drawn one by one, in seat order.
                draw[deal, (first + seat) % n] = seat
        lying = 0
        for at in range(offsets[deal], offsets[deal + 1]):
            play = wide(plays[at])
            seat, code = play >> SEAT_SHIFT, play & ODD
            tricks, revealed = table[TRICKS], table[REVEALS]
            if code != PASS:
                place = 2 * shape_table[shape_of[code], KIND] + (1 if is_of_knife(code, knife) else 0)
                if table[ON_TABLE] == PASS:
                    kinds[deal, place, LED] += 1
                else:
                    kinds[deal, place, ANSWERED] += 1
                    kinds[deal, lying, BEATEN] += 1
                lying = place
            taken = 0
            for other in range(n):
                taken -= table[CAPTURED + other]
            do_play(table, hand, shape_of, shape_table, row, rank_points, n, called, at - offsets[deal], seat, code)
            if table[TRICKS] > tricks:
                for other in range(n):
                    taken += table[CAPTURED + other]
                kinds[deal, lying, WON] += 1
                kinds[deal, lying, POINTS] += taken
            if table[REVEALS] > revealed:
                reveals[deal, revealed] = tricks + 1


def walk(deals: Deals, upstream: NDArray[np.int64]) -> Walk:
    """Walk over deals, each without a violation and with its hands; ``upstream`` is, for each lower half, the first
    player out of the upper half, −1 elsewhere. Runs without the interpreter's lock.
    """
    count, seats = len(deals), deals.hands.shape[1]
    found = Walk(
        np.zeros((count, PLACES, len(COUNTED)), np.int32), np.zeros((count, seats, len(HELD)), np.int32),
        np.full((count, seats), -1, np.int32), np.full((count, 2), -1, np.int32),
    )  # fmt: skip
    if count:
        known = shapes(deals.variant)
        _walk(
            *constants(deals.variant), deals.rules, known.shape_of, known.table, deals.head, deals.hands, deals.offsets,
            deals.plays, upstream, np.zeros(TABLE_SIZE, np.int64), np.zeros((seats, d.HAND_WORDS), np.uint16),
            found.kinds, found.held, found.draw, found.reveal_tricks,
        )  # fmt: skip
    return found
