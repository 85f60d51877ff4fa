-- The players of the registry. Key: player_id. Nobody else is a member; openings are null where they are not given.
select
    r.player_id,
    r.name,
    coalesce(a.aliases, []) as aliases,
    r.member_from,
    r.member_to,
    r.opening_four,
    r.opening_five
from registered as r
left join (
    select player_id, list(alias order by alias) as aliases from registered_alias group by player_id
) as a using (player_id)
order by r.player_id
