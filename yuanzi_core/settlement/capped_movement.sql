-- F6: one row a seat of each match that has a cap, with the amounts in whole units for the fold.
select
    m.file_id,
    m.line,
    unnest(range(len(m.capped))) as seat,
    unnest(m.capped) as capped,
    unnest(list_transform(m.scores_before_cap, lambda score: cast(score * $scale as bigint))) as score,
    unnest(
        list_transform(
            range(len(m.capped)),
            -- Widened first: a balance of eleven digits times the scale is more than decimal(18, 4) holds.
            lambda seat: coalesce(cast(cast(r.balance[seat + 1] as decimal(38, 4)) * $scale as bigint), $unknown)
        )
    ) as balance
from core_settlement__match as m
join core_record as r using (file_id, line)
where m.has_cap
