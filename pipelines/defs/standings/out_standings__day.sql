-- What a player won and lost at a club on a day (its time zone). Keys: game, player_id, club (null: none given), day.
-- Amounts in points; score is the sum of the four parts beside it. standing_after is the standing after the last of these
-- matches, last_number the number of that movement: of several clubs on a day the higher one came last. Any club, season
-- or period is the sum of its days.
select
    game,
    player_id,
    club,
    day,
    count(*) as matches,
    count(*) filter (won) as wins,
    sum(score) as score,
    sum(play_score) as play_score,
    sum(escape_penalty) as escape_penalty,
    sum(compensation) as compensation,
    sum(cap_effect) as cap_effect,
    arg_max(ledger_after, number) as standing_after,
    max(number) as last_number
from core_ledger__movement
group by game, player_id, club, day
order by game, player_id, day, last_number
