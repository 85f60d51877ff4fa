-- What the matches of a club's evening add up to. Keys: game, club (null: none given), evening. Amounts in points.
-- play_score is 0: what the winners get the losers pay. escapes (escape_penalty and compensation together) and caps
-- (cap_effect) are what nobody got; total, the sum of all scores, is these two and nothing else.
select
    game,
    club,
    evening,
    -- Every match has a seat 0.
    count(*) filter (seat = 0) as matches,
    count(*) as movements,
    sum(play_score) as play_score,
    sum(escape_penalty) as escape_penalty,
    sum(compensation) as compensation,
    sum(escape_penalty + compensation) as escapes,
    sum(cap_effect) as caps,
    sum(score) as total
from core_ledger__movement
group by game, club, evening
order by game, evening, club
