-- The matches of a game ($game) that are rated, in ledger order (F6: played_at as an instant, match_id). Key: match_id.
-- Lists by seat; played_at in microseconds since 1970.
select m.match_id, epoch_us(m.played_at) as played_at, m.registry_ids as player_ids, m.sides, m.winner
from out_matches as m
join why_unrated as u
    on u.status = m.status
    and u.outcome is not distinct from m.outcome
    and u.twice = (len(list_distinct(m.registry_ids)) < len(m.registry_ids))
where m.variant = $game and u.reason is null
order by m.played_at, m.match_id
