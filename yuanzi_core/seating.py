"""Who plays a simulated match, when and under what id: everything of its log but the deals."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
from msgspec import Raw
from numpy.typing import NDArray

from yuanzi_core.chance import STATE_WORDS, below, start
from yuanzi_core.claims import canonical_number
from yuanzi_core.compiled import compiled
from yuanzi_core.log import FORMAT, Match, Player
from yuanzi_core.policies.players import Players
from yuanzi_core.ruleset import PRESETS, RuleSet, Rulesets

# Streams of a match beside its deals, which are 0 and 1.
_SEATING, _BALANCES = 2, 3
#: The evening's tables, the players who fill them, and its rounds: nobody sits at two tables at a time.
TABLES, ROUNDS = 8, 30
FIRST_EVENING = datetime(2026, 1, 1, 19, 0, tzinfo=timezone(timedelta(hours=8)))
ROUND_TIME = timedelta(minutes=8)
#: F6: balances are logged in half points; one player in so many has none in the log.
_LOWEST_BALANCE, _BALANCES, _NO_BALANCE_ONE_IN = -20, 200, 10
_NOT_LOGGED = -(2**62)


@compiled("void(i8, i8[::1], i8[:, ::1], i8[:, ::1], i8[::1], i8[::1])")
def _seat(seed: int, numbers: Any, players: Any, balances: Any, population: Any, state: Any) -> None:
    """Who sits where, a fresh seating each round, and what standing in half points they bring."""
    seats = players.shape[1]
    for row in range(len(numbers)):
        # All tables of a round share one shuffle of the population.
        start(state, seed, numbers[row] // TABLES, _SEATING)
        for place in range(len(population)):
            population[place] = place
        for place in range(len(population) - 1):
            other = place + below(state, len(population) - place)
            population[place], population[other] = population[other], population[place]
        start(state, seed, numbers[row], _BALANCES)
        for seat in range(seats):
            players[row, seat] = population[numbers[row] % TABLES * seats + seat]
            balances[row, seat] = 2 * _LOWEST_BALANCE + below(state, 2 * _BALANCES)
            if below(state, _NO_BALANCE_ONE_IN) == 0:
                balances[row, seat] = _NOT_LOGGED


class Seating:
    """The matches of a run without their deals. An id names all that a match hangs on, so no two runs share one."""

    def __init__(
        self, ruleset: RuleSet, seed: int, escape_odds: int, balances: bool, players: Players, fixed: bytes
    ) -> None:
        self._ruleset, self._seed, self._balances = ruleset, seed, balances
        self._preset, self._rules = as_logged(ruleset)
        settings = f"{ruleset.hash} {escape_odds} {balances}"
        if any(skill < 1 for skill in players.skills):
            settings += f" {players.skills}"
        digest = hashlib.sha256(settings.encode() + fixed).hexdigest()[:6]
        self._run = f"sim-{ruleset.name}-{digest}-{players.code}-{seed}"

    def headers(self, numbers: NDArray[np.int64]) -> list[Match]:
        """Everything of the matches but their deals."""
        seats = self._ruleset.players
        players = np.zeros((len(numbers), seats), dtype=np.int64)
        balances = np.zeros_like(players)
        _seat(
            self._seed, numbers, players, balances, np.zeros(TABLES * seats, np.int64), np.zeros(STATE_WORDS, np.int64)
        )
        ids = [f"p{number:03}" for number in range(TABLES * seats)]
        return [
            Match(
                format=FORMAT,
                match_id=f"{self._run}-{number:06}",
                variant=self._ruleset.variant,
                ruleset=self._preset,
                rules=self._rules,
                played_at=_played_at(number),
                table=str(number % TABLES + 1),
                source="simulated",
                players=[
                    Player(ids[who], balance=_points(held) if self._balances else None)
                    for who, held in zip(seated, brought, strict=True)
                ],
                deals=[],
            )
            for number, seated, brought in zip(numbers.tolist(), players.tolist(), balances.tolist(), strict=True)
        ]


def _points(half_points: int) -> int | Decimal | None:
    """A balance as it is logged."""
    if half_points == _NOT_LOGGED:
        return None
    return half_points // 2 if half_points % 2 == 0 else Decimal(half_points) / 2


def _played_at(number: int) -> datetime:
    evening, turn = divmod(number // TABLES, ROUNDS)
    return FIRST_EVENING + timedelta(days=evening) + turn * ROUND_TIME


def as_logged(ruleset: RuleSet) -> tuple[str, Raw]:
    """A ruleset as a preset's name and overrides, so that a log can be read without a club's files."""
    preset = Rulesets()[ruleset.name if ruleset.name in PRESETS else f"{ruleset.variant}-classic"]
    changed = {
        name: Raw(canonical_number(value).encode()) if isinstance(value, Decimal) else value
        for name, value in ruleset.options.items()
        if value != preset.options[name]
    }
    return preset.name, Raw(msgspec.json.encode(changed)) if changed else Raw()
