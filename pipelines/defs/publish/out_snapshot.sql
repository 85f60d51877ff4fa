-- What a snapshot is: one row.
select
    $name as name,
    $engine as engine,
    (select count(*) from out_matches) as matches,
    (select count(*) from raw_file) as files
