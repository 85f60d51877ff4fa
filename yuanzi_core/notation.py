"""Plays and hands as text: the tolerant reader that names what it cannot read, and the fast one for canonical text.

The fast reader (compiled, many texts at a time) takes canonical text only. Whatever it refuses goes to the tolerant
reader, which either gives the canonical text of the same cards or raises :class:`NotationError`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.cards import (
    BIG_JOKER,
    CARD_NUMBER,
    CARDS,
    COUNT_BITS,
    JOKER_SHIFT,
    MOST_OF_A_CARD,
    ODD,
    PASS,
    RANK_SHIFT,
    RANKS,
    SEAT_LETTERS,
    SEAT_SHIFT,
    SMALL_JOKER,
    SUITS,
)
from yuanzi_core.compiled import compiled, inlined, part, wide
from yuanzi_core.deals import HAND_WORDS, JOKER_WORD

_SUIT_NAMES = {
    "♠": "s", "♥": "h", "♣": "c", "♦": "d",
    "黑桃": "s", "红桃": "h", "红心": "h", "梅花": "c", "草花": "c", "方块": "d", "方片": "d",
}  # fmt: skip
_JOKER_NAMES = {"大王": BIG_JOKER, "小王": SMALL_JOKER, "xb": BIG_JOKER, "xs": SMALL_JOKER}
_RANK = r"10|[3-9TJQKA2tjqka]"
_SIGN = "|".join(_SUIT_NAMES)
_JOKER = r"(?P<joker>大王|小王|[Xx][BbSs])"
_SUIT_AFTER = re.compile(rf"{_JOKER}|(?P<rank>{_RANK})(?P<suit>[shcdSHCD]|{_SIGN})")
_SUIT_BEFORE = re.compile(rf"{_JOKER}|(?P<suit>{_SIGN})(?P<rank>{_RANK})")


class NotationError(ValueError):
    """A text that is not cards, a hand or plays. ``place`` is a play's number or None, ``at`` a character's."""

    def __init__(self, text: str, at: int, place: int | None = None) -> None:
        super().__init__(f"cannot read {text[at : at + 12]!r} at character {at + 1}")
        self.found, self.at, self.place = text[at : at + 12], at, place


def read_rank(text: str) -> int:
    """The number of a rank (``10`` and lower case accepted). :raises NotationError: it is none."""
    canonical = "T" if text == "10" else text.upper()
    if len(canonical) != 1 or canonical not in RANKS:
        raise NotationError(text, 0)
    return RANKS.index(canonical)


def _card(match: re.Match[str]) -> int:
    if match["joker"]:
        return _JOKER_NAMES[match["joker"].lower()]
    suit = _SUIT_NAMES.get(match["suit"]) or match["suit"].lower()
    return 4 * read_rank(match["rank"]) + SUITS.index(suit)


def _cards(text: str, form: re.Pattern[str]) -> list[int]:
    at, found = 0, []
    while at < len(text):
        match = form.match(text, at)
        if match is None:
            raise NotationError(text, at)
        found.append(_card(match))
        at = match.end()
    return found


def read_cards(text: str) -> list[int]:
    """Card numbers of a hand or a play in any accepted notation, suits after the rank or before it throughout.

    :raises NotationError: at the first character that neither way can read.
    """
    try:
        return _cards(text, _SUIT_AFTER)
    except NotationError as after:
        try:
            return _cards(text, _SUIT_BEFORE)
        except NotationError as before:
            raise (before if before.at > after.at else after) from None


def read_card(text: str) -> int:
    """The number of one card. :raises NotationError: it is none, or more than one."""
    if text in CARD_NUMBER:
        return CARD_NUMBER[text]
    cards = read_cards(text)
    if len(cards) != 1:
        raise NotationError(text, 0)
    return cards[0]


def canonical_hand(text: str) -> str:
    """A hand in canonical notation. :raises NotationError: it cannot be read."""
    return "".join([CARDS[card] for card in read_cards(text)])


def canonical_plays(text: str, seats: int) -> str:
    """Plays in canonical notation, suits the same way throughout the text.

    :raises NotationError: a play that cannot be read (``place`` is its number), or a seat that the game does not have.
    """
    failed: NotationError | None = None
    for form in (_SUIT_AFTER, _SUIT_BEFORE):
        written = []
        try:
            for place, token in enumerate(text.split()):
                seat, colon, cards = token.partition(":")
                number = SEAT_LETTERS.get(seat, -1) if seats == 4 else -1
                if len(seat) == 1 and seat in "0123456789":
                    number = int(seat)
                if not colon or not 0 <= number < seats:
                    raise NotationError(token, 0, place)
                if not cards:
                    raise NotationError(token, len(token), place)
                if cards != "-":
                    try:
                        cards = "".join([CARDS[card] for card in _cards(cards, form)])
                    except NotationError as error:
                        raise NotationError(token, len(seat) + 1 + error.at, place) from None
                written.append(f"{number}:{cards}")
            return " ".join(written)
        except NotationError as error:
            if failed is None or (error.place or 0, error.at) > (failed.place or 0, failed.at):
                failed = error
    assert failed is not None
    raise failed


def _table(letters: str) -> NDArray[np.uint8]:
    table = np.full(256, 255, dtype=np.uint8)
    for number, letter in enumerate(letters):
        table[ord(letter)] = number
    return table


_RANK_OF = _table(RANKS)
# White space other than spaces is read slowly; as it stands it may not occur in JSON.
_COLON, _DASH, _ZERO, _QUOTE, _SPACE = (ord(letter) for letter in ':-0" ')
_BAD = -1


def _pairs() -> NDArray[np.int8]:
    """The card of each pair of bytes, the second above the first; −1 where they are none."""
    table = np.full(1 << 16, _BAD, dtype=np.int8)
    for text, card in CARD_NUMBER.items():
        table[ord(text[0]) | ord(text[1]) << 8] = card
    return table


_CARD_OF = _pairs()
#: Where the count of each card stands in a code, as the number to add for one more.
_ONE_MORE = np.array(
    [1 << COUNT_BITS * (card & 3) for card in range(SMALL_JOKER)]
    + [1 << JOKER_SHIFT + COUNT_BITS * joker for joker in range(2)],
    dtype=np.int64,
)


@inlined
def card_at(text: Any, at: int, end: int) -> int:
    """The card that stands at a place of canonical text, or −1."""
    return wide(_CARD_OF[wide(text[at]) | wide(text[at + 1]) << 8]) if at + 1 < end else _BAD


@part
def _too_many(text: Any, at: int, end: int) -> bool:
    """Whether some card stands more often in a text of cards than a code can count."""
    for place in range(at, end, 2):
        first, seen = card_at(text, place, end), 0
        for other in range(at, end, 2):
            seen += 1 if card_at(text, other, end) == first else 0
        if seen > MOST_OF_A_CARD:
            return True
    return False


@inlined
def rank_at(text: Any, at: int) -> int:
    """The rank that stands at a place of canonical text, or −1."""
    return int(_RANK_OF[text[at]]) if _RANK_OF[text[at]] != 255 else _BAD


@part
def read_plays_at(text: Any, at: int, end: int, seats: int, plays: Any, found: int, odd: Any, odds: int) -> Any:
    """Read canonical plays into ``plays`` from place ``found`` on, up to ``end`` or a quote.

    Returns the numbers of plays and of odd plays read so far and the place behind them, which is −1 if they are not
    canonical. As many odd plays as ``odd`` has rows for are written there as (play, from, to).
    """
    while at < end:
        letter = text[at]
        if letter == _SPACE:
            at += 1
            continue
        if letter == _QUOTE:
            break
        seat = wide(letter) - _ZERO
        if not 0 <= seat < seats or at + 2 >= end or text[at + 1] != _COLON:
            return found, odds, _BAD
        at += 2
        if text[at] == _DASH:
            at += 1
            plays[found] = seat << SEAT_SHIFT | PASS
        else:
            start, code, rank, ranks = at, 0, 0, 0
            card = card_at(text, at, end)
            while card != _BAD:
                at += 2
                code += _ONE_MORE[card]
                if card < SMALL_JOKER:
                    rank = card >> 2
                    ranks |= 1 << rank
                card = card_at(text, at, end)
            if at == start:
                return found, odds, _BAD
            # Cards of two ranks; or too many of one, for which there must be many cards.
            if ranks & (ranks - 1) != 0 or (at - start > 2 * MOST_OF_A_CARD and _too_many(text, start, at)):
                code = ODD
                if odds < len(odd):
                    odd[odds, 0], odd[odds, 1], odd[odds, 2] = found, start, at
                odds += 1
            else:
                code |= rank << RANK_SHIFT
            plays[found] = seat << SEAT_SHIFT | code
        if at < end and text[at] != _QUOTE and text[at] != _SPACE:
            return found, odds, _BAD
        found += 1
    return found, odds, at


@part
def read_hand_at(text: Any, at: int, end: int, hand: Any) -> int:
    """Read a canonical hand into its words, which are zero before; the place behind its last card."""
    card = card_at(text, at, end)
    while card != _BAD:
        at += 2
        word = card >> 2 if card < SMALL_JOKER else JOKER_WORD
        place = COUNT_BITS * (card & 3 if card < SMALL_JOKER else card - SMALL_JOKER)
        if hand[word] >> place & MOST_OF_A_CARD < MOST_OF_A_CARD:
            hand[word] += 1 << place
        card = card_at(text, at, end)
    return at


@compiled("i8(Array(u1, 1, 'C', readonly=True), i8[::1], i8, u4[::1], i8[::1], b1[::1], i8[:, ::1])")
def _read_plays(text: Any, bounds: Any, seats: int, plays: Any, offsets: Any, bad: Any, odd: Any) -> int:
    """Returns the number of odd plays."""
    found, odds = 0, 0
    for number in range(len(bounds) - 1):
        offsets[number] = found
        found, odds, at = read_plays_at(text, bounds[number], bounds[number + 1], seats, plays, found, odd, odds)
        bad[number] = at != bounds[number + 1]
    offsets[len(bounds) - 1] = found
    return odds


@compiled("void(Array(u1, 1, 'C', readonly=True), i8[::1], u2[:, ::1], b1[::1])")
def _read_hands(text: Any, bounds: Any, hands: Any, bad: Any) -> None:
    for number in range(len(bounds) - 1):
        bad[number] = read_hand_at(text, bounds[number], bounds[number + 1], hands[number]) != bounds[number + 1]


def _joined(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes of texts one behind the other, and where each begins; what is not ASCII becomes a mark nobody reads."""
    joined = "".join(texts)
    if not joined.isascii():
        texts = [text if text.isascii() else "?" for text in texts]
        joined = "".join(texts)
    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)), out=bounds[1:])
    return np.frombuffer(joined.encode("ascii"), dtype=np.uint8), bounds


def read_hands(texts: Sequence[str]) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
    """Hands of texts: words as ``Deals.hands``, uint16 (texts, 14), and which texts are not canonical."""
    text, bounds = _joined(texts)
    hands = np.zeros((len(texts), HAND_WORDS), dtype=np.uint16)
    bad = np.zeros(len(texts), dtype=np.bool_)
    _read_hands(text, bounds, hands, bad)
    return hands, bad


def read_plays(
    texts: Sequence[str], seats: int
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64], NDArray[np.uint8]]:
    """Plays of texts: plays, offsets, which texts are not canonical, odd plays and their counts of cards.

    As in ``Deals``; of a text that is not canonical the plays mean nothing.
    """
    text, bounds = _joined(texts)
    plays = np.zeros(len(text) // 3 + 1, dtype=np.uint32)
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    bad = np.zeros(len(texts), dtype=np.bool_)
    odd = np.zeros((64, 3), dtype=np.int64)
    odds = _read_plays(text, bounds, seats, plays, offsets, bad, odd)
    if odds > len(odd):
        odd = np.zeros((odds, 3), dtype=np.int64)
        bad[:] = False
        _read_plays(text, bounds, seats, plays, offsets, bad, odd)
    counts = np.zeros((odds, len(CARDS)), dtype=np.uint8)
    for row, (_, start, end) in enumerate(odd[:odds]):
        pairs = bytes(text[start:end]).decode("ascii")
        for card in (CARD_NUMBER[pairs[at : at + 2]] for at in range(0, len(pairs), 2)):
            counts[row, card] = min(int(counts[row, card]) + 1, 255)
    return plays[: offsets[-1]], offsets, bad, odd[:odds, 0].copy(), counts
