-- out_ratings__match as everybody may see it (G3): ratings of the day's members alone; what is expected of sides is nobody's
-- rating. Key: match_id.
with
seated as (
    select
        m.*,
        [
            a.player_id is not null, b.player_id is not null, c.player_id is not null, d.player_id is not null,
            e.player_id is not null
        ] as members
    from main.out_ratings__match as m
    left join main.core_member__today as a on a.player_id = m.player_ids[1]
    left join main.core_member__today as b on b.player_id = m.player_ids[2]
    left join main.core_member__today as c on c.player_id = m.player_ids[3]
    left join main.core_member__today as d on d.player_id = m.player_ids[4]
    left join main.core_member__today as e on e.player_id = m.player_ids[5]
)
select
    * exclude (members) replace (
        list_transform(rating_before, lambda held, seat: case when members[seat] then held end) as rating_before,
        list_transform(sigma_before, lambda held, seat: case when members[seat] then held end) as sigma_before,
        list_transform(rating_after, lambda held, seat: case when members[seat] then held end) as rating_after,
        list_transform(sigma_after, lambda held, seat: case when members[seat] then held end) as sigma_after
    )
from seated
