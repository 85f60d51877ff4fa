-- The results of the matches that count, after the cap. Keys: file_id, line.
select * from settled_match order by file_id, line
