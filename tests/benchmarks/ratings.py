"""How good the ratings are: a backtest of models on leagues played for it, and how near skills come to a full fit.

Settings were chosen on leagues of the seeds 1–17; here are others. Each league has 500 players of hidden, different
skills, constant or drifting from month to month. The first half of the matches trains, the second is scored: every
chance is given before its match counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.played_leagues import PlayedLeague, play_league
from tests.benchmarks.report import Report, seconds
from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.league.settings import League
from yuanzi_core.ratings.backtest import Scores, score
from yuanzi_core.ratings.elo import POINTS, Elo
from yuanzi_core.ratings.fold import Rated, rate
from yuanzi_core.ratings.matches import Matches
from yuanzi_core.ratings.model import Model
from yuanzi_core.ratings.openskill_model import OpenSkill
from yuanzi_core.ratings.settings import BASELINE, BETA, MODELS
from yuanzi_core.ratings.state import State, empty_state

PLAYERS, MONTHS, DRIFT, SEEDS = 500, 20, 0.03, (21, 22, 23, 24)
#: Matches a player after which skills are compared with those of a full fit, and what of its Spearman is wanted.
AFTER, SHARE = (50, 200), 0.97
#: The penalty of the full fit: that of a normal prior with a standard deviation of one in the logarithm of the odds.
PENALTY = 1.0
_LOGISTIC = POINTS / 2**0.5

#: The models that were compared, each with the best settings found for it on the seeds 1–17.
CANDIDATES: dict[Variant, dict[str, Model]] = {
    "four": {
        "Thurstone–Mosteller (in use)": MODELS["four"],
        "Bradley–Terry": OpenSkill("BradleyTerryFull", 150.0, _LOGISTIC, 1.0, 0.0),
        "Bradley–Terry, openskill's gamma": OpenSkill("BradleyTerryFull", 88.0, _LOGISTIC, 0.0, 0.0, "own"),
        "openskill's settings, no offsets": OpenSkill("PlackettLuce", 2 * BETA, BETA, 0.02 * BETA, 0.0, "own"),
        "Elo for sides": BASELINE,
        "Elo, k 32": Elo(32.0),
    },
    "five": {
        "Thurstone–Mosteller (in use)": MODELS["five"],
        "the same without offsets": OpenSkill("ThurstoneMostellerFull", 90.0, BETA, 0.4, 0.0),
        "Bradley–Terry": OpenSkill("BradleyTerryFull", 90.0, _LOGISTIC, 0.4, 125.0),
        "Bradley–Terry, openskill's gamma": OpenSkill("BradleyTerryFull", 45.0, _LOGISTIC, 0.0, 125.0, "own"),
        "openskill's settings, no offsets": OpenSkill("PlackettLuce", 2 * BETA, BETA, 0.02 * BETA, 0.0, "own"),
        "Elo for sides": BASELINE,
        "Elo, k 32": Elo(32.0),
        "Elo with offsets": Elo(24.0, 125.0),
    },
}  # fmt: skip


def rated_matches(league: PlayedLeague) -> Matches:
    """The matches of a league as the fold takes them."""
    ids = [f"p{number}" for number in range(league.skill.shape[1])]
    return Matches(
        league.variant, league.at, league.players, league.sides.astype(np.int8), league.winner.astype(np.int8), ids
    )


def chances(rated: Rated, matches: Matches) -> NDArray[np.float64]:
    """The chance of side 0 in each match."""
    return np.where(matches.sides[:, 0] == 0, rated.expected[:, 0], 1 - rated.expected[:, 0])


def full_fit(matches: Matches, players: int) -> NDArray[np.float64]:
    """Skills (logarithm of odds) of the likeliest Bradley–Terry model over sides, penalised, with offsets at five."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix, hstack
    from scipy.special import expit

    count, seats = matches.players.shape
    signs = np.where(matches.sides == 0, 1.0, -1.0)
    design = csr_matrix(
        (signs.ravel(), (np.repeat(np.arange(count), seats), matches.players.ravel())), (count, players)
    )
    roles = 2 if seats != 4 else 0
    if roles:
        sizes = csr_matrix((np.ones(count), (np.arange(count), matches.first_size - 2)), (count, roles))
        design = hstack([design, sizes]).tocsr()
    won = matches.winner == 0
    penalty = np.array([PENALTY] * players + [0.0] * roles)

    def loss(skills: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        ahead = design @ skills
        value = np.logaddexp(0, ahead).sum() - ahead[won].sum() + penalty @ skills**2 / 2
        return float(value), design.T @ (expit(ahead) - won) + penalty * skills

    found: NDArray[np.float64] = minimize(loss, np.zeros(players + roles), jac=True, method="L-BFGS-B").x[:players]
    return found


def skills(state: State, players: int) -> NDArray[np.float64]:
    """The skill of each player of a league by number; NaN for who has not played."""
    found = np.full(players, np.nan)
    found[[int(own[1:]) for own in state.ids]] = state.mu
    return found


def measure(report: Report) -> None:
    """Backtest of the candidates, Spearman against a full fit, speed."""
    begun = time.perf_counter()
    leagues = {
        drift: [play_league(League(PLAYERS, MONTHS, seed, drift)) for seed in SEEDS[: None if not drift else 2]]
        for drift in (0.0, DRIFT)
    }
    report.heading(f"Ratings: leagues of {PLAYERS} players, {MONTHS} months ({time.perf_counter() - begun:.0f} s)")
    for variant in VARIANTS:
        for drift, every in leagues.items():
            _backtest(report, variant, drift, [league[variant] for league in every[:2]])
        _ranking(report, variant, [league[variant] for league in leagues[0.0]])
    for variant in VARIANTS:
        _speed(report, variant, rated_matches(leagues[0.0][0][variant]))


def _mean(found: list[Scores]) -> Scores:
    total = sum(one.matches for one in found)
    names = ("log_loss", "brier", "accuracy", "calibration")
    return Scores(total, *(sum(getattr(one, name) * one.matches for one in found) / total for name in names))


def _base_rate(matches: Matches, half: int) -> NDArray[np.float64]:
    """The share of matches that side 0 of its size won in the first half."""
    size, won = matches.first_size, matches.winner == 0
    shares = {each: won[:half][size[:half] == each].mean() for each in np.unique(size)}
    return np.array([shares[each] for each in size[half:]])


def _backtest(report: Report, variant: Variant, drift: float, leagues: list[PlayedLeague]) -> None:
    report.heading(f"{variant}, {f'skills that drift by {drift} a month' if drift else 'constant skills'}")
    found: dict[str, Scores] = {}
    every = [rated_matches(league) for league in leagues]
    for name, model in CANDIDATES[variant].items():
        scores = []
        for matches in every:
            half = len(matches) // 2
            rated, _ = rate(matches, empty_state(variant, model), model)
            scores.append(score(chances(rated, matches)[half:], (matches.winner == 0)[half:]))
        found[name] = _mean(scores)
    halves = [(matches, len(matches) // 2) for matches in every]
    found["base rate"] = _mean([score(_base_rate(one, half), (one.winner == 0)[half:]) for one, half in halves])
    for name, one in found.items():
        line = f"{one.log_loss:.4f} {one.brier:.4f} {one.accuracy:.3f} {one.calibration:.4f}"
        report.figure(f"{name}: log loss, Brier, accuracy, calibration", line)
    used = next(iter(found.values()))
    best_elo = min(one.log_loss for name, one in found.items() if name.startswith("Elo"))
    report.limit(f"{variant}: log loss, % of the best Elo's", used.log_loss / best_elo * 100, 100, "%")
    report.limit(
        f"{variant}: log loss, % of the base rate's", used.log_loss / found["base rate"].log_loss * 100, 100, "%"
    )
    report.limit(f"{variant}: calibration error, %", used.calibration * 100, 2.0, "%")


def _prefixes(league: PlayedLeague) -> Iterator[tuple[int, Matches]]:
    matches = rated_matches(league)
    for each in AFTER:
        yield each, matches.part(0, each * PLAYERS // matches.players.shape[1])


def _ranking(report: Report, variant: Variant, leagues: list[PlayedLeague]) -> None:
    from scipy.stats import spearmanr

    report.heading(
        f"{variant}: Spearman of skill found and hidden skill: ratings, full fit; mean of {len(leagues)} leagues"
    )
    found: dict[int, list[tuple[float, float, float]]] = {each: [] for each in AFTER}
    for league in leagues:
        for each, matches in _prefixes(league):
            model = MODELS[variant]
            _, state = rate(matches, empty_state(variant, model), model)
            online, fit = skills(state, PLAYERS), full_fit(matches, PLAYERS)
            seen = ~np.isnan(online)
            hidden = league.skill[0][seen]
            correlations = [spearmanr(one[seen], hidden).statistic for one in (online, fit)]
            found[each].append((*correlations, spearmanr(online[seen], fit[seen]).statistic))
    for each, rows in found.items():
        online, fit, agree = np.mean(rows, axis=0)
        single = " ".join(f"{row[0] / row[1]:.3f}" for row in rows)
        report.figure(f"after {each} matches a player (each league's ratio: {single})", f"{online:.4f} {fit:.4f}")
        report.figure("  Spearman of the ratings and the full fit", f"{agree:.4f}")
        report.limit(f"{variant}: full fit's Spearman to that of the ratings, {each}", fit / online, 1 / SHARE)


def _speed(report: Report, variant: Variant, matches: Matches) -> None:
    model = MODELS[variant]
    state = empty_state(variant, model)
    taken = seconds(partial(rate, matches, state, model))
    report.figure(f"{variant}: ratings", f"{len(matches) / taken:,.0f} matches/s")
    _, after = rate(matches.part(0, len(matches) - 1000), state, model)
    more = seconds(partial(rate, matches.part(len(matches) - 1000, len(matches)), after, model))
    report.figure(f"{variant}: 1,000 more", f"{more:.3f} s")
