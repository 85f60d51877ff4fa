-- One row a player and settled match, in ledger order. Keys: game, player_id, match_id.
-- score_before_cap and score are what the match moved. standing_before is what F6 looks at: the log's balance, else the
-- ledger's standing, null where neither is known. ledger_before and ledger_after are the ledger's own: the opening
-- standing (0 where it is not known: opening_known) and the sum of the scores since.
with
folded as (
    select
        e.*,
        f.change,
        f.before,
        o.opening,
        cast(coalesce(o.opening, 0) + sum(f.change) over (partition by e.player order by e.place) as bigint) as after
    from entry as e
    join fold_columns as f using (place)
    join opening as o using (player)
    where e.settled
)
select
    variant as game,
    player_id,
    match_id,
    played_at,
    file_id,
    line,
    seat,
    capped,
    cast(score * cast($unit as decimal(4, 4)) as decimal(18, 4)) as score_before_cap,
    cast(change * cast($unit as decimal(4, 4)) as decimal(18, 4)) as score,
    case when before <> $unknown then cast(before * cast($unit as decimal(4, 4)) as decimal(18, 4)) end as standing_before,
    cast((after - change) * cast($unit as decimal(4, 4)) as decimal(18, 4)) as ledger_before,
    cast(after * cast($unit as decimal(4, 4)) as decimal(18, 4)) as ledger_after,
    opening is not null as opening_known
from folded
order by place
