"""Players to choose from, lists of a player's matches, and the record of two players.

What asks about one player's matches asks the table that ``players.load`` has made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal, cast

from dashboards.queries.players import Kin
from dashboards.queries.rows import Cursor, Row, row, rows
from yuanzi_core.certainty import surplus

#: What a match had to come to: any result at all, one that was won, one in which the player was the first out.
Came = Literal["settled", "won", "upstream"]
RESULTS: tuple[Came, ...] = ("settled", "won", "upstream")
#: Partners first.
KINS: tuple[Kin, ...] = ("partner", "opponent")


def found(cursor: Cursor, search: str | None, limit: int, offset: int = 0) -> list[Row]:
    """Players whose id, name or alias has this part, who has played most first: ``player_id``, ``name`` (None: none is
    known), ``matches`` with a result in both games, ``aliases``, ``of`` (the number of rows without ``limit``).
    """
    # Names and how much somebody played are everybody's business (G3): hence main, whomever the pages are for.
    return rows(
        cursor,
        """
        with
        known as (
            select player_id, any_value(name) as name, sum(matches)::bigint as matches
            from main.out_standings__player
            group by player_id
        )
        select
            player_id,
            coalesce(p.name, k.name) as name,
            coalesce(k.matches, 0) as matches,
            coalesce(p.aliases, []) as aliases,
            count(*) over () as "of"
        from known as k
        full join out_players as p using (player_id)
        where $search is null
            or contains(lower(concat_ws(chr(10), player_id, p.name, k.name, array_to_string(p.aliases, chr(10)))),
                lower($search))
        order by matches desc, name, player_id
        limit $limit offset $offset
        """,
        {"search": search, "limit": limit, "offset": offset},
    )


def registered(cursor: Cursor, player_id: str) -> Row | None:
    """A player of the registry: ``name``, ``aliases``, ``member_from``, ``member_to``, ``member`` (today)."""
    return row(
        cursor,
        """
        select
            name, aliases, member_from, member_to,
            player_id in (select player_id from main.core_member__today) as member
        from out_players
        where player_id = $player
        """,
        {"player": player_id},
    )


@dataclass(frozen=True)
class Part:
    """Which of a player's matches; None is all.

    ``evening`` may be of one ``club``; ``role`` is ``none`` where nobody was out; ``size`` is that of the own side;
    ``other`` is who sat on the own side (``kin``: partner) or on the other (opponent) in a rated match; ``last`` counts
    settled matches back from the newest. ``since`` and ``until`` are days, both included.
    """

    evening: date | None = None
    club: str | None = None
    role: str | None = None
    size: int | None = None
    other: str | None = None
    kin: Kin | None = None
    last: int | None = None
    since: date | None = None
    until: date | None = None
    result: Came | None = None

    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self == Part()

    def bound(self) -> dict[str, Any]:
        """As bound parameters."""
        return {**asdict(self), "whole": self.is_all()}


def matches(cursor: Cursor, part: Part, limit: int | None, offset: int = 0) -> list[Row]:
    """Some of the player's matches, the newest first: the columns of ``played`` and ``of``, the number of rows without
    ``limit``. Parts hold settled matches alone.
    """
    return rows(
        cursor,
        """
        with counted as (
            select
                *,
                count(*) filter (status = 'settled') over (
                    order by played_at desc, match_id desc rows between unbounded preceding and current row
                ) as back
            from played
        )
        select * exclude (back), count(*) over () as "of"
        from counted
        where ($whole or status = 'settled')
            and ($evening is null or evening = cast($evening as date))
            and ($club is null or club = $club)
            and ($role is null or coalesce(role, 'none') = $role)
            and ($size is null or side_size = $size)
            and ($last is null or back <= $last)
            and ($since is null or day >= cast($since as date))
            and ($until is null or day <= cast($until as date))
            and case $result when 'won' then won when 'upstream' then was_upstream else true end
            and (
                $other is null
                or (
                    expected is not null
                    and list_contains(registry_ids, $other)
                    and (sides[list_position(registry_ids, $other)] = side) = ($kin = 'partner')
                )
            )
        order by played_at desc, match_id desc
        limit $limit offset $offset
        """,
        {**part.bound(), "limit": limit, "offset": offset},
    )


@dataclass(frozen=True)
class Scores:
    """What some settled matches brought, evening by evening of a club: sums, and counts above 0."""

    sums: Sequence[Decimal]
    counts: Sequence[int]


def role_scores(cursor: Cursor) -> dict[tuple[str | None, int], Scores]:
    """The scores of each role and size of the own side, as in ``players.roles``."""
    summed = rows(
        cursor,
        """
        with evenings as (
            select role, side_size, evening, club, sum(score) as score, count(*) as matches
            from played
            where status = 'settled'
            group by all
        )
        select
            role, side_size, list(score order by evening, club) as sums, list(matches order by evening, club) as counts
        from evenings
        group by role, side_size
        """,
    )
    return {(one["role"], one["side_size"]): Scores(one["sums"], one["counts"]) for one in summed}


def recent_scores(cursor: Cursor, sizes: Sequence[int]) -> dict[int, Scores]:
    """The scores of the last so many settled matches, for each of some sizes."""
    summed = rows(
        cursor,
        """
        with
        settled as (
            select evening, club, score, row_number() over (order by played_at desc, match_id desc) as back
            from played
            where status = 'settled'
        ),
        evenings as (
            select size, evening, club, sum(score) as score, count(*) as matches
            from settled
            join (select unnest(cast($sizes as bigint[])) as size) as wanted on back <= size
            group by all
        )
        select size, list(score order by evening, club) as sums, list(matches order by evening, club) as counts
        from evenings
        group by size
        """,
        {"sizes": list(sizes)},
    )
    return {one["size"]: Scores(one["sums"], one["counts"]) for one in summed}


def together(cursor: Cursor, game: str, first: str, second: str) -> dict[Kin, Row]:
    """The rated matches of two players at one table, as partners and as opponents (None where there is none), from the
    view of the first: ``matches``, ``wins``, ``expected_wins``, ``spread`` as in ``players.others``.
    """
    counted = rows(
        cursor,
        """
        with met as (
            select
                m.sides[list_position(m.registry_ids, $first)] as side,
                m.sides[list_position(m.registry_ids, $second)] as other_side,
                m.winner,
                r.expected[list_position(m.registry_ids, $first)] as expected
            -- Results, and what was expected of sides: nobody's rating.
            from main.out_matches as m
            join main.out_ratings__match as r using (match_id)
            where m.variant = $game
                and list_contains(m.registry_ids, $first)
                and list_contains(m.registry_ids, $second)
        )
        select
            case when side = other_side then 'partner' else 'opponent' end as kin,
            count(*) as matches,
            count(*) filter (side = winner) as wins,
            sum(expected) as expected_wins,
            sum(expected * (1 - expected)) as spread
        from met
        group by kin
        """,
        {"game": game, "first": first, "second": second},
    )
    return {cast("Kin", one["kin"]): one for one in counted}


def with_surplus(records: Sequence[Row]) -> list[Row]:
    """Rows with ``wins``, ``expected_wins`` and ``spread``, and beside these ``surplus`` (wins beyond those expected)
    from ``surplus_low`` to ``surplus_high``, 95 %.
    """
    names = ("surplus", "surplus_low", "surplus_high")
    return [
        {**one, **dict(zip(names, surplus(one["wins"], one["expected_wins"], one["spread"]), strict=True))}
        for one in records
    ]
