"""The players of a league: who they are, what the registry knows of them, and what nobody knows: how well they play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta

from yuanzi_core.faults.draws import Draw
from yuanzi_core.league.settings import (
    ALIASES,
    LAPSED,
    MEMBERS,
    NEWCOMERS,
    ON_RECORD,
    OPENING_LEAST,
    OPENING_MOST,
    OPENING_NEWCOMER,
    OPENING_UNKNOWN,
    POLICY_SHARES,
    REGULARS,
    SKILL_LEAST,
    SKILL_MOST,
    TRIAL_DAYS,
    League,
)

_SURNAMES = "王沈张陈吴朱徐俞钱姚陆金周李许顾杨潘曹费"
_GIVEN = (
    "建国", "阿根", "月英", "志明", "水林", "秀珍", "国强", "丽华", "永康", "小芳", "伟民", "桂香", "金龙", "雪芬",
    "海平", "玉兰", "学军", "美娟", "荣生", "爱珍", "斌", "敏", "强", "燕", "军", "萍", "磊", "静",
)  # fmt: skip
#: Days before the first evening within which older members joined.
_YEARS_BEFORE = 3 * 365


@dataclass(frozen=True)
class Person:
    """A player. ``skills`` has the hidden skill of each month; ``opening`` the true opening standings in points.

    ``club`` is the number of the home club, ``alias`` the second id; a member has ``member_from``. ``on_record``:
    whether the registry has a row; ``opening_known``: whether the row has the openings.
    """

    id: str
    name: str
    club: int
    regular: bool
    first: date
    policy: str
    skills: tuple[float, ...]
    opening: tuple[int, int]
    alias: str | None = None
    on_record: bool = True
    member_from: date | None = None
    member_to: date | None = None
    opening_known: bool = True


def population(league: League) -> list[Person]:
    """The players, by their numbers; each one follows from the seed and the number alone."""
    width = max(4, len(str(league.players)))
    return [_person(league, number, f"p{number + 1:0{width}}") for number in range(league.players)]


def _person(league: League, number: int, own_id: str) -> Person:
    draw = Draw(league.seed, "player", number)
    days = (league.last - league.first).days + 1
    newcomer = draw.share() < NEWCOMERS
    joined = draw.below(days)
    first = league.first + timedelta(days=joined) if newcomer else league.first
    name = draw.pick(_SURNAMES) + draw.pick(_GIVEN)
    openings = tuple(_opening(league, draw, newcomer) for _ in range(2))
    standing, begin, end = draw.share(), draw.below(_YEARS_BEFORE) + 1, draw.share()
    member = standing < MEMBERS
    on_record = standing < MEMBERS + ON_RECORD
    member_from = first + timedelta(days=TRIAL_DAYS) if newcomer else league.first - timedelta(days=begin)
    until = league.first + timedelta(days=draw.below(days))
    lapsed = member and end < LAPSED and until >= member_from
    return Person(
        id=own_id,
        name=name,
        club=number % league.clubs,
        regular=draw.share() < REGULARS,
        first=first,
        policy=_policy(draw.share()),
        skills=_skills(league, draw),
        opening=(openings[0], openings[1]),
        alias=f"{own_id}-wx" if draw.share() < ALIASES and on_record else None,
        on_record=on_record,
        member_from=member_from if member else None,
        member_to=until if lapsed else None,
        opening_known=on_record and draw.share() >= OPENING_UNKNOWN,
    )


def _opening(league: League, draw: Draw, newcomer: bool) -> int:
    """An opening standing, in whole points."""
    bases = OPENING_LEAST + draw.below(OPENING_MOST - OPENING_LEAST + 1)
    return int((OPENING_NEWCOMER if newcomer else bases) * league.base)


def _policy(share: float) -> str:
    for policy, part in POLICY_SHARES:
        if share < part:
            return policy
        share -= part
    return POLICY_SHARES[-1][0]


def _skills(league: League, draw: Draw) -> tuple[float, ...]:
    """A skill a month: even between its bounds at first, then a walk that is reflected at 0 and 1. Four decimals."""
    skill = SKILL_LEAST + draw.share() * (SKILL_MOST - SKILL_LEAST)
    found = []
    for _ in range(league.months):
        found.append(round(skill, 4))
        # The sum of twelve even shares is as good as a normal deviate here, and the same on any machine.
        skill += league.drift * (math.fsum(draw.share() for _ in range(12)) - 6)
        skill = abs(skill)
        skill = max(2 - skill, 0.0) if skill > 1 else skill
    return tuple(found)
