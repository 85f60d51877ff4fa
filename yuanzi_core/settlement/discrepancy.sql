-- H1: claims that the recomputation does not bear out. One row a claim that differs, in the order of listing.
-- Keys: file_id, line, deal (-1: the match), code. claimed and recomputed are canonical JSON texts.
with
finished as (
    select m.file_id, m.line, m.outcome, m.winner, m.scores
    from settled_match as m
    where m.status in ('settled', 'unfinished')
),
recomputed as (
    select d.file_id, d.line, d.deal, 'CLAIM_FINISH' as code, cast(to_json(d.finish) as varchar) as recomputed
    from core_settlement__deal as d
    union all
    select d.file_id, d.line, d.deal, 'CLAIM_CAPTURED', cast(to_json(d.captured) as varchar)
    from core_settlement__deal as d
    union all
    select d.file_id, d.line, d.deal, 'CLAIM_SIDE_POINTS', cast(to_json(d.side_points) as varchar)
    from core_settlement__deal as d
    where d.side_points is not null
    union all
    select file_id, line, -1, 'CLAIM_OUTCOME', cast(to_json(outcome) as varchar) from finished
    union all
    select file_id, line, -1, 'CLAIM_WINNER', cast(winner as varchar) from finished where winner is not null
    union all
    select
        file_id, line, -1, 'CLAIM_SCORES',
        '['
        || array_to_string(
            list_transform(scores, lambda score: rtrim(rtrim(cast(score as varchar), '0'), '.')), ','
        )
        || ']'
    from finished
    where scores is not null
),
differing as (
    select c.file_id, c.line, c.deal, c.code, c.place, c.claimed, r.recomputed
    from core_claim as c
    join recomputed as r using (file_id, line, deal, code)
    join finished as f using (file_id, line)
    where c.claimed <> r.recomputed
),
-- F7: an escape's claim off the schedule is a note while its penalty and compensation are within the text's bounds.
escapes as (
    select
        x.file_id, x.line,
        try_cast(x.claimed as decimal(38, 6)[]) as claimed,
        d.escaped,
        d.sides,
        m.compensation_due,
        case when m.compensation_due then m.atoms_counted else 0 end as atoms,
        r.base,
        o.escape_penalty,
        m.penalty_most,
        o.escape_compensation
    from differing as x
    join core_settlement__deal as d on d.file_id = x.file_id and d.line = x.line and d.deal = 0
    join settled_match as m on m.file_id = x.file_id and m.line = x.line
    join core_record as r on r.file_id = x.file_id and r.line = x.line
    join ruleset as o on o.ruleset = r.ruleset
    where x.code = 'CLAIM_SCORES' and m.outcome = 'escape' and r.variant = 'five'
),
parts as (
    select
        *,
        list_transform(
            list_filter(range(len(sides)), lambda seat: sides[seat + 1] <> sides[escaped + 1]),
            lambda seat: claimed[seat + 1] - atoms * base
        ) as received,
        list_filter(
            range(len(sides)), lambda seat: sides[seat + 1] = sides[escaped + 1] and seat <> escaped
        ) as partners
    from escapes
    where claimed is not null
),
within_bounds as (
    select file_id, line
    from (
        select *, -claimed[escaped + 1] - atoms * base * len(received) as paid from parts
    )
    where
        paid between escape_penalty * base and penalty_most * base
        and list_min(received) >= case when compensation_due then escape_compensation * base else 0 end
        and list_sum(received) <= paid
        and list_sum(list_transform(partners, lambda seat: abs(claimed[seat + 1]))) is not distinct from
            case when len(partners) > 0 then 0 end
)
select
    x.*,
    x.code = 'CLAIM_SCORES' and w.line is not null as is_note
from differing as x
left join within_bounds as w using (file_id, line)
order by file_id, line, case when deal < 0 then 2 else deal end, place
