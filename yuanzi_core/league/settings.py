"""What may be chosen of a league, and what is assumed of its clubs and players."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import date, timedelta, timezone
from decimal import Decimal
from functools import cached_property
from typing import Any

from yuanzi_core.log import is_base
from yuanzi_core.policies import VERSIONS
from yuanzi_core.ruleset import RuleSet, Rulesets

#: The version of a league's drawing: change what it draws, and this must change too.
VERSION = 1
#: Counties and cities of northern Zhejiang, where the game is at home: key, name in Chinese and English.
PLACES = (
    ("jiaxing", "嘉兴", "Jiaxing"), ("huzhou", "湖州", "Huzhou"), ("tongxiang", "桐乡", "Tongxiang"),
    ("haining", "海宁", "Haining"), ("pinghu", "平湖", "Pinghu"), ("haiyan", "海盐", "Haiyan"),
    ("deqing", "德清", "Deqing"), ("changxing", "长兴", "Changxing"),
)  # fmt: skip
#: Of so many players there is a club each, of all places one at most.
PLAYERS_OF_CLUB = 100
#: Each club's own way to play, in turn: rulesets of both games with the options it changes.
HOUSES: tuple[tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]], ...] = (
    (("four-classic", {}), ("five-atomic", {})),
    (("four-classic", {"wind": "partner"}), ("five-classic", {})),
    (("four-classic", {}), ("five-atomic", {"early_stop": "must"})),
    (("four-classic", {"clamp": "any_side"}), ("five-classic", {"five_leader": "any"})),
)
#: Share of a club's players who sit down to five at most.
FIVE_SHARE = 0.4
#: The clock of all clubs; an evening begins at seven, and a match takes so long with the shuffling.
CLOCK = timezone(timedelta(hours=8))
FIRST_HOUR, ROUND_TIME, ROUNDS = 19, timedelta(minutes=25), 7
#: Days between the two evenings of a club in a week.
SECOND_EVENING = 3

#: Regulars and the others: their share, and on what share of their club's evenings they come.
REGULARS, COMES_REGULAR, COMES_OTHER = 0.5, 0.7, 0.2
#: On what share of other clubs' evenings a player is a guest there.
GUEST = 0.02
#: Share of those who join in the course of the league.
NEWCOMERS = 0.2
#: Members; those of them whose membership ends within; those on record without membership. All others nobody knows.
MEMBERS, LAPSED, ON_RECORD = 0.7, 0.05, 0.2
#: Days from first evening to membership of a newcomer.
TRIAL_DAYS = 30
#: Share with a second id, and the share of their evenings on which it is used.
ALIASES, ALIAS_USED = 0.1, 0.3
#: Share of players on record whose opening standing the registry does not know.
OPENING_UNKNOWN = 0.1
#: Opening standings in bases: of a newcomer, and the bounds of the others (G1: 20 points make the first level).
OPENING_NEWCOMER, OPENING_LEAST, OPENING_MOST = 50, 50, 300
#: Policies by their shares, and the bounds of a skill.
POLICY_SHARES = (("random", 0.05), ("greedy", 0.35), ("partner", 0.6))
SKILL_LEAST, SKILL_MOST = 0.5, 1.0
#: The first and the last year of a league: far from where the calendar ends.
YEARS = (1900, 2999)
#: Share of deals that end in an escape.
ESCAPES = 0.003


@dataclass(frozen=True)
class House:
    """How a club plays: the ruleset of each game."""

    four: RuleSet
    five: RuleSet


@dataclass(frozen=True)
class League:
    """What is chosen of a league.

    ``drift`` is the standard deviation of what a skill changes from month to month (0: never); ``base`` multiplies
    every score (E5); ``escapes`` is the share of deals that end in an escape. The league begins on ``first``.
    """

    players: int
    months: int
    seed: int
    drift: float = 0.0
    base: Decimal = Decimal(10)
    escapes: float = ESCAPES
    first: date = date(2026, 1, 1)

    def __post_init__(self) -> None:
        """:raises ValueError: a number out of range."""
        if not (4 <= self.players <= 100_000 and 1 <= self.months <= 600 and 0 <= self.seed < 2**63):
            raise ValueError("4 players and one month are the least, a seed counts from 0")
        if not (0 <= self.drift <= 1 and 0 <= self.escapes <= 1 and is_base(self.base)):
            raise ValueError("drift and escapes are shares, a base is a positive number of two decimals")
        if not YEARS[0] <= self.first.year <= self.first.year + self.months // 12 <= YEARS[1]:
            raise ValueError("the first year at least is {}, the last {} at most".format(*YEARS))

    @property
    def clubs(self) -> int:
        """How many clubs there are."""
        return max(1, min(len(PLACES), self.players // PLAYERS_OF_CLUB))

    def month(self, number: int) -> date:
        """The first day of a month, counted from 0."""
        months = self.first.month - 1 + number
        return date(self.first.year + months // 12, months % 12 + 1, 1)

    @property
    def last(self) -> date:
        """The last day."""
        return self.month(self.months) - timedelta(days=1)

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """How each club plays."""
        known = Rulesets()
        made = [House(*(known[name].with_options(changes) for name, changes in house)) for house in HOUSES]
        return tuple(made[club % len(made)] for club in range(self.clubs))

    @cached_property
    def code(self) -> str:
        """For ids: six hex digits of all that a match hangs on but the seed."""
        chosen = replace(self, seed=0)
        rules = [(house.four.hash, house.five.hash) for house in self.houses]
        return hashlib.sha256(f"{VERSION} {chosen} {rules} {sorted(VERSIONS.items())}".encode()).hexdigest()[:6]
