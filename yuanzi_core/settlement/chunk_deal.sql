-- Deals as the referee leaves them, or as a score sheet gives them: flat columns to lists, numbers to texts,
-- −1 to null. A sheet does not know knife, leader, the cards of those who still hold some, and who was revealed.
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
    case when c.leader >= 0 then c.leader end as leader,
    [c.finish0, c.finish1, c.finish2, c.finish3, c.finish4][:greatest(c."out", 0)] as finish,
    case when c.four
        then [c.captured0, c.captured1, c.captured2, c.captured3]
        else [c.captured0, c.captured1, c.captured2, c.captured3, c.captured4]
    end as captured,
    case when c.four
        then [c.hand0, c.hand1, c.hand2, c.hand3]
        else [c.hand0, c.hand1, c.hand2, c.hand3, c.hand4]
    end as hand,
    case when c.four
        then [nullif(c.cards0, -1), nullif(c.cards1, -1), nullif(c.cards2, -1), nullif(c.cards3, -1)]
        else [nullif(c.cards0, -1), nullif(c.cards1, -1), nullif(c.cards2, -1), nullif(c.cards3, -1), nullif(c.cards4, -1)]
    end as cards,
    case when c.four
        then [c.side0, c.side1, c.side2, c.side3]
        else [c.side0, c.side1, c.side2, c.side3, c.side4]
    end as side,
    case when c.tricks >= 0 then c.tricks end as tricks,
    case when c.atoms >= 0 then c.atoms end as atoms,
    c.open_points,
    case
        when c.leader < 0 then null
        when c.revealed1 >= 0 then [[c.revealed0, c.revealed_play0], [c.revealed1, c.revealed_play1]]
        when c.revealed0 >= 0 then [[c.revealed0, c.revealed_play0]]
        else []
    end as revealed,
    c.violation >= 0 as judged
from deal_columns as c
