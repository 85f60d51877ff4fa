-- Results of a file's records, before the cap. Keys: file_id, line.
select * from core_settlement__match order by line
