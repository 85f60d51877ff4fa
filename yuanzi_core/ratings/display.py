"""What is shown of a skill: ratings, their bounds, and who has too few matches or none for long.

A rating is 1500 plus the skill, both in the same points, so every change is a change of skill. It is kept in whole
hundredths of a point: changes of a player then add up exactly to the present rating less the first one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.ratings.fold import DAY
from yuanzi_core.ratings.model import Model
from yuanzi_core.ratings.settings import CENTRE, INACTIVE_DAYS, INTERVAL_SIGMAS, LEAST_MATCHES
from yuanzi_core.ratings.state import State

#: Hundredths of a point in a point.
HUNDREDTHS = 100


def rating(mu: NDArray[np.float64]) -> NDArray[np.int64]:
    """The ratings shown for skills, in hundredths of a point."""
    return _whole(CENTRE + mu)


def bounds(mu: NDArray[np.float64], sigma: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """``rating_low`` and ``rating_high`` in hundredths: two standard deviations below and above (95 %)."""
    return _whole(CENTRE + mu - INTERVAL_SIGMAS * sigma), _whole(CENTRE + mu + INTERVAL_SIGMAS * sigma)


def _whole(points: NDArray[np.float64]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.rint(points * HUNDREDTHS).astype(np.int64)
    return found


@dataclass(frozen=True, eq=False)
class Shown:
    """Every player of a state, in its order; ratings in hundredths of a point.

    ``sigma`` (points) includes what the days since the last match have added, and so do the bounds. ``provisional``:
    too few matches for a rank; ``inactive``: the last one is too long ago.
    """

    ids: NDArray[np.object_]
    rating: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    peak: NDArray[np.int64]
    sigma: NDArray[np.float64]
    provisional: NDArray[np.bool_]
    inactive: NDArray[np.bool_]


def as_shown(state: State, model: Model, now: int) -> Shown:
    """The players as they stand at an instant (microseconds since 1970 in UTC)."""
    days = np.maximum(now // DAY - state.last_at // DAY, 0)
    sigma = np.array([model.aged(*one) for one in zip(state.sigma.tolist(), days.tolist(), strict=True)], dtype=float)
    low, high = bounds(state.mu, sigma)
    provisional, inactive = state.matches < LEAST_MATCHES, days >= INACTIVE_DAYS
    return Shown(state.ids, rating(state.mu), low, high, rating(state.peak), sigma, provisional, inactive)
