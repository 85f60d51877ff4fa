"""Where every player stands and how it came to that: standings, days, sums, levels. Nothing is settled here."""
