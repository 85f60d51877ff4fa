"""The ladder, who went up and down it, and how many stand on each level over time.

As in ``standings``, the schema that the cursor looks in decides of whom the tables tell.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from dashboards.queries.rows import Cursor, Row, rows

#: Up or down.
Kind = Literal["promotion", "demotion"]


def ladder(cursor: Cursor) -> list[Row]:
    """The 28 levels: ``level``, ``floor`` (points; None for the lowest), ``name_en``, ``name_zh``."""
    return rows(cursor, "select level, floor, name_en, name_zh from out_levels__step order by level")


def standing_on(cursor: Cursor, game: str, first: int) -> list[Row]:
    """The 28 levels, the highest first, and who stands there.

    Each row: the columns of :func:`ladder`, ``next_floor`` (points; None for the highest), ``players`` (how many),
    ``ids`` and ``names`` of the ``first`` highest of them (a name may be None).
    """
    return rows(
        cursor,
        """
        with placed as (
            select
                level,
                player_id,
                name,
                row_number() over (partition by level order by standing desc, name, player_id) as place
            from out_standings__player
            where game = $game
        ),
        counted as (
            select
                level,
                count(*) as players,
                coalesce(list(player_id order by place) filter (place <= $first), []) as ids,
                coalesce(list(name order by place) filter (place <= $first), []) as names
            from placed
            group by level
        )
        select
            s.level,
            s.floor,
            s.name_en,
            s.name_zh,
            lead(s.floor) over (order by s.level) as next_floor,
            coalesce(c.players, 0) as players,
            coalesce(c.ids, []) as ids,
            coalesce(c.names, []) as names
        from out_levels__step as s
        left join counted as c using (level)
        order by s.level desc
        """,
        {"game": game, "first": first},
    )


def population(cursor: Cursor, game: str) -> list[Row]:
    """How many players stand on each level: ``month`` (its first day), ``level``, ``players`` at the month's end.

    From the month of the first step to that of the last; levels without a player are left out. Who has not played
    yet is on none.
    """
    return rows(
        cursor,
        """
        with
        steps as (
            select date_trunc('month', day) as month, level_after as level, 1 as players
            from out_levels__event
            where game = $game
            union all
            select date_trunc('month', day), level_before, -1
            from out_levels__event
            where game = $game and level_before is not null
        ),
        changed as (
            select month, level, sum(players) as players from steps group by month, level
        ),
        months as (
            select cast(unnest(generate_series(min(month), max(month), interval 1 month)) as date) as month from steps
        ),
        grid as (
            select month, level from months cross join (select distinct level from steps)
        ),
        counted as (
            select
                g.month,
                g.level,
                cast(sum(coalesce(c.players, 0)) over (partition by g.level order by g.month) as bigint) as players
            from grid as g
            left join changed as c on c.month = g.month and c.level = g.level
        )
        from counted where players > 0 order by month, level
        """,
        {"game": game},
    )


def events(
    cursor: Cursor, game: str | None, limit: int, offset: int = 0, club: str | None = None, player: str | None = None,
    since: date | None = None, until: date | None = None, kind: Kind | None = None,
) -> list[Row]:  # fmt: skip
    """Promotions and demotions, the newest first, of a game or of both.

    Each row: the columns of ``out_levels__event``, ``name``, and ``of``, the number of rows without ``limit``.
    """
    return rows(
        cursor,
        """
        select e.*, s.name, count(*) over () as "of"
        from out_levels__event as e
        join out_standings__player as s on s.game = e.game and s.player_id = e.player_id
        where e.kind <> 'start'
            and ($game is null or e.game = $game)
            and ($kind is null or e.kind = $kind)
            and ($club is null or e.club = $club)
            and ($player is null or e.player_id = $player)
            and ($since is null or e.day >= cast($since as date))
            and ($until is null or e.day <= cast($until as date))
        order by e.played_at desc, e.match_id, e.seat
        limit $limit offset $offset
        """,
        {
            "game": game, "club": club, "player": player, "since": since, "until": until, "kind": kind, "limit": limit,
            "offset": offset,
        },
    )  # fmt: skip
