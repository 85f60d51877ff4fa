-- What is in force anywhere, by hash: what discrepancy looks the bounds of F7 up in. Key: ruleset.
select distinct * exclude (file_id) from core_ruleset
