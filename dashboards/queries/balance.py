"""What the rules do: shares and means of settled matches from sums by club evening, and the matches behind a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboards.queries.rows import Cursor, Row, row, rows
from yuanzi_core.balance import POINTS_WIDTH, REVEAL_WIDTH, TRICKS_WIDTH
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
    the mean score in multiples of the base, each None where there are too few to tell."""

    value: str | None
    count: int
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
        for breakdown, figure in _figures(cursor, chosen, "out_balance__players", "players", of_players):
            found[breakdown].append(figure)
    of_matches = [name for name in breakdowns if name in OF_MATCHES]
    if of_matches:
        for breakdown, figure in _figures(cursor, chosen, "out_balance__matches", "matches", of_matches):
            found[breakdown].append(figure)
    return found


def whole(cursor: Cursor, chosen: Chosen) -> tuple[Estimate | None, Estimate | None]:
    """The mean score of all players, and of the dealer or, of four players, who leads first."""
    found = []
    for table, counted in (("out_balance__players", "players"), ("out_balance__matches", "matches")):
        statement = f"""
            select sum({counted})::bigint as count, sum(cast(score as double) / cast(base as double)) as score
            from {table} {WHERE} and breakdown = 'all'
            group by club, evening
            order by club, evening
        """  # noqa: S608
        sums = cursor.execute(statement, chosen.bound()).fetchnumpy()
        found.append(mean(sums["score"], sums["count"]))
    return found[0], found[1]


def _figures(
    cursor: Cursor, chosen: Chosen, table: str, counted: str, breakdowns: Sequence[str]
) -> Iterator[tuple[str, Figure]]:
    # A ruleset is a key, not a breakdown: its rows are those of the whole.
    wanted = ["all" if name == "ruleset" else name for name in breakdowns]
    by = "case when breakdown = 'all' then 'ruleset' else breakdown end"
    value = "case when breakdown = 'all' then ruleset else value end"
    # Names of this package's own tables and columns.
    statement = f"""
        select breakdown, value, sum(count)::bigint as count, sum(won)::bigint as won, list(count) as counts,
            list(score) as scores
        from (
            select {by} as breakdown, {value} as value, club, evening, sum({counted})::bigint as count,
                sum(won)::bigint as won, sum(cast(score as double) / cast(base as double)) as score
            from {table} {WHERE} and list_contains($breakdowns, breakdown)
            group by all
            -- Sums of floats hang on their order.
            order by club, evening
        )
        group by breakdown, value
        order by breakdown, try_cast(value as integer), value
    """  # noqa: S608
    found = cursor.sql(statement, params={**chosen.bound(), "breakdowns": wanted}).to_arrow_table()
    keys = zip(*[found.column(name).to_pylist() for name in ("breakdown", "value", "count", "won")], strict=True)
    for (breakdown, named, count, won), counts, scores in zip(
        keys, _arrays(found, "counts"), _arrays(found, "scores"), strict=True
    ):
        yield breakdown, Figure(named, count, won, share(won, count), mean(scores, counts))


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
            order by club, evening
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
            order by club, evening
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


def _among(column: str) -> str:
    return (
        f"list_contains(list_transform({column}, lambda one: coalesce(cast(one as varchar), '')), coalesce($value, ''))"
    )


_DEALS = "select 1 from {table} as d where d.file_id = b.file_id and d.line = b.line and {condition}"
#: How a match is told to have a value of a breakdown or of a measure.
_HAS: Mapping[str, str] = {
    "seat": "true", "draw": _among("b.draws"), "lead": _among("b.leads"), "role": _among("b.roles"),
    "upstream": _among("b.upstreams"), "side_size": _among("b.side_sizes"), "atoms": _among("b.atoms_held"),
    "hbombs": _among("b.hbombs_held"), "bombs": _among("b.bombs_held"), "knives": _among("b.knives_held"),
    "jokers": _among("b.jokers_held"),
    **{name: f"cast(b.{name} as varchar) is not distinct from $value"
       for name in ("knife", "outcome", "clamp", "double_outs", "tie", "ending", "capped", "dealer_side", "ruleset")},
    "reveal": "case when b.reveal_trick > 0 then (b.reveal_trick - 1) // $reveal * $reveal + 1 else b.reveal_trick end"
              " is not distinct from try_cast($value as integer)",
    "side_points": "b.side_points[b.first_side + 1] // $points * $points = try_cast($value as integer)",
    "score": "list_contains(list_transform(b.scores, lambda score: cast(floor(score / b.base) as integer)),"
             " try_cast($value as integer))",
    "tricks": "exists ("
              + _DEALS.format(table="core_settlement__deal",
                              condition="d.tricks // $tricks * $tricks = try_cast($value as integer)") + ")",
    "atoms_played": "exists ("
                    + _DEALS.format(table="core_settlement__deal", condition="d.atoms = try_cast($value as integer)")
                    + ")",
    "kind": "exists ("
            + _DEALS.format(
                table="core_balance__deal",
                condition="len(list_filter(d.kinds, lambda one: one.kind || case when one.of_knife then '+' else '' end"
                          " = $value)) > 0") + ")",
}  # fmt: skip
#: What the matches behind a number may be asked by.
BEHIND = tuple(_HAS)


def _behind(chosen: Chosen, by: str, value: str | None) -> tuple[str, dict[str, Any]]:
    """The condition and what it binds. :raises KeyError: no such breakdown."""
    widths = {"reveal": REVEAL_WIDTH, "points": POINTS_WIDTH, "tricks": TRICKS_WIDTH}
    where = f"{WHERE} and {_HAS[by]}"
    # Only what the statement names may be bound.
    used = {**chosen.bound(), "value": value, **widths}
    return where, {name: bound for name, bound in used.items() if f"${name}" in where}


def counted_behind(cursor: Cursor, chosen: Chosen, by: str, value: str | None) -> int:
    """How many of the chosen matches have a value of a breakdown or measure. :raises KeyError: no such breakdown."""
    where, used = _behind(chosen, by, value)
    # Fragments of this module's own.
    counted = row(cursor, f"select count(*) as found from core_balance__match as b {where}", used)  # noqa: S608
    assert counted is not None
    return int(counted["found"])


def behind(
    cursor: Cursor, chosen: Chosen, by: str, value: str | None, zone: str, limit: int, offset: int
) -> list[Row]:  # fmt: skip
    """Some of these matches, the newest first, as ``queries.matches.matches`` gives them.

    :raises KeyError: no such breakdown.
    """
    where, used = _behind(chosen, by, value)
    return rows(
        cursor,
        f"""
        select
            m.match_id,
            strftime(timezone($zone, m.played_at), '%Y-%m-%d %H:%M') as played,
            m.club, m.variant, m.ruleset, m.status, m.code, m.outcome, m.player_ids, m.player_names, m.scores,
            m.discrepancies
        from out_matches as m
        where m.match_id in (select b.match_id from core_balance__match as b {where})
        order by m.played_at desc, m.match_id
        limit $limit offset $offset
        """,  # noqa: S608
        {**used, "zone": zone, "limit": limit, "offset": offset},
    )
