"""Who plays at a table: a policy and a skill for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.chance import WORD_BITS
from yuanzi_core.policies import POLICIES, VERSIONS


class UnknownPolicy(ValueError):
    """No policy bears that name."""


@dataclass(frozen=True)
class Players:
    """The policy and the skill of each seat.

    ``skills`` are shares of 1. A player makes a mistake with probability 1 − skill at each decision (play, call, stop):
    it is then taken as the random policy takes it. So with skill 0 every policy is the random one.
    """

    policies: tuple[str, ...]
    skills: tuple[float, ...]

    @classmethod
    def of(cls, seats: int, policies: Sequence[str] = ("random",), skills: Sequence[float] = (1.0,)) -> Players:
        """One policy and skill for all seats, or one for each.

        :raises UnknownPolicy: a name that no policy has.
        :raises ValueError: neither one nor as many as there are seats, or a skill that is no share.
        """
        for name in policies:
            if name not in POLICIES:
                raise UnknownPolicy(name)
        if len(policies) not in (1, seats) or len(skills) not in (1, seats):
            raise ValueError(f"one policy and one skill, or {seats}")
        if not all(0 <= skill <= 1 for skill in skills):
            raise ValueError("a skill is a share")
        every = seats if len(policies) == 1 else 1
        each = seats if len(skills) == 1 else 1
        return cls(tuple(policies) * every, tuple(float(skill) for skill in skills) * each)

    @property
    def code(self) -> str:
        """For ids: the initial of each policy and its version, as ``r1``; of all seats where they differ."""
        codes = [f"{policy[0]}{VERSIONS[policy]}" for policy in self.policies]
        return codes[0] if len(set(codes)) == 1 else "".join(codes)

    def rows(self, matches: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For so many matches the number of each seat's policy, and how many of 2³² decisions are mistakes.

        Two arrays, int64 (matches, seats).
        """
        policies = np.array([POLICIES.index(policy) for policy in self.policies], dtype=np.int64)
        mistakes = np.array([round((1 - skill) * (1 << WORD_BITS)) for skill in self.skills], dtype=np.int64)
        return np.tile(policies, (matches, 1)), np.tile(mistakes, (matches, 1))
