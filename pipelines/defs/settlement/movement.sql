-- What core_settlement__scores takes in: each settled seat of the matches that count, after the fold.
select file_id, line, seat, capped, score, standing_before from core_ledger__movement
