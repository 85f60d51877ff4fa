-- E and F: the result of each match and its scores before the cap of F6. One row a record.
-- Keys: file_id, line. Each figure on the way to them: match_workings.
select
    file_id,
    line,
    case when violation is not null then 'violation' when outcome = 'unfinished' then outcome else 'settled' end as status,
    violation,
    violation_deal,
    violation_play,
    outcome,
    winner,
    case when kind in ('decided', 'double') then [total0, total1] end as totals,
    case when kind = 'decided' and variant = 'five' then [target0, target1] end as targets,
    case when kind = 'decided' and variant = 'five' then factor end as factor,
    case when kind in ('decided', 'escape') and variant = 'five' then atoms end as atoms_counted,
    case when kind = 'escape' and variant = 'five' then penalty end as penalty,
    case when kind = 'escape' and variant = 'five' then penalty_most end as penalty_most,
    case when kind = 'escape' and variant = 'five' then compensation end as compensation,
    case when kind = 'escape' then compensation_due end as compensation_due,
    case
        when outcome = 'escape' then
            list_transform(
                sides,
                lambda s, place:
                    case
                        when place = escaper + 1 then escaper_score
                        when s = other_side then received_score
                        else 0
                    end
            )
        when winner is not null then list_transform(sides, lambda s: case s when 0 then score0 else score1 end)
    end as scores_before_cap,
    has_cap,
    case when has_cap then list_transform(sides, lambda s: s = winner) end as capped
from match_workings
