-- The claims of a chunk: deal −1 is the match, place the order of listing, claimed canonical JSON text.
select $file_id as file_id, c.line, c.deal, $codes[c.place + 1] as code, c.place, c.claimed
from claim_columns as c
