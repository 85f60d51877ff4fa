-- F6: the result of each record with its scores after the cap. One row a record.
-- Keys: file_id, line. movement holds the seats of every match that the fold changed or looked at.
with
after as (
    select
        file_id,
        line,
        list(score order by seat) as scores,
        list(standing_before order by seat) as standings_before,
        list(seat order by seat) filter (capped and standing_before is null) as uncapped_seats,
        list(seat order by seat) filter (capped and standing_before <= 0) as cap_zero_seats
    from movement
    group by file_id, line
)
select
    m.*,
    coalesce(a.scores, m.scores_before_cap) as scores,
    a.standings_before,
    coalesce(a.uncapped_seats, []) as uncapped_seats,
    coalesce(a.cap_zero_seats, []) as cap_zero_seats
from core_settlement__match as m
left join after as a using (file_id, line)
