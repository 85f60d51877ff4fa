"""Elo for sides: the baseline that any better model has to beat."""

from __future__ import annotations

import math
from dataclasses import dataclass

from yuanzi_core.ratings.model import Expectation, Side, Skill

#: Points of Elo's scale in which the odds grow e-fold: 400 points are ten to one.
POINTS = 400 / math.log(10)


@dataclass(frozen=True)
class Elo:
    """Elo's rule on the mean ratings of two sides; each player of a side gains or loses the same.

    ``k`` is twice what an even match moves each player by, in points; there is no uncertainty (sigma 0). With
    ``offset_sigma`` roles have their worth as in ``offsets``; without it, as in the textbook, they have none.
    """

    k: float
    offset_sigma: float = 0.0

    @property
    def code(self) -> str:
        """See :class:`Model`."""
        return repr(self)

    @property
    def start(self) -> Skill:
        """See :class:`Model`."""
        return Skill(0.0, 0.0)

    def aged(self, sigma: float, days: int) -> float:
        """See :class:`Model`."""
        return sigma

    def expected(self, first: Side, second: Side, offset: Skill) -> Expectation:
        """See :class:`Model`."""
        ahead = math.fsum(one.mu for one in first) / len(first) - math.fsum(one.mu for one in second) / len(second)
        chance = 1 / (1 + math.exp(-(ahead + offset.mu) / POINTS))
        return Expectation(chance, chance * (1 - chance) / POINTS)

    def rated(self, first: Side, second: Side, offset: Skill, first_won: bool) -> tuple[list[Skill], list[Skill]]:
        """See :class:`Model`."""
        change = self.k * (first_won - self.expected(first, second, offset).chance)
        return (
            [Skill(one.mu + change, one.sigma) for one in first],
            [Skill(one.mu - change, one.sigma) for one in second],
        )
