-- Claims that the recomputation does not bear out. Keys: file_id, line, deal (null: the match), code.
select
    x.file_id,
    f.file_name,
    x.line,
    r.match_id,
    r.club,
    r.played_at,
    r.variant,
    r.ruleset_name as ruleset,
    x.code,
    case when x.deal >= 0 then cast(x.deal as integer) end as deal,
    x.claimed,
    x.recomputed,
    (case r.variant when 'four' then $four else $five end)[list_position($codes, x.code)] as clauses,
    message_of_discrepancy(x.code, x.claimed, x.recomputed, r.variant, 'en') as message_en,
    message_of_discrepancy(x.code, x.claimed, x.recomputed, r.variant, 'zh') as message_zh
from core_discrepancy as x
join core_record as r using (file_id, line)
join raw_file as f using (file_id)
where not x.is_note
order by f.file_name, x.file_id, x.line, x.deal < 0, x.deal, x.place
