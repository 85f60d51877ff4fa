-- The steps of every player on the ladder, in the order of a player's matches. Keys: game, player_id, number, kind.
-- number is that of the movement (core_ledger__movement). kind: start, the level of the opening standing, with the
-- player's first match (nothing before it); promotion or demotion, over several levels at once where a match does that.
-- The players of a level at a time are the events until then that led to it, less those that led from it.
select
    game,
    player_id,
    number,
    'start' as kind,
    match_id,
    seat,
    played_at,
    club,
    day,
    cast(null as integer) as level_before,
    level_before as level_after,
    cast(null as decimal(18, 4)) as standing_before,
    ledger_before as standing_after
from core_ledger__movement
where number = 1
union all
select
    game,
    player_id,
    number,
    case when level_after > level_before then 'promotion' else 'demotion' end as kind,
    match_id,
    seat,
    played_at,
    club,
    day,
    level_before,
    level_after,
    ledger_before as standing_before,
    ledger_after as standing_after
from core_ledger__movement
where level_after <> level_before
order by game, player_id, number, level_before nulls first
