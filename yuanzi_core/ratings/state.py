"""Everything known after some matches, from which the fold goes on: flat arrays, fit for a table or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.cards import Variant
from yuanzi_core.ratings.model import Model
from yuanzi_core.ratings.offsets import SIZES

#: No match yet.
NEVER = -(2**62)


@dataclass(frozen=True, eq=False)
class State:
    """Players by order of first match, one element each, and what is common to all.

    * ``ids``: object (players,) of str;
    * ``mu``, ``sigma``: float64, skill in points around 0 and its standard deviation after the player's last match;
    * ``matches``, ``wins``: int64 counts; ``expected_wins``: float64, the sum of the chances before each match;
    * ``first_at``, ``last_at``: int64, first and last match, microseconds since 1970 in UTC;
    * ``peak``: float64, the highest mu after any match;
    * ``offset_mu``, ``offset_precision``: float64 (2,), of the dealer's side of two and of three (``offsets``);
    * ``offset_gradient``, ``offset_information``: int64 (2,), what the matches of ``day`` say of them so far;
    * ``offset_matches``: int64 (2,), how many matches there were with a dealer's side of two and of three;
    * ``day``: days since 1970 in UTC of the last match; ``at``: its instant; ``rated``: how many matches there were.

    ``variant`` and ``model`` (:attr:`Model.code`) say what it belongs to.
    """

    variant: Variant
    model: str
    ids: NDArray[np.object_]
    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]
    matches: NDArray[np.int64]
    wins: NDArray[np.int64]
    expected_wins: NDArray[np.float64]
    first_at: NDArray[np.int64]
    last_at: NDArray[np.int64]
    peak: NDArray[np.float64]
    offset_mu: NDArray[np.float64]
    offset_precision: NDArray[np.float64]
    offset_gradient: NDArray[np.int64]
    offset_information: NDArray[np.int64]
    offset_matches: NDArray[np.int64]
    day: int = NEVER
    at: int = NEVER
    rated: int = 0

    def __len__(self) -> int:
        return len(self.ids)

    def players(self) -> dict[str, NDArray[Any]]:
        """One row a player: the columns ``id``, ``mu``, ``sigma`` …; no copies."""
        return {"id": self.ids} | {name: getattr(self, name) for name in PLAYER_COLUMNS}

    def common(self) -> dict[str, Any]:
        """One row: what is common to all, lists for what has one value a size of the dealer's side."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        own = {name: value for name, value in found.items() if name != "ids" and name not in PLAYER_COLUMNS}
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in own.items()}

    @classmethod
    def restored(cls, players: Mapping[str, Any], common: Mapping[str, Any]) -> State:
        """The state of which these are :meth:`players` and :meth:`common`, as arrays or lists.

        :raises KeyError: a column is missing.
        """
        arrays: dict[str, Any] = {
            name: np.array(players[name], dtype=kind) for name, kind in PLAYER_COLUMNS.items()
        } | {name: np.array(common[name], dtype=kind) for name, kind in OFFSET_COLUMNS.items()}
        rest = {name: common[name] for name in ("variant", "model", "day", "at", "rated")}
        return cls(ids=np.array(players["id"], dtype=object), **arrays, **rest)


#: The numbers of a player, and of an offset (as ``Offset`` has them), with their types.
PLAYER_COLUMNS: dict[str, type[np.generic]] = {
    "mu": np.float64, "sigma": np.float64, "matches": np.int64, "wins": np.int64, "expected_wins": np.float64,
    "first_at": np.int64, "last_at": np.int64, "peak": np.float64,
}  # fmt: skip
OFFSET_COLUMNS: dict[str, type[np.generic]] = {
    "offset_mu": np.float64, "offset_precision": np.float64, "offset_gradient": np.int64,
    "offset_information": np.int64, "offset_matches": np.int64,
}  # fmt: skip


def empty_state(variant: Variant, model: Model) -> State:
    """Before the first match."""
    columns = {name: np.zeros(0, kind) for name, kind in PLAYER_COLUMNS.items()}
    columns |= {name: np.zeros(len(SIZES), kind) for name, kind in OFFSET_COLUMNS.items()}
    if model.offset_sigma:
        columns["offset_precision"] += model.offset_sigma**-2
    return State(variant=variant, model=model.code, ids=np.zeros(0, object), **columns)  # type: ignore[arg-type]
