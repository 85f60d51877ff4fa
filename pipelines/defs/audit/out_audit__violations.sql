-- The matches that count and break a rule. Keys: file_id, line.
select
    a.file_id,
    a.file_name,
    a.line,
    a.match_id,
    r.club,
    r.played_at,
    r.variant,
    r.ruleset_name as ruleset,
    a.code,
    a.deal,
    a.play,
    $clauses[list_position($codes, a.code)] as clauses,
    a.message_en,
    a.message_zh
from out_audit__records as a
join core_record as r using (file_id, line)
where a.status = 'violation'
order by a.file_name, a.file_id, a.line
