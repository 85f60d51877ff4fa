-- out_audit__discrepancies as everybody may see it (G3): of standings (CLAIM_BALANCE) only those of the day's members, null
-- for the other seats; where one is hidden the message says so and names none. Keys: file_id, line, deal, code.
with
seats as (
    select
        x.file_id,
        x.line,
        unnest(range(len(m.registry_ids))) as seat,
        unnest(m.registry_ids) as player_id,
        unnest(string_split(trim(x.claimed, '[]'), ',')) as claimed,
        unnest(string_split(trim(x.recomputed, '[]'), ',')) as recomputed
    from main.out_audit__discrepancies as x
    join main.out_matches as m on m.match_id = x.match_id and m.file_id = x.file_id and m.line = x.line
    where x.code = 'CLAIM_BALANCE'
),
balances as (
    select
        s.file_id,
        s.line,
        '[' || string_agg(case when t.player_id is not null then s.claimed else 'null' end, ',' order by s.seat) || ']'
            as claimed,
        '[' || string_agg(case when t.player_id is not null then s.recomputed else 'null' end, ',' order by s.seat) || ']'
            as recomputed,
        bool_or(t.player_id is null and s.claimed <> 'null') as hidden
    from seats as s
    left join main.core_member__today as t using (player_id)
    group by s.file_id, s.line
)
-- What is no standing goes straight through: nobody waits for what the page does not ask.
select * from main.out_audit__discrepancies where code <> 'CLAIM_BALANCE'
union all
select
    x.* replace (
        b.claimed as claimed,
        b.recomputed as recomputed,
        case when b.hidden then h.message_en else x.message_en end as message_en,
        case when b.hidden then h.message_zh else x.message_zh end as message_zh
    )
from main.out_audit__discrepancies as x
left join balances as b on b.file_id = x.file_id and b.line = x.line
cross join main.hidden_balance as h
where x.code = 'CLAIM_BALANCE'
