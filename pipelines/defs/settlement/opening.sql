-- The players of the registry, their aliases and opening standings in whole units, null where there is none. Key: player_id.
select
    player_id,
    aliases,
    cast(cast(opening_four as decimal(38, 4)) * $scale as bigint) as four,
    cast(cast(opening_five as decimal(38, 4)) * $scale as bigint) as five
from core_player
order by player_id
