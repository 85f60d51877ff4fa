-- What each seat of a settled match wins or loses before the cap of F6, and whether the cap concerns it. One row a seat.
-- Amounts in whole units, for the fold.
select
    line,
    seat,
    cast(score * $scale as bigint) as score,
    coalesce(capped, false) as capped
from (
    select
        line,
        unnest(range(len(scores_before_cap))) as seat,
        unnest(scores_before_cap) as score,
        unnest(capped) as capped
    from core_settlement__match
)
order by line, seat
