"""The same matches as other people write them: what readers accept and writers never produce."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.samples.dealt import Deal, cards_of, five, four
from tests.samples.evening import TONGXIANG, Evening, Standings, encode

BOM = b"\xef\xbb\xbf"
_SIGNS = dict(zip("shcd", "♠♥♣♦", strict=True))
_NAMES = dict(zip("shcd", ("黑桃", "红桃", "梅花", "方块"), strict=True))
_OTHER_NAMES = dict(zip("shcd", ("黑桃", "红心", "草花", "方片"), strict=True))
_JOKERS = {"XB": "大王", "XS": "小王"}
_SEATS = "NESW"


def _sign(card: str) -> str:
    return card if card in _JOKERS else card[0].replace("T", "10") + _SIGNS[card[1]]


def _name(card: str) -> str:
    return _JOKERS.get(card, _NAMES.get(card[1], "") + card[0].replace("T", "10"))


def _other_name(card: str) -> str:
    return _JOKERS.get(card, _OTHER_NAMES.get(card[1], "") + card[0])


def _swapped(card: str) -> str:
    return card.swapcase()


def _written(deal: Deal, card: Callable[[str], str], letters: bool = False) -> Deal:
    """A deal with its cards written another way and, in the game for four, its seats as letters."""

    def text(cards: str) -> str:
        return "".join(card(one) for one in cards_of(cards))

    def seat(number: Any) -> Any:
        return _SEATS[int(number)] if letters else number

    plays = [(play[0], play[2:]) for play in deal["plays"].split()]
    made = deal | {
        "drawn": card(deal["drawn"]),
        "leader": seat(deal["leader"]),
        "hands": [text(hand) for hand in deal["hands"]],
        "plays": " ".join(f"{seat(who)}:{cards if cards == '-' else text(cards)}" for who, cards in plays),
    }
    if "called" in deal:
        made["called"] = card(deal["called"])
    if "first_draw" in deal:
        made["first_draw"] = seat(deal["first_draw"])
    if letters and "claimed" in deal:
        made["claimed"] = deal["claimed"] | {"finish": [seat(who) for who in deal["claimed"]["finish"]]}
    return made


def notation(standings: Standings) -> Iterator[bytes]:
    """An evening at Tongxiang, typed by several hands."""
    table = Evening(TONGXIANG, "2026-03-21", "four-classic", table=1)
    match = table.match(four(11))
    yield BOM + encode(match | {"deals": [_written(deal, _sign, letters=True) for deal in match["deals"]]})
    match = table.match(four(40))
    yield encode(match | {"deals": [_written(deal, _name) for deal in match["deals"]]})
    match = table.match(four(36), claims="scores")
    yield encode(match | {"deals": [_written(deal, _other_name, letters=True) for deal in match["deals"]]})
    table = Evening(TONGXIANG, "2026-03-21", "five-atomic", table=2, standings=standings, begins="20:30")
    match = table.match(five(696), claims="scores")
    yield encode(match | {"deals": [_written(deal, _swapped) for deal in match["deals"]]})
    match = table.match(five(847), claims="scores")
    (deal,) = match["deals"]
    line = encode(match | {"remark": "雨，少一桌", "source": None, "deals": [deal | {"tea": 3, "first_draw": 2}]})
    # Of a key given twice the last counts.
    yield line.replace(b'"table":', b'"table":"3","table":')
