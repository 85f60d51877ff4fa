"""Why a match is not rated. What it says of a player's skill would be nothing, or nothing that can be told."""

from __future__ import annotations

from collections.abc import Sequence

from yuanzi_core.reasons import Reason


class Unrated(Reason):
    """Why a match that counts is not rated, in the order of asking; the clauses say what has happened."""

    VIOLATION = "VIOLATION", "H1"
    UNFINISHED = "UNFINISHED", "E4"
    ESCAPE = "ESCAPE", "E3", "F7"
    TWO_SEATS = "TWO_SEATS", "A1"

    @property
    def key(self) -> str:
        """Where its texts stand: ``.name`` and ``.text``."""
        return f"ratings.unrated.{self.value}"


def why_unrated(status: str, outcome: str | None, players: Sequence[str]) -> Unrated | None:
    """Why a match is not rated; None if it is.

    ``status`` and ``outcome`` as in ``out_matches``; ``players`` are the players of its seats, an alias being its
    player.
    """
    if status == "violation":
        return Unrated.VIOLATION
    if status == "unfinished":
        return Unrated.UNFINISHED
    if outcome == "escape":
        return Unrated.ESCAPE
    if len(set(players)) < len(players):
        return Unrated.TWO_SEATS
    return None
