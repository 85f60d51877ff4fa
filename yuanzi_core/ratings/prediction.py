"""The chances of a table before anything is played, with an interval for how well the skills are known."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np

from yuanzi_core.cards import SEATS
from yuanzi_core.ratings.fold import DAY
from yuanzi_core.ratings.model import Skill
from yuanzi_core.ratings.offsets import SIZES
from yuanzi_core.ratings.openskill_model import OpenSkill
from yuanzi_core.ratings.settings import INTERVAL_SIGMAS
from yuanzi_core.ratings.state import State

_NORMAL = NormalDist()
_KNOWN = Skill(0.0, 0.0)


@dataclass(frozen=True)
class Prediction:
    """The chance of a seat to be on the winning side, and the bounds of it.

    ``chance`` is what the fold expects. ``low`` and ``high`` are the chances at two standard deviations of what is not
    known of the skills and the roles (95 %): matches played since would move it within them.
    """

    chance: float
    low: float
    high: float


@dataclass(frozen=True)
class _Draw:
    """One way the roles may fall: its weight, the seats of side 0, and what side 0 is worth beyond its players."""

    weight: float
    first: tuple[int, ...]
    offset: Skill


def predict(
    state: State, model: OpenSkill, ids: Sequence[str], now: int,
    dealer: int | None = None, partners: Sequence[int] | None = None,
) -> list[Prediction]:  # fmt: skip
    """The chances of a table, by seat; who is not in the state is a newcomer.

    At four, seats 0 and 2 play 1 and 3. At five the sides follow from ``dealer`` and ``partners`` (seats). What is not
    given is averaged over: every dealer is as likely as another, and so is every partner or pair of partners; one or
    two partners are as frequent as they were. ``now`` (microseconds since 1970 in UTC) ages what is known.

    :raises ValueError: a wrong number of players, one twice, partners without a dealer or who cannot be.
    """
    seats = SEATS[state.variant]
    if len(ids) != seats or len(set(ids)) != seats:
        raise ValueError(f"{seats} different players sit at a table")
    skills = _skills(state, model, ids, now)
    draws = list(_draws(state, seats, dealer, partners))
    return [_seat(seat, skills, draws, model) for seat in range(seats)]


def _skills(state: State, model: OpenSkill, ids: Sequence[str], now: int) -> list[Skill]:
    found = []
    for own in ids:
        place = np.flatnonzero(state.ids == own)
        if len(place):
            days = max(now // DAY - int(state.last_at[place[0]]) // DAY, 0)
            found.append(Skill(float(state.mu[place[0]]), model.aged(float(state.sigma[place[0]]), days)))
        else:
            found.append(model.start)
    return found


def _draws(state: State, seats: int, dealer: int | None, partners: Sequence[int] | None) -> Iterator[_Draw]:
    """:raises ValueError: see :func:`predict`."""
    if seats == SEATS["four"]:
        if dealer is not None or partners is not None:
            raise ValueError("there is no dealer at four")
        yield _Draw(1.0, (0, 2), _KNOWN)
        return
    if partners is not None and (
        dealer is None or len({dealer, *partners}) != len(partners) + 1 or len(partners) + 1 not in SIZES
    ):
        raise ValueError("a dealer has one or two partners, other players")
    if not all(0 <= seat < seats for seat in (dealer or 0, *(partners or ()))):
        raise ValueError("no such seat")
    dealers = range(seats) if dealer is None else (dealer,)
    # One match of each kind on top of those there were: before the first one both are as likely.
    counts = [count + 1 for count in state.offset_matches.tolist()]
    for chief in dealers:
        for place, size in enumerate(SIZES):
            others = [seat for seat in range(seats) if seat != chief]
            ways = list(combinations(others, size - 1)) if partners is None else [tuple(partners)]
            share = counts[place] / sum(counts) if partners is None else float(len(partners) + 1 == size)
            offset = Skill(float(state.offset_mu[place]), float(state.offset_precision[place]) ** -0.5)
            for way in ways if share else ():
                yield _Draw(share / len(ways) / len(dealers), (chief, *way), offset)


def _seat(seat: int, skills: Sequence[Skill], draws: Sequence[_Draw], model: OpenSkill) -> Prediction:
    """The chance of a seat, and by the delta method what the uncertainty of each skill does to it."""
    chance, sure, spread = 0.0, 0.0, [0.0] * len(skills)
    of_offset: dict[Skill, float] = {}
    for draw in draws:
        mine = seat in draw.first
        ours = [skills[one] for one in draw.first]
        theirs = [skill for one, skill in enumerate(skills) if one not in draw.first]
        expected = model.expected(ours, theirs, draw.offset)
        known = model.expected(
            [Skill(one.mu, 0.0) for one in ours], [Skill(one.mu, 0.0) for one in theirs], Skill(draw.offset.mu, 0.0)
        )
        chance += draw.weight * (expected.chance if mine else 1 - expected.chance)
        sure += draw.weight * (known.chance if mine else 1 - known.chance)
        slope = draw.weight * (known.slope if mine else -known.slope)
        for one in range(len(skills)):
            spread[one] += slope if one in draw.first else -slope
        of_offset[draw.offset] = of_offset.get(draw.offset, 0.0) + slope
    terms = [slope * skill.sigma for slope, skill in zip(spread, skills, strict=True)]
    terms += [slope * offset.sigma for offset, slope in of_offset.items()]
    deviation = math.hypot(*terms)
    # The bounds on the normal scale: there they are exact for sides that are known, and stay between 0 and 1.
    middle = _NORMAL.inv_cdf(min(max(sure, 1e-12), 1 - 1e-12))
    reach = INTERVAL_SIGMAS * deviation / _NORMAL.pdf(middle)
    return Prediction(chance, min(chance, _NORMAL.cdf(middle - reach)), max(chance, _NORMAL.cdf(middle + reach)))
