-- Constants and options in force in a file, by hash. Keys: file_id, ruleset.
select
    $file_id as file_id,
    o.*
from ruleset as o
order by o.ruleset
