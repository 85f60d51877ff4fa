"""How well players play, from the matches that count."""
