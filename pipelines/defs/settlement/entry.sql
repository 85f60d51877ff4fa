-- One row a player of each match that counts, in ledger order (F6: played_at as an instant, match_id), then by seat.
-- Amounts in whole units for the fold; score is null where a match moves no points.
with
counting as (
    select
        m.match_id,
        r.file_id,
        r.line,
        r.variant,
        r.played_at,
        r.player_ids,
        r.balance,
        s.scores_before_cap as scores,
        s.status = 'settled' as settled,
        s.has_cap,
        s.capped
    from core_match as m
    join core_record as r using (file_id, line)
    join core_settlement__match as s using (file_id, line)
),
seats as (
    select
        match_id, file_id, line, variant, played_at, settled,
        unnest(range(len(player_ids))) as seat,
        unnest(player_ids) as player_id,
        unnest(list_transform(balance, lambda held: cast(cast(held as decimal(38, 4)) * $scale as bigint))) as balance,
        unnest(
            case when settled then list_transform(scores, lambda score: cast(cast(score as decimal(38, 4)) * $scale as bigint))
            else list_transform(player_ids, lambda player: null) end
        ) as score,
        unnest(case when settled and has_cap then capped else list_transform(player_ids, lambda player: false) end) as capped
    from counting
)
select
    row_number() over (order by played_at, match_id, seat) - 1 as place,
    dense_rank() over (order by variant, player_id) - 1 as player,
    *
from seats
order by place
