-- One row a player and settled match, in ledger order. Keys: game, player_id, match_id, seat: where a match contradicts a
-- merge, a player has several seats in it, which then count one after the other. number counts a player's movements in a
-- game from 1. logged_id and logged_name are those of the log. won: whether the seat's side won (null: no side did).
-- score_before_cap and score are what the match moved, and score is the sum of its parts: play_score (the settlement of a
-- match that nobody left), escape_penalty (0 or less) and compensation (0 or more) of one that somebody did, cap_effect
-- (0 or less: what F6 took). standing_before is what F6 looks at: the log's balance, else the ledger's standing, null
-- where neither is known. ledger_before and ledger_after are the ledger's own: the opening standing (0 where it is not
-- known: opening_known) and the sum of the scores since; level_before and level_after their levels (G1).
-- club, day and evening: see calendar.
with
amounts as (
    select
        * exclude (score, change, before, after),
        cast(score * cast($unit as decimal(4, 4)) as decimal(18, 4)) as score_before_cap,
        cast(change * cast($unit as decimal(4, 4)) as decimal(18, 4)) as score,
        case when before <> $unknown then cast(before * cast($unit as decimal(4, 4)) as decimal(18, 4)) end
            as standing_before,
        cast((after - change) * cast($unit as decimal(4, 4)) as decimal(18, 4)) as ledger_before,
        cast(after * cast($unit as decimal(4, 4)) as decimal(18, 4)) as ledger_after
    from folded
),
levels as (
    select
        e.*,
        coalesce(b.level, 0) as level_before,
        coalesce(a.level, 0) as level_after
    from amounts as e
    asof left join ladder as b on e.ledger_before >= b.floor
    asof left join ladder as a on e.ledger_after >= a.floor
)
select
    c.variant as game,
    e.player_id,
    e.number,
    e.logged_id,
    r.player_names[e.seat + 1] as logged_name,
    c.match_id,
    c.played_at,
    l.club,
    l.day,
    l.evening,
    c.file_id,
    c.line,
    e.seat,
    c.winner = d.sides[e.seat + 1] as won,
    e.capped,
    e.score_before_cap,
    e.score,
    case when c.is_escape then cast(0 as decimal(18, 4)) else e.score_before_cap end as play_score,
    -- E3, F7: in a match that somebody left nobody else loses points.
    case when c.is_escape then least(e.score_before_cap, 0) else 0 end as escape_penalty,
    case when c.is_escape then greatest(e.score_before_cap, 0) else 0 end as compensation,
    cast(e.score - e.score_before_cap as decimal(18, 4)) as cap_effect,
    e.standing_before,
    e.ledger_before,
    e.ledger_after,
    e.level_before,
    e.level_after,
    e.opening_known
from levels as e
join core_match__candidate as c using (file_id, line)
join core_record as r using (file_id, line)
join calendar as l using (file_id, line)
join core_settlement__deal as d on d.file_id = e.file_id and d.line = e.line and d.deal = 0
order by c.played_at, c.match_id, e.seat
