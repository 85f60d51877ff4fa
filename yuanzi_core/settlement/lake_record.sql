-- The records of the lake from one line to another that were judged: what settling needs of them.
select
    '' as file_id,
    line,
    variant,
    ruleset,
    base,
    balance
from read_parquet($path)
where ruleset is not null and line between $first and $last
