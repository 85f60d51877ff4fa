"""Claims: what the table or the platform recorded, as rows that can be compared with the recomputation.

A claim never enters a computation (H1). Each becomes one row with its canonical JSON text; ``settlement`` writes the
recomputed values in the same form, and where the texts differ there is a discrepancy. A claim of the wrong type or
size is a note, never a reject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import Struct

from yuanzi_core.cards import SEAT_LETTERS
from yuanzi_core.log import Match, NoteRow, Problem, parse
from yuanzi_core.reasons import Discrepancy, Note

MATCH_LEVEL = -1
_ORDER = {code: place for place, code in enumerate(Discrepancy)}


class Claim(Struct):
    """One claim: ``deal`` (−1 for the match), the discrepancy it would be, its canonical JSON text."""

    deal: int
    code: Discrepancy
    text: str

    @property
    def order(self) -> int:
        """Discrepancies of a deal, or of the match, are listed in this order."""
        return _ORDER[self.code]


def canonical_number(value: int | Decimal) -> str:
    """Exact JSON text of a number: integers without a point, no trailing zeros, no exponent.

    >>> canonical_number(Decimal("-19.50"))
    '-19.5'
    """
    text = f"{value:f}" if isinstance(value, Decimal) else str(value)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def canonical_numbers(values: Iterable[int | Decimal]) -> str:
    """Exact JSON text of a list of numbers.

    >>> canonical_numbers([2, Decimal("-19.50")])
    '[2,-19.5]'
    """
    return f"[{','.join(map(canonical_number, values))}]"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    # A number of more digits than any standing has cannot be written out and is of no use to anybody.
    return _is_whole(value) or (isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < 40)


def _numbers(value: object, sizes: range, fits: Callable[[object], bool]) -> str | None:
    if not isinstance(value, list) or len(value) not in sizes or not all(fits(item) for item in value):
        return None
    return canonical_numbers(value)


def _seats(value: object, seats: int) -> str | None:
    if seats == 4 and isinstance(value, list):
        value = [SEAT_LETTERS.get(item, item) if isinstance(item, str) else item for item in value]
    return _numbers(value, range(seats + 1), _is_whole)


_DEAL_CLAIMS: dict[str, tuple[Discrepancy, Callable[[object, int], str | None]]] = {
    "finish": (Discrepancy.CLAIM_FINISH, _seats),
    "captured": (Discrepancy.CLAIM_CAPTURED, lambda v, n: _numbers(v, range(n, n + 1), _is_whole)),
    "side_points": (Discrepancy.CLAIM_SIDE_POINTS, lambda v, n: _numbers(v, range(2, 3), _is_whole)),
}
_MATCH_CLAIMS: dict[str, tuple[Discrepancy, Callable[[object, int], str | None]]] = {
    "outcome": (
        Discrepancy.CLAIM_OUTCOME,
        lambda v, n: msgspec.json.encode(v).decode() if isinstance(v, str) else None,
    ),
    "winner": (Discrepancy.CLAIM_WINNER, lambda v, n: str(v) if _is_whole(v) else None),
    "scores": (Discrepancy.CLAIM_SCORES, lambda v, n: _numbers(v, range(n, n + 1), _is_number)),
}


def _read(
    raw: bytes, path: str, known: dict[str, tuple[Discrepancy, Callable[[object, int], str | None]]], seats: int
) -> Iterator[tuple[Discrepancy, str] | NoteRow]:
    parsed: Any = parse(raw)
    if parsed is None:
        return
    if not isinstance(parsed, dict):
        yield NoteRow(Note.CLAIM_UNREADABLE, path=path)
        return
    for name, (code, write) in known.items():
        if parsed.get(name) is not None:
            text = write(parsed[name], seats)
            yield (code, text) if text is not None else NoteRow(Note.CLAIM_UNREADABLE, path=f"{path}.{name}")
    if unknown := len(parsed.keys() - known.keys()):
        yield NoteRow(Note.UNKNOWN_FIELDS, count=unknown)


def read_claims(match: Match) -> tuple[list[Claim], list[NoteRow]]:
    """The claims of a match, deal by deal and then the match's own, and the notes about those that cannot be read.

    :raises Problem: JSON, where the raw text of a claim is not JSON (bytes that are not UTF-8).
    """
    if not match.claimed and not any(deal.claimed for deal in match.deals):
        return [], []
    claims: list[Claim] = []
    notes: list[NoteRow] = []
    seats = len(match.players)
    holders = [
        (number, deal.claimed, f"deals[{number}].claimed", _DEAL_CLAIMS) for number, deal in enumerate(match.deals)
    ]
    for number, raw, path, known in [*holders, (MATCH_LEVEL, match.claimed, "claimed", _MATCH_CLAIMS)]:
        if not raw:
            continue
        for found in _read(bytes(raw), path, known, seats):
            if isinstance(found, NoteRow):
                notes.append(found)
            else:
                claims.append(Claim(number, *found))
    return claims, notes


__all__ = ["MATCH_LEVEL", "Claim", "Problem", "canonical_number", "canonical_numbers", "read_claims"]
