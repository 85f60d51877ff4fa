"""Which record of a match counts."""
