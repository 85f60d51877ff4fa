-- How settled matches went, one row a club evening, a breakdown and a value of it.
-- Keys: variant, ruleset, source, club, evening, base, breakdown, value (null: the record does not say).
-- Each breakdown has every match once: its rows add up to those of "all". first_known counts the matches of which it
-- is known who deals, in the four-player game who led the first deal (a score sheet does not say); won those of them that
-- this player's side won; score is what this player won, in points.
with
counted as (
    select
        variant,
        ruleset,
        source,
        club,
        evening,
        base,
        case
            when grouping(outcome) = 0 then 'outcome'
            when grouping(knife) = 0 then 'knife'
            when grouping(clamp) = 0 then 'clamp'
            when grouping(double_outs) = 0 then 'double_outs'
            when grouping(tie) = 0 then 'tie'
            when grouping(ending) = 0 then 'ending'
            when grouping(capped) = 0 then 'capped'
            when grouping(dealer_side) = 0 then 'dealer_side'
            when grouping(reveal) = 0 then 'reveal'
            else 'all'
        end as breakdown,
        coalesce(
            outcome, knife, clamp, double_outs, cast(tie as varchar), ending, cast(capped as varchar),
            cast(dealer_side as varchar), cast(reveal as varchar)
        ) as value,
        count(*) as matches,
        count(first_seat) as first_known,
        count(*) filter (first_won) as won,
        cast(coalesce(sum(first_score), 0) as decimal(38, 4)) as score
    from (
        select
            *,
            -- The first trick of a stretch; 0: never.
            case when reveal_trick > 0 then (reveal_trick - 1) // $stretch * $stretch + 1 else reveal_trick end as reveal
        from core_balance__match
    )
    group by
        variant, ruleset, source, club, evening, base,
        grouping sets ((), outcome, knife, clamp, double_outs, tie, ending, capped, dealer_side, reveal)
)
select variant, ruleset, source, club, evening, base, breakdown, value, matches, first_known, won, score
from counted
where
    (variant = 'four' or breakdown not in ('clamp', 'double_outs', 'tie'))
    and (variant = 'five' or breakdown not in ('capped', 'dealer_side', 'reveal'))
order by breakdown, variant, source, ruleset, club, evening, base, value
