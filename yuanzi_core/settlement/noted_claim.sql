-- F7: the lines of claims that a checker would only note. One row a line.
select distinct line
from discrepancy
where is_note
