"""Leagues as ratings see them: who sat where, who sided with whom, who won. Played, settled, and kept as arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.batch_settlement import BatchSettlement
from yuanzi_core.cards import SEATS, VARIANTS, Variant
from yuanzi_core.chance import WORD_BITS
from yuanzi_core.league.evenings import Sitting, evenings
from yuanzi_core.league.population import population
from yuanzi_core.league.settings import League
from yuanzi_core.policies import POLICIES
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.selfplay import Simulation

BLOCK = 4096


@dataclass(frozen=True)
class PlayedLeague:
    """The finished matches of one game of a league, in ledger order; nobody escapes.

    ``at`` (matches,): microseconds since 1970 in UTC; ``players``, ``sides`` (matches, seats); ``winner`` (matches,):
    the side that won; ``skill`` (months, players): the hidden skill.
    """

    variant: Variant
    at: NDArray[np.int64]
    players: NDArray[np.int64]
    sides: NDArray[np.int64]
    winner: NDArray[np.int64]
    skill: NDArray[np.float64]


def _results(
    simulation: Simulation, settlement: BatchSettlement, sittings: list[Sitting],
    policies: NDArray[np.int64], mistakes: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """Side of each seat, and the winning side, of matches of one ruleset. At five, side 0 is the dealer's."""
    seats = np.array([sitting.seats for sitting in sittings], dtype=np.int64)
    months = np.array([sitting.month for sitting in sittings], dtype=np.int64)
    numbers = np.array([sitting.number for sitting in sittings], dtype=np.int64)
    deals = simulation.play(numbers, policies[seats], np.ascontiguousarray(mistakes[months[:, None], seats]))
    points, _ = settlement.movements(deals, len(sittings), 100)
    first = np.flatnonzero(deals.head[d.DEAL] == 0)
    won, row = points > 0, np.arange(len(sittings))
    chief = deals.head[d.DEALER][first].astype(np.int64) if seats.shape[1] == SEATS["five"] else np.zeros_like(row)
    sides = (won != won[row, chief][:, None]).astype(np.int64)
    return sides, np.where(won[row, chief], 0, 1)


def play_league(league: League) -> dict[Variant, PlayedLeague]:
    """Play a league without escapes; the matches of each game."""
    league = replace(league, escapes=0.0)
    people = population(league)
    skills = np.array([person.skills for person in people]).T
    mistakes = np.round((1 - skills) * (1 << WORD_BITS)).astype(np.int64)
    policies = np.array([POLICIES.index(person.policy) for person in people], dtype=np.int64)
    settlement, simulations = BatchSettlement(), dict[str, Simulation]()
    found: dict[Variant, list[tuple[Sitting, tuple[NDArray[np.int64], ...]]]] = {"four": [], "five": []}
    coming = (sitting for evening in evenings(league, people) for sitting in evening.sittings)
    sittings = [(sitting, _rules(league, sitting)) for sitting in coming]
    sittings.sort(key=lambda one: one[1].hash)
    for _, group in groupby(sittings, key=lambda one: one[1].hash):
        every = list(group)
        rules = every[0][1]
        simulation = simulations.setdefault(rules.hash, Simulation(rules, league.seed, 0, settlement=settlement))
        for begin in range(0, len(every), BLOCK):
            own = [sitting for sitting, _ in every[begin : begin + BLOCK]]
            columns = _results(simulation, settlement, own, policies, mistakes)
            found[rules.variant] += zip(own, zip(*columns, strict=True), strict=True)
    played: dict[Variant, PlayedLeague] = {}
    for variant in VARIANTS:
        rows = sorted(found[variant], key=lambda one: (one[0].at, one[0].number))
        own = [sitting for sitting, _ in rows]
        sides, winner = (np.array([row[column] for _, row in rows]) for column in range(2))
        played[variant] = PlayedLeague(
            variant, np.array([int(sitting.at.timestamp()) * 1_000_000 for sitting in own]),
            np.array([sitting.seats for sitting in own]).reshape(-1, SEATS[variant]),
            sides, winner, skills,
        )  # fmt: skip
    return played


def _rules(league: League, sitting: Sitting) -> RuleSet:
    house = league.houses[sitting.club]
    return house.four if sitting.variant == "four" else house.five
