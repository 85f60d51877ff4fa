-- The deals of the chosen matches as they are settled. One row a deal. Keys: file_id, line, deal.
-- With $upper_halves nothing but those of the matches in "surplus", each without its lower half.
select d.*
from facts_deals as d
where not $upper_halves or (d.deal = 0 and (d.file_id, d.line) in (select (file_id, line) from surplus))
