"""What a set of cards is and how strong it is (B1–B8): a few hundred shapes, and the table the referee looks up.

A shape is (kind, rank, size, suit of an atom, jokers: none, some, nothing else). Two numbers for each reading of B5
and for "is of the knife's rank" settle what beats what: a play beats the one on the table if its ``attack`` is above
the other's ``shield`` and, where both are singles, pairs or triples, they are of the same kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.cards import (
    CODES,
    COUNT_BITS,
    JOKER_SHIFT,
    MOST_OF_A_CARD,
    NATURALS,
    RANK_SHIFT,
    Variant,
)
from yuanzi_core.compiled import compiled, inlined
from yuanzi_core.ruleset import Rulesets, options

# Kinds, weakest first. A 4-atom, 5-atom and big H-bomb exist only in the five-player game (B2).
SINGLE, PAIR, TRIPLE, BOMB, ATOM3, ATOM4, HBOMB, ATOM5, BIG_HBOMB = range(1, 10)
KIND_NAMES = ("", "single", "pair", "triple", "bomb", "atom3", "atom4", "hbomb", "atom5", "big_hbomb")
#: Rank of an atom of jokers (B7); every other play of jokers alone is of rank 3 (B3).
SMALL_JOKERS, BIG_JOKERS = 13, 14
NO_SUIT = 4

#: B5: the values of ``knife_bomb``, in the order of the shape table's columns.
KNIFE_BOMB_READINGS = tuple(str(value) for value in options()["knife_bomb"].values["five"])
KNIFE_STRENGTH = 13  # the knife stands above rank 12, the 2

# Columns of the shape table.
KIND, RANK, SIZE, SUIT, JOKERS, ATTACK = 0, 1, 2, 3, 4, 5
NO_JOKERS, SOME_JOKERS, ONLY_JOKERS = range(3)
SHIELD = ATTACK + 6
COLUMNS = SHIELD + 6  # attack and shield: three readings of B5, each not / of the knife's rank

# Bands of strength: singles, pairs, triples below 100; bombs; knife bombs above all; then one band a tier of B6.
_BOMBS, _BAND, _KNIFE_BOMBS, _TIERS, _TIER = 100, 20, 1000, 2000, 100


@inlined
def name_shape(code: int, five: bool) -> tuple[int, int, int, int, int]:
    """The highest thing that a code is: kind, rank, size, suit, jokers. Size 0 for no cards (B1–B3)."""
    rank = code >> RANK_SHIFT
    naturals, most, least, holder = 0, 0, MOST_OF_A_CARD, NO_SUIT
    for suit in range(4):
        count = code >> COUNT_BITS * suit & MOST_OF_A_CARD
        naturals += count
        least = min(least, count)
        if count > most:
            most, holder = count, suit
    small = code >> JOKER_SHIFT & MOST_OF_A_CARD
    big = code >> JOKER_SHIFT + COUNT_BITS & MOST_OF_A_CARD
    jokers = small + big
    size = naturals + jokers
    if naturals == 0:
        # B3: identical jokers are an atom; any other jokers alone are of rank 3.
        if jokers in (3, 4, 5) and (small == 0 or big == 0) and (five or jokers == 3):
            kind = ATOM3 if jokers == 3 else ATOM4 if jokers == 4 else ATOM5
            return kind, SMALL_JOKERS if small else BIG_JOKERS, size, NO_SUIT, ONLY_JOKERS
        rank = 0
    elif jokers == 0:
        # B2: identical cards are an atom.
        if most == naturals and (naturals == 3 or (five and naturals in (4, 5))):
            return ATOM3 if naturals == 3 else ATOM4 if naturals == 4 else ATOM5, rank, size, holder, NO_JOKERS
        if naturals == 8 and least == 2 and most == 2:
            return HBOMB, rank, size, NO_SUIT, NO_JOKERS
        if five and naturals == 12 and least == 3 and most == 3:
            return BIG_HBOMB, rank, size, NO_SUIT, NO_JOKERS
    # B1: one card a single, two a pair, three a triple, four or more a bomb.
    with_jokers = NO_JOKERS if jokers == 0 else SOME_JOKERS if naturals else ONLY_JOKERS
    return min(size, 4), rank, size, NO_SUIT, with_jokers


@compiled("i8(b1, i8, u2[::1], u2[::1], i4[:, ::1])")
def _fill(five: bool, decks: int, known: Any, shape_of: Any, table: Any) -> int:
    """Name every code that the deck allows; returns the number of shapes. Shape 0 is none."""
    found = 1
    for rank in range(13):
        for suits in range(1 << 4 * COUNT_BITS):
            within = True
            for suit in range(4):
                within = within and suits >> COUNT_BITS * suit & MOST_OF_A_CARD <= decks
            if not within or (suits == 0 and rank > 0):
                continue
            for small in range(decks + 1):
                for big in range(decks + 1):
                    code = rank << RANK_SHIFT | big << JOKER_SHIFT + COUNT_BITS | small << JOKER_SHIFT | suits
                    kind, named, size, suit, jokers_in = name_shape(code, five)
                    if size == 0:
                        continue
                    key = (((kind * 16 + named) * 32 + size) * 5 + suit) * 3 + jokers_in
                    if known[key] == 0:
                        known[key] = found
                        table[found, KIND], table[found, RANK], table[found, SIZE] = kind, named, size
                        table[found, SUIT], table[found, JOKERS] = suit, jokers_in
                        found += 1
                    shape_of[code] = known[key]
    return found


def _strength(kind: int, rank: int, size: int, suit: int, knife: bool, reading: str) -> tuple[int, int]:
    """Attack and shield of a shape under one reading of B5. See the module's docstring."""
    order = KNIFE_STRENGTH if knife else rank
    if kind in (SINGLE, PAIR, TRIPLE):
        # B4: those of the knife's rank fall only to an atom or higher.
        return order + 1, _TIERS - 1 if knife else order + 1
    if kind == BOMB:
        # B5: more cards beat fewer; at the same count the higher rank wins.
        by_size = _BOMBS + _BAND * size + order
        if not knife or reading == "by_size":
            return by_size, by_size
        if reading == "shielded":
            return by_size, _TIERS - 1
        return _KNIFE_BOMBS + size, _KNIFE_BOMBS + size
    # B6, B7: one band a tier; knife > big joker > small joker > 2 > …; then the suit.
    atom_order = BIG_JOKERS + 1 if knife else rank
    strength = _TIERS + _TIER * kind + (order if kind in (HBOMB, BIG_HBOMB) else 5 * atom_order + suit % NO_SUIT)
    return strength, strength


@dataclass(frozen=True)
class Shapes:
    """The shapes of one game.

    ``shape_of``: uint16, one entry a code (0 where the deck has no such cards); ``table``: int32, one row a shape
    (row 0 is none), columns as the constants of this module.
    """

    variant: Variant
    shape_of: NDArray[np.uint16]
    table: NDArray[np.int32]


@cache
def shapes(variant: Variant) -> Shapes:
    """The shapes of a game, named afresh in this process (about 10 ms)."""
    rules = Rulesets()[f"{variant}-classic"]
    shape_of = np.zeros(CODES, dtype=np.uint16)
    table = np.zeros((1024, COLUMNS), dtype=np.int32)
    known = np.zeros(10 * 16 * 32 * 5 * 3, dtype=np.uint16)
    count = _fill(variant == "five", rules.decks, known, shape_of, table)
    table = np.ascontiguousarray(table[:count])
    strengths = [
        [
            _strength(kind, rank, size, suit, knife, reading)
            for reading in KNIFE_BOMB_READINGS
            for knife in (False, True)
        ]
        for kind, rank, size, suit, *_ in table[1:].tolist()
    ]
    table[1:, ATTACK:] = np.array(strengths, dtype=np.int32).transpose(0, 2, 1).reshape(count - 1, -1)
    return Shapes(variant, shape_of, table)


@inlined
def beats(table: Any, reading: int, attacker: int, attacker_knife: bool, defender: int, defender_knife: bool) -> bool:
    """Whether one shape beats another (B4–B8). ``reading`` is the place of ``knife_bomb`` in its values."""
    if table[attacker, KIND] <= TRIPLE and table[attacker, KIND] != table[defender, KIND]:
        # B4: singles, pairs and triples answer only their own kind.
        return False
    attack = table[attacker, ATTACK + 2 * reading + (1 if attacker_knife else 0)]
    shield = table[defender, SHIELD + 2 * reading + (1 if defender_knife else 0)]
    return bool(attack > shield)


@inlined
def is_of_knife(code: int, knife: int) -> bool:
    """Whether a play is of the knife's rank: jokers alone never are (B3)."""
    return bool(code & NATURALS != 0 and code >> RANK_SHIFT == knife)
