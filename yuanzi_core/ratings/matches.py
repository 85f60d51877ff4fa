"""The matches of one game that are rated, as columns in ledger order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.cards import SEATS, Variant


@dataclass(frozen=True)
class Matches:
    """Matches of one game in ledger order: by ``played_at`` as an instant, then by ``match_id``.

    * ``played_at``: int64 (matches,), microseconds since 1970 in UTC;
    * ``players``: int64 (matches, seats), who sits there, as a place in ``ids``;
    * ``sides``: int8 (matches, seats), 0 or 1; at five, side 0 is the dealer's;
    * ``winner``: int8 (matches,), the side that won;
    * ``ids``: the players' ids, each once; their order means nothing.
    """

    variant: Variant
    played_at: NDArray[np.int64]
    players: NDArray[np.int64]
    sides: NDArray[np.int8]
    winner: NDArray[np.int8]
    ids: Sequence[str]

    def __post_init__(self) -> None:
        """:raises ValueError: a column of the wrong shape, order or range, or a player in two seats."""
        count, seats = len(self.played_at), SEATS[self.variant]
        if self.players.shape != (count, seats) or self.sides.shape != (count, seats) or self.winner.shape != (count,):
            raise ValueError(f"{count} matches of {seats} seats each are wanted in every column")
        if not count:
            return
        if (np.diff(self.played_at) < 0).any():
            raise ValueError("matches stand in ledger order")
        if self.players.min() < 0 or self.players.max() >= len(self.ids):
            raise ValueError("a player is a place in ids")
        ordered = np.sort(self.players, axis=1)
        if (ordered[:, 1:] == ordered[:, :-1]).any():
            raise ValueError("nobody sits in two seats")
        if not (np.isin(self.sides, (0, 1)).all() and np.isin(self.winner, (0, 1)).all()):
            raise ValueError("sides are 0 and 1")
        first = self.first_size
        if not (np.isin(first, (2,) if seats == 4 else (2, 3))).all():
            raise ValueError("sides are two against two at four, two against three or three against two at five")

    def __len__(self) -> int:
        return len(self.played_at)

    @property
    def first_size(self) -> NDArray[np.int64]:
        """How many players side 0 has; at five, the dealer's side."""
        size: NDArray[np.int64] = (self.sides == 0).sum(axis=1, dtype=np.int64)
        return size

    def part(self, begin: int, end: int) -> Matches:
        """The matches from ``begin`` to before ``end``; ``ids`` stay as they are."""
        cut = slice(begin, end)
        return Matches(
            self.variant, self.played_at[cut], self.players[cut], self.sides[cut], self.winner[cut], self.ids
        )
