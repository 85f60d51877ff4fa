-- Deals of a file with the referee's facts, those of unjudged deals included. Keys: file_id, line, deal.
select * from core_deal order by line, deal
