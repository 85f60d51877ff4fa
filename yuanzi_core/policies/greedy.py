"""The greedy policy: a beginner who beats whatever can be beaten, as cheaply as possible, whoever played it.

It spends bombs and what is above them on any trick with card points, and on no other; it leads its lowest group.
"""

from __future__ import annotations

from typing import Any

from yuanzi_core import deals as d
from yuanzi_core.cards import PASS
from yuanzi_core.compiled import part
from yuanzi_core.policies.candidates import candidates
from yuanzi_core.referee import KNIFE_RANK, ON_TABLE, TRICK_POINTS
from yuanzi_core.shapes import ATTACK, KIND, TRIPLE, is_of_knife


@part
def play_greedily(table: Any, hand: Any, shape_of: Any, shape_table: Any, rules: Any, seat: int, found: Any) -> int:
    """The greedy policy's play: a legal code. ``found``: a working array.

    It answers with the weakest candidate, and passes where there is none. It leads the first candidate, a whole group;
    one of the knife's rank only where there is nothing else.
    """
    count = candidates(table, hand, shape_of, shape_table, rules, seat, found)
    leads, knife = table[ON_TABLE] == PASS, table[KNIFE_RANK]
    best, weakest = PASS, 1 << 60
    for place in range(count):
        of_knife = is_of_knife(found[place], knife)
        strength = shape_table[shape_of[found[place]], ATTACK + 2 * rules[d.KNIFE_BOMB] + (1 if of_knife else 0)]
        if leads:
            strength = 1 if of_knife else 0
        elif shape_table[shape_of[found[place]], KIND] > TRIPLE and table[TRICK_POINTS] == 0:
            continue
        if strength < weakest:
            best, weakest = int(found[place]), strength
    return best
