"""What the rules do: results by seat, role, hand and kind of combination, in sums by club evening."""
