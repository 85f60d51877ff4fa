-- What each hand of a settled record held, and how its deal was played. Keys: file_id, line, deal.
select * from walked order by file_id, line, deal
