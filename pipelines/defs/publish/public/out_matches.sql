-- out_matches as everybody may see it (G3): standings before the match of the day's members alone. Key: match_id.
select
    m.* replace (
        [
            case when a.player_id is not null then m.standings_before[1] end,
            case when b.player_id is not null then m.standings_before[2] end,
            case when c.player_id is not null then m.standings_before[3] end,
            case when d.player_id is not null then m.standings_before[4] end,
            case when e.player_id is not null then m.standings_before[5] end
        ][:len(m.standings_before)] as standings_before
    )
from main.out_matches as m
left join main.core_member__today as a on a.player_id = m.registry_ids[1]
left join main.core_member__today as b on b.player_id = m.registry_ids[2]
left join main.core_member__today as c on c.player_id = m.registry_ids[3]
left join main.core_member__today as d on d.player_id = m.registry_ids[4]
left join main.core_member__today as e on e.player_id = m.registry_ids[5]
