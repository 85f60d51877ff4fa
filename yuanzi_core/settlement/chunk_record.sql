-- The readable records of a chunk: what settling needs of them. base in points, balance by seat (null: not logged).
select
    $file_id as file_id,
    c.line,
    case c.five when 0 then 'four' else 'five' end as variant,
    $rulesets[c.rules + 1] as ruleset,
    cast(c.base_hundredths * cast($hundredth as decimal(2, 2)) as decimal(8, 2)) as base,
    case c.five
        when 0 then [c.balance0, c.balance1, c.balance2, c.balance3]
        else [c.balance0, c.balance1, c.balance2, c.balance3, c.balance4]
    end as balance
from (
    select
        line,
        five,
        rules,
        base_hundredths,
        cast(nullif(columns('^balance'), $unknown) * cast($unit as decimal(4, 4)) as decimal(18, 4))
    from record_columns
) as c
