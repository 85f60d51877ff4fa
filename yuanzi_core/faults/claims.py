"""What a scorer writes down: true claims, those with a slip of the pen, and where the two differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Raw

from yuanzi_core.amounts import in_points
from yuanzi_core.answers import exact_number
from yuanzi_core.claims import MATCH_LEVEL, canonical_number
from yuanzi_core.faults.draws import Draw
from yuanzi_core.faults.kinds import Fault
from yuanzi_core.faults.truth import Claimed
from yuanzi_core.log import Match
from yuanzi_core.reasons import Discrepancy

#: Claims of a match by deal (``MATCH_LEVEL`` for its own) and field.
Claims = dict[tuple[int, str], Any]

_encoder = msgspec.json.Encoder(decimal_format="number")


@dataclass
class Settled:
    """What the settlement makes of a match: points by seat in ten-thousandths, card points by side.

    ``deals`` has finish, captured and side points of each deal.
    """

    status: str
    outcome: str | None
    winner: int | None
    points: list[int] | None
    totals: list[int] | None
    deals: dict[int, tuple[list[int], list[int], list[int] | None]] = field(default_factory=dict)

    @property
    def scores(self) -> list[int | Decimal] | None:
        """The scores as logs write them."""
        return None if self.points is None else [in_points(points) for points in self.points]

    def claims(self) -> Claims:
        """All that can be claimed of the match."""
        found: Claims = {}
        for deal, values in sorted(self.deals.items()):
            found |= {(deal, name): value for name, value in zip(_OF_DEALS, values, strict=True)}
        found |= {(MATCH_LEVEL, name): getattr(self, name) for name in _OF_MATCH}
        return {key: value for key, value in found.items() if value is not None}


_OF_DEALS = ("finish", "captured", "side_points")
_OF_MATCH = ("outcome", "winner", "scores")
OUTCOME, WINNER, SCORES = ((MATCH_LEVEL, name) for name in _OF_MATCH)


def with_claims(match: Match, claims: Claims) -> Match:
    """A match with these claims in place of its own."""

    def written(deal: int) -> Raw:
        own = {name: value for (of, name), value in claims.items() if of == deal}
        return Raw(_encoder.encode(own)) if own else Raw()

    deals = [msgspec.structs.replace(deal, claimed=written(number)) for number, deal in enumerate(match.deals)]
    return msgspec.structs.replace(match, deals=deals, claimed=written(MATCH_LEVEL))


def differing(true: Claims, claims: Claims) -> list[Claimed]:
    """The claims that do not hold, in the order of listing; what is true of no match is not compared."""
    return [
        Claimed(Discrepancy(f"CLAIM_{name.upper()}"), None if deal == MATCH_LEVEL else deal, claims[deal, name], value)
        for (deal, name), value in true.items()
        if (deal, name) in claims and claims[deal, name] != value
    ]


def _tie_to_wrong_side(true: Settled, claims: Claims, draw: Draw) -> Claims | None:
    """E2: the other side than that of the upper half's upstream player wins a tie."""
    if true.outcome != "normal" or true.winner is None or true.totals is None or true.totals[0] != true.totals[1]:
        return None
    return claims | {WINNER: 1 - true.winner, SCORES: [-score for score in claims[SCORES]]}


def _players_swapped(true: Settled, claims: Claims, draw: Draw) -> Claims | None:
    """The scores of two players written in each other's place."""
    scores = list(claims.get(SCORES, ()))
    pairs = [(a, b) for b in range(len(scores)) for a in range(b) if scores[a] != scores[b]]
    if not pairs:
        return None
    one, other = draw.pick(pairs)
    scores[one], scores[other] = scores[other], scores[one]
    return claims | {SCORES: scores}


def _sign_error(true: Settled, claims: Claims, draw: Draw) -> Claims | None:
    """What a player lost written as won, or the other way round."""
    scores = list(claims.get(SCORES, ()))
    seats = [seat for seat, score in enumerate(scores) if score]
    if not seats:
        return None
    seat = draw.pick(seats)
    scores[seat] = -scores[seat]
    return claims | {SCORES: scores}


def _transposed(number: int | Decimal) -> list[int | Decimal]:
    """The numbers that come of a number when two neighbouring digits change places; a point stays where it is."""
    text = canonical_number(number)
    places = [place for place, letter in enumerate(text) if letter.isdigit()]
    found = []
    for one, other in pairwise(places):
        if text[one] != text[other]:
            letters = list(text)
            letters[one], letters[other] = letters[other], letters[one]
            found.append(exact_number(Decimal("".join(letters))))
    return found


def _digits_transposed(true: Settled, claims: Claims, draw: Draw) -> Claims | None:
    """Two digits of a number changed places: 45 for 54."""
    slips = [
        (key, place, wrong)
        for key, values in claims.items()
        if key[1] in ("captured", "side_points", "scores")
        for place, value in enumerate(values)
        for wrong in _transposed(value)
    ]
    if not slips:
        return None
    key, place, wrong = draw.pick(slips)
    return claims | {key: [*claims[key][:place], wrong, *claims[key][place + 1 :]]}


#: Mistakes that are made with right results: what is then written, ``None`` where the match does not lend itself.
SLIPS: dict[Fault, Callable[[Settled, Claims, Draw], Claims | None]] = {
    Fault.TIE_TO_WRONG_SIDE: _tie_to_wrong_side,
    Fault.PLAYERS_SWAPPED: _players_swapped,
    Fault.SIGN_ERROR: _sign_error,
    Fault.DIGITS_TRANSPOSED: _digits_transposed,
}
