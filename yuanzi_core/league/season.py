"""The matches of a league, played and settled in ledger order, with the standings that each player brings.

Matches are played many evenings at a time. How well somebody plays is that of the month; the standings are folded as
the ledger of a warehouse folds them (``ledger``), so what is logged is what it will recompute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.amounts import SCALE, UNKNOWN, in_points
from yuanzi_core.batch_settlement import BatchSettlement
from yuanzi_core.canonical import fill_in
from yuanzi_core.cards import VARIANTS
from yuanzi_core.chance import WORD_BITS
from yuanzi_core.league.evenings import Evening, Sitting, evenings
from yuanzi_core.league.population import population
from yuanzi_core.league.settings import PLACES, League
from yuanzi_core.ledger import fold
from yuanzi_core.log import BASE_DECIMALS, FORMAT, Match, Player
from yuanzi_core.policies import POLICIES
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.seating import as_logged
from yuanzi_core.selfplay import Simulation

#: Matches played at a time, at least; memory is that of so many, however long the league.
BLOCK = 2048


@dataclass(frozen=True)
class Played:
    """A match of an evening as it is logged, without claims."""

    evening: Evening
    match: Match


class Season:
    """A league being played. ``standings``: of each player in both games, ten-thousandths of a point, by number."""

    def __init__(self, league: League) -> None:
        self.league, self.people = league, population(league)
        self.standings = np.array([person.opening for person in self.people], dtype=np.int64).T * SCALE
        self._settlement = BatchSettlement()
        self._simulations: dict[str, Simulation] = {}
        self._base = int(league.base * 10**BASE_DECIMALS)
        self._policies = np.array([POLICIES.index(person.policy) for person in self.people], dtype=np.int64)
        skills = np.array([person.skills for person in self.people]).T
        #: How many of 2³² decisions are mistakes, by month and player.
        self._mistakes = np.round((1 - skills) * (1 << WORD_BITS)).astype(np.int64)

    def evenings(self) -> Iterator[Evening]:
        """The evenings, not yet played."""
        return evenings(self.league, self.people)

    def play(
        self, block: int = BLOCK, void: Callable[[Sequence[Match]], Sequence[bool]] | None = None
    ) -> Iterator[Played]:
        """All matches, evening by evening; the same whatever the ``block``. Once: the standings go on with it.

        ``void`` is shown all matches in order, before their balances are known, and says which will count for nothing
        (``Injection.void``): these move no standing.
        """
        held: list[Evening] = []
        for evening in self.evenings():
            held.append(evening)
            if sum(len(one.sittings) for one in held) >= block:
                yield from self._block(held, void)
                held = []
        yield from self._block(held, void)

    def _block(
        self, held: Sequence[Evening], void: Callable[[Sequence[Match]], Sequence[bool]] | None
    ) -> Iterator[Played]:
        sittings = [(evening, sitting) for evening in held for sitting in evening.sittings]
        matches: dict[int, Match] = {}
        points = np.zeros((len(sittings), 5), dtype=np.int64)
        capped = np.zeros((len(sittings), 5), dtype=np.bool_)
        places = sorted(range(len(sittings)), key=lambda place: self._rules(sittings[place][1]).hash)
        for _, group in groupby(places, key=lambda place: self._rules(sittings[place][1]).hash):
            rows = list(group)
            seats = len(sittings[rows[0]][1].seats)
            own = [sittings[row][1] for row in rows]
            made, points[rows, :seats], capped[rows, :seats] = self._play(own)
            matches |= zip(rows, made, strict=True)
        if void is not None:
            points[np.array(void([matches[row] for row in range(len(sittings))]), dtype=np.bool_)] = 0
        before = self._fold([sitting for _, sitting in sittings], points, capped)
        for row, held_before in enumerate(before.tolist()):
            match = matches[row]
            for player, standing in zip(match.players, held_before, strict=False):
                player.balance = in_points(standing)
            yield Played(sittings[row][0], match)

    def _rules(self, sitting: Sitting) -> RuleSet:
        house = self.league.houses[sitting.club]
        return house.four if sitting.variant == "four" else house.five

    def _play(self, sittings: Sequence[Sitting]) -> tuple[list[Match], NDArray[np.int64], NDArray[np.bool_]]:
        """Matches of one ruleset, what each seat gains or loses before the cap, and whether F6 caps it."""
        rules = self._rules(sittings[0])
        if rules.hash not in self._simulations:
            odds = round(self.league.escapes * (1 << WORD_BITS))
            self._simulations[rules.hash] = Simulation(rules, self.league.seed, odds, settlement=self._settlement)
        seats = np.array([sitting.seats for sitting in sittings], dtype=np.int64)
        months = np.array([sitting.month for sitting in sittings], dtype=np.int64)
        numbers = np.array([sitting.number for sitting in sittings], dtype=np.int64)
        deals = self._simulations[rules.hash].play(
            numbers, self._policies[seats], np.ascontiguousarray(self._mistakes[months[:, None], seats])
        )
        points, capped = self._settlement.movements(deals, len(sittings), self._base)
        preset, changed = as_logged(rules)
        base = self.league.base
        headers = [
            Match(
                format=FORMAT,
                match_id=f"league-{self.league.code}-{self.league.seed}-{sitting.number:06}",
                variant=rules.variant,
                ruleset=preset,
                rules=changed,
                played_at=sitting.at,
                club=PLACES[sitting.club][0],
                table=str(sitting.table),
                source="simulated",
                base=int(base) if base == int(base) else base,
                players=[
                    Player(own_id, self.people[who].name)
                    for own_id, who in zip(sitting.ids, sitting.seats, strict=True)
                ],
                deals=[],
            )
            for sitting in sittings
        ]
        return fill_in(headers, deals), points, capped

    def _fold(
        self, sittings: Sequence[Sitting], points: NDArray[np.int64], capped: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """The standing that each seat brings, as the fold of F6 has it; the standings go on."""
        people = len(self.people)
        places = [(row, seat) for row, sitting in enumerate(sittings) for seat in range(len(sitting.seats))]
        rows, seats = np.array(places, dtype=np.int64).reshape(-1, 2).T
        game = np.array([VARIANTS.index(sitting.variant) for sitting in sittings], dtype=np.int64)
        who = np.array([player for sitting in sittings for player in sitting.seats], dtype=np.int64)
        who += people * game[rows]
        opening = np.ascontiguousarray(self.standings.reshape(-1))
        change, held = fold(who, points[rows, seats], capped[rows, seats], np.full(len(who), UNKNOWN), opening)
        np.add.at(opening, who, change)
        self.standings = opening.reshape(2, people)
        before = np.zeros_like(points)
        before[rows, seats] = held
        return before
