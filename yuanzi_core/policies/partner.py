"""The partner policy: what a club player would respect.

Each play that could be made, and the pass, is weighed in thousandths of a turn, a turn being what it takes to be rid of
one group of cards. A play is worth

* what the hand is worth after it, less what it was worth before: small and low groups are a burden of up to a turn,
  knives, long bombs, atoms and jokers an asset. So small groups go first and strength is kept back;
* the card points in the trick and in the play, for or against, by the chance that the play stands: so strength is spent
  on rich tricks, and points are led only where the own side is likely to take them;
* the lead, by the same chance: worth more while an opponent is nearly out;
* going out, or being about to.

A pass is worth the points of the trick and the partner's lead, by the chance that the partner's play stands. So a
partner is overtaken only by a card that had to go anyway, or for a lead that is worth it.

In the five-player game the others count as friends with the probability that follows from the called cards that are
still out; a partner in hiding shows himself only for a gain (A6). All arithmetic is in whole numbers; shares and
chances are in 1024ths.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yuanzi_core import deals as d
from yuanzi_core.cards import COUNT_BITS, HELD, JOKER_SHIFT, MOST_OF_A_CARD, NATURALS, PASS, RANK_SHIFT
from yuanzi_core.compiled import inlined, part, wide
from yuanzi_core.policies import worth as w
from yuanzi_core.policies.candidates import candidates, group_size, has_atom
from yuanzi_core.referee import (
    CAPTURED,
    CARDS,
    GONE,
    KNIFE_RANK,
    LAST,
    ON_TABLE,
    REVEALED,
    REVEALS,
    SIDE,
    TABLE_SHAPE,
    TRICK_POINTS,
    copies,
    points_of,
)
from yuanzi_core.shapes import ATOM3, BOMB, KIND, RANK, SIZE, TRIPLE, is_of_knife

#: A whole, where shares and chances are in 1024ths.
_BITS = 10
WHOLE = 1 << _BITS
#: Working array: for each seat how far it is a friend, and how likely an opponent it is to reach for the trick.
FRIEND, REACH, WORK_SIZE = 0, 5, 10
_NEVER = 1 << 20


def _chances_of_two() -> Any:
    """The chance that a player holds two or more of ``row`` cards that are dealt to ``column`` players."""
    chances = np.zeros((8, 5), dtype=np.int64)
    for cards in range(2, 8):
        for seats in range(1, 5):
            fewer = (seats - 1) ** cards + cards * (seats - 1) ** (cards - 1)
            chances[cards, seats] = (WHOLE * (seats**cards - fewer)) // seats**cards
    return chances


_TWO_OR_MORE = _chances_of_two()


@inlined
def group_worth(held: int, order: int, worth: Any) -> int:
    """What a group of cards is worth: as a whole, or its atoms and the rest, whichever is more."""
    cards = group_size(held)
    if cards == 0:
        return 0
    whole = worth[w.GROUP + w.ROW * order + min(cards, w.ROW - 1)]
    if not has_atom(held):
        return int(whole)
    apart, atom_order = 0, w.KNIFE_ATOM if order == w.KNIFE else order
    for suit in range(4):
        alike = held >> COUNT_BITS * suit & MOST_OF_A_CARD
        if alike >= 3:
            apart += worth[w.ATOM + w.ROW * (min(alike, 5) - 3) + atom_order]
            cards -= alike
    if cards > 0:
        apart += worth[w.GROUP + w.ROW * order + min(cards, w.ROW - 1)]
    return int(max(whole, apart))


@inlined
def failing(code: int, shape: int, shape_table: Any, knife: int, worth: Any) -> int:
    """The chance that a play does not stand against one opponent with a full hand."""
    kind, of_knife = shape_table[shape, KIND], is_of_knife(code, knife)
    if kind == BOMB:
        row, column = w.KNIFE_BOMBS if of_knife else BOMB, min(shape_table[shape, SIZE], w.ROW - 1)
    elif of_knife:
        row, column = kind, w.KNIFE if kind <= TRIPLE else w.KNIFE_ATOM
    else:
        row, column = kind, shape_table[shape, RANK]
    return WHOLE - int(worth[w.STANDS + w.ROW * row + column])


@inlined
def following(seat: int, n: int) -> int:
    """The seat whose turn would be next (A1). Much quicker than a division."""
    return seat + 1 if seat + 1 < n else 0


@inlined
def standing(
    table: Any, work: Any, n: int, seat: int, until: int, fails: int, size: int, stake: int, worth: Any
) -> int:  # fmt: skip
    """The chance that a play stands against the seats after ``seat``, up to but without ``until``."""
    # The richer the trick, the more opponents give for it.
    fails = fails * (WHOLE + worth[w.RICH] * min(stake, w.RICHEST)) >> _BITS
    chance = WHOLE
    other = following(seat, n)
    while other != until:
        # Nothing beats a play with fewer cards than it has, but an atom.
        if table[CARDS + other] >= min(size, 3):
            chance = chance * (WHOLE - min(fails * work[REACH + other] >> _BITS, WHOLE)) >> _BITS
        other = following(other, n)
    return chance


@inlined
def know_friends(
    table: Any, hand: Any, rules: Any, n: int, decks: int, seat: int, dealer: int, called: int, seen: Any, work: Any
) -> None:  # fmt: skip
    """How likely each other seat is a friend, as far as this seat can know (A1, A6)."""
    if n == 4:
        for other in range(n):
            work[FRIEND + other] = WHOLE if (other - seat) % 2 == 0 else 0
        return
    own_side = table[SIDE + seat]
    out = decks - copies(wide(hand[seat, called >> 2]), called) - copies(seen[called >> 2], called)
    # Two partners at most; nobody else is one if one of the called cards is out.
    hidden = 0
    if table[REVEALS] < 2 and out >= rules[d.PARTNER_COPIES]:
        hidden = _TWO_OR_MORE[out, n - 1 if seat == dealer else n - 2]
    for other in range(n):
        with_dealer = hidden
        if other == dealer or other in (table[REVEALED], table[REVEALED + 2]):
            with_dealer = WHOLE
        work[FRIEND + other] = with_dealer if own_side == 0 else WHOLE - with_dealer
    work[FRIEND + seat] = WHOLE


@inlined
def points_to_target(table: Any, rules: Any, work: Any, n: int) -> tuple[int, int]:
    """How many card points this seat's side, and the other, lack for the target of F1, as far as it can know."""
    if n == 4:
        return _NEVER, _NEVER
    ours, size, captured = 0, 0, 0
    for seat in range(n):
        ours += work[FRIEND + seat] * table[CAPTURED + seat] >> _BITS
        size += work[FRIEND + seat]
        captured += table[CAPTURED + seat]
    # The target of two players with the upstream player is twice that of one.
    each = rules[d.TARGETS + 1] // 2
    return (each * size >> _BITS) - ours, (each * (n * WHOLE - size) >> _BITS) - (captured - ours)


@part
def play_as_partner(
    table: Any, hand: Any, shape_of: Any, shape_table: Any, rules: Any, rank_points: Any, worth: Any, n: int,
    decks: int, seat: int, dealer: int, called: int, seen: Any, found: Any, work: Any,
) -> int:  # fmt: skip
    """The partner policy's play: a legal code.

    ``seen``: int64 (14), the cards played so far as words of a hand; ``found`` and ``work``: working arrays.
    """
    count = candidates(table, hand, shape_of, shape_table, rules, seat, found)
    leads = table[ON_TABLE] == PASS
    if count == 0:
        return PASS
    if leads and count == 1:
        return int(found[0])
    know_friends(table, hand, rules, n, decks, seat, dealer, called, seen, work)
    knife, last, lying = table[KNIFE_RANK], table[LAST], table[TRICK_POINTS]
    groups, urgent = 0, False
    for word in range(d.JOKER_WORD):
        groups += 1 if hand[seat, word] != 0 else 0
    for other in range(n):
        cards, foe = table[CARDS + other], WHOLE - work[FRIEND + other]
        urgent = urgent or (foe > WHOLE // 2 and 0 < cards <= worth[w.URGENT_CARDS])
        held = min((cards + worth[w.FEW_CARDS]) * worth[w.EACH_CARD], WHOLE)
        work[REACH + other] = foe * held >> _BITS if cards > 0 else 0
    lead_worth = worth[w.LEAD] * (WHOLE + (worth[w.URGENT] if urgent else 0)) >> _BITS
    we_need, they_need = points_to_target(table, rules, work, n)

    best, most = PASS, -(1 << 60)
    if not leads:
        shape = table[TABLE_SHAPE]
        fails, size = failing(table[ON_TABLE], shape, shape_table, knife, worth), shape_table[shape, SIZE]
        stands = standing(table, work, n, seat, last, fails, size, lying, worth)
        # An opponent's play falls to a friend whose turn is still to come.
        falls = 0
        other = following(seat, n)
        while other != last:
            if table[CARDS + other] > 0:
                falls += (fails * work[FRIEND + other] >> _BITS) * worth[w.FRIEND_BEATS] >> _BITS
            other = following(other, n)
        friend = work[FRIEND + last]
        ours = friend * stands + (WHOLE - friend) * min(falls, WHOLE) >> _BITS
        near_out = worth[w.NEAR_OUT] if table[CARDS + last] <= worth[w.NEAR_OUT_CARDS] else 0
        taken = worth[w.TARGET] if lying >= we_need else 0
        left = worth[w.TARGET_LOST] if lying >= they_need else 0
        most = worth[w.PASSING] + (
            worth[w.POINT] * lying * (2 * ours - WHOLE)
            + (worth[w.FRIENDS_LEAD] + near_out) * (friend * stands >> _BITS)
            + taken * ours - left * (WHOLE - ours)
            >> _BITS
        )  # fmt: skip
        # Who has passed in this trick reaches for it less.
        other = following(last, n)
        while other != seat:
            work[REACH + other] = work[REACH + other] * worth[w.PASSED] >> _BITS
            other = following(other, n)
    hiding = n != 4 and seat != dealer and table[SIDE + seat] == 0 and table[GONE + seat] < rules[d.PARTNER_COPIES]
    for place in range(count):
        code = found[place]
        shape, word, natural = shape_of[code], code >> RANK_SHIFT, code & NATURALS
        size = shape_table[shape, SIZE]
        change, groups_left = 0, groups
        if natural != 0:
            order, held = w.KNIFE if word == knife else word, wide(hand[seat, word])
            change = group_worth(held - natural, order, worth) - group_worth(held, order, worth)
            groups_left -= 1 if held == natural else 0
        joined = (code & HELD) >> JOKER_SHIFT
        if joined != 0:
            change -= worth[w.JOKER] * ((joined & MOST_OF_A_CARD) + (joined >> COUNT_BITS))
            if shape_table[shape, KIND] >= ATOM3:
                change -= worth[w.ATOM + w.ROW * (size - 3) + shape_table[shape, RANK]]
        stake = lying + points_of(code, rank_points)
        fails = failing(code, shape, shape_table, knife, worth)
        stands = standing(table, work, n, seat, seat, fails, size, stake, worth)
        taken = worth[w.TARGET] if stake >= we_need else 0
        left = worth[w.TARGET_LOST] if stake >= they_need else 0
        gain = (change << _BITS) + worth[w.POINT] * stake * (2 * stands - WHOLE) + (lead_worth + taken) * stands
        gain -= left * (WHOLE - stands)
        if size == table[CARDS + seat]:
            gain += worth[w.GOING_OUT] << _BITS
        elif groups_left <= 1:
            gain += worth[w.LAST_GROUP] * stands
        if hiding and word == called >> 2 and copies(natural, called) > 0:
            if table[GONE + seat] + copies(natural, called) >= rules[d.PARTNER_COPIES]:
                gain -= worth[w.REVEAL] << _BITS
        if gain >> _BITS > most:
            best, most = code, gain >> _BITS
    return best
