"""One player's matches, and what they come to by role, form, evening, partner and opponent.

``load`` looks them up once; the others ask what it found, in the same cursor. As in ``standings``, the schema that the
cursor looks in decides what is told of ratings (G3). Names, single results and what was expected of sides are told of
everybody: these come from ``main``, whose tables are quicker than the views of the public.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal

from dashboards.queries.rows import Cursor, Row, row, rows

if TYPE_CHECKING:
    import pyarrow as pa

Kin = Literal["partner", "opponent"]


def games(cursor: Cursor, player_id: str) -> list[Row]:
    """The games that a player has played: ``game``, ``matches`` that count (settled or not), the most first."""
    return rows(
        cursor,
        """
        select variant as game, count(*) as matches
        from main.out_matches
        where list_contains(registry_ids, $player)
        group by variant
        order by matches desc, variant desc
        """,
        {"player": player_id},
    )


def names(cursor: Cursor, ids: Sequence[str]) -> dict[str, str]:
    """What players are called: in the registry, else in the last match that names them; who has no name is left out."""
    found = rows(
        cursor,
        """
        with
        wanted as (select unnest(cast($ids as varchar[])) as player_id),
        logged as (
            select unnest(registry_ids) as player_id, unnest(player_names) as name, played_at, match_id
            from main.out_matches
            where list_has_any(registry_ids, cast($ids as varchar[]))
        ),
        last as (
            select player_id, arg_max(name, row(played_at, match_id)) filter (name is not null) as name
            from logged
            group by player_id
        )
        select w.player_id, coalesce(p.name, l.name) as name
        from wanted as w
        left join out_players as p using (player_id)
        left join last as l using (player_id)
        where coalesce(p.name, l.name) is not null
        """,
        {"ids": list(ids)},
    )
    return {one["player_id"]: one["name"] for one in found}


def resolved(cursor: Cursor, wanted: str) -> str:
    """The player's id: ``wanted`` itself, or the player whose alias it is."""
    found = row(
        cursor,
        "select player_id from out_players where list_contains(aliases, $wanted) and player_id <> $wanted",
        {"wanted": wanted},
    )
    return wanted if found is None else str(found["player_id"])


def load(
    cursor: Cursor, game: str, player_id: str, club: str | None = None, since: date | None = None,
    until: date | None = None,
) -> int:  # fmt: skip
    """Look a player's matches of a game up: the temporary table ``played``, which the other questions ask.

    Returns how many there are. Matches in which the player has two seats are left out: nobody plays against himself.
    """
    cursor.execute(
        """
        create or replace temp table played as
        with
        seated as (
            select *, list_position(registry_ids, $player) - 1 as seat
            from main.out_matches
            where variant = $game
                and list_contains(registry_ids, $player)
                and len(list_filter(registry_ids, lambda one: one = $player)) = 1
                and ($club is null or registry_club = $club)
                and ($since is null or day >= cast($since as date))
                and ($until is null or day <= cast($until as date))
        )
        select
            s.match_id,
            s.played_at,
            s.day,
            s.evening,
            s.registry_club as club,
            s.status,
            s.code,
            s.outcome,
            s.seat,
            s.sides[s.seat + 1] as side,
            s.sides,
            s.registry_ids,
            s.player_ids,
            s.player_names,
            s.winner,
            s.sides[s.seat + 1] = s.winner as won,
            s.scores[s.seat + 1] as score,
            s.upstream = s.seat as was_upstream,
            case
                when s.roles is not null then s.roles[s.seat + 1]
                when s.upstream is not null then
                    case when s.sides[s.upstream + 1] = side then 'upstream_side' else 'other_side' end
            end as role,
            len(list_filter(s.sides, lambda one: one = side)) as side_size,
            case when p.player_id is not null then r.rating_before[s.seat + 1] end as rating_before,
            case when p.player_id is not null then r.rating_after[s.seat + 1] end as rating_after,
            case when p.player_id is not null then r.sigma_after[s.seat + 1] end as sigma_after,
            r.expected[s.seat + 1] as expected
        from seated as s
        left join main.out_ratings__match as r on r.match_id = s.match_id
        -- Whose rating is shown (G3): the schema of the cursor has it, or has it not.
        left join out_ratings__player as p on p.game = $game and p.player_id = $player
        """,
        {"game": game, "player": player_id, "club": club, "since": since, "until": until},
    )
    found = row(cursor, "select count(*) as matches from played")
    assert found is not None
    return int(found["matches"])


def matches(cursor: Cursor, limit: int, offset: int = 0) -> list[Row]:
    """The player's matches, the newest first: the columns of ``played``."""
    return rows(
        cursor,
        "select * from played order by played_at desc, match_id desc limit $limit offset $offset",
        {"limit": limit, "offset": offset},
    )


def table(cursor: Cursor) -> pa.Table:
    """All the player's matches, the newest first, as a table for a file: its columns are there without a match too."""
    found: pa.Table = cursor.sql("select * from played order by played_at desc, match_id desc").to_arrow_table()
    return found


def ratings(cursor: Cursor, points: int) -> list[Row]:
    """The player's rating after each rated match, in order, thinned to about ``points`` of them: ``number`` (from 1),
    ``match_id``, ``played_at``, ``rating``, ``sigma``, ``expected``, ``won``. None where it is not to be shown.
    """
    return rows(
        cursor,
        """
        with counted as (
            select
                *,
                row_number() over (order by played_at, match_id) as number,
                count(*) over () as last
            from played
            where expected is not null
        )
        select number, match_id, played_at, rating_after as rating, sigma_after as sigma, expected, won
        from counted
        where (last - number) % cast(ceil(last / $points) as bigint) = 0
        order by number
        """,
        {"points": points},
    )


def form(cursor: Cursor, sizes: Sequence[int]) -> list[Row]:
    """The last so many settled matches, for each of some sizes: ``size``, ``matches`` (fewer where there are not so
    many), ``wins``, ``score`` (their sum), ``rated``, ``rated_wins``, ``expected_wins`` (of those that are rated).
    """
    return rows(
        cursor,
        """
        with
        settled as (
            select *, row_number() over (order by played_at desc, match_id desc) as back
            from played
            where status = 'settled'
        ),
        wanted as (select unnest(cast($sizes as bigint[])) as size)
        select
            w.size,
            count(s.match_id) as matches,
            count(*) filter (s.won) as wins,
            coalesce(sum(s.score), 0) as score,
            count(s.expected) as rated,
            count(*) filter (s.won and s.expected is not null) as rated_wins,
            coalesce(sum(s.expected), 0) as expected_wins
        from wanted as w
        left join settled as s on s.back <= w.size
        group by w.size
        order by w.size
        """,
        {"sizes": list(sizes)},
    )


def roles(cursor: Cursor) -> list[Row]:
    """Settled matches by role: ``role`` (five: dealer, partner, defender; four: upstream_side, other_side; None where
    nobody was out), ``side_size``, ``matches``, ``wins``, ``score`` (their sum), ``upstream`` (how often first out),
    ``rated``, ``rated_wins``, ``expected_wins``.
    """
    return rows(
        cursor,
        """
        select
            role,
            side_size,
            count(*) as matches,
            count(*) filter (won) as wins,
            sum(score) as score,
            count(*) filter (was_upstream) as upstream,
            count(expected) as rated,
            count(*) filter (won and expected is not null) as rated_wins,
            coalesce(sum(expected), 0) as expected_wins
        from played
        where status = 'settled'
        group by role, side_size
        order by role nulls last, side_size
        """,
    )


def evenings(cursor: Cursor, most: int) -> list[Row]:
    """The best and the worst evenings, ``most`` of each, by what was won: ``evening``, ``club``, ``matches``, ``wins``,
    ``score``, ``best`` (else one of the worst). On the best something was won, on the worst something lost.
    """
    return rows(
        cursor,
        """
        with
        summed as (
            select evening, club, count(*) as matches, count(*) filter (won) as wins, sum(score) as score
            from played
            where status = 'settled'
            group by evening, club
        ),
        placed as (
            select
                *,
                row_number() over (order by score desc, evening, club) as from_top,
                row_number() over (order by score, evening desc, club desc) as from_bottom
            from summed
        )
        select evening, club, matches, wins, score, score > 0 as best
        from placed
        where (score > 0 and from_top <= $most) or (score < 0 and from_bottom <= $most)
        order by score desc, evening, club
        """,
        {"most": most},
    )


def others(cursor: Cursor, player_id: str, kin: Kin, limit: int) -> list[Row]:
    """Who sat on the player's side, or on the other, the most often first: ``player_id``, ``name`` (as last logged),
    ``matches`` that were rated, ``wins`` of the player's, ``expected_wins``, ``spread``: the sum of p(1 − p) over the
    chances p before the matches, the variance of the wins if these are right.
    """
    return rows(
        cursor,
        """
        with met as (
            select
                unnest(registry_ids) as other,
                unnest(player_names) as name,
                unnest(sides) as other_side,
                side,
                won,
                expected,
                played_at,
                match_id
            from played
            where expected is not null
        )
        select
            other as player_id,
            arg_max(name, row(played_at, match_id)) filter (name is not null) as name,
            count(*) as matches,
            count(*) filter (won) as wins,
            sum(expected) as expected_wins,
            sum(expected * (1 - expected)) as spread
        from met
        where other <> $player and (other_side = side) = ($kin = 'partner')
        group by other
        order by matches desc, other
        limit $limit
        """,
        {"player": player_id, "kin": kin, "limit": limit},
    )
