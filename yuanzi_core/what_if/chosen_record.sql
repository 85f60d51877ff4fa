-- What settling needs of the chosen records. One row a record. Keys: file_id, line.
select m.file_id, m.line, m.variant, m.ruleset_hash as ruleset, m.base, m.balance
from facts_matches as m
where not $upper_halves or (m.file_id, m.line) in (select (file_id, line) from surplus)
