-- The seasons of the clubs, first and last day included, in the club's time zone. Keys: club, name.
select club, name, first_day, last_day from registered_season order by club, first_day
