-- One row a deal with its hands of a record that is settled, with all that the referee judges it from.
-- Keys: file_id, line, deal. ruleset_place: its ruleset's place in $rulesets, from 0; upstream: for a lower half, the
-- upper half's upstream player, −1 elsewhere.
select
    d.file_id,
    d.line,
    cast(list_position($rulesets, r.ruleset) - 1 as bigint) as ruleset_place,
    cast(coalesce(u.finish[1], -1) as bigint) as upstream,
    columns(d.* exclude (file_id, line))
from core_deal as d
join core_record as r using (file_id, line)
left join core_deal as u on u.file_id = d.file_id and u.line = d.line and u.deal < d.deal
where r.status = 'settled' and d.judged and len(d.hands) > 0
