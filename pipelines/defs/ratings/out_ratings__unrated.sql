-- The matches that count and are not rated, and why. Key: match_id.
select m.match_id, m.variant as game, m.played_at, m.registry_club as club, m.day, m.file_id, m.line, u.reason
from out_matches as m
join why_unrated as u
    on u.status = m.status
    and u.outcome is not distinct from m.outcome
    and u.twice = (len(list_distinct(m.registry_ids)) < len(m.registry_ids))
where u.reason is not null
order by m.match_id
