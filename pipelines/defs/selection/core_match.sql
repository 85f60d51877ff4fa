-- One row a match: the record that counts. Key: match_id. Where records of the highest revision differ in content,
-- none counts: conflict is true, file_id and line are null. records is the number of records at that revision.
select
    c.match_id,
    c.revision,
    coalesce(x.verdict = 'conflict', false) as conflict,
    case when not conflict then c.file_id end as file_id,
    case when not conflict then c.line end as line,
    coalesce(x.records, 1) as records
from core_match__candidate as c
join raw_file as f using (file_id)
left join core_match__contested as x using (file_id, line)
where f.withdrawn_at is null and (x.verdict is null or x.verdict = 'counts' or (x.verdict = 'conflict' and x.is_first))
order by c.match_id
