-- Who is or was a member (G3), from member_from to member_to (null: still), both days included, by the clock of zone: that
-- of the club last played at. Key: player_id.
select p.player_id, p.member_from, p.member_to, coalesce(s.zone, $zone) as zone
from core_player as p
left join (select distinct player_id, zone from out_standings__player) as s using (player_id)
where p.member_from is not null
order by p.player_id
