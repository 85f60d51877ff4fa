"""Rankings over everything or a period, and the way of one player's standing.

The tables are asked by their bare names: of whom they tell is up to the schema that the cursor looks in (``public``
shows members alone, G3). A period is given by days, both included and None for open, and a club by its key in the
registry or as logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from dashboards.queries.rows import Cursor, Row, row, rows
from yuanzi_core.certainty import wilson
from yuanzi_core.levels import name as level_name
from yuanzi_core.texts import Lang

#: What a ranking can be put in the order of.
Sort = Literal["rank", "name", "standing", "score", "matches", "win_share", "rating", "rating_low", "climbed"]
#: What decides a rank.
By = Literal["standing", "score", "rating"]
#: Points of a chart at most: more than a screen is wide.
POINTS = 2000
#: Ranks won and lost are those of so many days, up to the last one asked for, where no first day is given.
MOVED_DAYS = 30


def games(cursor: Cursor) -> list[str]:
    """The games in which somebody has a standing, that with the most players first."""
    found = rows(
        cursor,
        "select game from out_standings__player group by game order by count(*) filter (matches > 0) desc, game desc",
    )
    return [one["game"] for one in found]


def clubs(cursor: Cursor) -> list[str]:
    """The clubs at which standings have moved, by key, else as logged, in alphabetical order."""
    # In a club's name there is nothing of a player's.
    found = rows(cursor, "select distinct club from main.out_standings__day where club is not null order by club")
    return [one["club"] for one in found]


def club_called(cursor: Cursor, name: str) -> str:
    """The key of a club of the registry by any of its names; of others the name."""
    found = row(cursor, "select club from out_clubs where $name in (club, name_en, name_zh) limit 1", {"name": name})
    return name if found is None else str(found["club"])


def seasons(cursor: Cursor, club: str | None = None) -> list[Row]:
    """The seasons of a club or of all, the newest first: ``name``, ``first_day``, ``last_day``, ``clubs`` that have it,
    ``same`` (how many of the seasons have this name, on other days).
    """
    return rows(
        cursor,
        """
        select name, first_day, last_day, list(club order by club) as clubs, count(*) over (partition by name) as same
        from out_seasons
        where $club is null or club = $club
        group by name, first_day, last_day
        order by first_day desc, name
        """,
        {"club": club},
    )


def ranking(
    cursor: Cursor, game: str, club: str | None = None, since: date | None = None, until: date | None = None,
    by: By = "standing", search: str | None = None, sort: Sort = "rank", limit: int | None = None, offset: int = 0,
    level: int | None = None, players: Sequence[str] | None = None,
) -> list[Row]:  # fmt: skip
    """Who has played at the club in the period, best first; over everything also who has an opening standing alone.

    Each row:

    * ``rank`` (1, 2, 2, 4 …) among those shown, by the standing at the end of the period, by the score won in it, or by
      ``rating_low`` (the newest, whatever the period), which ranks who is neither ``provisional`` nor ``inactive``;
    * ``rank_before`` by the standing before ``since`` (without it: before the :data:`MOVED_DAYS` days up to the last
      one in which anybody played) among those who had one then (None: not among them) and ``climbed``, how many ranks
      were won since (both None but by ``standing``);
    * ``player_id``, ``name``, ``member`` (today);
    * ``standing`` (points, at the end of the period, all clubs), ``level``, ``level_floor`` and ``next_floor`` (points;
      None where there is none);
    * ``score``, ``matches`` and ``wins`` in the period at the club (:func:`with_shares` adds the share);
    * ``rating``, ``rating_low``, ``rating_high``, ``rated_matches``, ``provisional`` and ``inactive`` as in
      ``out_ratings__player`` (None: no rated match);
    * ``of``, the number of rows without ``limit``.

    ``search`` leaves those whose id or name has this part, ``level`` those who stand there, ``players`` those of these
    ids; ranks stay. ``sort`` is the column that decides the order, the highest first but for ``rank`` and ``name``.
    """
    return rows(
        cursor,
        """
        with
        played as (
            select player_id, sum(score) as score, cast(sum(matches) as bigint) as matches,
                cast(sum(wins) as bigint) as wins
            from out_standings__day
            -- Over everything the sums stand in out_standings__player.
            where game = $game
                and ($club is not null or $since is not null or $until is not null)
                and ($club is null or club = $club)
                and ($since is null or day >= cast($since as date))
                and ($until is null or day <= cast($until as date))
            group by player_id
        ),
        begins as (
            select coalesce(cast($since as date), max(day) - cast($moved_days as integer) + 1) as first_day
            from out_standings__day
            where game = $game and ($until is null or day <= cast($until as date))
        ),
        -- What has moved since then is taken off the standing: all clubs of a player make one.
        moved as (
            select
                player_id,
                sum(score) filter (day >= first_day) as score_since,
                sum(matches) filter (day >= first_day) as matches_since,
                sum(score) filter (day > cast($until as date)) as score_after
            from out_standings__day, begins
            where game = $game and (day >= first_day or day > cast($until as date))
            group by player_id
        ),
        shown as (
            select
                s.player_id,
                s.name,
                s.standing - coalesce(o.score_after, 0) as standing,
                -- An opening that is known was there before the first match.
                case when s.opening_known or s.matches > coalesce(o.matches_since, 0)
                    then s.standing - coalesce(o.score_since, 0) end as at_start,
                coalesce(p.score, s.standing - s.opening) as score,
                coalesce(p.matches, s.matches) as matches,
                coalesce(p.wins, s.wins) as wins,
                r.rating,
                r.rating_low,
                r.rating_high,
                r.matches as rated_matches,
                r.provisional,
                r.inactive
            from out_standings__player as s
            left join played as p using (player_id)
            left join moved as o using (player_id)
            left join out_ratings__player as r on r.game = s.game and r.player_id = s.player_id
            where s.game = $game
                and (p.player_id is not null or ($club is null and $since is null and $until is null))
        ),
        ranked as (
            select
                *,
                case $by
                    when 'rating' then case when not provisional and not inactive then rating_low end
                    when 'score' then score
                    else standing
                end as ranked_by,
                case when ranked_by is not null then rank() over (order by ranked_by desc nulls last) end as rank,
                case when $by = 'standing' and at_start is not null
                    then rank() over (order by at_start desc nulls last) end as rank_before
            from shown
        ),
        chosen as (
            select
                *,
                count(*) over () as "of",
                case $sort
                    when 'rank' then -rank
                    when 'standing' then standing
                    when 'score' then score
                    when 'matches' then matches
                    when 'win_share' then wins / nullif(matches, 0)
                    when 'rating' then rating
                    when 'rating_low' then rating_low
                    when 'climbed' then rank_before - rank
                end as key,
                case when $sort = 'name' then coalesce(name, player_id) end as called
            from ranked
            where ($search is null or contains(lower(concat_ws(chr(10), name, player_id)), lower($search)))
                and ($players is null or list_contains(cast($players as varchar[]), player_id))
                and (
                    $level is null
                    or (
                        standing >= coalesce((select floor from out_levels__step where level = $level), standing)
                        and standing
                            < coalesce((select floor from out_levels__step where level = $level + 1), standing + 1)
                        and $level in (select level from out_levels__step)
                    )
                )
            order by key desc nulls last, called, rank nulls last, name, player_id
            limit $limit offset $offset
        )
        select
            r.rank,
            r.rank_before,
            r.rank_before - r.rank as climbed,
            r.player_id,
            r.name,
            r.player_id in (select player_id from core_member__today) as member,
            r.standing,
            coalesce(l.level, 0) as level,
            l.floor as level_floor,
            n.floor as next_floor,
            r.score,
            r.matches,
            r.wins,
            r.rating,
            r.rating_low,
            r.rating_high,
            r.rated_matches,
            r.provisional,
            r.inactive,
            r."of"
        from chosen as r
        asof left join out_levels__step as l on r.standing >= l.floor
        left join out_levels__step as n on n.level = coalesce(l.level, 0) + 1
        order by r.key desc nulls last, r.called, r.rank nulls last, r.name, r.player_id
        """,
        {
            "game": game, "club": club, "since": since, "until": until, "by": by, "search": search, "sort": sort,
            "limit": limit, "offset": offset, "level": level, "players": None if players is None else list(players),
            "moved_days": MOVED_DAYS,
        },
    )  # fmt: skip


def ranked(cursor: Cursor, game: str) -> int:
    """How many have a standing in a game."""
    found = row(cursor, "select count(*) as players from out_standings__player where game = $game", {"game": game})
    assert found is not None
    return int(found["players"])


def without_members(cursor: Cursor) -> bool:
    """Whether there are players and none of them is a member today: so in public nobody is shown (G3)."""
    # That, and no more, is asked of main, whomever the pages are for.
    found = row(
        cursor,
        """
        select exists (from main.out_standings__player) and not exists (
            from main.out_standings__player as s semi join main.core_member__today as m using (player_id)
        ) as without
        """,
    )
    assert found is not None
    return bool(found["without"])


def line(found: Row, lang: Lang) -> dict[str, Any]:
    """A row of a ranking as it stands in an answer for machines and in a file."""
    missing = None if found["next_floor"] is None else found["next_floor"] - found["standing"]
    return {
        "id": found["player_id"],
        "name": found["name"],
        "member": found["member"],
        "standing": found["standing"],
        "level": found["level"],
        "level_name": level_name(found["level"], lang),
        "points_to_next": missing,
        "rank": found["rank"],
        "climbed": found["climbed"],
        "score": found["score"],
        "matches": found["matches"],
        "wins": found["wins"],
        "rating": _rounded(found["rating"]),
        "rating_low": _rounded(found["rating_low"]),
        "rating_high": _rounded(found["rating_high"]),
        "rated_matches": found["rated_matches"] or 0,
        "provisional": found["provisional"],
        "inactive": found["inactive"],
    }


def _rounded(rating: float | None) -> float | None:
    return None if rating is None else round(rating, 1)


def with_shares(found: list[Row]) -> list[Row]:
    """Rows that have ``matches`` and ``wins``, with the share of matches won as ``win_share`` and its Wilson interval
    ``win_low`` to ``win_high`` (None without matches).
    """
    played = [one for one in found if one["matches"]]
    for one in found:
        one.update(win_share=None, win_low=None, win_high=None)
    if played:
        ends = wilson([one["wins"] for one in played], [one["matches"] for one in played])
        for one, low, high in zip(played, *ends, strict=True):
            one.update(win_share=one["wins"] / one["matches"], win_low=float(low), win_high=float(high))
    return found


def player(cursor: Cursor, game: str, player_id: str) -> Row | None:
    """One player's row of ``out_standings__player``."""
    return row(
        cursor,
        "select * from out_standings__player where game = $game and player_id = $player",
        {"game": game, "player": player_id},
    )


def history(cursor: Cursor, game: str, player_id: str, points: int = POINTS) -> list[Row]:
    """The movements of a player in order, the first and the last included, thinned to ``points`` of them at most.

    Each row: ``number`` (from 1), ``match_id``, ``played_at``, ``club``, ``day``, ``score``, its four parts,
    ``standing_before``, ``standing_after`` (the ledger's), ``level_before``, ``level_after``, ``record`` (whether no
    level as high was reached before). What led to a record stays in, and so do other changes of level while they are no
    more than half the points.
    """
    return rows(
        cursor,
        """
        with
        own as (
            select
                *,
                max(number) over () as last,
                -- Each level held is that before the next match.
                level_after > max(level_before) over (order by number) as record
            from core_ledger__movement
            where game = $game and player_id = $player
        ),
        counted as (
            select *, count(*) filter (level_before <> level_after) over () > $points / 2 as restless from own
        )
        select
            number, match_id, played_at, club, day, score, play_score, escape_penalty, compensation, cap_effect,
            ledger_before as standing_before, ledger_after as standing_after, level_before, level_after, record
        from counted
        where number = 1
            or record
            or (level_before <> level_after and not restless)
            or (last - number) % cast(ceil(last / ($points / 2 - 1)) as bigint) = 0
        order by number
        """,
        {"game": game, "player": player_id, "points": points},
    )
