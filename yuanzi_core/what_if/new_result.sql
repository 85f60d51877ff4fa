-- Each chosen match as it was and as it would be. One row a match. Key: match_id.
-- is_open: its lower half was never played, so nobody knows; cut_short: its lower half would not have been played.
with
capped as (
    select file_id, line, map(list(seat), list(cast(change * cast($unit as decimal(4, 4)) as decimal(18, 4)))) as scores
    from folded
    group by file_id, line
)
select
    m.match_id,
    m.variant,
    m.registry_ids,
    m.player_names,
    m.outcome,
    m.winner,
    m.scores,
    r.outcome as new_outcome,
    cast(r.winner as integer) as new_winner,
    case
        when r.has_cap then list_transform(r.scores_before_cap, lambda score, place: coalesce(c.scores[place - 1], score))
        else r.scores_before_cap
    end as new_scores,
    r.status = 'unfinished' as is_open,
    (m.file_id, m.line) in (select (file_id, line) from surplus) as cut_short,
    is_open or new_scores is distinct from m.scores or r.outcome is distinct from m.outcome
        or r.winner is distinct from m.winner as is_changed
from facts_matches as m
join resettled as r using (file_id, line)
left join capped as c using (file_id, line)
order by m.played_at desc, m.match_id
