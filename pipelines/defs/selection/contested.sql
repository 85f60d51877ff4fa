-- The records of the highest revision of matches whose records there have different texts, each match's next to each other.
select l.match_id, w.record
from rival as l
join raw_record as w using (file_id, line)
where l.revision = l.highest and l.contested
order by l.match_id
