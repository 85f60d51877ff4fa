-- How the players of settled matches fared, one row a club evening, a breakdown and a value of it.
-- Keys: variant, ruleset, source, club, evening, base, breakdown, value (null: the record does not say).
-- Each breakdown has every player once: its rows add up to those of "all". score is in points, won counts winners.
with
player as (
    select
        variant,
        ruleset,
        source,
        club,
        evening,
        base,
        winner,
        unnest(range(len(sides))) as seat,
        unnest(sides) as side,
        unnest(scores) as score,
        unnest(draws) as draw,
        unnest(leads) as lead,
        unnest(roles) as role,
        unnest(upstreams) as upstream,
        unnest(side_sizes) as side_size,
        unnest(atoms_held) as atoms,
        unnest(hbombs_held) as hbombs,
        unnest(bombs_held) as bombs,
        unnest(knives_held) as knives,
        unnest(jokers_held) as jokers
    from core_balance__match
),
counted as (
    select
        variant,
        ruleset,
        source,
        club,
        evening,
        base,
        case
            when grouping(seat) = 0 then 'seat'
            when grouping(draw) = 0 then 'draw'
            when grouping(lead) = 0 then 'lead'
            when grouping(role) = 0 then 'role'
            when grouping(upstream) = 0 then 'upstream'
            when grouping(side_size) = 0 then 'side_size'
            when grouping(atoms) = 0 then 'atoms'
            when grouping(hbombs) = 0 then 'hbombs'
            when grouping(bombs) = 0 then 'bombs'
            when grouping(knives) = 0 then 'knives'
            when grouping(jokers) = 0 then 'jokers'
            else 'all'
        end as breakdown,
        coalesce(
            cast(seat as varchar), cast(draw as varchar), cast(lead as varchar), role, upstream, side_size,
            cast(atoms as varchar), cast(hbombs as varchar), cast(bombs as varchar), cast(knives as varchar),
            cast(jokers as varchar)
        ) as value,
        count(*) as players,
        count(*) filter (winner = side) as won,
        cast(sum(score) as decimal(38, 4)) as score
    from player
    group by
        variant, ruleset, source, club, evening, base,
        grouping sets (
            (), seat, draw, lead, role, upstream, side_size, atoms, hbombs, bombs, knives, jokers
        )
)
select variant, ruleset, source, club, evening, base, breakdown, value, players, won, score
from counted
-- Only the four-player game draws hands of two sizes (A4), only the five-player game has roles.
where
    (variant = 'four' or breakdown <> 'draw')
    and (variant = 'five' or breakdown not in ('role', 'side_size'))
order by breakdown, variant, source, ruleset, club, evening, base, value
