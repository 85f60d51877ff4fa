-- What became different about records and matches that were published before, one row a part of each: the verdict of a
-- record (part verdict), of a match that counts before and after the outcome, winner, scores and discrepancies. before
-- and after are texts. Tables named former_… are those published before.
with
verdicts as (
    select
        n.match_id, n.file_id, n.file_name, n.line, 0 as place, 'verdict' as part,
        concat_ws(' ', o.status, o.code, o.deal, o.play) as before,
        concat_ws(' ', n.status, n.code, n.deal, n.play) as after
    from out_audit__records as n
    join former_out_audit__records as o using (file_id, line)
),
said as (
    select
        file_id, line,
        string_agg(concat_ws(' ', code, deal, claimed, '→', recomputed), ', ' order by deal is null, deal, code) as claims
    from out_audit__discrepancies
    group by file_id, line
),
former_said as (
    select
        file_id, line,
        string_agg(concat_ws(' ', code, deal, claimed, '→', recomputed), ', ' order by deal is null, deal, code) as claims
    from former_out_audit__discrepancies
    group by file_id, line
),
matches as (
    select
        m.*,
        coalesce(s.claims, '') as claims,
        array_to_string(list_transform(m.scores, lambda score: rtrim(rtrim(cast(score as varchar), '0'), '.')), ' ') as shown
    from out_matches as m
    left join said as s using (file_id, line)
),
former as (
    select
        m.*,
        coalesce(s.claims, '') as claims,
        array_to_string(list_transform(m.scores, lambda score: rtrim(rtrim(cast(score as varchar), '0'), '.')), ' ') as shown
    from former_out_matches as m
    left join former_said as s using (file_id, line)
),
results as (
    select
        n.match_id, n.file_id, n.file_name, n.line,
        unnest([1, 2, 3, 4]) as place,
        unnest(['outcome', 'winner', 'scores', 'discrepancies']) as part,
        unnest([o.outcome, cast(o.winner as varchar), o.shown, o.claims]) as before,
        unnest([n.outcome, cast(n.winner as varchar), n.shown, n.claims]) as after
    from matches as n
    join former as o using (match_id)
)
select match_id, file_id, file_name, line, part, before, after
from (from verdicts union all by name from results)
where before is distinct from after
order by match_id nulls first, file_name, file_id, line, place
