-- Where and when each record was played. Keys: file_id, line. club is the key of the club that the record names by its
-- key or one of its names, else the name as it stands; day the calendar day in the club's time zone ($zone where the
-- registry has none); evening the same, but what begins before 06:00 belongs to the evening of the day before.
select
    r.file_id,
    r.line,
    coalesce(n.club, r.club) as club,
    cast(timezone(coalesce(n.zone, $zone), r.played_at) as date) as day,
    cast(timezone(coalesce(n.zone, $zone), r.played_at) - interval 6 hours as date) as evening
from core_record as r
left join club_name as n on n.name = r.club
where r.played_at is not null
