-- One row a record of a match that came more than once, and whether it counts. Keys: file_id, line. verdict: counts,
-- duplicate, superseded or conflict; records how many have its revision; is_first: none of these stands before it.
select
    l.file_id,
    l.line,
    l.match_id,
    l.revision,
    case
        when l.revision < l.highest then 'superseded'
        when c.match_id is not null then 'conflict'
        when l.place = 1 then 'counts'
        else 'duplicate'
    end as verdict,
    l.records,
    l.place = 1 as is_first
from rival as l
left join conflict as c using (match_id)
order by l.file_id, l.line
