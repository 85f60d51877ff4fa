-- One row a record that can be read, of matches that came more than once: all that it takes to choose among them.
-- Keys: file_id, line. highest is the match's highest revision; place the record's among those of its own revision, by
-- file name and line; records how many these are; contested whether they have different texts.
with
candidate as (
    select c.file_id, f.file_name, c.line, c.match_id, c.revision, c.record_hash
    from core_match__candidate as c
    join raw_file as f using (file_id)
    where f.withdrawn_at is null
),
repeated as (
    select match_id from candidate group by match_id having count(*) > 1
)
select
    file_id,
    line,
    match_id,
    revision,
    max(revision) over (partition by match_id) as highest,
    row_number() over (partition by match_id, revision order by file_name, line, file_id) as place,
    count(*) over (partition by match_id, revision) as records,
    min(record_hash) over (partition by match_id, revision)
    <> max(record_hash) over (partition by match_id, revision) as contested
from candidate
semi join repeated using (match_id)
