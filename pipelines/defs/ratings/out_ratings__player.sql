-- One row a player with a rated match, as of the newest rated match of the game. Keys: game, player_id. Ratings in points:
-- rating is the skill as estimated, from rating_low to rating_high it most likely is; rating_sigma is its standard deviation.
-- expected_wins is the sum of the chances before each match. provisional: too few matches for a rank; inactive: none for long.
select
    game,
    player_id,
    rating,
    rating_low,
    rating_high,
    rating_sigma,
    highest_rating,
    matches,
    wins,
    expected_wins,
    first_at,
    last_at,
    provisional,
    inactive
from rated_player
order by game, player_id
