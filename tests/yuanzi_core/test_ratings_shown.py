"""What is made of skills: ratings shown, predictions, reasons, scores of expectations."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.yuanzi_core.rated_matches import DAY, drawn_matches
from yuanzi_core.cards import Variant
from yuanzi_core.ratings.backtest import deciles, score
from yuanzi_core.ratings.display import as_shown, bounds, rating
from yuanzi_core.ratings.fold import Rated, rate
from yuanzi_core.ratings.matches import Matches
from yuanzi_core.ratings.prediction import predict
from yuanzi_core.ratings.settings import INACTIVE_DAYS, LEAST_MATCHES, MODELS
from yuanzi_core.ratings.state import State, empty_state
from yuanzi_core.ratings.unrated import Unrated, why_unrated
from yuanzi_core.texts import LANGS, Lang, keys, text

Played = tuple[Matches, Rated, State]


def played(variant: Variant, count: int = 120) -> Played:
    matches = drawn_matches(variant, count, 12, 8, np.linspace(-1, 1, 12), (0.3, 0.9))
    return matches, *rate(matches, empty_state(matches.variant, MODELS[matches.variant]), MODELS[matches.variant])


@pytest.fixture(scope="module")
def four() -> Played:
    return played("four")


@pytest.fixture(scope="module")
def five() -> Played:
    return played("five")


def test_a_newcomer_has_1500_and_bounds_are_two_deviations_away() -> None:
    assert rating(np.array([0.0, 12.345, -1600.0])).tolist() == [150_000, 151_234, -10_000]
    low, high = bounds(np.array([0.0]), np.array([40.0]))
    assert (low.tolist(), high.tolist()) == ([142_000], [158_000])


def test_a_side_better_by_100_points_wins_64_of_100() -> None:
    # Elo: 1 / (1 + 10^(-100/400)) = 0.640.
    for variant in ("four", "five"):
        model = MODELS[variant]
        side = [model.start._replace(mu=50.0, sigma=0.0)] * 2
        other = [model.start._replace(sigma=0.0)] * 2
        assert model.expected(side, other, model.start._replace(sigma=0.0)).chance == pytest.approx(0.640, abs=0.002)


def test_players_as_they_are_shown(four: Played) -> None:
    _, _, state = four
    now = as_shown(state, MODELS["four"], state.at)
    assert (state.matches >= LEAST_MATCHES).all()
    assert not now.provisional.any()
    assert not now.inactive.any()
    assert (now.low < now.rating).all()
    assert (now.peak >= now.rating).all()
    # Two years later nobody is active, and less is certain.
    later = as_shown(state, MODELS["four"], state.at + 730 * DAY)
    assert later.inactive.all()
    assert (later.low < now.low).all()
    assert (later.rating == now.rating).all()
    assert not as_shown(state, MODELS["four"], state.at + (INACTIVE_DAYS - 31) * DAY).inactive.all()
    few = replace(state, matches=np.where(np.arange(12) < 6, LEAST_MATCHES - 1, LEAST_MATCHES))
    assert as_shown(few, MODELS["four"], state.at).provisional.tolist() == [True] * 6 + [False] * 6


def test_at_four_a_prediction_is_what_the_fold_expects_next(four: Played) -> None:
    matches, _, state = four
    table = matches.part(119, 120)
    model = MODELS["four"]
    ids = [matches.ids[number] for number in table.players[0]]
    found = predict(state, model, ids, state.at)
    expected, _ = rate(table, state, model)
    assert [one.chance for one in found] == pytest.approx(expected.expected[0].tolist())
    assert found[0] == found[2]
    assert found[0].chance + found[1].chance == pytest.approx(1)
    assert found[0].low + found[1].high == pytest.approx(1)
    assert all(one.low < one.chance < one.high for one in found)
    strangers = predict(state, model, ["a", "b", "c", "d"], state.at)
    assert [one.chance for one in strangers] == [0.5] * 4
    assert strangers[0].high - strangers[0].low > found[0].high - found[0].low


def test_at_five_known_sides_are_what_the_fold_expects_and_others_are_averaged(five: Played) -> None:
    matches, _, state = five
    model = MODELS["five"]
    ids = [matches.ids[number] for number in (0, 3, 6, 9, 11)]
    # On the next day the day's matches are part of the offsets; predictions take them as they stand.
    ways = [
        (dealer, way) for dealer in range(5) for size in (1, 2) for way in combinations(set(range(5)) - {dealer}, size)
    ]
    counts = state.offset_matches + 1
    share = {1: counts[0] / counts.sum() / 4, 2: counts[1] / counts.sum() / 6}
    chances = np.zeros(5)
    for dealer, way in ways:
        sides = np.array([[0 if seat in (dealer, *way) else 1 for seat in range(5)]], dtype=np.int8)
        table = Matches("five", np.array([state.at]), np.arange(5).reshape(1, 5), sides, np.array([0], np.int8), ids)
        rated, _ = rate(table, state, model)
        known = predict(state, model, ids, state.at, dealer, way)
        assert [one.chance for one in known] == pytest.approx(rated.expected[0].tolist())
        chances += rated.expected[0] * share[len(way)] / 5
    unknown = predict(state, model, ids, state.at)
    assert [one.chance for one in unknown] == pytest.approx(chances.tolist())
    assert all(one.low < one.chance < one.high for one in unknown)
    dealt = predict(state, model, ids, state.at, dealer=2)
    assert dealt[2].chance != unknown[2].chance


@pytest.mark.parametrize(
    ("variant", "ids", "roles"),
    [
        ("four", "abcde", {}),
        ("four", "abca", {}),
        ("four", "abcd", {"dealer": 0}),
        ("five", "abcd", {}),
        ("five", "abcde", {"partners": [1]}),
        ("five", "abcde", {"dealer": 0, "partners": [0]}),
        ("five", "abcde", {"dealer": 0, "partners": []}),
        ("five", "abcde", {"dealer": 0, "partners": [1, 2, 3]}),
        ("five", "abcde", {"dealer": 5}),
        ("five", "abcde", {"dealer": 0, "partners": [5]}),
    ],
)
def test_a_table_that_cannot_be_is_the_callers_mistake(variant: Variant, ids: str, roles: dict[str, Any]) -> None:
    model = MODELS[variant]
    with pytest.raises(ValueError, match=r"player|dealer|seat"):
        predict(empty_state(variant, model), model, list(ids), 0, **roles)


@pytest.mark.parametrize(
    ("status", "outcome", "players", "reason"),
    [
        ("settled", "normal", "abcd", None),
        ("settled", "double", "abcd", None),
        ("settled", "zero", "abcde", None),
        ("violation", None, "abcd", Unrated.VIOLATION),
        ("violation", None, "abca", Unrated.VIOLATION),
        ("unfinished", "unfinished", "abcd", Unrated.UNFINISHED),
        ("settled", "escape", "abcde", Unrated.ESCAPE),
        ("settled", "normal", "abca", Unrated.TWO_SEATS),
    ],
)
def test_why_a_match_is_not_rated(status: str, outcome: str | None, players: str, reason: Unrated | None) -> None:
    assert why_unrated(status, outcome, list(players)) is reason


@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_has_its_texts(lang: Lang) -> None:
    wanted = {f"{reason.key}.{part}" for reason in Unrated for part in ("name", "text")}
    assert wanted == {key for key in keys("ratings", lang) if ".unrated." in key}
    assert all(text(key, lang) for key in wanted)


def test_scores_by_hand() -> None:
    chance, won = np.array([0.8, 0.6, 0.5, 0.3]), np.array([True, False, True, False])
    found = score(chance, won)
    # −(ln 0.8 + ln 0.4 + ln 0.5 + ln 0.7) / 4; (0.04 + 0.36 + 0.25 + 0.09) / 4; two right, one even.
    assert found.log_loss == pytest.approx(0.54731, abs=1e-5)
    assert found.brier == pytest.approx(0.185)
    assert found.accuracy == 0.625
    # A part each: |0.8−1| + |0.6−0| + |0.5−1| + |0.3−0|, over four.
    assert found.calibration == pytest.approx(0.4)
    with pytest.raises(ValueError, match="nothing"):
        score(np.zeros(0), np.zeros(0, bool))


def test_deciles_hold_a_tenth_each() -> None:
    chance = np.linspace(0, 1, 101)
    found = deciles(chance, chance > 0.5)
    assert found.matches.sum() == 101
    assert set(found.matches) == {10, 11}
    assert (np.diff(found.expected) > 0).all()
    assert found.actual.tolist() == pytest.approx([0, 0, 0, 0, 0, 0.9, 1, 1, 1, 1], abs=0.11)


def test_expectations_are_calibrated_on_a_league_of_the_kind(five: Played) -> None:
    matches = drawn_matches("five", 3000, 60, 21, np.linspace(-0.8, 0.8, 60), (0.3, 0.9))
    rated, state = rate(matches, empty_state("five", MODELS["five"]), MODELS["five"])
    chance = np.where(matches.sides[:, 0] == 0, rated.expected[:, 0], 1 - rated.expected[:, 0])[1000:]
    found = score(chance, (matches.winner == 0)[1000:])
    assert found.log_loss < 0.62
    assert found.calibration < 0.04
    order = np.argsort([int(own[1:]) for own in state.ids])
    assert np.corrcoef(state.mu[order], np.arange(60))[0, 1] > 0.9
