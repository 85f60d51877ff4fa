"""What the dealer's side is worth beyond its players, learnt from the matches themselves.

At five the dealer's side has the call and the lead, and is two or three players strong. Skills are centred at 0, so an
extra player adds none; what numbers and role are worth together is one offset for each size of the dealer's side, added
to that side's skill. It is estimated like a skill: a mean and a standard deviation, a Newton step for the matches of a
day. What a match says of it is the same whoever wins next, so it is added up in whole numbers, which no order changes.
The sum takes effect on the next day: two tables of an evening do not hang on each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from yuanzi_core.ratings.model import Expectation, Skill

#: The sizes of the dealer's side; there is an offset for each.
SIZES = (2, 3)
#: Scales at which a match's gradient (per point) and information (per square point) become whole numbers.
_GRADIENT, _INFORMATION = 2**40, 2**50


@dataclass
class Offset:
    """An offset in the course of the fold: estimate, what its day says so far, and how many matches there were."""

    mu: float
    precision: float
    gradient: int = 0
    information: int = 0
    matches: int = 0

    @property
    def skill(self) -> Skill:
        """As a skill, which it is in all but name."""
        return Skill(self.mu, 1 / math.sqrt(self.precision))

    def observe(self, expected: Expectation, first_won: bool) -> None:
        """Count a match. The likelihood of its result has this gradient and this information by the offset."""
        share = expected.slope / (expected.chance * (1 - expected.chance))
        self.gradient += round((first_won - expected.chance) * share * _GRADIENT)
        self.information += round(expected.slope * share * _INFORMATION)
        self.matches += 1

    def close_day(self) -> None:
        """Take the day's matches into the estimate."""
        self.precision += self.information / _INFORMATION
        self.mu += self.gradient / _GRADIENT / self.precision
        self.gradient = self.information = 0
