-- The opening standing of each player and game: the earliest balance logged in ledger order, null if there is none.
select player, arg_min(balance, place) filter (balance is not null) as opening
from entry
group by player
order by player
