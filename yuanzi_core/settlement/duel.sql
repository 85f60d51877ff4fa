-- The result of each match as duels count it: what side 0 has gained, in ten-thousandths, and its card points less the others'.
-- One row a match.
select
    line,
    case winner when 0 then 1 else -1 end
    * cast(list_sum(list_filter(scores_before_cap, lambda s: s > 0)) * $scale as bigint) as score,
    cast(totals[1] - totals[2] as bigint) as points
from core_settlement__match
order by line
