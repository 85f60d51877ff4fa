"""What a model of skill has to offer to the fold. Skills and uncertainties are in points of the scale shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Skill(NamedTuple):
    """A skill: mean and standard deviation in points; the mean of a newcomer is 0."""

    mu: float
    sigma: float


class Expectation(NamedTuple):
    """The chance that side 0 wins, and by how much it grows with each point that side 0 is better."""

    chance: float
    slope: float


Side = Sequence[Skill]


class Model(Protocol):
    """How a result changes the skills of the sides; ``offset`` is what side 0 is worth beyond its players."""

    @property
    def code(self) -> str:
        """Name and settings: all that the ratings of given matches hang on."""

    @property
    def start(self) -> Skill:
        """What is believed of somebody who has not played."""

    @property
    def offset_sigma(self) -> float:
        """How much the roles may be worth before anything was seen, one standard deviation; 0: they are not rated."""

    def aged(self, sigma: float, days: int) -> float:
        """The uncertainty after so many days without a match."""

    def expected(self, first: Side, second: Side, offset: Skill) -> Expectation:
        """What is expected of a match before it is played. The order within a side means nothing."""

    def rated(self, first: Side, second: Side, offset: Skill, first_won: bool) -> tuple[list[Skill], list[Skill]]:
        """The skills of both sides after a match, in the order given."""
