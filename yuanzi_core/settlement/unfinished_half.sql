-- E1, E2, E4: the upper halves that a lower half must follow, with the upstream player who leads it. One row a match.
select m.line, d.upstream
from core_settlement__match as m
join core_settlement__deal as d using (file_id, line)
where m.status = 'unfinished'
order by m.line
