-- Deals of the lake as the referee takes them: numbers as in deals.HEAD, −1 for null. In order of line and deal.
select
    line,
    deal,
    drawn,
    knife_claimed,
    first_draw,
    dealer,
    called,
    leader,
    list_position($ends, "end") - 1 as "end",
    coalesce(escaped, -1) as escaped,
    hands,
    plays,
    odd_plays,
    odd_cards
from read_parquet($path)
