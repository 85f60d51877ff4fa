"""One line of a log as a row of a Parquet log (``parquet_log.parquet_schema``), and what such a row cannot carry.

The texts stay as they stand in the line, notation and times too, so that the row read back is equal to the line as
parsed JSON, but for what is noted here.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec

from yuanzi_core.cards import SEAT_LETTERS
from yuanzi_core.claims import canonical_number
from yuanzi_core.log import Deal, Match, Player, parse

#: Told of each thing that a row cannot carry: its kind (a key of the texts ``convert.lost``) and its path.
Lose = Callable[[str, str], None]

_JSON, _NUMBERS, _SEATS = ("rules", "claimed"), ("base", "balance"), ("first_draw", "dealer", "leader", "escaped")
#: A field of the other game is not used, and so may be anything; these are carried where they are what they should be.
_UNUSED = {"four": ("dealer", "called"), "five": ("first_draw",)}
#: The numbers that a column of seats holds (int8).
_SEAT_RANGE = range(-128, 128)
_encoder = msgspec.json.Encoder(decimal_format="number")


def parquet_row(line: bytes, lose: Lose) -> dict[str, Any]:
    """The row of a line that can be read as a match: a value a field, ``rules`` and ``claimed`` as JSON texts.

    :raises log.Problem: it is not JSON all through.
    """
    match: Any = parse(line)
    unused = _UNUSED[match["variant"]]
    row = _fields(match, Match, "", lose)
    row["players"] = [_fields(player, Player, "players[].", lose) for player in match["players"]]
    row["deals"] = [_fields(deal, Deal, "deals[].", lose, unused) for deal in match["deals"]]
    return row


def _fields(
    holder: dict[str, Any], struct: type[msgspec.Struct], path: str, lose: Lose, unused: tuple[str, ...] = ()
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in holder.items():
        if name not in struct.__struct_fields__:
            lose("unknown_field", f"{path}{name}")
        elif value is None:
            lose("null", f"{path}{name}")
        elif name in _JSON:
            row[name] = _encoder.encode(value).decode()
        elif name in _NUMBERS:
            row[name] = Decimal(canonical_number(value))
        elif name in unused and not _usable(name, value):
            lose("other_game", f"{path}{name}")
        elif name in _SEATS and isinstance(value, str):
            lose("seat_letter", f"{path}{name}")
            row[name] = SEAT_LETTERS[value]
        else:
            row[name] = value
    return row


def _usable(name: str, value: object) -> bool:
    if name == "called":
        return isinstance(value, str)
    return isinstance(value, int) and not isinstance(value, bool) and value in _SEAT_RANGE
