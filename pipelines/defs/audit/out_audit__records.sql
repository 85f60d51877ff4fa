-- The one verdict of every record read. Keys: file_id, line. code, deal, play and messages belong to the status.
with
verdict as (
    select
        r.*,
        f.file_name,
        case
            when f.withdrawn_at is not null then 'withdrawn'
            when x.verdict in ('superseded', 'duplicate') then x.verdict
            when x.verdict = 'conflict' then 'rejected'
            else r.status
        end as final,
        coalesce(x.verdict = 'conflict', false) as in_conflict
    from core_record as r
    join raw_file as f using (file_id)
    left join core_match__contested as x using (file_id, line)
)
select
    file_id,
    file_name,
    line,
    record_hash,
    match_id,
    revision,
    final as status,
    case when in_conflict then 'DUPLICATE' when final in ('rejected', 'violation') then code end as code,
    case when final = 'violation' then deal end as deal,
    case when final = 'violation' then play end as play,
    case
        when in_conflict then message_of_conflict(match_id, revision, 'en')
        when final in ('rejected', 'violation') then message_en
    end as message_en,
    case
        when in_conflict then message_of_conflict(match_id, revision, 'zh')
        when final in ('rejected', 'violation') then message_zh
    end as message_zh
from verdict
order by file_name, file_id, line
