-- What became of each file: read is the sum of the counts behind it. Key: file_id. damage: why it could not be read on.
-- withdrawn: all records of a file that was taken out of what counts, withdrawn_at (null: it was not) for which reason.
with
records as (
    select
        file_id,
        count(*) as read,
        count(*) filter (status = 'settled') as settled,
        count(*) filter (status = 'unfinished') as unfinished,
        count(*) filter (status = 'violation') as violation,
        count(*) filter (status = 'rejected') as rejected,
        count(*) filter (status = 'duplicate') as duplicate,
        count(*) filter (status = 'superseded') as superseded,
        count(*) filter (status = 'withdrawn') as withdrawn
    from out_audit__records
    group by file_id
),
claims as (
    select file_id, count(*) as discrepancies from out_audit__discrepancies group by file_id
),
damages as (
    select file_id, max(damage) as damage from raw_record where damage is not null group by file_id
)
select
    f.file_id,
    f.file_name,
    f.bytes,
    coalesce(r.read, 0) as read,
    coalesce(r.settled, 0) as settled,
    coalesce(r.unfinished, 0) as unfinished,
    coalesce(r.violation, 0) as violation,
    coalesce(r.rejected, 0) as rejected,
    coalesce(r.duplicate, 0) as duplicate,
    coalesce(r.superseded, 0) as superseded,
    coalesce(r.withdrawn, 0) as withdrawn,
    coalesce(c.discrepancies, 0) as discrepancies,
    d.damage,
    f.withdrawn_at,
    f.withdrawn_reason,
    $engine as engine
from raw_file as f
left join records as r using (file_id)
left join claims as c using (file_id)
left join damages as d using (file_id)
order by f.file_name, f.file_id
