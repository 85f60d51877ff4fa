-- One row a match: the record that counts. Key: match_id. Where records of the highest revision differ in content,
-- none counts: conflict is true, file_id and line are null. records is the number of records at that revision.
select
    l.match_id,
    l.revision,
    c.match_id is not null as conflict,
    case when c.match_id is null then l.first.file_id end as file_id,
    case when c.match_id is null then l.first.line end as line,
    l.records
from latest as l
left join conflict as c using (match_id)
order by l.match_id
