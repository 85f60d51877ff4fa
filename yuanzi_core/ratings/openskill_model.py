"""Skills by openskill: Weng and Lin's models (JMLR 12, 2011) for two sides, with an offset for the roles.

An offset takes part as one more player of side 0 who is known well and belongs to nobody: openskill adds up the means
of a side, so with means around 0 an extra body adds no skill, and what number and role are worth is the offset's. Its
change is left to ``offsets``. openskill's own ``tau`` (per match) stays at 0: uncertainty grows with days (``aged``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from yuanzi_core.ratings.model import Expectation, Side, Skill

Kind = Literal["BradleyTerryFull", "PlackettLuce", "ThurstoneMostellerFull"]
_ROOT = math.sqrt(2)
#: A logistic curve averaged over a normal deviate is wider by this share of its variance, to good approximation.
_LOGISTIC = math.pi / 8
_NORMAL = 1 / math.sqrt(2 * math.pi)


def _one(*_: Any) -> float:
    """openskill's gamma: by how much a result lowers the variance. 1 is what Bayes' rule gives to second order."""
    return 1.0


@dataclass(frozen=True)
class OpenSkill:
    """A model of openskill and its settings, in points of the scale shown.

    ``sigma`` is a newcomer's uncertainty, ``beta`` the spread of how well a side plays on a given day, ``tau`` what is
    added to the uncertainty a day (in squares), ``offset_sigma`` how much roles may be worth; ``gamma`` is "one" or
    openskill's own.
    """

    kind: Kind
    sigma: float
    beta: float
    tau: float
    offset_sigma: float
    gamma: Literal["one", "own"] = "one"

    @property
    def code(self) -> str:
        """See :class:`Model`."""
        return repr(self)

    @property
    def start(self) -> Skill:
        """See :class:`Model`."""
        return Skill(0.0, self.sigma)

    def aged(self, sigma: float, days: int) -> float:
        """See :class:`Model`."""
        return min(math.sqrt(sigma * sigma + self.tau * self.tau * days), max(self.sigma, sigma))

    @cached_property
    def _model(self) -> Any:
        """Openskill's model. Imported here: only who rates needs it."""
        import openskill.models as models

        more: dict[str, Any] = {} if self.gamma == "own" else {"gamma": _one}
        if self.kind == "ThurstoneMostellerFull":
            more["epsilon"] = 0.0  # no match is drawn
        return getattr(models, self.kind)(mu=0.0, sigma=self.sigma, beta=self.beta, tau=0.0, **more)

    def expected(self, first: Side, second: Side, offset: Skill) -> Expectation:
        """See :class:`Model`."""
        ahead = math.fsum([*(one.mu for one in first), offset.mu, *(-one.mu for one in second)])
        spread = math.fsum([one.sigma * one.sigma for one in (*first, *second, offset)])
        if self.kind == "ThurstoneMostellerFull":
            width = math.sqrt(2 * self.beta**2 + spread)
            chance = 0.5 * math.erfc(-ahead / width / _ROOT)
            return Expectation(chance, _NORMAL * math.exp(-0.5 * (ahead / width) ** 2) / width)
        width = math.sqrt(2 * self.beta**2 + _LOGISTIC * spread)
        chance = 1 / (1 + math.exp(-ahead / width))
        return Expectation(chance, chance * (1 - chance) / width)

    def rated(self, first: Side, second: Side, offset: Skill, first_won: bool) -> tuple[list[Skill], list[Skill]]:
        """See :class:`Model`."""
        rating = self._model.rating
        teams = [[rating(mu, sigma) for mu, sigma in side] for side in (first, second)]
        if offset.sigma:
            teams[0].append(rating(*offset))
        ones, others = self._model.rate(teams, ranks=[0, 1] if first_won else [1, 0])
        return (
            [Skill(one.mu, one.sigma) for one in ones[: len(first)]],
            [Skill(one.mu, one.sigma) for one in others],
        )
