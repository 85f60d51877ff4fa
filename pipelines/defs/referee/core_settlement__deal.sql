-- Card points of the deals that the referee judged. Keys: file_id, line, deal.
select s.*
from core_settlement__deal as s
join core_deal as d using (file_id, line, deal)
where d.judged
order by s.line, s.deal
