"""How strong the policies are against each other, and what a fixed seed of good players looks like."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.batch_settlement import BatchSettlement
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.duel import Duel, Table, duel
from yuanzi_core.judge import judge_deals
from yuanzi_core.policies.players import Players
from yuanzi_core.ruleset import PRESETS, Rulesets
from yuanzi_core.selfplay import Simulation, play_matches

RULESETS = Rulesets()
SEED, MATCHES = 7, 2000
FOUR = {
    "tricks a deal": 16.81,
    "plays a deal": 115.0,
    "double clamps": 0.4835,
    "double outs": 0.293,
    "wins by seat": [0.502, 0.498, 0.502, 0.498],
}
FIVE = {
    "tricks a deal": 16.19,
    "plays a deal": 169.2,
    "atoms a deal": 6.54,
    "2 against 3": 0.523,
    "stopped by points": 0.912,
    "wins of the dealer's side": 0.55,
    "wins by seat": [0.473, 0.518, 0.51, 0.503, 0.52],
}


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    ("better", "worse", "share"), [("partner", "random", 0.97), ("partner", "greedy", 0.70), ("greedy", "random", 0.85)]
)
def test_the_better_policy_wins_its_share_of_mirrored_deals(name: str, better: str, worse: str, share: float) -> None:
    found = duel(RULESETS[name], better, worse, 1500, SEED)
    assert found.deals == 1500
    assert found.interval[0] >= share


def test_a_policy_draws_with_itself_and_less_skill_wins_less() -> None:
    even = duel(RULESETS["four-classic"], "partner", "partner", 300, SEED)
    assert even == Duel(0, 0, 300, 300)
    shares = [duel(RULESETS["five-classic"], "partner", "partner", 400, SEED, (s, 1.0)).share for s in (0.5, 0.8, 0.95)]
    assert shares[0] < shares[1] < shares[2] < 0.5


def test_both_playings_have_the_same_cards_and_exchanged_sides() -> None:
    settlement, numbers = BatchSettlement(), np.arange(50)
    simulation = Simulation(RULESETS["four-classic"], SEED, settlement=settlement)
    one, other = (
        simulation.play(numbers, *Players.of(2, policies).rows(50), by_side=True)
        for policies in (("partner", "random"), ("random", "partner"))
    )
    uppers = [deals.hands[deals.head[d.DEAL] == 0] for deals in (one, other)]
    assert np.array_equal(*uppers)
    # The better side wins, whichever it is: side 0 the first time.
    for deals, sign in ((one, 1), (other, -1)):
        score, points = settlement.results(deals, 50)
        assert (sign * score > 0).mean() > 0.9
        assert (sign * points > 0).mean() > 0.9


def test_E1_F2_scores_of_a_mirrored_deal_are_those_of_the_winning_side() -> None:
    # Two players of a pair gain 1 or 2 each (4p); a side gains 6 in all, doubled or tripled by F3 (5p).
    for name, possible in (("four-classic", {20_000, 40_000}), ("five-classic", {60_000, 120_000, 180_000})):
        for score, points in Table(RULESETS[name], ("partner", "greedy"), SEED).results(0, 300):
            assert set(np.abs(score).ravel().tolist()) <= possible
            assert np.abs(points).max() <= 2 * RULESETS[name].total_points


def test_the_interval_is_wilsons() -> None:
    # 40 of 50, by hand: (0.8 + 0.0384) / 1.0768 ± 1.96 / 1.0768 · √(0.0032 + 0.000384).
    lowest, highest = Duel(40, 10, 0, 0).interval
    assert lowest == pytest.approx(0.6696, abs=2e-4)
    assert highest == pytest.approx(0.8876, abs=2e-4)
    assert Duel(3, 3, 4, 0).share == 0.5


def of_partners(name: str) -> tuple[Deals, Ints, NDArray[np.bool_]]:
    """2,000 matches of players of the partner policy, the referee's facts, and whether side 0 won each match."""
    players = Players.of(RULESETS[name].players, ("partner",))
    _, deals = next(iter(play_matches(RULESETS[name], MATCHES, SEED, block=MATCHES, players=players)))
    score, _ = BatchSettlement().results(deals, MATCHES)
    return deals, judge_deals(deals), score > 0


def shares_by_seat(won: NDArray[np.bool_]) -> list[float]:
    """How often each seat was on the winning side: no further from one half than in 999 of 1000 fair cases."""
    shares = won.mean(axis=1)
    assert (np.abs(shares - 0.5) < 3.29 * 0.5 / MATCHES**0.5).all()
    return [round(share, 3) for share in shares.tolist()]


# The figures of a fixed seed: whoever changes how a policy plays, or how cards are dealt, sees it here, counts its
# version up (``policies.VERSIONS``) and writes down the new ones.
def test_figures_of_a_fixed_seed_of_the_four_player_game() -> None:
    deals, facts, won = of_partners("four-classic")
    # Of a match that is over after its upper half, that was a double clamp (E1).
    lower_halves = int((deals.head[d.DEAL] == 1).sum())
    figures = {
        "tricks a deal": round(float(facts[d.TRICKS].mean()), 2),
        "plays a deal": round(len(deals.plays) / len(deals), 1),
        "double clamps": (MATCHES - lower_halves) / MATCHES,
        "double outs": round(float((facts[d.OUT] == 2).mean()), 3),
        "wins by seat": shares_by_seat(np.stack([won, ~won, won, ~won])),
    }
    assert figures == FOUR


def test_figures_of_a_fixed_seed_of_the_five_player_game() -> None:
    deals, facts, won = of_partners("five-classic")
    sides = facts[d.SIDE : d.SIDE + 5]
    figures = {
        "tricks a deal": round(float(facts[d.TRICKS].mean()), 2),
        "plays a deal": round(len(deals.plays) / len(deals), 1),
        "atoms a deal": round(float(facts[d.ATOMS].mean()), 2),
        "2 against 3": round(float(((sides == 0).sum(axis=0) == 2).mean()), 3),
        "stopped by points": round(float((deals.head[d.END] == d.POINTS_END).mean()), 3),
        "wins of the dealer's side": round(float(won.mean()), 3),
        "wins by seat": shares_by_seat(sides == np.where(won, 0, 1)),
    }
    assert figures == FIVE
