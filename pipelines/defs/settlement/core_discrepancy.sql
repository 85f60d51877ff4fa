-- Claims of the matches that count that differ from the recomputation. Keys: file_id, line, deal (-1: the match), code.
-- CLAIM_BALANCE: the standings before the match by seat, null where the log says nothing. claimed and recomputed are
-- canonical JSON texts.
select file_id, line, deal, code, place, claimed, recomputed, is_note
from claim_discrepancy
union all
select
    file_id,
    line,
    -1 as deal,
    'CLAIM_BALANCE' as code,
    $place as place,
    '[' || string_agg(coalesce(rtrim(rtrim(cast(claimed as varchar), '0'), '.'), 'null'), ',' order by seat) || ']',
    '[' || string_agg(coalesce(rtrim(rtrim(cast(recomputed as varchar), '0'), '.'), 'null'), ',' order by seat) || ']',
    false as is_note
from (
    select
        file_id,
        line,
        seat,
        case when claimed <> $unknown then cast(claimed * cast($unit as decimal(4, 4)) as decimal(18, 4)) end as claimed,
        case when claimed <> $unknown then cast(held * cast($unit as decimal(4, 4)) as decimal(18, 4)) end as recomputed
    from balance_claim
)
group by file_id, line
order by file_id, line, case when deal < 0 then 2 else deal end, place
