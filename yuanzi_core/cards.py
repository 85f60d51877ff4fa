"""Cards and their notation: 54 kinds of card, text to cards and back, hands in the order players hold them.

Numbers used everywhere:

* rank 0–12 is 3 4 5 6 7 8 9 T J Q K A 2 (B1, without the knife), suit 0–3 is diamonds, clubs, hearts, spades (B7);
* card 0–51 is ``4 * rank + suit``, 52 the small joker, 53 the big joker;
* a *code* is a set of cards of one rank with any jokers, in 22 bits: rank above two joker counts (big, small) above
  four suit counts (spades … diamonds), three bits a count. ``PASS`` has no cards; ``ODD`` stands for cards that no
  code can hold (two ranks, or eight and more of one card), which are then kept in a list beside it;
* a *play* is a seat above a code, ``seat << 22 | code``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

Variant = Literal["four", "five"]
VARIANTS: tuple[Variant, ...] = ("four", "five")
#: A1: how many players sit at a table; the seats count from 0.
SEATS: dict[Variant, int] = {"four": 4, "five": 5}

RANKS = "3456789TJQKA2"
SUITS = "dchs"
SMALL_JOKER, BIG_JOKER = 52, 53
CARDS = (*(rank + suit for rank in RANKS for suit in SUITS), "XS", "XB")
CARD_NUMBER = {text: number for number, text in enumerate(CARDS)}
#: A3, A4: the pip of each rank, in the order of ``RANKS``.
PIPS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1, 2)
#: A1: how readers may also write the seats of the four-player game.
SEAT_LETTERS = {"N": 0, "E": 1, "S": 2, "W": 3}

COUNT_BITS = 3
MOST_OF_A_CARD = (1 << COUNT_BITS) - 1
SUIT_BITS = 4 * COUNT_BITS
NATURALS = (1 << SUIT_BITS) - 1
JOKER_SHIFT = SUIT_BITS
RANK_SHIFT = SUIT_BITS + 2 * COUNT_BITS
HELD = (1 << RANK_SHIFT) - 1
SEAT_SHIFT = RANK_SHIFT + 4
CODES = 1 << SEAT_SHIFT
PASS = 0
ODD = CODES - 1


def code_of(cards: Iterable[int]) -> int:
    """The code of some card numbers; ``PASS`` for none, ``ODD`` where no code can hold them."""
    rank, code, counts = -1, 0, [0] * len(CARDS)
    for card in cards:
        counts[card] += 1
        if counts[card] > MOST_OF_A_CARD:
            return ODD
        if card >= SMALL_JOKER:
            code += 1 << (JOKER_SHIFT + COUNT_BITS * (card - SMALL_JOKER))
            continue
        if rank not in (-1, card >> 2):
            return ODD
        rank = card >> 2
        code += 1 << (COUNT_BITS * (card & 3))
    return code | max(rank, 0) << RANK_SHIFT


def cards_of(code: int) -> list[int]:
    """The card numbers of a code, spades first and jokers last."""
    rank = code >> RANK_SHIFT
    found = []
    for suit in (3, 2, 1, 0):
        found += [4 * rank + suit] * (code >> COUNT_BITS * suit & MOST_OF_A_CARD)
    for joker in (BIG_JOKER, SMALL_JOKER):
        found += [joker] * (code >> JOKER_SHIFT + COUNT_BITS * (joker - SMALL_JOKER) & MOST_OF_A_CARD)
    return found


def write_cards(cards: Iterable[int]) -> str:
    """Canonical text of card numbers: two characters a card, nothing between them."""
    return "".join([CARDS[card] for card in cards])


def write_play(seat: int, code: int) -> str:
    """Canonical text of a play: ``2:7s7s``, or ``2:-`` for a pass."""
    return f"{seat}:{write_cards(cards_of(code)) or '-'}"


def display_order(cards: Iterable[int], knife: int, by_count: bool = False) -> list[int]:
    """A hand as players sort it (G4): knife, jokers (big, small), then by rank, or by count and then rank."""
    held = list(cards)
    count = [0] * len(RANKS)
    for card in held:
        if card < SMALL_JOKER:
            count[card >> 2] += 1

    def place(card: int) -> tuple[int, int, int, int]:
        if card >= SMALL_JOKER:
            return 1, 0, -card, 0
        rank = card >> 2
        group = 0 if rank == knife else 2
        return group, -count[rank] if by_count and group else 0, -rank, -(card & 3)

    return sorted(held, key=place)


def deck(decks: int) -> list[int]:
    """All card numbers of the deck (A2), ``decks`` copies of each."""
    return [card for card in range(len(CARDS)) for _ in range(decks)]


def counts_of(cards: Sequence[int]) -> list[int]:
    """How often each of the 54 kinds of card occurs."""
    counts = [0] * len(CARDS)
    for card in cards:
        counts[card] += 1
    return counts
