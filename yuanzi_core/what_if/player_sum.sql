-- What each player won in the chosen matches, as it was and as it would be. One row a player and game.
-- Keys: variant, player_id. Matches that would be open are left out of both sums, and counted.
with
seats as (
    select
        variant,
        is_open,
        is_changed,
        unnest(registry_ids) as player_id,
        unnest(player_names) as player_name,
        unnest(scores) as score,
        unnest(coalesce(new_scores, list_transform(scores, lambda score: null))) as new_score
    from results
)
select
    variant,
    player_id,
    max(player_name) as player_name,
    count(*) as matches,
    count(*) filter (is_open) as open,
    count(*) filter (is_changed) as changed,
    cast(coalesce(sum(score) filter (not is_open), 0) as decimal(38, 4)) as score,
    cast(coalesce(sum(new_score) filter (not is_open), 0) as decimal(38, 4)) as new_score
from seats
group by variant, player_id
order by
    abs(coalesce(sum(seats.new_score - seats.score) filter (not is_open), 0)) desc,
    variant,
    player_id
