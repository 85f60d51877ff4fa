"""Shares and means with their intervals: against published figures, and against statsmodels on the single rows."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from yuanzi_core.certainty import FEWEST, FEWEST_EVENINGS, clustered_fit, mean, share, surplus, wilson


def test_wilson_s_interval_is_the_published_one() -> None:
    # Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
    found = share(81, 263)
    assert found is not None
    assert (found.value, found.count) == (81 / 263, 263)
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)


def test_wilson_s_interval_element_by_element() -> None:
    # Newcombe 1998: 5 in 10 and 1 in 10.
    low, high = wilson([5, 1], [10, 10])
    assert low == pytest.approx([0.2366, 0.0179], abs=1e-4)
    assert high == pytest.approx([0.7634, 0.4042], abs=1e-4)


def test_wins_beyond_those_expected() -> None:
    # Ten even matches: a deviation of √2.5 wins.
    assert surplus(5, 5.0, 2.5) == pytest.approx((0, -3.099, 3.099), abs=1e-3)
    assert surplus(1, 5.0, 2.5) == pytest.approx((-4, -7.099, -0.901), abs=1e-3)


def test_a_share_of_none_or_all_keeps_an_interval() -> None:
    none, every = share(0, 100), share(100, 100)
    assert none is not None
    assert every is not None
    assert none.low == pytest.approx(0, abs=1e-12) and none.high > 0.03  # noqa: PT018
    assert every.high == pytest.approx(1) and every.low < 0.97  # noqa: PT018


@pytest.mark.parametrize("seed", range(5))
def test_a_mean_of_sums_by_evening_has_the_clustered_error_of_the_single_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    evenings = int(rng.integers(FEWEST_EVENINGS, 40))
    sizes = rng.integers(1, 60, evenings)
    evening = np.repeat(np.arange(evenings), sizes)
    score = rng.normal(size=evening.size) + rng.normal(size=evenings)[evening]
    rows = OLS(score, np.ones(score.size)).fit(cov_type="cluster", cov_kwds={"groups": evening}, use_t=True)
    sums = clustered_fit(np.bincount(evening, score), sizes)
    assert sums.params == pytest.approx(rows.params)
    assert sums.bse == pytest.approx(rows.bse)
    assert sums.conf_int() == pytest.approx(rows.conf_int())
    found = mean(np.bincount(evening, score), sizes)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(rows.conf_int()[0]))
    assert found.count == score.size


def test_a_mean_by_hand() -> None:
    # Ten evenings of three matches: nine with the sum 0, one with the sum 30. The mean is 1; the scores of the clusters
    # are −3 (nine times) and 27, their squares sum to 810; times 10 / 9, over 30², is 1: the error is 1.
    found = clustered_fit([0] * 9 + [30], [3] * 10)
    assert (found.params[0], found.bse[0]) == pytest.approx((1, 1))


def test_too_few_are_not_told() -> None:
    assert share(5, FEWEST - 1) is None
    assert share(5, FEWEST) is not None
    assert mean([1] * FEWEST_EVENINGS, [3] * FEWEST_EVENINGS) is not None
    assert mean([1] * (FEWEST_EVENINGS - 1), [10] * (FEWEST_EVENINGS - 1)) is None
    assert mean([1] * FEWEST_EVENINGS, [2] * FEWEST_EVENINGS) is None
