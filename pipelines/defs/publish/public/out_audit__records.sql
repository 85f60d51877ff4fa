-- out_audit__records as everybody may see it (G3): the cells of standings that a score sheet's reject would quote (its own,
-- or that of another row which says otherwise) are not named. Key: file_id, line.
select
    r.* exclude (quoted) replace (
        case when quoted then h.cell_en else r.message_en end as message_en,
        case when quoted then h.cell_zh else r.message_zh end as message_zh
    )
from (
    select *, coalesce(code = 'SHEET' and regexp_matches(message_en, (select of_balance from main.hidden_balance)), false)
        as quoted
    from main.out_audit__records
) as r
cross join main.hidden_balance as h
