"""How strong one policy is against another: the same cards played twice, with the sides exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.batch_settlement import BatchSettlement
from yuanzi_core.certainty import wilson
from yuanzi_core.policies.players import Players
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.selfplay import BLOCK, Simulation


@dataclass(frozen=True)
class Duel:
    """The outcome of mirrored deals: how many the first policy won, lost and drew, and how many single matches it won.

    A mirrored deal is a match number played twice, the second time with the sides exchanged. Whoever has the higher
    score of both settlements together wins it (F6 aside: no standing is known); if these are equal, whoever has more
    card points in both together.
    """

    won: int
    lost: int
    drawn: int
    single_won: int

    @property
    def deals(self) -> int:
        """Number of mirrored deals."""
        return self.won + self.lost + self.drawn

    @property
    def share(self) -> float:
        """The share of mirrored deals that the first policy won, a draw counting half."""
        return (self.won + self.drawn / 2) / self.deals

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 % around the share."""
        lowest, highest = wilson(self.won + self.drawn / 2, self.deals)
        return float(lowest), float(highest)


class Table:
    """Two policies at the tables of one ruleset, with a skill each."""

    def __init__(
        self, ruleset: RuleSet, policies: tuple[str, str], seed: int, skills: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        self._settlement = BatchSettlement()
        self._simulation = Simulation(ruleset, seed, settlement=self._settlement)
        self._pairs = [Players.of(2, policies, skills), Players.of(2, policies[::-1], skills[::-1])]

    def results(self, first: int, deals: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Of both playings in blocks: what the first policy gained, in ten-thousandths, and its lead in card points.

        Each int64 (2, deals of the block).
        """
        for begin in range(first, first + deals, BLOCK):
            numbers = np.arange(begin, min(begin + BLOCK, first + deals), dtype=np.int64)
            both = []
            for pair, sign in zip(self._pairs, (1, -1), strict=True):
                played = self._simulation.play(numbers, *pair.rows(len(numbers)), by_side=True)
                score, points = self._settlement.results(played, len(numbers))
                both.append((sign * score, sign * points))
            yield np.stack([score for score, _ in both]), np.stack([points for _, points in both])


def duel(
    ruleset: RuleSet, first_policy: str, second_policy: str, deals: int, seed: int,
    skills: tuple[float, float] = (1.0, 1.0),
) -> Duel:  # fmt: skip
    """Play mirrored deals of match numbers 0 to ``deals`` − 1; skills as in ``Players``.

    :raises UnknownPolicy: a name that no policy has.
    """
    won = lost = single = 0
    for score, points in Table(ruleset, (first_policy, second_policy), seed, skills).results(0, deals):
        both, ahead = score.sum(axis=0), points.sum(axis=0)
        won += int(((both > 0) | ((both == 0) & (ahead > 0))).sum())
        lost += int(((both < 0) | ((both == 0) & (ahead < 0))).sum())
        single += int((score > 0).sum())
    return Duel(won, lost, deals - won - lost, single)
