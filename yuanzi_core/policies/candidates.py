"""The plays that a thinking player weighs: the sensible sets of cards of a hand, each accepted by the referee.

A hand is thought of in groups, one a rank, from the 3 up. Of each group come up, in this order: the cards that answer
the table, alone or with jokers to make up the number; the whole group as a bomb; its atoms; its H-bombs. Jokers alone
come last. The order is part of a seed's promise, since of equally good plays the first is played.

What could be allowed is only estimated here, to save time; the referee's ``may_play`` decides on each.
"""

from __future__ import annotations

from typing import Any

from yuanzi_core import deals as d
from yuanzi_core.cards import COUNT_BITS, JOKER_SHIFT, MOST_OF_A_CARD, PASS, RANK_SHIFT
from yuanzi_core.compiled import inlined, part, wide
from yuanzi_core.referee import KNIFE_RANK, ON_TABLE, TABLE_SHAPE, may_play
from yuanzi_core.shapes import BOMB, KIND, RANK, SIZE, TRIPLE, is_of_knife

#: Room for the plays of one hand, also of one put together for a study.
MOST_CANDIDATES = 256

_ONE_OF_EACH = 0o1111
_SUITS_0_AND_2 = 0o0707
_ATOM, _H_BOMB, _BIG_H_BOMB = 3, 2, 3


@inlined
def group_size(held: int) -> int:
    """Number of cards of a rank, given its suit counts."""
    pairs_of_suits = (held & _SUITS_0_AND_2) + (held >> COUNT_BITS & _SUITS_0_AND_2)
    return (pairs_of_suits & 0o77) + (pairs_of_suits >> 2 * COUNT_BITS)


@inlined
def has_atom(held: int) -> bool:
    """Whether three cards of a rank are identical: a suit count of 4 and more, or of 3."""
    return (held >> 2 | held >> 1 & held) & _ONE_OF_EACH != 0


@inlined
def has_two_of_each(held: int) -> bool:
    """Whether there are two and more of each suit: what an H-bomb needs."""
    return (held >> 2 | held >> 1) & _ONE_OF_EACH == _ONE_OF_EACH


@inlined
def loose_cards(held: int, wanted: int) -> int:
    """Some cards of a rank, first those of which there are fewest: atoms stay together as long as they can."""
    code, copies = 0, 1
    while wanted > 0:
        for suit in range(4):
            if wanted > 0 and held >> COUNT_BITS * suit & MOST_OF_A_CARD == copies:
                taken = min(copies, wanted)
                code |= taken << COUNT_BITS * suit
                wanted -= taken
        copies += 1
    return code


@inlined
def some_jokers(jokers: int, wanted: int) -> int:
    """As many jokers as wanted, small ones first, in their place in a code."""
    small = min(jokers & MOST_OF_A_CARD, wanted)
    return small << JOKER_SHIFT | wanted - small << JOKER_SHIFT + COUNT_BITS


@inlined
def _atoms_and_h_bombs(base: int, held: int, whole: bool, leads: bool, found: Any, count: int) -> int:
    """Add the atoms and H-bombs of a group, and for the lead what is left of it without an atom.

    ``whole``: the group as it is came up already.
    """
    for suit in range(4):
        alike = held >> COUNT_BITS * suit & MOST_OF_A_CARD
        for taken in range(_ATOM, alike + 1):
            if not whole or taken << COUNT_BITS * suit != held:
                found[count] = base | taken << COUNT_BITS * suit
                count += 1
        rest = held & ~(MOST_OF_A_CARD << COUNT_BITS * suit)
        if leads and alike >= _ATOM and rest != 0:
            found[count] = base | rest
            count += 1
    if has_two_of_each(held):
        for each in (_H_BOMB, _BIG_H_BOMB):
            h_bomb = each * _ONE_OF_EACH
            left = held - h_bomb
            # No suit count has fallen below 0: then no bit was borrowed from the next.
            if left >= 0 and (held ^ h_bomb ^ left) & 0o11110 == 0 and (not whole or left != 0):
                found[count] = base | h_bomb
                count += 1
    return count


@part
def candidates(
    table: Any, hand: Any, shape_of: Any, shape_table: Any, rules: Any, seat: int, found: Any
) -> int:  # fmt: skip
    """Fill ``found`` with the codes of the plays that a seat may weigh, all of them legal; returns how many.

    ``found``: int64, room for ``MOST_CANDIDATES``. There is always one for the lead. A pass is not among them.
    """
    on_table, knife, count = table[ON_TABLE], table[KNIFE_RANK], 0
    leads = on_table == PASS
    shape = table[TABLE_SHAPE]
    kind, size, rank = (0, 0, 0) if leads else (
        shape_table[shape, KIND], shape_table[shape, SIZE], shape_table[shape, RANK],
    )  # fmt: skip
    # Only atoms and what is above them fall on singles, pairs and triples of the knife's rank.
    only_atoms = not leads and (kind > BOMB or (kind <= TRIPLE and is_of_knife(on_table, knife)))
    jokers = wide(hand[seat, d.JOKER_WORD])
    joker_count = (jokers & MOST_OF_A_CARD) + (jokers >> COUNT_BITS)
    for word in range(d.JOKER_WORD):
        held = wide(hand[seat, word])
        if held == 0:
            continue
        base, cards, whole = word << RANK_SHIFT, group_size(held), False
        joining = joker_count if word != knife or rules[d.KNIFE_JOKERS] != 0 else 0
        if leads:
            found[count] = base | held
            count += 1
            whole = True
            if joining > 0 and cards > 1:
                found[count] = base | held | jokers << JOKER_SHIFT
                count += 1
                if cards < BOMB < cards + joining:
                    found[count] = base | held | some_jokers(jokers, BOMB - cards)
                    count += 1
        elif not only_atoms:
            if kind <= TRIPLE and (word > rank or word == knife):
                if cards >= size:
                    found[count] = base | (held if cards == size else loose_cards(held, size))
                    count += 1
                    whole = cards == size
                elif cards + joining >= size:
                    found[count] = base | held | some_jokers(jokers, size - cards)
                    count += 1
            if cards >= max(BOMB, size) or (cards >= BOMB and word == knife):
                found[count] = base | held
                count += 1
                whole = True
            # Jokers make a bomb of a pair or a triple, or one large enough of a smaller one.
            enough = cards > size or (cards == size and word > rank) if kind == BOMB else cards >= BOMB
            if joining > 0 and cards > 1 and not enough:
                least = max(BOMB, size) - cards
                for added in range(max(least, 1), max(least, 1) + (2 if kind == BOMB else 1)):
                    if added <= joining:
                        found[count] = base | held | some_jokers(jokers, added)
                        count += 1
        if has_atom(held) or has_two_of_each(held):
            count = _atoms_and_h_bombs(base, held, whole, leads, found, count)
    if joker_count > 0:
        if leads or joker_count >= BOMB:
            found[count] = jokers << JOKER_SHIFT
            count += 1
        for place in range(2):
            alike = jokers >> COUNT_BITS * place & MOST_OF_A_CARD
            for taken in range(_ATOM, alike + 1):
                if not leads or taken != joker_count:
                    found[count] = taken << JOKER_SHIFT + COUNT_BITS * place
                    count += 1
    legal = 0
    for place in range(count):
        code = found[place]
        if may_play(table, hand, shape_of, shape_table, rules, seat, code, False) == 0:
            found[legal] = code
            legal += 1
    return legal
