"""How sure a share, a mean or a number of wins is, and when there is too little to say anything.

Pages, tables and studies have their intervals from here. Nothing here decides a verdict.

Players of one evening meet again and again, so the error of a mean is clustered by club evening. Tables keep sums by
evening only: least squares of the G evenings' means, weighted by their counts, has the same estimate and the same
scores of clusters as ordinary least squares over the single rows. As every row is a cluster there, the clustered
covariance is the one robust to unequal variances, and with one parameter the usual corrections for few clusters are
the same too: G / (G − 1), which is HC1. The interval takes Student's t with G − 1 degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Observations from which on a share or a mean is told.
FEWEST = 30
#: Evenings from which on a mean is told: with fewer clusters the error itself is hardly known.
FEWEST_EVENINGS = 10
#: What an interval leaves out.
ALPHA = 0.05


#: Standard deviations from the middle of a normal curve to either end of an interval.
_REACH = NormalDist().inv_cdf(1 - ALPHA / 2)


@dataclass(frozen=True)
class Estimate:
    """A share or a mean with its 95% interval, and the number of observations behind it."""

    value: float
    low: float
    high: float
    count: int


def wilson(found: ArrayLike, counts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of Wilson's 95% interval of ``found`` of ``counts`` (> 0), element by element."""
    # Loaded only now: it takes a second, and most callers have no need of it.
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(np.asarray(found), np.asarray(counts), alpha=ALPHA, method="wilson")
    return np.asarray(low, np.float64), np.asarray(high, np.float64)


def surplus(wins: float, expected: float, variance: float) -> tuple[float, float, float]:
    """Wins beyond those ``expected``, and both ends of the 95% interval, by the normal curve: they are a sum of results
    with different chances. ``variance`` is that of the number of wins, the sum of p(1 − p) over these chances.

    An interval without 0 says that it went better, or worse, than expected.
    """
    reach = _REACH * variance**0.5
    return wins - expected, wins - expected - reach, wins - expected + reach


def share(found: int, count: int) -> Estimate | None:
    """``found`` of ``count`` with Wilson's interval; None: too few to tell (fewer than :data:`FEWEST`)."""
    if count < FEWEST:
        return None
    low, high = wilson(found, count)
    return Estimate(found / count, float(low), float(high), count)


def clustered_fit(sums: ArrayLike, counts: ArrayLike) -> Any:
    """The statsmodels results of the mean of observations of which each cluster's sum and count (> 0) are known."""
    from statsmodels.regression.linear_model import WLS

    weights: NDArray[np.float64] = np.asarray(counts, dtype=np.float64)
    means = np.asarray(sums, dtype=np.float64) / weights
    # Sums of floats hang on their order: whatever it was, it is this.
    order = np.lexsort((weights, means))
    means, weights = means[order], weights[order]
    return WLS(means, np.ones(len(weights)), weights=weights).fit(cov_type="HC1", use_t=True)


def mean(sums: ArrayLike, counts: ArrayLike) -> Estimate | None:
    """The mean of observations with an interval clustered by evening; one sum and count (> 0) for each evening.

    None: too few to tell (fewer than :data:`FEWEST` observations or :data:`FEWEST_EVENINGS` evenings).
    """
    observations, evenings = int(np.sum(counts)), np.size(counts)
    if observations < FEWEST or evenings < FEWEST_EVENINGS:
        return None
    fitted = clustered_fit(sums, counts)
    low, high = fitted.conf_int(alpha=ALPHA)[0]
    return Estimate(float(fitted.params[0]), float(low), float(high), observations)
