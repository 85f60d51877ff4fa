"""The fold over a player's matches in ledger order, and with it the cap of F6: written here and nowhere else.

Amounts are whole numbers, see ``amounts``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.amounts import UNKNOWN
from yuanzi_core.compiled import compiled


@compiled("void(i8[::1], i8[::1], b1[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def _fold(
    player: Any, score: Any, capped: Any, balance: Any, opening: Any, standing: Any, change: Any, before: Any
) -> None:
    for number in range(len(opening)):
        if opening[number] != UNKNOWN:
            standing[number] = opening[number]
    for at in range(len(player)):
        who = player[at]
        # F6: the standing is the log's balance; without one the ledger's, if the opening standing is known.
        held = balance[at]
        if held == UNKNOWN and opening[who] != UNKNOWN:
            held = standing[who]
        before[at] = held
        change[at] = score[at]
        # F6: a winner gains no more than the standing held; a negative one counts as 0.
        if capped[at] and held != UNKNOWN:
            change[at] = min(score[at], max(held, 0))
        standing[who] += change[at]


def fold(
    player: NDArray[np.int64],
    score: NDArray[np.int64],
    capped: NDArray[np.bool_],
    balance: NDArray[np.int64],
    opening: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Movements in ledger order (F6) to what each one changed and the standing before it.

    ``player`` numbers the players from 0; ``score`` is the score before the cap, ``capped`` whether F6 caps it,
    ``balance`` the logged one or ``UNKNOWN``; ``opening`` has one amount a player or ``UNKNOWN``. All amounts in
    ten-thousandths of a point. A standing that is not known is ``UNKNOWN``, and no cap is applied to it.
    """
    change, before = np.zeros_like(score), np.zeros_like(score)
    _fold(player, score, capped, balance, opening, np.zeros_like(opening), change, before)
    return change, before


@compiled("void(i8[::1], i8[::1], i8[::1], i8[::1])")
def _sum_up(player: Any, change: Any, standing: Any, after: Any) -> None:
    for at in range(len(player)):
        standing[player[at]] += change[at]
        after[at] = standing[player[at]]


def sum_up(player: NDArray[np.int64], change: NDArray[np.int64], opening: NDArray[np.int64]) -> NDArray[np.int64]:
    """The standing after each movement, with arrays as for :func:`fold`; an opening that is not known counts as 0."""
    after = np.zeros_like(change)
    _sum_up(player, change, np.where(opening == UNKNOWN, 0, opening), after)
    return after
