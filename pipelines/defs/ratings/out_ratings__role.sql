-- What the dealer's side is worth beyond its players, learnt from the matches. Keys: game, side_size (of the dealer's side).
-- worth is in points of a rating, added to the skill of that side; worth_sigma its standard deviation.
select game, side_size, worth, worth_sigma, matches from rated_role order by game, side_size
