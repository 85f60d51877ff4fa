"""Random matches to rate: who sits where and who wins is drawn, with skills, roles and their frequencies as given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.cards import SEATS, Variant
from yuanzi_core.ratings.matches import Matches

DAY, HOUR = 86_400_000_000, 3_600_000_000
#: An evening in summer 2026, eight o'clock where the game is at home.
FIRST = 20_650 * DAY + 12 * HOUR


def drawn_matches(
    variant: Variant,
    count: int,
    players: int,
    seed: int,
    strength: NDArray[np.float64] | None = None,
    worth: tuple[float, float] = (0.0, 0.0),
    role: NDArray[np.float64] | None = None,
) -> Matches:
    """Matches of an evening of ten each, some days apart.

    ``strength`` (players,) are logarithms of odds that add up over a side, ``worth`` those of a dealer's side of two
    and of three. ``role``: the higher a player's, the likelier a seat in side 0 (None: by chance).
    """
    draw = np.random.default_rng(seed)
    seats = SEATS[variant]
    rows = np.array([draw.permutation(players)[:seats] for _ in range(count)], dtype=np.int64).reshape(count, seats)
    if seats == 4:
        sides = np.tile(np.array([0, 1, 0, 1], dtype=np.int8), (count, 1))
        size = np.full(count, 2)
    else:
        size = draw.integers(2, 4, count)
        sides = (np.arange(5) >= size[:, None]).astype(np.int8)
    if role is not None:
        wish = role[rows] + draw.normal(size=rows.shape)
        rows = np.take_along_axis(rows, np.argsort(-wish, axis=1), axis=1)
    ahead = np.where(seats == 4, 0.0, np.where(size == 2, *worth))
    if strength is not None:
        ahead = ahead + (strength[rows] * np.where(sides == 0, 1, -1)).sum(axis=1)
    winner = (draw.random(count) >= 1 / (1 + np.exp(-ahead))).astype(np.int8)
    evening = np.arange(count) // 10
    at = FIRST + evening * 2 * DAY + np.arange(count) % 10 * HOUR // 4
    return Matches(variant, at, rows, sides, winner, [f"p{number}" for number in range(players)])
