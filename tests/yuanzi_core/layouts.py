"""Two layouts of the cards in which a deal is over in a dozen tricks, and some ways to play them.

Most hands are whole ranks, so that one bomb takes them: the card points of a deal can be added up at a glance. The
shorthand is that of ``tables``.
"""

from __future__ import annotations

import re
from typing import Any

from tests.yuanzi_core.tables import Deal, Match, deal, match

#: Four players, knife 4. Seat 0 draws first (pip 4 mod 4 = 0) and leads. Points: seat 0 has K 120, seat 1 has 5 60,
#: seat 3 has T 120.
FOUR = ("4*A*K* 9d9d9d9c9c", "6*5*3* 9c9h9h9h9s", "2*Q*J* 9s9sXBXB", "T*7*8* XBXSXSXS")

#: Seat 0 goes out with four bombs and takes 120. Four tricks.
FOUR_0_OUT = "0:4* . 0:A* . 0:K* . 0:9d9d9d9c9c ."
#: Then seat 3, which takes 120, and seat 2; seat 1 is left with 6*, having taken its own 5s. 4 + 1 + 1 + 3 + 1 + 3 = 13
#: tricks; captured 120, 60, 0, 120. D1: the 60 go to seat 0: side 0 has 180, side 1 has 120.
FOUR_THREE_OUT = (
    f"{FOUR_0_OUT} 1:5* . 1:3* 2:- 3:7* . 3:T* . 3:8* . 3:XBXSXSXS . 1:9c9h9h9h9s 2:2* . 2:Q* . 2:J* . 2:9s9sXBXB"
)
#: Or seat 2 follows seat 0 out (double out); seat 1 has taken its own 5s, 60; seat 3 holds T 120. Nine tricks.
FOUR_DOUBLE_OUT = f"{FOUR_0_OUT} 1:5* . 1:3* 2:2* . 2:Q* . 2:J* . 2:9s9sXBXB"

#: Or seats 1 and 3 follow, and seat 2 is left without a point: captured 120, 60, 0, 120. Side 0 has 120, side 1 180.
FOUR_2_LEFT = (
    f"{FOUR_0_OUT} 1:5* . 1:3* . 1:6* . 1:9c9h9h9h9s . 2:XB 3:Td . 3:2xTd3xTc3xTh3xTs . 3:7* . 3:8* . 3:XBXSXSXS"
)

#: Another layout for four, in which side 0 has no points: seat 1 has 5 60, seat 3 has T and K, 240.
POOR = ("4*A*8* 9d9d9d9c9c", "6*5*3* 9c9h9h9h9s", "2*Q*J* 9s9sXBXB", "T*K*7* XBXSXSXS")
POOR_0_OUT = "0:4* . 0:A* . 0:8* . 0:9d9d9d9c9c ."
#: Seat 1 is left, and its 60 go to seat 0: 60 against 240.
POOR_1_LEFT = (
    f"{POOR_0_OUT} 1:5* . 1:3* 2:- 3:7* . 3:T* . 3:K* . 3:XBXSXSXS . 1:9c9h9h9h9s 2:2* . 2:Q* . 2:J* . 2:9s9sXBXB"
)
#: Seat 2 is left: 0 against 300.
POOR_2_LEFT = (
    f"{POOR_0_OUT} 1:5* . 1:3* . 1:6* . 1:9c9h9h9h9s . 2:XB 3:Td . 3:2xTd3xTc3xTh3xTs . 3:K* . 3:7* . 3:XBXSXSXS"
)

#: Five players, knife 4, seat 0 the dealer. Points: seat 0 has K 200, seat 2 has T 200 and one 5, seat 4 has the other
#: nineteen 5s, 95.
FIVE = (
    "K*A* 5x4d5x4c4xXB",
    "Q*J* 5x4h5x4s XB3xXS",
    "T*9* 5x2d5x2c3x2h 5d",
    "8*7* 2h5x2s 5x3d3x3c",
    "6* 4x5d5x5c5x5h5x5s 2x3c5x3h5x3s 2xXS 2h",
)
#: What makes seat 1, or seat 2, the dealer's only partner: sides 0 0 1 1 1, or 0 1 0 1 1.
SEAT_1, SEAT_2 = "Qd", "Td"
#: Seat 0 goes out in five tricks, of which three are atoms (two 5-atoms, a 4-atom of jokers by which it goes out).
FIVE_0_OUT = "0:K* . 0:A* . 0:5x4c . 0:5x4d . 0:4xXB ."
#: Seat 1 follows from a lead of its own; two of its five plays are 5-atoms.
FIVE_1_OUT = "1:Q* . 1:J* . 1:5x4h . 1:5x4s . 1:XBXSXSXS"


def four(plays: str, **fields: Any) -> Deal:
    """A half of the layout for four."""
    return deal("four", FOUR, plays, **fields)


def turned(plays: str, hands: tuple[str, ...] = FOUR) -> Deal:
    """A half in which seat 1 has the part of seat 0, and so on round the table. The knife is A, pip 1."""
    moved = re.sub(r"(\d):", lambda found: f"{(int(found[1]) + 1) % 4}:", plays)
    return deal("four", hands[-1:] + hands[:-1], moved, drawn="Ad", first=1, leader=1)


def five(plays: str, called: str = SEAT_1, **fields: Any) -> Deal:
    """A deal of the layout for five."""
    return deal("five", FIVE, plays, called=called, **fields)


def four_match(plays: str, lower: str | None = None, *, fields: dict[str, Any] | None = None, **rules: Any) -> Match:
    """A match of the layout for four: an upper half and, if given, a lower one; options by name."""
    halves = [four(plays)] if lower is None else [four(plays), four(lower)]
    return match("four", *halves, rules=rules, **fields or {})


def atomic(made: Deal, *, balances: list[Any] | None = None, base: Any = None, **rules: Any) -> Match:
    """A match at an atom-doubling table."""
    players = [{"id": f"p{seat}"} | ({} if balances is None else {"balance": balances[seat]}) for seat in range(5)]
    return match("five", made, ruleset="five-atomic", rules=rules, players=players, base=base)
