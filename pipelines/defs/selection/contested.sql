-- The records of contested matches, each match's next to each other.
select l.match_id, w.record
from latest as l
join core_record as r using (match_id, revision)
join raw_record as w using (file_id, line)
where l.contested and r.status <> 'rejected'
order by l.match_id
