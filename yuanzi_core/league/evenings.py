"""Evenings of a league's clubs: who comes, and who sits at which table in which round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from yuanzi_core.cards import Variant
from yuanzi_core.faults.draws import Draw
from yuanzi_core.league.population import Person
from yuanzi_core.league.settings import (
    ALIAS_USED,
    CLOCK,
    COMES_OTHER,
    COMES_REGULAR,
    FIRST_HOUR,
    FIVE_SHARE,
    GUEST,
    PLACES,
    ROUND_TIME,
    ROUNDS,
    SECOND_EVENING,
    League,
)


@dataclass(frozen=True)
class Sitting:
    """A match to be played: its number in the league, where and when, and who sits where (numbers of players).

    ``ids`` are those under which the players are logged that evening; ``month`` counts from 0.
    """

    number: int
    club: int
    table: int
    at: datetime
    month: int
    variant: Variant
    seats: tuple[int, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True)
class Evening:
    """An evening of a club: its matches in the order of playing."""

    club: int
    day: date
    sittings: tuple[Sitting, ...]

    @property
    def name(self) -> str:
        """For a file's name: ``jiaxing-2026-03-01``."""
        return f"{PLACES[self.club][0]}-{self.day.isoformat()}"


def plays_on(club: int, day: date) -> bool:
    """Whether a club has its evening: on two days a week, neighbouring clubs on different ones."""
    return day.weekday() in (club % 7, (club + SECOND_EVENING) % 7)


def evenings(league: League, people: Sequence[Person]) -> Iterator[Evening]:
    """The evenings by day and club. On one day a player comes to one club at most."""
    number = 0
    for month in range(league.months):
        day = league.month(month)
        while day < league.month(month + 1):
            clubs = [club for club in range(league.clubs) if plays_on(club, day)]
            coming: dict[int, list[int]] = {club: [] for club in clubs}
            # One stream of chance a day: who comes hangs on nothing that was drawn before.
            draw = Draw(league.seed, "day", day.isoformat())
            for who, person in enumerate(people):
                club = _goes_to(person, clubs, draw)
                if club is not None and day >= person.first:
                    coming[club].append(who)
            for club in clubs:
                sittings = tuple(_sittings(league, people, club, day, month, coming[club], number))
                if sittings:
                    yield Evening(club, day, sittings)
                number += len(sittings)
            day += timedelta(days=1)


def _goes_to(person: Person, clubs: Sequence[int], draw: Draw) -> int | None:
    """The club that a player visits on a day; three numbers are drawn whatever comes of them."""
    comes, guest, where = draw.share(), draw.share(), draw.share()
    if person.club in clubs:
        return person.club if comes < (COMES_REGULAR if person.regular else COMES_OTHER) else None
    return clubs[int(where * len(clubs))] if clubs and guest < GUEST * len(clubs) else None


def _sittings(
    league: League, people: Sequence[Person], club: int, day: date, month: int, coming: Sequence[int], number: int
) -> Iterator[Sitting]:
    """The matches of an evening, each round at tables drawn anew; who finds no place sits a round out."""
    draw = Draw(league.seed, "evening", club, day.isoformat())
    ids = {
        who: people[who].alias if people[who].alias and draw.share() < ALIAS_USED else people[who].id for who in coming
    }
    fives = int(len(coming) * FIVE_SHARE) // 5
    fours = (len(coming) - 5 * fives) // 4
    begin = datetime.combine(day, time(FIRST_HOUR), CLOCK)
    for turn in range(ROUNDS):
        drawn, at = draw.order(coming), 0
        for table in range(fours + fives):
            size = 4 if table < fours else 5
            seats = tuple(drawn[at : at + size])
            at += size
            yield Sitting(
                number, club, table + 1, begin + turn * ROUND_TIME, month, "four" if size == 4 else "five", seats,
                tuple(str(ids[who]) for who in seats),
            )  # fmt: skip
            number += 1
