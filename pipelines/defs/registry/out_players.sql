-- The players of the registry, without anything of their standings (G3). Key: player_id.
-- A member from member_from to member_to, both days included, in the club's time zone; without member_from no member.
select player_id, name, aliases, member_from, member_to from core_player order by player_id
