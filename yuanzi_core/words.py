"""Cards, plays, seats and numbers in words, as the explanations, messages and pages show them (texts, topic ``words``).

Cards are written with the sign of their suit before the rank (``♠7♥10``), a form that the readers of logs accept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import reduce
from itertools import groupby
from typing import Any

from yuanzi_core.cards import RANKS, SMALL_JOKER, Variant, display_order
from yuanzi_core.claims import canonical_number
from yuanzi_core.shapes import (
    ATOM3,
    ATOM4,
    ATOM5,
    JOKERS,
    KIND,
    KIND_NAMES,
    ONLY_JOKERS,
    RANK,
    SIZE,
    SMALL_JOKERS,
    SUIT,
    shapes,
)
from yuanzi_core.texts import Lang, has, text

ATOMS = (ATOM3, ATOM4, ATOM5)
_SIGNS = "♦♣♥♠"
_MINUS = "−"  # the sign, not a hyphen
#: Kinds of card after which a list of cards is cut off, and cards that are shown one by one.
_LONGEST, _MOST_SHOWN = 12, 54


def seat_word(variant: Variant, seat: int, lang: Lang) -> str:
    """A seat (A1): ``East``, ``座位3``."""
    return text(f"terms.seat.{variant}.{seat}", lang)


def seat_named(variant: Variant, seat: int, lang: Lang) -> str:
    """A seat as who sits there, in a sentence: ``East``, ``东家``, ``座位3``."""
    return text(f"words.list.seat_{variant}", lang, seat=seat_word(variant, seat, lang))


def side_word(variant: Variant, side: int, lang: Lang) -> str:
    """A side: ``East and West``, ``庄家方``."""
    return text(f"terms.side.{variant}.{side}", lang)


def seats_word(variant: Variant, seats: Iterable[int], lang: Lang) -> str:
    """Some seats, one after the other; a dash for none."""
    return listed([seat_word(variant, seat, lang) for seat in seats], lang)


def listed(words: Sequence[str], lang: Lang) -> str:
    """Words one after the other, or a dash for none."""
    if not words:
        return text("words.list.none", lang)
    return reduce(lambda before, word: text("words.list.and", lang, before=before, word=word), words)


def by_seat(variant: Variant, values: Sequence[object], lang: Lang) -> str:
    """A value a seat, but where there is none (None): ``North 95, East 40``."""
    # A seat with a number for its name needs more than a space between the two.
    key = "words.list.of_seat_five" if variant == "five" else "words.list.of_seat"
    pairs = [
        text(key, lang, seat=seat_word(variant, seat, lang), value=value)
        for seat, value in enumerate(values)
        if value is not None
    ]
    return listed(pairs, lang)


def by_side(variant: Variant, values: Sequence[object], lang: Lang) -> str:
    """A value a side: ``North and South 260, East and West 40``."""
    pairs = [
        text("words.list.of_seat", lang, seat=side_word(variant, side, lang), value=value)
        for side, value in enumerate(values)
    ]
    return listed(pairs, lang)


def number(value: Decimal | int) -> str:
    """An amount, exact, with a real minus sign: ``−19.5``."""
    return canonical_number(value).replace("-", _MINUS)


def signed(value: Decimal | int) -> str:
    """A gain or a loss: ``+2``, ``−1.5``, ``0``."""
    return f"+{number(value)}" if value > 0 else number(value)


def rank_word(rank: int, lang: Lang) -> str:
    """A rank: ``king``, ``10``."""
    return text(f"words.rank.{RANKS[rank]}", lang)


def ranks_word(rank: int, lang: Lang) -> str:
    """Several cards of a rank: ``kings``, ``10s``."""
    return text(f"words.ranks.{RANKS[rank]}", lang)


def card_word(card: int, lang: Lang) -> str:
    """One card with the sign of its suit, or a joker."""
    if card >= SMALL_JOKER:
        return text(f"words.joker.{card - SMALL_JOKER}", lang)
    rank = RANKS[card >> 2]
    return _SIGNS[card & 3] + ("10" if rank == "T" else rank)


def cards_word(cards: Iterable[int], lang: Lang) -> str:
    """Cards of a play side by side, in the order given; more than any play can have are counted instead."""
    shown = list(cards)
    if len(shown) > _MOST_SHOWN:
        return counted_cards(Counter(shown), lang)
    return "".join([card_word(card, lang) for card in shown])


def hand_word(cards: Iterable[int], knife: int, lang: Lang) -> str:
    """A hand sorted as players hold it (G4), a gap between two ranks."""
    groups = groupby(display_order(cards, knife), key=lambda card: -1 if card >= SMALL_JOKER else card >> 2)
    return " ".join([cards_word(group, lang) for _, group in groups]) or text("words.list.none", lang)


def counted_cards(counts: Mapping[int, int], lang: Lang) -> str:
    """Cards with how many of each, by number of card; a dash for none, cut off where there are too many kinds."""
    found = [
        text("words.list.times", lang, card=card_word(card, lang), count=count) if count > 1 else card_word(card, lang)
        for card, count in sorted(counts.items())
        if count > 0
    ]
    if len(found) > _LONGEST:
        found = [*found[:_LONGEST], text("words.list.more", lang, count=len(found) - _LONGEST)]
    return listed(found, lang)


def shape_word(variant: Variant, shape: int, knife: bool, lang: Lang) -> str:
    """What a play is: ``a pair of kings``, ``刀三原子``.

    ``shape`` is a row of the game's shape table, ``knife`` whether the play is of the knife's rank.
    """
    row: Any = shapes(variant).table[shape]
    kind, rank = int(row[KIND]), int(row[RANK])
    key = f"words.combo.{KIND_NAMES[kind]}"
    if row[JOKERS] == ONLY_JOKERS:
        key += "_joker"
    elif knife:
        key += "_knife"
    # The four-player game has one atom only and calls it just that.
    if kind == ATOM3 and has(f"{key}_{variant}", lang):
        key += f"_{variant}"
    names = {} if rank >= len(RANKS) else {"rank": rank_word(rank, lang), "ranks": ranks_word(rank, lang)}
    return text(key, lang, size=int(row[SIZE]), **names)


def exact_shape_word(variant: Variant, shape: int, knife: bool, lang: Lang) -> str:
    """The same where no cards stand beside it: an atom with its card (B7)."""
    row: Any = shapes(variant).table[shape]
    name = shape_word(variant, shape, knife, lang)
    if int(row[KIND]) not in ATOMS:
        return name
    joker = row[JOKERS] == ONLY_JOKERS
    card = int(row[RANK]) - SMALL_JOKERS + SMALL_JOKER if joker else 4 * int(row[RANK]) + int(row[SUIT])
    return text("words.list.atom_of", lang, name=name, card=card_word(card, lang))
