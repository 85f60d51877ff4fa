"""Sides of unequal number and the dealer's role bias nobody: equal players stay equal whatever roles they draw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.yuanzi_core.rated_matches import drawn_matches
from yuanzi_core.ratings.fold import rate
from yuanzi_core.ratings.matches import Matches
from yuanzi_core.ratings.model import Model
from yuanzi_core.ratings.openskill_model import OpenSkill
from yuanzi_core.ratings.settings import BETA, MODELS
from yuanzi_core.ratings.state import State, empty_state

PLAYERS, MATCHES = 60, 3_500
#: What the dealer's side is worth, in logarithms of odds: two win more often than not, three most often.
WORTH = (0.4, 1.2)
#: The first twenty are mostly at the dealer's side, the last twenty seldom.
ROLE = np.repeat([1.5, 0.0, -1.5], PLAYERS // 3)


def equal_players(seed: int, role: NDArray[np.float64] | None) -> Matches:
    return drawn_matches("five", MATCHES, PLAYERS, seed, worth=WORTH, role=role)


def run(matches: Matches, model: Model) -> State:
    return rate(matches, empty_state("five", model), model)[1]


def by_role(state: State) -> tuple[float, float]:
    """By how much the first third is rated above the last, and the standard error of that."""
    number = np.array([int(own[1:]) for own in state.ids])
    often, seldom = state.mu[number < PLAYERS // 3], state.mu[number >= PLAYERS - PLAYERS // 3]
    error = np.sqrt(often.var(ddof=1) / len(often) + seldom.var(ddof=1) / len(seldom))
    return float(often.mean() - seldom.mean()), float(error)


@pytest.fixture(scope="module")
def biased() -> Matches:
    return equal_players(1, ROLE)


@pytest.fixture(scope="module")
def fair(biased: Matches) -> State:
    return run(biased, MODELS["five"])


def test_who_often_draws_the_better_role_is_rated_like_the_others(biased: Matches, fair: State) -> None:
    share = [(biased.sides[np.isin(biased.players, part)] == 0).mean() for part in np.split(np.arange(PLAYERS), 3)]
    assert share[0] > 0.75
    assert share[2] < 0.25
    difference, error = by_role(fair)
    assert abs(difference) < 3 * error
    assert abs(difference) < 15


def test_without_offsets_the_role_would_be_taken_for_skill(biased: Matches) -> None:
    difference, error = by_role(run(biased, OpenSkill("ThurstoneMostellerFull", 90.0, BETA, 0.4, 0.0)))
    assert difference > 20
    assert difference > 5 * error


def test_an_extra_body_adds_no_skill() -> None:
    # Sides of two and of three win alike, and some players are mostly among the three.
    draw = np.random.default_rng(2)
    plain = drawn_matches("five", MATCHES, PLAYERS, 2)
    wish = ROLE[plain.players] + draw.normal(size=plain.players.shape)
    three = np.where(plain.first_size == 3, 0, 1)[:, None] == plain.sides
    rows, order = np.argsort(-wish, axis=1), np.argsort(~three, axis=1, kind="stable")
    players = np.empty_like(plain.players)
    np.put_along_axis(players, order, np.take_along_axis(plain.players, rows, 1), 1)
    difference, error = by_role(run(replace(plain, players=players), MODELS["five"]))
    assert abs(difference) < 3 * error


def test_offsets_come_out_as_they_were_put_in(fair: State) -> None:
    # Where sides are about even, the odds of a logistic curve grow 4 · 0.3989 times as fast as a normal curve's.
    scale = 400 / np.log(10)
    for place, worth in enumerate(WORTH):
        error = fair.offset_precision[place] ** -0.5
        assert error < 10
        assert fair.offset_mu[place] == pytest.approx(worth * scale, abs=4 * error + 0.05 * abs(worth) * scale)
    assert fair.offset_matches.sum() == MATCHES


def test_at_four_no_role_is_rated() -> None:
    model = MODELS["four"]
    matches = drawn_matches("four", 200, 12, 4)
    rated, state = rate(matches, empty_state("four", model), model)
    assert not rated.offset.any()
    assert not state.offset_matches.any()
    assert not state.offset_mu.any()
