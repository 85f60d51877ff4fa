-- The results, before the cap, of the matches that count.
select s.*
from results as s
join core_match as m using (file_id, line)
order by s.file_id, s.line
