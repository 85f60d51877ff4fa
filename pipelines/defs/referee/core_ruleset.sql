-- Constants and options in force in a file, by hash. Keys: file_id, ruleset.
select
    $file_id as file_id,
    o.*
from ruleset as o
where list_contains(cast($used as varchar[]), o.ruleset)
order by o.ruleset
