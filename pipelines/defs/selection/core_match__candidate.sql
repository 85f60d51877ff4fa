-- One row a record that can be read: what choosing among records and the ledger look at. Keys: file_id, line.
-- Amounts in whole units for the fold, by seat; scores is null where a match moves no points, capped where F6 has no say.
select
    r.file_id,
    r.line,
    r.match_id,
    r.revision,
    r.record_hash,
    r.variant,
    r.played_at,
    r.club,
    s.status,
    s.winner,
    coalesce(s.outcome = 'escape', false) as is_escape,
    r.player_ids,
    list_transform(r.balance, lambda held: cast(cast(held as decimal(38, 4)) * $scale as bigint)) as balance,
    case
        when s.status = 'settled'
            then list_transform(s.scores_before_cap, lambda score: cast(cast(score as decimal(38, 4)) * $scale as bigint))
    end as scores,
    case when s.status = 'settled' and s.has_cap then s.capped end as capped
from core_record as r
join core_settlement__match as s using (file_id, line)
where r.status <> 'rejected'
order by r.file_id, r.line
