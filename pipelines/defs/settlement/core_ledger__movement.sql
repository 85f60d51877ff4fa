-- One row a player and settled match, in ledger order. Keys: game, player_id, match_id, seat: where a match contradicts a
-- merge, a player has several seats in it, which then count one after the other. logged_id is the id in the log.
-- score_before_cap and score are what the match moved. standing_before is what F6 looks at: the log's balance, else the
-- ledger's standing, null where neither is known. ledger_before and ledger_after are the ledger's own: the opening
-- standing (0 where it is not known: opening_known) and the sum of the scores since.
select
    c.variant as game,
    e.player_id,
    e.logged_id,
    c.match_id,
    c.played_at,
    c.file_id,
    c.line,
    e.seat,
    e.capped,
    cast(e.score * cast($unit as decimal(4, 4)) as decimal(18, 4)) as score_before_cap,
    cast(e.change * cast($unit as decimal(4, 4)) as decimal(18, 4)) as score,
    case when e.before <> $unknown then cast(e.before * cast($unit as decimal(4, 4)) as decimal(18, 4)) end
        as standing_before,
    cast((e.after - e.change) * cast($unit as decimal(4, 4)) as decimal(18, 4)) as ledger_before,
    cast(e.after * cast($unit as decimal(4, 4)) as decimal(18, 4)) as ledger_after,
    e.opening_known
from folded as e
join core_match__candidate as c using (file_id, line)
order by c.played_at, c.match_id, e.seat
