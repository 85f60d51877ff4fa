"""Canonical notation of whole deals: hands by card number, plays spades first and jokers last, one space between.

Text is made in compiled code, many deals at a time: of a batch of deals, or of matches that were read from elsewhere.
What comes out the readers give back as the same batch; files are written in ``writer``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, cast

import msgspec
import numpy as np
from msgspec import Raw
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.cards import (
    CARDS,
    COUNT_BITS,
    JOKER_SHIFT,
    MOST_OF_A_CARD,
    ODD,
    PASS,
    RANK_SHIFT,
    RANKS,
    SEAT_SHIFT,
    SMALL_JOKER,
    VARIANTS,
    write_cards,
)
from yuanzi_core.compiled import compiled, inlined
from yuanzi_core.deals import ENDS, Deals
from yuanzi_core.log import Deal, Match
from yuanzi_core.notation import canonical_plays, read_card, read_cards, read_hands, read_plays, read_rank

_CARD_TEXT = np.array([[ord(letter) for letter in card] for card in CARDS], dtype=np.uint8)
_COLON, _DASH, _SPACE, _ZERO = (ord(letter) for letter in ":- 0")
_FIELDS_OF_A_CODE = 6


@inlined
def _write_copies(text: Any, at: int, card: int, copies: int) -> int:
    for _ in range(copies):
        text[at], text[at + 1] = _CARD_TEXT[card, 0], _CARD_TEXT[card, 1]
        at += 2
    return at


@compiled("void(u4[::1], i8[::1], u1[:, ::1], i8[::1])")
def _measure_plays(plays: Any, offsets: Any, odd_cards: Any, bounds: Any) -> None:
    """Where the text of each deal's plays will begin, one space between two plays."""
    odd = 0
    for deal in range(len(offsets) - 1):
        length = 0
        for place in range(offsets[deal], offsets[deal + 1]):
            code: Any = np.int64(plays[place]) & ODD
            cards = 0
            if code == ODD:
                for card in range(odd_cards.shape[1]):
                    cards += odd_cards[odd, card]
                odd += 1
            else:
                for field in range(_FIELDS_OF_A_CODE):
                    cards += code >> COUNT_BITS * field & MOST_OF_A_CARD
            length += 3 + (1 if code == PASS else 2 * cards)
        # The last play has no space behind it.
        bounds[deal + 1] = bounds[deal] + max(length - 1, 0)


@compiled("void(u4[::1], i8[::1], u1[:, ::1], u1[::1])")
def _write_plays(plays: Any, offsets: Any, odd_cards: Any, text: Any) -> None:
    """All plays one behind the other: spades first and jokers last, a space between two of a deal."""
    at, odd, deal = 0, 0, 0
    for place in range(len(plays)):
        begins = False
        while offsets[deal] <= place:
            begins = offsets[deal] == place
            deal += 1
        if not begins:
            text[at] = _SPACE
            at += 1
        play: Any = np.int64(plays[place])
        code = play & ODD
        text[at], text[at + 1] = _ZERO + (play >> SEAT_SHIFT), _COLON
        at += 2
        if code == PASS:
            text[at] = _DASH
            at += 1
        elif code == ODD:
            for group in range(0, odd_cards.shape[1], 4):
                for card in range(min(group + 3, odd_cards.shape[1] - 1), group - 1, -1):
                    at = _write_copies(text, at, card, odd_cards[odd, card])
            odd += 1
        else:
            rank = code >> RANK_SHIFT
            for suit in range(3, -1, -1):
                at = _write_copies(text, at, 4 * rank + suit, code >> COUNT_BITS * suit & MOST_OF_A_CARD)
            for joker in range(1, -1, -1):
                copies = code >> JOKER_SHIFT + COUNT_BITS * joker & MOST_OF_A_CARD
                at = _write_copies(text, at, SMALL_JOKER + joker, copies)


@compiled("i8(u2[:, ::1], u1[::1], i8[::1])")
def _write_hands(hands: Any, text: Any, bounds: Any) -> int:
    """Hands sorted by card number; returns the cards of all. With no room for text it only counts them."""
    cards = 0
    for hand in range(len(hands)):
        for word in range(d.HAND_WORDS):
            for place in range(4 if word < d.JOKER_WORD else 2):
                copies: Any = np.int64(hands[hand, word]) >> COUNT_BITS * place & MOST_OF_A_CARD
                if len(text) > 0:
                    _write_copies(text, 2 * cards, 4 * word + place, copies)
                cards += copies
        bounds[hand + 1] = 2 * cards
    return cards


Buffer = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""ASCII texts one behind the other, and the bounds between them (one more than there are texts)."""


def play_buffer(plays: NDArray[np.uint32], offsets: NDArray[np.int64], odd_cards: NDArray[np.uint8]) -> Buffer:
    """The canonical text of each deal's plays, given as in ``Deals``."""
    bounds = np.zeros(len(offsets), dtype=np.int64)
    _measure_plays(plays, offsets, odd_cards, bounds)
    text = np.empty(bounds[-1], dtype=np.uint8)
    _write_plays(plays, offsets, odd_cards, text)
    return text, bounds


def hand_buffer(hands: NDArray[np.uint16]) -> Buffer:
    """The canonical text of each hand, given as a row of ``Deals.hands``, uint16 (hands, 14)."""
    bounds = np.zeros(len(hands) + 1, dtype=np.int64)
    text = np.empty(2 * _write_hands(hands, np.empty(0, dtype=np.uint8), bounds), dtype=np.uint8)
    _write_hands(hands, text, bounds)
    return text, bounds


def _cut(text: NDArray[np.uint8], bounds: NDArray[np.int64]) -> list[str]:
    """The texts of a buffer."""
    whole = text.tobytes().decode("ascii")
    return [whole[start:end] for start, end in pairwise(bounds.tolist())]


def _uncounted_hands(hands: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Which hands have a count that stands for seven and more (``Deals.hands``)."""
    full = np.zeros(hands.shape, dtype=np.bool_)
    for place in range(4):
        full |= hands >> COUNT_BITS * place & MOST_OF_A_CARD == MOST_OF_A_CARD
    return cast("NDArray[np.bool_]", full.any(axis=1))


def _uncounted_plays(odd_cards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which odd plays have a count that stands for 255 and more (``Deals.odd_cards``)."""
    return cast("NDArray[np.bool_]", (odd_cards == np.iinfo(np.uint8).max).any(axis=1))


def refuse_uncounted(deals: Deals) -> None:
    """:raises ValueError: more copies of a card than a batch can count."""
    hands = deals.hands.reshape(-1, d.HAND_WORDS)
    if _uncounted_hands(hands).any() or _uncounted_plays(deals.odd_cards).any():
        raise ValueError("there are more copies of a card than a batch can count")


def fill_in(headers: Sequence[Match], deals: Deals) -> list[Match]:
    """Matches with the deals of a batch, in canonical notation. ``headers`` are the batch's matches in order.

    Of a header's own deals only the claims are taken over, deal by deal; the headers are not changed.

    :raises ValueError: more copies of a card than a batch can count.
    """
    seats = deals.hands.shape[1]
    each_hand = np.ascontiguousarray(deals.hands.reshape(-1, d.HAND_WORDS))
    refuse_uncounted(deals)
    hands = _cut(*hand_buffer(each_hand))
    plays = _cut(*play_buffer(deals.plays, deals.offsets, deals.odd_cards))
    made: list[list[Deal]] = [[] for _ in headers]
    for place, head in enumerate(zip(*deals.head.tolist(), strict=True)):
        match, number, _, drawn, knife, first_draw, dealer, called, leader, end, escaped = head
        given = headers[match].deals
        made[match].append(
            Deal(
                drawn=CARDS[drawn],
                leader=leader,
                hands=hands[seats * place : seats * place + seats],
                plays=plays[place],
                knife=None if knife < 0 else RANKS[knife],
                first_draw=None if first_draw < 0 else first_draw,
                dealer=None if dealer < 0 else dealer,
                called=None if called < 0 else CARDS[called],
                end=ENDS[end],  # type: ignore[arg-type]
                escaped=None if escaped < 0 else escaped,
                claimed=given[number].claimed if number < len(given) else Raw(),
            )
        )
    return [msgspec.structs.replace(header, deals=own) for header, own in zip(headers, made, strict=True)]


def _sorted_hand(text: str) -> str:
    return write_cards(sorted(read_cards(text)))


def _sorted_plays(text: str, seats: int) -> str:
    written = []
    for play in canonical_plays(text, seats).split():
        seat, _, cards = play.partition(":")
        if cards != "-":
            cards = write_cards(sorted(read_cards(cards), key=lambda card: (card >> 2, -(card & 3))))
        written.append(f"{seat}:{cards}")
    return " ".join(written)


def canonical(matches: Iterable[Match]) -> list[Match]:
    """Matches as writers write them: the same cards in canonical notation, no fields of the other game.

    :raises notation.NotationError: a text that no reader can read.
    """
    found = [msgspec.structs.replace(match, deals=list(match.deals)) for match in matches]
    for variant in VARIANTS:
        seats = 4 if variant == "four" else 5
        owners = [(match, place) for match in found if match.variant == variant for place in range(len(match.deals))]
        given = [match.deals[place] for match, place in owners]
        hands, bad_hands = read_hands([hand for deal in given for hand in deal.hands])
        plays, offsets, slow, odd_plays, odd_cards = read_plays([deal.plays for deal in given], seats)
        # What the fast reader refuses, or cannot count, is read slowly.
        slow |= (bad_hands | _uncounted_hands(hands)).reshape(-1, seats).any(axis=1)
        slow[np.searchsorted(offsets, odd_plays[_uncounted_plays(odd_cards)], side="right") - 1] = True
        hands_read, plays_read = _cut(*hand_buffer(hands)), _cut(*play_buffer(plays, offsets, odd_cards))
        for row, (deal, (match, place)) in enumerate(zip(given, owners, strict=True)):
            match.deals[place] = msgspec.structs.replace(
                deal,
                drawn=CARDS[read_card(deal.drawn)],
                knife=None if deal.knife is None else RANKS[read_rank(deal.knife)],
                first_draw=deal.first_draw if seats == 4 else None,
                dealer=deal.dealer if seats == 5 else None,
                called=CARDS[read_card(deal.called)] if seats == 5 and deal.called is not None else None,
                hands=[_sorted_hand(hand) for hand in deal.hands]
                if slow[row]
                else hands_read[seats * row : seats * row + seats],
                plays=_sorted_plays(deal.plays, seats) if slow[row] else plays_read[row],
            )
    return found
