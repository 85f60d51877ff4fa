"""How good expectations were: scores against results that were not known yet, and calibration by decile.

In the fold every chance is given before its match counts, so all of them may be scored; a backtest leaves out the first
part, in which next to nothing is known of anybody.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 10


@dataclass(frozen=True)
class Scores:
    """Of ``matches`` with a chance each that side 0 wins; natural logarithm.

    ``accuracy``: how often the likelier side won, an even match counting half; ``calibration``: the expected
    calibration error by decile, the mean distance of expected and actual share over ten parts of equal size.
    """

    matches: int
    log_loss: float
    brier: float
    accuracy: float
    calibration: float


@dataclass(frozen=True, eq=False)
class Deciles:
    """Ten parts of the matches by chance, the lowest first: how many, the mean chance and the share won."""

    matches: NDArray[np.int64]
    expected: NDArray[np.float64]
    actual: NDArray[np.float64]


def deciles(chance: NDArray[np.float64], won: NDArray[np.bool_]) -> Deciles:
    """Calibration by decile; parts are of equal size but for one, equal chances fall in the order given."""
    parts = np.array_split(np.argsort(chance, kind="stable"), min(BINS, max(len(chance), 1)))
    count = np.array([len(part) for part in parts])
    means = [[column[part].mean() if len(part) else 0.0 for part in parts] for column in (chance, won)]
    return Deciles(count, np.array(means[0]), np.array(means[1]))


def score(chance: NDArray[np.float64], won: NDArray[np.bool_]) -> Scores:
    """Score chances that side 0 wins by whether it won.

    :raises ValueError: no match.
    """
    if not len(chance):
        raise ValueError("nothing to score")
    of_result = np.where(won, chance, 1 - chance)
    parts = deciles(chance, won)
    return Scores(
        len(chance),
        float(-np.log(of_result).mean()),
        float(((chance - won) ** 2).mean()),
        float(np.where(chance == 0.5, 0.5, of_result > 0.5).mean()),
        float((np.abs(parts.expected - parts.actual) * parts.matches).sum() / len(chance)),
    )
