-- What comes of each settlement of a match, true or by a scorer's mistake, with scores in whole units. One row a line.
select
    line,
    status,
    outcome,
    winner,
    list_transform(scores, lambda score: cast(score * $scale as bigint)) as scores,
    totals
from settled_match
