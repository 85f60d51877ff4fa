-- The members on the reader's day (G3): today by the clock of the zone in which their days of membership are told, or the
-- day that a reader has set (`set variable today = '2026-04-01'`). Key: player_id.
select player_id
from main.core_member
where
    coalesce(try_cast(getvariable('today') as date), cast(timezone(zone, now()) as date))
    between member_from and coalesce(member_to, date 'infinity')
