-- Where a player stands in a game: everybody who has moved, and whoever has an opening standing in the registry.
-- Keys: game, player_id. Amounts in points, name from the registry, else the last one logged; zone is that of the club
-- last played at in either game ($zone where the registry has none). opening_known: whether the opening standing is the
-- registry's or the earliest logged balance, else it counts as 0. points_to_next is null on the highest level. highest_…
-- is the highest level reached and the match that first led to it, null where it was the level of the opening. wins are
-- of the matches played. score_per_match is the mean of the last recent_matches ($recent at most), and matches_to_next
-- the matches that the next level is away at that rate: null where the rate is not above 0; from _low to _high for the
-- rate's interval (Student's t, $share of cases), _high null where that rate may be 0 or less, both null after one match.
with
played as (
    select
        game,
        player_id,
        max(number) as matches,
        count(*) filter (won) as wins,
        arg_min(ledger_before, number) as opening,
        arg_max(opening_known, number) as opening_known,
        arg_max(ledger_after, number) as standing,
        min(played_at) as first_played_at,
        max(played_at) as last_played_at,
        arg_max(match_id, number) as last_match_id,
        arg_max(row(played_at, match_id, club), number) filter (club is not null) as last_at_club,
        arg_max(row(played_at, match_id, logged_name), number) filter (logged_name is not null) as last_as
    from core_ledger__movement
    group by game, player_id
),
opened as (
    select game, player_id, opening
    from (
        select player_id, unnest(['four', 'five']) as game, unnest([opening_four, opening_five]) as opening
        from core_player
    )
    where opening is not null
),
-- Of both games the later match that names one decides what a player is called, and where.
known_as as (
    select player_id, max(last_as)[3] as name, max(last_at_club)[3] as club
    from played
    group by player_id
),
stands as (
    select
        coalesce(p.game, o.game) as game,
        coalesce(p.player_id, o.player_id) as player_id,
        coalesce(p.opening, o.opening) as opening,
        coalesce(p.opening_known, true) as opening_known,
        coalesce(p.standing, o.opening) as standing,
        coalesce(p.matches, 0) as matches,
        coalesce(p.wins, 0) as wins,
        p.first_played_at,
        p.last_played_at,
        p.last_match_id
    from played as p
    full join opened as o on o.game = p.game and o.player_id = p.player_id
),
levelled as (
    select s.*, coalesce(l.level, 0) as level
    from stands as s
    asof left join out_levels__step as l on s.standing >= l.floor
),
-- In the order of play: a mean of binary fractions must not depend on who adds them up.
recent as (
    select m.game, m.player_id, list(m.score order by m.number) as scores
    from core_ledger__movement as m
    join played as p on p.game = m.game and p.player_id = m.player_id
    where m.number > p.matches - $recent
    group by m.game, m.player_id
),
rate as (
    select
        r.game,
        r.player_id,
        len(r.scores) as recent_matches,
        list_avg(r.scores) as mean,
        mean + t.low * list_stddev_samp(r.scores) / sqrt(len(r.scores)) as low,
        mean + t.high * list_stddev_samp(r.scores) / sqrt(len(r.scores)) as high
    from recent as r
    left join student as t on t.matches = len(r.scores)
),
highest as (
    select
        game,
        player_id,
        level_after as highest_level,
        case when kind <> 'start' then match_id end as highest_match_id,
        case when kind <> 'start' then played_at end as highest_played_at
    from out_levels__event
    qualify row_number() over (partition by game, player_id order by level_after desc, number, kind = 'start' desc) = 1
)
select
    s.game,
    s.player_id,
    coalesce(p.name, k.name) as name,
    p.member_from,
    p.member_to,
    coalesce(c.zone, $zone) as zone,
    s.opening,
    s.opening_known,
    s.standing,
    s.level,
    n.floor - s.standing as points_to_next,
    coalesce(h.highest_level, s.level) as highest_level,
    h.highest_match_id,
    h.highest_played_at,
    s.matches,
    s.wins,
    s.first_played_at,
    s.last_played_at,
    s.last_match_id,
    coalesce(r.recent_matches, 0) as recent_matches,
    r.mean as score_per_match,
    case when r.mean > 0 then (n.floor - s.standing) / r.mean end as matches_to_next,
    case when r.mean > 0 then (n.floor - s.standing) / r.high end as matches_to_next_low,
    case when r.mean > 0 and r.low > 0 then (n.floor - s.standing) / r.low end as matches_to_next_high
from levelled as s
left join core_player as p on p.player_id = s.player_id
left join known_as as k on k.player_id = s.player_id
left join out_clubs as c on c.club = k.club
left join highest as h on h.game = s.game and h.player_id = s.player_id
left join rate as r on r.game = s.game and r.player_id = s.player_id
left join out_levels__step as n on n.level = s.level + 1
order by s.game, s.player_id
