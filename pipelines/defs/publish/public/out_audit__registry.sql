-- out_audit__registry as everybody may see it (G3): nothing of the cells of opening standings, not even of wrong ones.
select * from main.out_audit__registry where not starts_with(coalesce("column", ''), 'opening_')
