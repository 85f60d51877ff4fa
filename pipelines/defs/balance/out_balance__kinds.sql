-- How each kind of combination was played in the deals of settled matches and what it brought home, one row a club evening
-- and kind. Keys: variant, ruleset, source, club, evening, kind, of_knife (of the knife's rank).
-- led + answered: how often it was played; beaten: how often another was put on it; won: tricks taken with it; points:
-- card points of those tricks. Deals without plays (score sheets) have no part in it.
select
    variant,
    ruleset,
    source,
    club,
    evening,
    played.kind as kind,
    played.of_knife as of_knife,
    cast(sum(played.led) as bigint) as led,
    cast(sum(played.answered) as bigint) as answered,
    cast(sum(played.beaten) as bigint) as beaten,
    cast(sum(played.won) as bigint) as won,
    cast(sum(played.points) as bigint) as points
from (
    select m.variant, m.ruleset, m.source, m.club, m.evening, unnest(d.kinds) as played
    from core_balance__match as m
    join core_balance__deal as d using (file_id, line)
)
group by all
order by variant, source, ruleset, club, evening, kind, of_knife
