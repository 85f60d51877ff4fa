-- What each settlement of a match says of its deals. One row a line and deal.
select line, deal, finish, captured, side_points
from core_settlement__deal
order by line, deal
