-- F6: one row a seat of each match that has a cap, with the amounts in whole units for the fold.
select
    line,
    seat,
    capped,
    cast(score * $scale as bigint) as score,
    case
        when balance is null then $unknown
        when abs(balance) < $scale * $scale then cast(balance * $scale as bigint)
        -- Widened first, which is slow: a balance of eleven digits times the scale is more than decimal(18, 4) holds.
        else cast(cast(balance as decimal(38, 4)) * $scale as bigint)
    end as balance
from (
    select
        m.line,
        unnest(range(len(m.capped))) as seat,
        unnest(m.capped) as capped,
        unnest(m.scores_before_cap) as score,
        unnest(r.balance) as balance
    from core_settlement__match as m
    join core_record as r using (file_id, line)
    where m.has_cap
)
