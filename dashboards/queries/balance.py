"""What the rules do: shares and means of settled matches from sums by club evening.

``balance_behind`` has the matches behind a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.queries.rows import Cursor, Row, row, rows
from yuanzi_core.certainty import Estimate, mean, share

#: Breakdowns that have every player of a match once, and those that have every match once.
OF_PLAYERS = (
    "seat", "draw", "lead", "role", "upstream", "side_size", "atoms", "hbombs", "bombs", "knives", "jokers",
)  # fmt: skip
OF_MATCHES = (
    "knife", "outcome", "clamp", "double_outs", "tie", "ending", "capped", "dealer_side", "reveal", "ruleset",
)  # fmt: skip
MEASURES = ("side_points", "tricks", "atoms", "score")


@dataclass(frozen=True)
class Chosen:
    """The matches chosen: one game from one source, and of it all but what is None. Evenings, both included."""

    variant: str
    source: str
    ruleset: str | None = None
    club: str | None = None
    since: date | None = None
    until: date | None = None

    def bound(self) -> dict[str, Any]:
        """As bound parameters."""
        return asdict(self)


@dataclass(frozen=True)
class Figure:
    """A value of a breakdown (None: the record does not say): how many, how many of them won, the share of winners and
    the mean score in multiples of the base, each None where there are too few to tell.

    ``known``: of how many it is known whether they won: all players, and the matches of which it is known who deals or,
    of four players, who led first. Share and mean are those of these.
    """

    value: str | None
    count: int
    known: int
    won: int
    share: Estimate | None
    mean: Estimate | None


@dataclass(frozen=True)
class Distribution:
    """(least value, width, count) of each stretch, and the mean with its interval."""

    stretches: tuple[tuple[int, int, int], ...]
    count: int
    mean: Estimate | None


@dataclass(frozen=True)
class Kind:
    """A kind of combination: how often it was led, answered with, beaten, how many tricks were taken with it.

    ``of_leads``: its share of all leads; ``taken``: the share of its plays that took the trick; ``points``: mean card
    points brought home by a play.
    """

    kind: str
    of_knife: bool
    led: int
    answered: int
    beaten: int
    won: int
    brought: int
    of_leads: Estimate | None
    taken: Estimate | None
    points: Estimate | None


#: The condition on rows of the tables of the balance; it binds what :meth:`Chosen.bound` gives.
WHERE = """
    where variant = $variant
        and source = $source
        and ($ruleset is null or ruleset = $ruleset)
        and ($club is null or club = $club)
        and ($since is null or evening >= cast($since as date))
        and ($until is null or evening <= cast($until as date))
"""


#: The tables of breakdowns: the column of what is counted, and that of what of it is known to have won or not.
_PLAYERS = ("out_balance__players", "players", "players")
_MATCHES = ("out_balance__matches", "matches", "first_known")


def offered(cursor: Cursor) -> list[Row]:
    """What there is to choose from: ``variant``, ``source``, ``ruleset``, ``matches`` settled, the most first."""
    return rows(
        cursor,
        """
        select variant, source, ruleset, sum(matches)::bigint as matches
        from out_balance__matches
        where breakdown = 'all'
        group by variant, source, ruleset
        order by matches desc, variant, source, ruleset
        """,
    )


def clubs(cursor: Cursor) -> list[str]:
    """Clubs that have settled matches, in alphabetical order."""
    found = rows(cursor, "select distinct club from out_balance__matches where club is not null order by club")
    return [row["club"] for row in found]


def totals(cursor: Cursor, chosen: Chosen) -> Row:
    """``matches`` and ``evenings`` (of a club) chosen, ``first`` and ``last`` evening (null: no matches)."""
    found = row(
        cursor,
        f"""
        select
            coalesce(sum(matches), 0)::bigint as matches,
            count(distinct (club, evening)) as evenings,
            min(evening) as first,
            max(evening) as last
        from out_balance__matches {WHERE} and breakdown = 'all'
        """,  # noqa: S608
        chosen.bound(),
    )
    assert found is not None
    return found


def figures(cursor: Cursor, chosen: Chosen, breakdowns: Sequence[str]) -> dict[str, list[Figure]]:
    """Figures of each breakdown; empty where the game has none of it."""
    of_players = [name for name in breakdowns if name in OF_PLAYERS]
    found: dict[str, list[Figure]] = {name: [] for name in breakdowns}
    if of_players:
        for breakdown, figure in _figures(cursor, chosen, *_PLAYERS, of_players):
            found[breakdown].append(figure)
    of_matches = [name for name in breakdowns if name in OF_MATCHES]
    if of_matches:
        for breakdown, figure in _figures(cursor, chosen, *_MATCHES, of_matches):
            found[breakdown].append(figure)
    return found


def whole(cursor: Cursor, chosen: Chosen) -> tuple[Estimate | None, Estimate | None]:
    """The mean score of all players, and of the dealer or, of four players, who leads first."""
    found = []
    for table, _, known in (_PLAYERS, _MATCHES):
        statement = f"""
            select sum({known})::bigint as count, sum(cast(score as double) / cast(base as double)) as score
            from {table} {WHERE} and breakdown = 'all' and {known} > 0
            group by club, evening
        """  # noqa: S608
        sums = cursor.execute(statement, chosen.bound()).fetchnumpy()
        found.append(mean(sums["score"], sums["count"]))
    return found[0], found[1]


def _figures(
    cursor: Cursor, chosen: Chosen, table: str, counted: str, known: str, breakdowns: Sequence[str]
) -> Iterator[tuple[str, Figure]]:
    # A ruleset is a key, not a breakdown: its rows are those of the whole.
    wanted = ["all" if name == "ruleset" else name for name in breakdowns]
    by = "case when breakdown = 'all' then 'ruleset' else breakdown end"
    value = "case when breakdown = 'all' then ruleset else value end"
    # Names of this package's own tables and columns.
    statement = f"""
        select breakdown, value, sum(count)::bigint as count, sum(known)::bigint as known, sum(won)::bigint as won,
            coalesce(list(known) filter (known > 0), []) as counts,
            coalesce(list(score) filter (known > 0), []) as scores
        from (
            select {by} as breakdown, {value} as value, club, evening, sum({counted})::bigint as count,
                sum({known})::bigint as known, sum(won)::bigint as won,
                sum(cast(score as double) / cast(base as double)) as score
            from {table} {WHERE} and list_contains($breakdowns, breakdown)
            group by all
        )
        group by breakdown, value
        order by breakdown, try_cast(value as integer), value
    """  # noqa: S608
    found = cursor.sql(statement, params={**chosen.bound(), "breakdowns": wanted}).to_arrow_table()
    names = ("breakdown", "value", "count", "known", "won")
    keys = zip(*[found.column(name).to_pylist() for name in names], strict=True)
    for (breakdown, named, count, known_of, won), counts, scores in zip(
        keys, _arrays(found, "counts"), _arrays(found, "scores"), strict=True
    ):
        yield breakdown, Figure(named, count, known_of, won, share(won, known_of), mean(scores, counts))


def _arrays(found: Any, column: str) -> list[NDArray[np.float64]]:
    """The lists of a column, each as an array."""
    lists = found.column(column).combine_chunks()
    values = np.asarray(lists.flatten(), dtype=np.float64)
    return np.split(values, np.asarray(lists.offsets)[1:-1]) if len(lists) else []


def distributions(cursor: Cursor, chosen: Chosen) -> dict[str, Distribution]:
    """The distribution of each measure that the chosen matches have."""
    stretches = rows(
        cursor,
        f"""
        select measure, value, width, sum(count)::bigint as count
        from out_balance__values {WHERE}
        group by measure, value, width
        order by measure, value
        """,  # noqa: S608
        chosen.bound(),
    )
    statement = f"""
        select measure, list(count) as counts, list(total) as totals
        from (
            select measure, club, evening, sum(count)::bigint as count,
                sum(cast(total as double) / case measure when 'score' then cast(base as double) else 1 end) as total
            from out_balance__values {WHERE}
            group by measure, club, evening
        )
        group by measure
        order by measure
    """  # noqa: S608
    found = cursor.sql(statement, params=chosen.bound()).to_arrow_table()
    made = {}
    for measure, counts, sums in zip(
        found.column("measure").to_pylist(), _arrays(found, "counts"), _arrays(found, "totals"), strict=True
    ):
        own = tuple((one["value"], one["width"], one["count"]) for one in stretches if one["measure"] == measure)
        made[measure] = Distribution(own, int(counts.sum()), mean(sums, counts))
    return {measure: made[measure] for measure in MEASURES if measure in made}


def kinds(cursor: Cursor, chosen: Chosen) -> list[Kind]:
    """All kinds of combination that were played."""
    statement = f"""
        select kind, of_knife, sum(led)::bigint as led, sum(answered)::bigint as answered,
            sum(beaten)::bigint as beaten, sum(won)::bigint as won, sum(points)::bigint as points,
            list(led + answered) as counts,
            list(points) as sums
        from (
            select kind, of_knife, club, evening, sum(led)::bigint as led, sum(answered)::bigint as answered,
                sum(beaten)::bigint as beaten, sum(won)::bigint as won, sum(points)::bigint as points
            from out_balance__kinds {WHERE}
            group by all
        )
        group by kind, of_knife
        order by of_knife, kind
    """  # noqa: S608
    found = cursor.sql(statement, params=chosen.bound()).to_arrow_table()
    names = ("kind", "of_knife", "led", "answered", "beaten", "won", "points")
    keys = list(zip(*[found.column(name).to_pylist() for name in names], strict=True))
    leads = sum(key[2] for key in keys)
    made = []
    for (kind, of_knife, led, answered, beaten, won, points), counts, sums in zip(
        keys, _arrays(found, "counts"), _arrays(found, "sums"), strict=True
    ):
        taken = share(won, led + answered)
        made.append(
            Kind(kind, of_knife, led, answered, beaten, won, points, share(led, leads), taken, mean(sums, counts))
        )
    return made
