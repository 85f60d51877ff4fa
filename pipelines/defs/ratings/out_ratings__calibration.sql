-- What was expected of sides against what came out, by tenths of the chance. Keys: game, decile (0: below 10 %). A match
-- counts once for each of its sides. The first matches of anybody, of whom nothing is known, are part of it. expected is
-- the mean chance, and wins the number of sides that won.
with
side as (
    select
        game,
        unnest([0, 1]) as side,
        winner,
        expected[list_position(sides, 0)] as first_chance
    from out_ratings__match
),
told as (
    -- As decimals: of binary fractions the sum depends on who adds them up.
    select *, cast(case side when 0 then first_chance else 1 - first_chance end as decimal(18, 12)) as chance from side
)
select
    game,
    cast(least(floor(10 * chance), 9) as integer) as decile,
    count(*) as sides,
    cast(sum(chance) as double) / count(*) as expected,
    count(*) filter (winner = side) as wins
from told
group by game, decile
order by game, decile
