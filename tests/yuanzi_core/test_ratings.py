"""Ratings as a fold: what a match changes, and all that must change nothing."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.yuanzi_core.rated_matches import DAY, FIRST, drawn_matches
from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.ratings.display import rating
from yuanzi_core.ratings.elo import Elo
from yuanzi_core.ratings.fold import Rated, rate
from yuanzi_core.ratings.matches import Matches
from yuanzi_core.ratings.model import Model
from yuanzi_core.ratings.openskill_model import Kind, OpenSkill
from yuanzi_core.ratings.settings import BETA, MODELS
from yuanzi_core.ratings.state import State, empty_state

COLUMNS = ("mu_before", "sigma_before", "mu_after", "sigma_after", "expected")
seeds = st.integers(0, 2**32 - 1)
variants = st.sampled_from(VARIANTS)
few = settings(max_examples=12, deadline=None)


def rated(matches: Matches, model: Model | None = None) -> tuple[Rated, State]:
    model = model or MODELS[matches.variant]
    return rate(matches, empty_state(matches.variant, model), model)


def by_id(state: State) -> dict[str, tuple[Any, ...]]:
    columns = state.players()
    return {row[0]: row[1:] for row in zip(*(column.tolist() for column in columns.values()), strict=True)}


def same(one: Rated, other: Rated) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in (*COLUMNS, "offset"))


def one_match(variant: Variant, winner: int, sides: tuple[int, ...], at: int = FIRST) -> Matches:
    seats = len(sides)
    return Matches(
        variant, np.array([at]), np.arange(seats).reshape(1, -1), np.array([sides], dtype=np.int8),
        np.array([winner], dtype=np.int8), [f"p{seat}" for seat in range(seats)],
    )  # fmt: skip


@given(variants, seeds, st.lists(st.integers(0, 40), max_size=3))
@few
def test_cut_anywhere_and_kept_between_it_comes_out_the_same(variant: Variant, seed: int, cuts: list[int]) -> None:
    matches, model = drawn_matches(variant, 40, 9, seed), MODELS[variant]
    whole, end = rated(matches)
    state, parts = empty_state(variant, model), []
    for begin, until in zip([0, *sorted(cuts)], [*sorted(cuts), 40], strict=True):
        part, state = rate(matches.part(begin, until), state, model)
        parts.append(part)
        players = {name: column.tolist() for name, column in state.players().items()}
        state = State.restored(json.loads(json.dumps(players)), json.loads(json.dumps(state.common())))
    for name in (*COLUMNS, "offset"):
        assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name))
    assert by_id(state) == by_id(end)
    assert state.common() == end.common()
    assert state.rated == 40


@given(variants, seeds)
@few
def test_a_name_decides_nothing(variant: Variant, seed: int) -> None:
    matches = drawn_matches(variant, 30, 8, seed)
    others = np.random.default_rng(seed).permutation(8)
    ids = [matches.ids[number] for number in others]
    renamed, state = rated(replace(matches, ids=ids))
    plain, plain_state = rated(matches)
    assert same(renamed, plain)
    assert state.mu.tolist() == plain_state.mu.tolist()
    # Nor does it matter how the caller numbers the players.
    numbered = replace(matches, players=np.argsort(others)[matches.players], ids=ids)
    assert by_id(rated(numbered)[1]) == by_id(plain_state)


@given(variants, seeds)
@few
def test_the_order_of_seats_within_a_side_decides_nothing(variant: Variant, seed: int) -> None:
    matches = drawn_matches(variant, 30, 9, seed)
    draw = np.random.default_rng(seed)
    order = np.array([draw.permutation(matches.players.shape[1]) for _ in range(30)])
    moved = replace(
        matches,
        players=np.take_along_axis(matches.players, order, 1),
        sides=np.take_along_axis(matches.sides, order, 1),
    )
    plain, state = rated(matches)
    found, moved_state = rated(moved)
    for name in COLUMNS:
        assert np.array_equal(np.take_along_axis(getattr(plain, name), order, 1), getattr(found, name))
    assert by_id(moved_state) == by_id(state)


@given(variants, seeds)
@few
def test_the_order_of_tables_of_an_evening_decides_nothing(variant: Variant, seed: int) -> None:
    # Three tables of different players play four rounds each on the first day, and meet on the second.
    draw = np.random.default_rng(seed)
    seats = 4 if variant == "four" else 5
    drawn = [drawn_matches(variant, 4, seats, seed + table) for table in range(3)]
    later = drawn_matches(variant, 5, 3 * seats, seed)
    # The tables of a round begin at one instant; in what order they stand then, their ids decide.
    orders = [np.tile(np.arange(3), 4), np.concatenate([draw.permutation(3) for _ in range(4)])]
    found = []
    for order in orders:
        rows = [(drawn[table], table, place // 3) for place, table in enumerate(order)]
        first = Matches(
            variant,
            FIRST + np.arange(12) // 3,
            np.array([one.players[row] + seats * table for one, table, row in rows]),
            np.array([one.sides[row] for one, _, row in rows]),
            np.array([one.winner[row] for one, _, row in rows]),
            [f"p{number}" for number in range(3 * seats)],
        )
        _, state = rated(first)
        after, end = rate(replace(later, played_at=later.played_at + DAY), state, MODELS[variant])
        found.append((by_id(state), after, by_id(end), end.common()))
    assert found[0][0] == found[1][0]
    assert same(found[0][1], found[1][1])
    assert found[0][2:] == found[1][2:]


@given(seeds)
@few
def test_at_four_swapped_winners_mirror_the_change(seed: int) -> None:
    # Even sides: after whatever the four of them have played, let them be equal again.
    draw = np.random.default_rng(seed)
    empty = empty_state("four", MODELS["four"])
    sigma = float(draw.uniform(20, 150))
    even = replace(
        rated(one_match("four", 0, (0, 1, 0, 1)))[1], mu=np.full(4, draw.normal(0, 100)), sigma=np.full(4, sigma)
    )
    for state, least in ((empty, 0.0), (even, 1e-9)):
        won, lost = (rate(one_match("four", winner, (0, 1, 0, 1)), state, MODELS["four"])[0] for winner in (0, 1))
        assert np.abs((won.mu_after - won.mu_before) + (lost.mu_after - lost.mu_before)).max() <= least
        assert np.array_equal(won.sigma_after, lost.sigma_after)


@given(seeds)
@few
def test_at_four_it_decides_nothing_which_side_is_called_0(seed: int) -> None:
    matches = drawn_matches("four", 30, 8, seed)
    found, state = rated(matches)
    turned, other = rated(replace(matches, sides=1 - matches.sides, winner=1 - matches.winner))
    for name in COLUMNS[:4]:
        assert np.allclose(getattr(turned, name), getattr(found, name), rtol=1e-12, atol=1e-9)
    assert np.allclose(turned.expected, found.expected, atol=1e-12)
    assert state.wins.tolist() == other.wins.tolist()


@given(variants, seeds)
@few
def test_each_match_moves_all_and_changes_add_up(variant: Variant, seed: int) -> None:
    matches = drawn_matches(variant, 40, 9, seed)
    found, state = rated(matches)
    won = matches.sides == matches.winner[:, None]
    assert (found.mu_after[won] > found.mu_before[won]).all()
    assert (found.mu_after[~won] < found.mu_before[~won]).all()
    assert (found.sigma_after < found.sigma_before).all()
    of_first = np.where(matches.sides == 0, found.expected, 1 - found.expected)
    assert np.allclose(of_first, of_first[:, :1], atol=1e-15)
    before, after = rating(found.mu_before), rating(found.mu_after)
    for place, own in enumerate(state.ids):
        mine = matches.players == matches.ids.index(own)
        assert before[mine][0] == 150_000
        assert (after - before)[mine].sum() == rating(state.mu)[place] - 150_000
        assert (state.matches[place], state.wins[place]) == (mine.sum(), won[mine].sum())
        assert state.expected_wins[place] == pytest.approx(found.expected[mine].sum())
        assert state.peak[place] == found.mu_after[mine].max()
        times = matches.played_at[mine.any(axis=1)]
        assert (state.first_at[place], state.last_at[place]) == (times[0], times[-1])


@given(variants, seeds)
@few
def test_nothing_given_is_changed(variant: Variant, seed: int) -> None:
    matches, model = drawn_matches(variant, 20, 8, seed), MODELS[variant]
    _, state = rate(matches.part(0, 10), empty_state(variant, model), model)
    given_arrays: list[NDArray[Any]] = [matches.played_at, matches.players, matches.sides, matches.winner]
    given_arrays += [value for value in vars(state).values() if isinstance(value, np.ndarray)]
    for array in given_arrays:
        array.flags.writeable = False
    kept = (by_id(state), state.common())
    rate(matches.part(10, 20), state, model)
    assert kept == (by_id(state), state.common())


def test_four_newcomers_by_the_formula_of_the_paper() -> None:
    # Weng and Lin, algorithm 3 for two sides, no draws: winners gain s²/c · φ(0)/Φ(0), c² = 2β² + 4s².
    model = MODELS["four"]
    width = math.sqrt(2 * BETA**2 + 4 * model.sigma**2)
    ratio = 2 * NormalDist().pdf(0)
    found, _ = rated(one_match("four", 1, (0, 1, 0, 1)))
    gain = model.sigma**2 / width * ratio
    assert found.mu_after[0] == pytest.approx([-gain, gain, -gain, gain])
    shrunk = model.sigma * math.sqrt(1 - model.sigma**2 / width**2 * ratio**2)
    assert found.sigma_after[0] == pytest.approx([shrunk] * 4)
    assert found.expected.tolist() == [[0.5] * 4]


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_are_those_of_openskill_itself(variant: Variant) -> None:
    from openskill.models import ThurstoneMostellerFull

    model, matches = MODELS[variant], drawn_matches(variant, 60, 8, 3, worth=(1.0, -1.0))
    found, _ = rated(matches)
    for row in (25, 59):
        theirs = ThurstoneMostellerFull(0.0, model.sigma, model.beta, gamma=lambda *_: 1.0, tau=0.0, epsilon=0.0)
        teams: list[list[Any]] = [[], []]
        for seat, side in enumerate(matches.sides[row]):
            teams[side].append(theirs.rating(found.mu_before[row, seat], found.sigma_before[row, seat]))
        if variant == "five":
            _, until = rate(matches.part(0, row), empty_state(variant, model), model)
            size = len(teams[0])
            teams[0].append(theirs.rating(found.offset[row], float(until.offset_precision[size - 2]) ** -0.5))
            assert found.offset[row] != 0
        chance = theirs.predict_win(teams)
        done = theirs.rate(teams, ranks=[int(matches.winner[row]), 1 - int(matches.winner[row])])
        left = [iter(team) for team in done]
        for seat, side in enumerate(matches.sides[row]):
            one = next(left[side])
            assert found.mu_after[row, seat] == pytest.approx(one.mu, abs=1e-9)
            assert found.sigma_after[row, seat] == pytest.approx(one.sigma, abs=1e-9)
            assert found.expected[row, seat] == pytest.approx(chance[side], abs=1e-12)


def test_of_two_sides_Plackett_Luce_is_Bradley_Terry() -> None:
    matches = drawn_matches("five", 50, 8, 5)
    kinds: tuple[Kind, ...] = ("PlackettLuce", "BradleyTerryFull")
    one, other = (rated(matches, OpenSkill(kind, 80.0, 120.0, 1.0, 40.0))[1] for kind in kinds)
    assert one.mu == pytest.approx(other.mu, abs=1e-6)
    assert one.sigma == pytest.approx(other.sigma, abs=1e-6)


def test_days_without_a_match_make_less_certain_up_to_a_newcomer() -> None:
    model = MODELS["four"]
    _, state = rated(one_match("four", 0, (0, 1, 0, 1)))
    first = state.sigma[0]
    for days, sigma in ((0, first), (30, math.hypot(first, model.tau * math.sqrt(30))), (100_000, model.sigma)):
        found, _ = rate(one_match("four", 0, (0, 1, 0, 1), FIRST + days * DAY), state, model)
        assert found.sigma_before[0] == pytest.approx([sigma] * 4)
        assert np.array_equal(found.mu_before[0], state.mu)


def test_elo_of_even_sides_moves_by_half_of_k() -> None:
    found, state = rated(one_match("five", 0, (0, 0, 1, 1, 1)), Elo(32.0))
    assert found.mu_after.tolist() == [[16, 16, -16, -16, -16]]
    # Next time side 0 is ahead by 32 points: 1 / (1 + 10^(-32/400)).
    found, _ = rate(one_match("five", 0, (0, 0, 1, 1, 1)), state, Elo(32.0))
    assert found.expected[0, 0] == pytest.approx(1 / (1 + 10 ** (-32 / 400)))


def wrong(**changes: Any) -> Matches:
    return replace(one_match("five", 0, (0, 0, 1, 1, 1)), **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"variant": "four"},
        {"players": np.array([[0, 1, 2, 3, 3]])},
        {"players": np.array([[0, 1, 2, 3, 5]])},
        {"sides": np.array([[0, 1, 1, 1, 1]], dtype=np.int8)},
        {"sides": np.array([[0, 0, 1, 1, 2]], dtype=np.int8)},
        {"winner": np.array([2], dtype=np.int8)},
        {"winner": np.array([0, 1], dtype=np.int8)},
    ],
)
def test_columns_that_cannot_be_are_the_callers_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"seat|side|ids"):
        wrong(**changes)


def test_a_state_goes_on_with_what_follows_it() -> None:
    matches, model = drawn_matches("four", 20, 8, 1), MODELS["four"]
    with pytest.raises(ValueError, match="ledger order"):
        replace(matches, played_at=matches.played_at[::-1])
    _, state = rate(matches.part(10, 20), empty_state("four", model), model)
    with pytest.raises(ValueError, match="ledger order"):
        rate(matches.part(0, 10), state, model)
    with pytest.raises(ValueError, match="own game and model"):
        rate(matches.part(10, 20), state, Elo(16.0))
    none, after = rate(matches.part(0, 0), state, model)
    assert none.expected.shape == (0, 4)
    assert after is state
