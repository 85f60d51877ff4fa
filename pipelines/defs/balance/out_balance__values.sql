-- Distributions over settled matches, one row a club evening, a measure and a stretch of its values.
-- Keys: variant, ruleset, source, club, evening, base, measure, value (the least of the stretch, width wide).
-- side_points: the deciding card points of the dealer's side, in the four-player game of the side that led first, one a
-- match but for escapes; tricks and atoms (before the upstream player is out): one a deal; score: one a player, in
-- whole multiples of the base, rounded down. total is their exact sum (of score: in points).
with
deals as (
    select m.variant, m.ruleset, m.source, m.club, m.evening, m.base, d.tricks, d.atoms
    from core_balance__match as m
    join core_settlement__deal as d using (file_id, line)
),
found as (
    select
        variant, ruleset, source, club, evening, base, 'side_points' as measure, $points as width,
        side_points[first_side + 1] as found, side_points[first_side + 1] as counted
    from core_balance__match
    where side_points is not null and first_side is not null
    union all by name
    select variant, ruleset, source, club, evening, base, 'tricks' as measure, $tricks as width, tricks as found,
        tricks as counted
    from deals
    where tricks is not null
    union all by name
    select variant, ruleset, source, club, evening, base, 'atoms' as measure, 1 as width, atoms as found, atoms as counted
    from deals
    where atoms is not null
    union all by name
    select variant, ruleset, source, club, evening, base, 'score' as measure, 1 as width,
        score_in_bases as found, score as counted
    from (select *, unnest(scores) as score, unnest(scores_in_bases) as score_in_bases from core_balance__match)
)
select
    variant,
    ruleset,
    source,
    club,
    evening,
    base,
    measure,
    cast(width as integer) as width,
    cast(found // width * width as integer) as value,
    count(*) as count,
    cast(sum(counted) as decimal(38, 4)) as total
from found
group by all
order by measure, variant, source, ruleset, club, evening, base, value
