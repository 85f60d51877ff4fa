-- What the fold made of the capped matches: amounts back in points, exact.
select
    $file_id as file_id,
    c.line,
    c.seat,
    c.capped,
    cast(c.score * cast(0.0001 as decimal(4, 4)) as decimal(18, 4)) as score,
    case when c.standing_before <> $unknown
        then cast(c.standing_before * cast(0.0001 as decimal(4, 4)) as decimal(18, 4)) end as standing_before
from movement_columns as c
