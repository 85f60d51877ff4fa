"""Chance for faults: numbers that follow from a seed, a match number and a purpose, the same on any machine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Draw:
    """Numbers drawn one after the other. Only ``Random.random`` is used: its numbers stay from version to version."""

    def __init__(self, *purpose: object) -> None:
        self._random = Random(" ".join(map(str, purpose)))

    def share(self) -> float:
        """A number from 0 to below 1."""
        return self._random.random()

    def below(self, limit: int) -> int:
        """A whole number from 0 to ``limit`` − 1."""
        return int(self._random.random() * limit)

    def pick(self, items: Sequence[Item]) -> Item:
        """One of some items; there must be one."""
        return items[self.below(len(items))]

    def order(self, items: Sequence[Item]) -> list[Item]:
        """All items in a drawn order."""
        left, drawn = list(items), []
        while left:
            place = self.below(len(left))
            left[place], left[-1] = left[-1], left[place]
            drawn.append(left.pop())
        return drawn
