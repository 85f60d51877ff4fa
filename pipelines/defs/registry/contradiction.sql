-- Matches that count in which one player of the registry has several seats, so that an alias cannot be right.
-- Keys: match_id, player_id. ids are the ids as logged, by seat.
with
seats as (
    select
        c.match_id, c.file_id, c.line,
        unnest(range(len(c.player_ids))) as seat,
        unnest(c.player_ids) as logged_id
    from core_match__candidate as c
    join raw_file as f using (file_id)
    left join core_match__contested as x using (file_id, line)
    where f.withdrawn_at is null and (x.verdict is null or x.verdict = 'counts')
),
identity as (
    select player_id, unnest(list_prepend(player_id, aliases)) as logged_id
    from core_player
    where len(aliases) > 0
)
select s.match_id, i.player_id, list(s.logged_id order by s.seat) as ids, any_value(f.file_name), any_value(s.line)
from seats as s
join identity as i using (logged_id)
join raw_file as f using (file_id)
group by s.match_id, i.player_id
having count(*) > 1
order by s.match_id, i.player_id
