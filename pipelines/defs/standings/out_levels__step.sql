-- The ladder (G1, G2). Key: level. floor: the points at which the level begins, null for level 0, which has no lower end;
-- a level ends where the next one begins, and the last one never.
select level, floor, name_en, name_zh from ladder order by level
