-- The clubs of the registry. Key: club. ruleset and base are those of sheets that name none.
select club, name_en, name_zh, zone, ruleset, base from registered_club order by club
