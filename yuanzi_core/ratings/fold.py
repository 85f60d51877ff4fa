"""The fold: matches in ledger order to what each one changed, and from one state to the next."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.ratings.matches import Matches
from yuanzi_core.ratings.model import Model, Skill
from yuanzi_core.ratings.offsets import SIZES, Offset
from yuanzi_core.ratings.state import NEVER, OFFSET_COLUMNS, PLAYER_COLUMNS, State

#: Microseconds of a day. Days begin at midnight UTC, which is a morning where the game is at home: no evening is cut.
DAY = 86_400_000_000
_NO_OFFSET = Skill(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Rated:
    """What was rated, a row a match in the order given; all but ``offset`` are float64 (matches, seats).

    * ``mu_before``, ``sigma_before``, ``mu_after``, ``sigma_after``: skill in points around 0 and its standard
      deviation; ``sigma_before`` includes what the days since the last match have added;
    * ``expected``: the chance of the seat's side before the match; that of both sides adds up to 1;
    * ``offset``: float64 (matches,), points by which side 0 counted as better for its roles (four: 0).
    """

    mu_before: NDArray[np.float64]
    sigma_before: NDArray[np.float64]
    mu_after: NDArray[np.float64]
    sigma_after: NDArray[np.float64]
    expected: NDArray[np.float64]
    offset: NDArray[np.float64]


def rate(matches: Matches, state: State, model: Model) -> tuple[Rated, State]:
    """Rate matches that follow on those behind the state; the rows, and the state after them.

    The same rows come out wherever the matches are cut. Nothing given is changed.

    :raises ValueError: the state is of another game or model, or matches come before its last one.
    """
    if (matches.variant, model.code) != (state.variant, state.model):
        raise ValueError("a state goes on with its own game and model")
    if not len(matches):
        none = np.zeros(matches.players.shape)
        return Rated(none, none, none, none, none, np.zeros(0)), state
    if matches.played_at[0] < state.at:
        raise ValueError("matches follow in ledger order")
    place = {own: number for number, own in enumerate(state.ids.tolist())}
    # Players are numbered by first match: an id decides nothing.
    used, first = np.unique(matches.players, return_index=True)
    for number in used[np.argsort(first)].tolist():
        place.setdefault(matches.ids[number], len(place))
    numbers = np.array([place.get(own, -1) for own in matches.ids], dtype=np.int64)
    fold = _Fold(state, model, len(place))
    rated = fold.run(matches, numbers[matches.players])
    return rated, fold.state(state, list(place), matches)


class _Fold:
    """The numbers of a state while matches pass, as lists: they are read and written one at a time."""

    def __init__(self, state: State, model: Model, size: int) -> None:
        news = {"sigma": model.start.sigma, "first_at": NEVER, "last_at": NEVER, "peak": -np.inf}
        self.columns: dict[str, list[Any]] = {
            name: [*getattr(state, name).tolist(), *[news.get(name, 0)] * (size - len(state))]
            for name in PLAYER_COLUMNS
        }
        offsets = (getattr(state, name).tolist() for name in OFFSET_COLUMNS)
        self.offsets = [Offset(*one) for one in zip(*offsets, strict=True)]
        self.model, self.day = model, state.day

    def run(self, matches: Matches, players: NDArray[np.int64]) -> Rated:
        """Rate matches whose players have these numbers, one after the other."""
        count, seats = players.shape
        learns = seats == max(SIZES) + min(SIZES) and self.model.offset_sigma > 0
        rows: list[tuple[float, float, float, float, float]] = []
        shown: list[float] = []
        days = (matches.played_at // DAY).tolist()
        columns = (matches.sides.tolist(), matches.winner.tolist(), matches.played_at.tolist(), days)
        for own, sides, winner, at, day in zip(players.tolist(), *columns, strict=True):
            if day != self.day:
                for one in self.offsets if learns else ():
                    one.close_day()
                self.day = day
            offset = self.offsets[SIZES.index(sides.count(0))] if learns else None
            shown.append(offset.mu if offset else 0.0)
            rows += self._match(own, sides, winner, at, day, offset)
        numbers = np.array(rows).reshape(count, seats, 5)
        before, unsure, after, less_unsure, chance = (numbers[:, :, column].copy() for column in range(5))
        return Rated(before, unsure, after, less_unsure, chance, np.array(shown))

    def _match(
        self, own: list[int], sides: list[int], winner: int, at: int, day: int, offset: Offset | None
    ) -> list[tuple[float, float, float, float, float]]:
        """Rate a match; for each seat skill and uncertainty before and after, and the chance of its side."""
        model, columns = self.model, self.columns
        mu, sigma, last_at = columns["mu"], columns["sigma"], columns["last_at"]
        teams: tuple[list[Skill], list[Skill]] = [], []
        for player, side in zip(own, sides, strict=True):
            days = 0 if last_at[player] == NEVER else day - last_at[player] // DAY
            teams[side].append(Skill(mu[player], model.aged(sigma[player], days) if days else sigma[player]))
        worth = offset.skill if offset else _NO_OFFSET
        expected = model.expected(*teams, worth)
        after = model.rated(*teams, worth, winner == 0)
        if offset:
            offset.observe(expected, winner == 0)
        chances = (expected.chance, 1 - expected.chance)
        old, new = (iter(teams[0]), iter(teams[1])), (iter(after[0]), iter(after[1]))
        found = []
        for player, side in zip(own, sides, strict=True):
            skill = next(new[side])
            found.append((*next(old[side]), *skill, chances[side]))
            mu[player], sigma[player] = skill
            if last_at[player] == NEVER:
                columns["first_at"][player] = at
            last_at[player] = at
            columns["matches"][player] += 1
            columns["wins"][player] += side == winner
            columns["expected_wins"][player] += chances[side]
            columns["peak"][player] = max(columns["peak"][player], skill.mu)
        return found

    def state(self, before: State, ids: list[str], matches: Matches) -> State:
        """The state after these matches."""
        columns = {name: np.array(self.columns[name], dtype=kind) for name, kind in PLAYER_COLUMNS.items()}
        for place, (name, kind) in enumerate(OFFSET_COLUMNS.items()):
            columns[name] = np.array([astuple(one)[place] for one in self.offsets], dtype=kind)
        at, rated = int(matches.played_at[-1]), before.rated + len(matches)
        return replace(before, ids=np.array(ids, dtype=object), day=self.day, at=at, rated=rated, **columns)  # type: ignore[arg-type]
