-- One row a match: its highest revision that can be read. Key: match_id. first is where the first of the records of that
-- revision stands, by file name and line; contested whether they have different texts.
with
revisions as (
    select
        r.match_id,
        r.revision,
        count(*) as records,
        min(r.record_hash) <> max(r.record_hash) as contested,
        min({'file_name': f.file_name, 'line': r.line, 'file_id': r.file_id}) as first
    from core_record as r
    join raw_file as f using (file_id)
    where r.status <> 'rejected'
    group by r.match_id, r.revision
)
select
    match_id,
    max(revision) as revision,
    arg_max(records, revision) as records,
    arg_max(contested, revision) as contested,
    arg_max(first, revision) as first
from revisions
group by match_id
