-- What the fold made of the capped matches: amounts back in points, exact.
select
    $file_id as file_id,
    c.line,
    c.seat,
    c.capped,
    cast(c.score * cast($unit as decimal(4, 4)) as decimal(18, 4)) as score,
    case when c.standing_before <> $unknown
        then cast(c.standing_before * cast($unit as decimal(4, 4)) as decimal(18, 4)) end as standing_before
from movement_columns as c
