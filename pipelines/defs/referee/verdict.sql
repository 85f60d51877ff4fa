-- What judging found of each readable record, for core_record. Key: line.
select
    r.line,
    r.variant,
    r.ruleset,
    r.base,
    r.balance,
    m.status,
    m.violation as code,
    cast(m.violation_deal as integer) as deal,
    cast(m.violation_play as integer) as play
from core_record as r
join core_settlement__match as m using (file_id, line)
order by r.line
