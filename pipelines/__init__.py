"""How data moves: the `yuanzi` command, the warehouse and the Dagster definitions. No rule of the game stands here."""
