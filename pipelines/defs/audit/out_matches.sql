-- The matches that count, each with its result. Key: match_id. Lists by seat; side_points are the totals that decided.
-- player_ids are the ids as logged, registry_ids those of the players for whom they count (an alias counts as its player).
-- registry_club is the club by its key in the registry (a name of it counts as the key), day and evening are those of its
-- time zone: see calendar.
-- dealer is the dealer's seat at five, roles what each seat is there (A6): dealer, partner or defender; upstream the seat
-- that was out first, in the upper half at four, null where nobody was.
-- tricks and atoms are those of all deals, null where a violation leaves the match without a result.
with
played as (
    select
        file_id,
        line,
        sum(tricks) as tricks,
        sum(atoms) as atoms,
        max(sides) filter (deal = 0) as sides,
        max(finish[1]) filter (deal = 0) as upstream
    from core_settlement__deal
    group by file_id, line
),
claims as (
    select file_id, line, count(*) as discrepancies from out_audit__discrepancies group by file_id, line
),
-- F7: a claim off the schedule, but within its bounds. Claims are JSON texts already.
escapes as (
    select
        file_id,
        line,
        list('{"code":"ESCAPE_CLAIM","claimed":' || claimed || ',"recomputed":' || recomputed || '}' order by place) as notes
    from core_discrepancy
    where is_note
    group by file_id, line
),
seats as (
    select r.file_id, r.line, unnest(range(len(r.player_ids))) as seat, unnest(r.player_ids) as logged_id
    from core_match as m
    join core_record as r using (file_id, line)
),
aliases as (
    select player_id, unnest(aliases) as logged_id from core_player
),
-- Only matches in which an alias occurs, and few do.
identified as (
    select s.file_id, s.line, list(coalesce(a.player_id, s.logged_id) order by s.seat) as registry_ids
    from seats as s
    semi join (select file_id, line from seats join aliases using (logged_id)) as merged using (file_id, line)
    left join aliases as a using (logged_id)
    group by s.file_id, s.line
)
select
    m.match_id,
    r.revision,
    r.file_id,
    f.file_name,
    r.line,
    r.variant,
    r.ruleset_name as ruleset,
    r.ruleset as ruleset_hash,
    r.rules,
    r.played_at,
    r.club,
    l.club as registry_club,
    l.day,
    l.evening,
    r."table",
    r.source,
    r.base,
    s.status,
    s.violation as code,
    cast(s.violation_deal as integer) as deal,
    cast(s.violation_play as integer) as play,
    s.outcome,
    cast(s.winner as integer) as winner,
    r.player_ids,
    r.player_names,
    coalesce(i.registry_ids, r.player_ids) as registry_ids,
    cast(p.sides as integer[]) as sides,
    case when r.variant = 'five' then cast(nullif(d.dealer, -1) as integer) end as dealer,
    case
        when r.variant = 'five' then
            list_transform(
                p.sides,
                lambda side, place:
                    case when place - 1 = d.dealer then 'dealer' when side = 0 then 'partner' else 'defender' end
            )
    end as roles,
    cast(p.upstream as integer) as upstream,
    s.scores,
    s.scores_before_cap,
    s.standings_before,
    cast(s.totals as integer[]) as side_points,
    r.deals,
    case when s.violation is null then cast(p.tricks as integer) end as tricks,
    case when s.violation is null then cast(p.atoms as integer) end as atoms,
    cast(coalesce(c.discrepancies, 0) as integer) as discrepancies,
    '['
    || array_to_string(
        list_concat(
            cast(json_extract(r.notes, '$[*]') as varchar[]),
            coalesce(e.notes, []),
            case when len(s.uncapped_seats) > 0
                then ['{"code":"NO_CAP_UNKNOWN_STANDING","seats":' || to_json(s.uncapped_seats) || '}'] else [] end,
            case when len(s.cap_zero_seats) > 0
                then ['{"code":"CAP_ZERO","seats":' || to_json(s.cap_zero_seats) || '}'] else [] end
        ),
        ','
    )
    || ']' as notes,
    $engine as engine
from core_match as m
join core_record as r using (file_id, line)
join core_settlement__scores as s using (file_id, line)
join raw_file as f using (file_id)
join calendar as l using (file_id, line)
left join played as p using (file_id, line)
left join core_deal as d on d.file_id = m.file_id and d.line = m.line and d.deal = 0
left join claims as c using (file_id, line)
left join escapes as e using (file_id, line)
left join identified as i using (file_id, line)
order by m.match_id
