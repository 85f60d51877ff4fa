-- One row a file with records of matches that came more than once: a hash of what became of these. Key: file_id.
select
    file_id,
    md5(string_agg(concat_ws(' ', line, verdict, records, is_first), ',' order by line)) as verdicts
from core_match__contested
group by file_id
