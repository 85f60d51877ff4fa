-- What is wrong in the registries, file by file and row by row; then the merges that a match contradicts (match_id).
-- row is the row of players.csv (the headings are row 1) or the line of clubs.toml; entry the player's id or the club's key.
select file, "row", "column", code, entry, match_id, message_en, message_zh from registry_problem order by place
