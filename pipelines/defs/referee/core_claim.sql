-- Claims of a file. Keys: file_id, line, deal (-1: the match), code. place is the order of listing.
select
    file_id,
    line,
    cast(deal as integer) as deal,
    code,
    cast(place as integer) as place,
    -- Without any claim in sight the column would have no type.
    cast(claimed as varchar) as claimed
from core_claim
order by line, deal, place
