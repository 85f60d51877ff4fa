-- Deals of one game as the referee leaves them: flat columns to lists, numbers to texts, −1 to null.
-- Seats and ranks as in the log; finish in order of going out, the other lists by seat.
select
    $file_id as file_id,
    c.line,
    c.deal,
    $ends[c."end" + 1] as "end",
    case when c."end" = 2 then c.escaped end as escaped,
    case when c.violation > 0 then $violations[c.violation] end as violation,
    case when c.play >= 0 then c.play end as play,
    case when c.knife >= 0 then $ranks[c.knife + 1] end as knife,
    c.leader,
    [c.finish0, c.finish1, c.finish2, c.finish3, c.finish4][:greatest(c."out", 0)] as finish,
    case $seats when 4 then [c.captured0, c.captured1, c.captured2, c.captured3] else [c.captured0, c.captured1, c.captured2, c.captured3, c.captured4] end as captured,
    case $seats when 4 then [c.hand0, c.hand1, c.hand2, c.hand3] else [c.hand0, c.hand1, c.hand2, c.hand3, c.hand4] end as hand,
    case $seats when 4 then [c.cards0, c.cards1, c.cards2, c.cards3] else [c.cards0, c.cards1, c.cards2, c.cards3, c.cards4] end as cards,
    case $seats when 4 then [c.side0, c.side1, c.side2, c.side3] else [c.side0, c.side1, c.side2, c.side3, c.side4] end as side,
    c.tricks,
    c.atoms,
    c.open_points,
    case
        when c.revealed1 >= 0 then [[c.revealed0, c.revealed_play0], [c.revealed1, c.revealed_play1]]
        when c.revealed0 >= 0 then [[c.revealed0, c.revealed_play0]]
        else []
    end as revealed,
    c.violation >= 0 as judged
from deal_columns as c
