"""How card points moved at the end of a deal (D1–D3), read from the settled deal: who gave how many to whom.

A difference of two settled figures is taken here, a rule never; words and pictures of a settlement are made from it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from yuanzi_core.cards import Variant

Row = dict[str, Any]


class Transfer(NamedTuple):
    """Card points from some seats to a seat, or to a side as a whole. ``unplayed``: they were in the hands."""

    unplayed: bool
    sources: tuple[int, ...]
    points: int
    seat: int | None
    side: int | None
    clause: str


def hand_clause(variant: Variant, row: Row) -> str:
    """The clause that moves the points of a deal, a row of ``core_settlement__deal``."""
    return "D3" if variant == "five" else "D1" if len(row["holders"]) == 1 else "D2"


def given_to_side(row: Row, side: int) -> int:
    """What a side got as a whole (D2, D3): its points less those of its players (D0)."""
    own = sum(points for points, its in zip(row["points"], row["sides"], strict=True) if its == side)
    return int(row["side_points"][side] - own)


def transfers(variant: Variant, row: Row) -> list[Transfer]:
    """All transfers of a finished deal: hands first, then what downstream players captured, nothing included."""
    clause, holders = hand_clause(variant, row), tuple(row["holders"])
    found = []
    for seat, after in enumerate(row["points"]):
        kept = 0 if seat in row["downstream_players"] else row["captured"][seat]
        gained = after - kept - (row["handed_over"] if seat == row["upstream"] else 0)
        if gained:
            found.append(Transfer(True, holders, gained, seat, None, clause))
    for side in range(2):
        if given := given_to_side(row, side):
            # In the five-player game only the other side's hands come here (D3), in the other game both hands (D2).
            sources = tuple(seat for seat in holders if variant == "four" or row["sides"][seat] != side)
            found.append(Transfer(True, sources, given, None, side, clause))
    for seat in row["downstream_players"]:
        found.append(Transfer(False, (seat,), row["captured"][seat], row["upstream"], None, clause))
    return found
