-- One row a match that counts, in ledger order (F6: played_at as an instant, match_id). Lists by seat, amounts in
-- whole units, player_ids as logged.
select c.file_id, c.line, c.variant, c.club, c.status, c.player_ids, c.balance, c.scores, c.capped
from core_match__candidate as c
join raw_file as f using (file_id)
left join core_match__contested as x using (file_id, line)
where f.withdrawn_at is null and (x.verdict is null or x.verdict = 'counts')
order by c.played_at, c.match_id
