-- F6: one row a movement of the players whom a cap may concern, in ledger order, in whole units, for the fold: of a chosen
-- match what it comes to now, of another what it came to. A match without a result moves nothing.
-- opening: the standing before the first of them.
with
seats as (
    select
        r.file_id,
        r.line,
        r.has_cap,
        unnest(range(len(r.sides))) as seat,
        unnest(r.scores_before_cap) as score,
        unnest(coalesce(r.capped, list_transform(r.sides, lambda side: false))) as capped,
        unnest(coalesce(m.balance, list_transform(r.sides, lambda side: null))) as balance
    from (select s.*, m.sides from resettled as s join facts_matches as m using (file_id, line)) as r
    join facts_matches as m using (file_id, line)
    where r.scores_before_cap is not null
)
select
    dense_rank() over (order by l.player_id) - 1 as player,
    l.file_id,
    l.line,
    l.seat,
    cast(coalesce(s.score, l.score) * $scale as bigint) as score,
    coalesce(s.capped, false) as capped,
    case when s.balance is null then $unknown else cast(cast(s.balance as decimal(38, 4)) * $scale as bigint) end as balance,
    case
        when l.opening_known then
            cast(
                cast(
                    first_value(l.ledger_before) over (partition by l.player_id order by l.played_at, l.match_id, l.seat)
                    as decimal(38, 4)
                ) * $scale
                as bigint
            )
        else $unknown
    end as opening
from facts_movements as l
left join seats as s using (file_id, line, seat)
where s.file_id is not null or (l.file_id, l.line) not in (select (file_id, line) from facts_matches)
order by player, l.played_at, l.match_id, l.seat
