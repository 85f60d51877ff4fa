"""The random policy: any play that is allowed, or a pass. It proposes, and the referee's own test refuses or accepts.

A proposal may estimate the rules, since a bad one costs a moment and nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yuanzi_core import deals as d
from yuanzi_core.cards import COUNT_BITS, JOKER_SHIFT, MOST_OF_A_CARD, PASS, RANK_SHIFT
from yuanzi_core.chance import below
from yuanzi_core.compiled import inlined, part
from yuanzi_core.referee import ON_TABLE, TABLE_SHAPE, count_cards, may_play
from yuanzi_core.shapes import SIZE

#: A player who need not play passes at once one time in four, else looks so often for a play that is allowed.
PASS_TIMES, PASS_OUT_OF = 1, 4
TRIES = 2
#: C5: where play may stop between two tricks, it does so one time in so many.
STOP_ONE_IN = 12
#: One proposal in so many has jokers among natural cards.
JOKERS_ONE_IN = 6
#: Of ten proposals one is cards all alike, one as many of each suit; some are all that the seat holds of the rank, the
#: others any cards of it.
_FORMS, _ALIKE, _EVEN, _LAST_OF_ALL = 10, 0, 1, 5


@inlined
def propose(state: Any, hand: Any, seat: int, size: int) -> int:
    """Some cards that a seat holds, as a code: of one rank with any jokers, or jokers alone. May be no cards at all.

    ``size`` is the number of cards to beat, 0 for the lead. Every set of such cards that the seat holds comes up with
    a probability above 0.
    """
    # A held rank; the last place stands for the jokers.
    word = below(state, d.HAND_WORDS)
    while hand[seat, word] == 0:
        word = (word + 1) % d.HAND_WORDS
    jokers: Any = np.int64(hand[seat, d.JOKER_WORD])
    code = 0
    held: Any = np.int64(0)
    if word != d.JOKER_WORD:
        held = np.int64(hand[seat, word])
        form = below(state, _FORMS)
        if form == _ALIKE:
            place = COUNT_BITS * below(state, 4)
            code = 1 + below(state, max(held >> place & MOST_OF_A_CARD, 1)) << place
        elif form == _EVEN:
            least: Any = MOST_OF_A_CARD
            for suit in range(4):
                least = min(least, held >> COUNT_BITS * suit & MOST_OF_A_CARD)
            each = 1 + below(state, max(least, 1))
            for suit in range(4):
                code |= each << COUNT_BITS * suit
        elif form <= _LAST_OF_ALL:
            code = held
        else:
            # As many as there are to beat, or any number; each card as likely as the next.
            left = count_cards(held)
            wanted = size if size > 0 and below(state, 2) == 0 else 1 + below(state, left)
            rest = held
            while wanted > 0 and left > 0:
                place = 0
                at = below(state, left)
                while at >= rest >> place & MOST_OF_A_CARD:
                    at -= rest >> place & MOST_OF_A_CARD
                    place += COUNT_BITS
                rest -= 1 << place
                code += 1 << place
                left -= 1
                wanted -= 1
    if jokers != 0 and (held == 0 or below(state, JOKERS_ONE_IN) == 0):
        small, big = jokers & MOST_OF_A_CARD, jokers >> COUNT_BITS
        code |= below(state, small + 1) << JOKER_SHIFT
        code |= below(state, big + 1) << JOKER_SHIFT + COUNT_BITS
    if held != 0:
        code |= word << RANK_SHIFT
    return code


@part
def play_at_random(
    state: Any, table: Any, hand: Any, shape_of: Any, shape_table: Any, rules: Any, seat: int
) -> int:  # fmt: skip
    """The random policy's play: a legal code."""
    leads = table[ON_TABLE] == PASS
    size = 0 if leads else shape_table[table[TABLE_SHAPE], SIZE]
    tries = TRIES if leads or below(state, PASS_OUT_OF) >= PASS_TIMES else 0
    while True:
        code = PASS
        if leads or tries > 0:
            code = propose(state, hand, seat, size)
        tries -= 1
        if may_play(table, hand, shape_of, shape_table, rules, seat, code, False) == 0:
            return code
