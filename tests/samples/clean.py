"""Evenings without a fault: one for each ruleset, and what came packed. Every claim in them is true."""

from __future__ import annotations

from collections.abc import Iterator

from tests.samples.dealt import five, four, left_after
from tests.samples.evening import HUZHOU, JIAXING, TONGXIANG, Evening, Match, Standings


def four_classic() -> Iterator[Match]:
    """An evening at Jiaxing: each way in which a match for four comes out."""
    table = Evening(JIAXING, "2026-03-06", "four-classic")
    upper, lower = four(18)
    yield table.match(four(6))  # E1: both players of a side out
    yield table.match(four(0))
    yield table.match(four(30), claims="scores")  # E1: three out, 35 points
    yield table.match(four(1))  # E1: three out, 60 points are enough to play on
    yield table.match(four(23))  # E2: 300 to 300
    yield table.match(four(9), base=2)
    yield table.match([left_after(four(2)[0], 2, seat=2)], claims="scores")
    yield table.match([left_after(four(12)[0], 20, seat=3)], claims="scores")
    yield table.match([upper, left_after(lower, 6, seat=0)], claims="scores")
    yield table.match(four(17, halves=1), rules={"halves": 1})
    yield table.match(four(21, wind="partner"), rules={"wind": "partner"})
    yield table.match(four(26, halves=1))  # E4: it grew late


def five_classic() -> Iterator[Match]:
    """An evening at Huzhou: one partner and two, each margin, both ways to end, escapes."""
    table = Evening(HUZHOU, "2026-03-07", "five-classic", table=2)
    yield table.match(five(0))  # C5
    yield table.match(five(8))  # C4, two partners
    yield table.match(five(82), claims="scores")
    yield table.match(five(455))  # F3: fewer than 25 a player
    yield table.match(five(5641))  # F3: not a point
    yield table.match(five(506), base=0.5)
    yield table.match([left_after(five(11)[0], 3, seat=1)], claims="scores")
    yield table.match([left_after(five(12)[0], 38, seat=4)], claims="scores")
    yield table.match(five(9), rules={"early_stop": "never"})


def five_atomic(standings: Standings) -> Iterator[Match]:
    """An evening at Tongxiang, with atom doubling and the standings written down."""
    table = Evening(TONGXIANG, "2026-03-08", "five-atomic", standings=standings)
    yield table.match(five(36))
    yield table.match(five(21))  # F4: halves
    yield table.match(five(44))
    yield table.match(five(1560))  # F3, two partners
    yield table.match(five(18))
    yield table.match(five(19), guest=3)
    yield table.match([left_after(five(31)[0], 33, seat=2)], claims="scores")
    yield table.match(five(458), rules={"low_applies": "base_only"})  # F4: only F2 is doubled
    yield table.match(five(72), rules={"cap": "none"})  # F6: seat 4 is below 0 and gains all the same


def gzipped() -> Iterator[Match]:
    """A short evening at Huzhou, for five."""
    table = Evening(HUZHOU, "2026-04-03", "five-classic")
    for number in (2, 3, 7, 847):
        yield table.match(five(number), claims="scores")


def zstandard(standings: Standings) -> Iterator[Match]:
    """A short evening at Tongxiang, with atom doubling."""
    table = Evening(TONGXIANG, "2026-04-04", "five-atomic", standings=standings)
    for number in (5, 15, 13, 640):
        yield table.match(five(number), claims="scores")


def parquet() -> Iterator[Match]:
    """What a platform exports of an evening at Jiaxing, both games."""
    for_four = Evening(JIAXING, "2026-04-10", "four-classic", table=1)
    for number in (3, 4, 5, 7):
        yield for_four.match(four(number))
    for_five = Evening(JIAXING, "2026-04-10", "five-classic", table=2, begins="21:00")
    for number in (22, 23):
        yield for_five.match(five(number))


def cut_off() -> Iterator[Match]:
    """Three matches at Huzhou, of which two and a half arrive."""
    table = Evening(HUZHOU, "2026-04-11", "four-classic")
    for number in (10, 11, 13):
        yield table.match(four(number), claims="scores")
