"""The referee: every rule about plays, A3–A6 and B1–C5, once.

``may_play`` says what is wrong with a play and changes nothing; ``do_play`` carries a legal play out; the kernel walks
deals with the two, and so do the self-play and the step-by-step explanation. Nothing claimed is used (H1), and the
first violation of a deal ends its judging (H2). Settling a deal is not done here: see ``settlement``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.cards import (
    COUNT_BITS,
    HELD,
    JOKER_SHIFT,
    MOST_OF_A_CARD,
    NATURALS,
    ODD,
    PASS,
    PIPS,
    RANK_SHIFT,
    SEAT_SHIFT,
    SMALL_JOKER,
    Variant,
)
from yuanzi_core.compiled import compiled, inlined, wide
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.reasons import Violation
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.shapes import ATOM3, SIZE, beats, is_of_knife, shapes
from yuanzi_core.shapes import KIND as SHAPE_KIND

DECK, KNIFE, FIRST_DRAW, HAND_SIZE, CALL, LEADER = (v.number for v in list(Violation)[:6])
AFTER_END, TURN, LEAD_PASS, NOT_HELD, NOT_A_COMBO, CANNOT_BEAT = (v.number for v in list(Violation)[6:12])
TRUNCATED, END = (v.number for v in list(Violation)[12:])

# The table while a deal is played: one array of numbers. ON_TABLE is the code to beat (PASS: the turn leads), LAST the
# seat that played it, PASSED the passes since; ENDED is how the deal ended; GONE counts the called cards played.
(
    ON_TURN, ON_TABLE, TABLE_SHAPE, LAST, PASSED, TRICK_POINTS, TRICKS, ATOMS, OUT, ENDED, KNIFE_RANK, REVEALS,
) = range(12)  # fmt: skip
FINISH, CAPTURED, CARDS, SIDE, GONE, REVEALED = 12, 17, 22, 27, 32, 37
TABLE_SIZE = 41
BY_C4, BY_C5 = 1, 2

# The highest bit below each three-bit field of a hand word: where a subtraction borrowed, a card was missing.
_BORROWED = sum(1 << COUNT_BITS * place for place in range(1, RANK_SHIFT // COUNT_BITS + 1))
_PIPS = np.array(PIPS, dtype=np.int64)
# Every other of the six fields, each with room for the sum of several; and a one in each of the lower two.
_WIDE_FIELD = 2 * COUNT_BITS
_EVERY_OTHER = sum(MOST_OF_A_CARD << _WIDE_FIELD * place for place in range(3))
_ONE_EACH = 1 | 1 << _WIDE_FIELD


@inlined
def count_cards(low: int) -> int:
    """Number of cards in a hand word or in the counts of a code."""
    pairs = (low & _EVERY_OTHER) + (low >> COUNT_BITS & _EVERY_OTHER)
    return (pairs + (pairs >> _WIDE_FIELD) + (pairs >> 2 * _WIDE_FIELD)) & ((1 << _WIDE_FIELD) - 1)


@inlined
def points_of(code: int, rank_points: Any) -> int:
    """Card points of a play (A2); jokers have none."""
    return int(rank_points[code >> RANK_SHIFT]) * count_cards(code & NATURALS)


@inlined
def copies(word: int, card: int) -> int:
    """Copies of a natural card in the suit counts of its rank."""
    return word >> COUNT_BITS * (card & 3) & MOST_OF_A_CARD


@inlined
def next_holder(table: Any, seat: int, n: int) -> int:
    """A1: the next seat that still holds cards."""
    other = seat
    for _ in range(n):
        # Not by %: a division takes as long as the rest of a play.
        other = 0 if other == n - 1 else other + 1
        if table[CARDS + other] > 0:
            return other
    return seat


@inlined
def side_at_table(seat: int) -> int:
    """A1: the side of a seat of the four-player game, where partners sit opposite."""
    return seat % 2


@inlined
def side_reached_target(table: Any, rules: Any, n: int) -> bool:
    """C5: whether the captured card points of a side reach its target of F1."""
    for side in range(2):
        captured, size = 0, 0
        for seat in range(n):
            if table[SIDE + seat] == side:
                captured += table[CAPTURED + seat]
                size += 1
        upstream = 1 if table[OUT] > 0 and table[SIDE + table[FINISH]] == side else 0
        if captured >= rules[d.TARGETS + 2 * (size - 2) + upstream]:
            return True
    return False


@inlined
def jokers_fit(code: int, knife: bool, rules: Any) -> bool:
    """B3: whether jokers may join cards of the knife's rank is an option."""
    return bool(not knife or (code & HELD) >> JOKER_SHIFT == 0 or rules[d.KNIFE_JOKERS] != 0)


@inlined
def may_play(
    table: Any, hand: Any, shape_of: Any, shape_table: Any, rules: Any, seat: int, code: int, odd_held: bool
) -> int:
    """The number of the violation that a play would be, 0 if it is legal (H2, in its order)."""
    if table[ENDED] != 0:
        return AFTER_END
    if seat != table[ON_TURN]:
        return TURN
    # C1: passing is always allowed, except when leading.
    if code == PASS:
        return LEAD_PASS if table[ON_TABLE] == PASS else 0
    if code == ODD:
        return NOT_A_COMBO if odd_held else NOT_HELD
    held = wide(hand[seat, code >> RANK_SHIFT]) | wide(hand[seat, d.JOKER_WORD]) << JOKER_SHIFT
    low = code & HELD
    left = held - low
    if left < 0 or (held ^ low ^ left) & _BORROWED != 0:
        return NOT_HELD
    knife = is_of_knife(code, table[KNIFE_RANK])
    if not jokers_fit(code, knife, rules):
        return NOT_A_COMBO
    if table[ON_TABLE] != PASS and not beats(
        shape_table, rules[d.KNIFE_BOMB], shape_of[code], knife,
        table[TABLE_SHAPE], is_of_knife(table[ON_TABLE], table[KNIFE_RANK]),
    ):  # fmt: skip
        return CANNOT_BEAT
    return 0


@inlined
def take_trick(table: Any) -> None:
    """C2: the last to play takes all points played in the trick."""
    table[CAPTURED + table[LAST]] += table[TRICK_POINTS]
    table[TRICK_POINTS] = 0
    table[TRICKS] += 1
    table[ON_TABLE] = PASS


@inlined
def deal_is_over(table: Any, seat: int, n: int) -> bool:
    """C4, asked when a seat has just gone out."""
    if n == 4:
        # Both partners out while both opponents hold cards, or three players out.
        return bool(table[CARDS + (seat + 2) % 4] == 0 or table[OUT] == 3)
    # All players of one side are out.
    for other in range(n):
        if table[SIDE + other] == table[SIDE + seat] and table[CARDS + other] > 0:
            return False
    return True


@inlined
def do_play(
    table: Any, hand: Any, shape_of: Any, shape_table: Any, rules: Any, rank_points: Any,
    n: int, called: int, place: int, seat: int, code: int,
) -> None:  # fmt: skip
    """Carry out a legal play: cards, trick, wind, reveal, end of the deal. ``place`` is the play's number."""
    if code == PASS:
        table[PASSED] += 1
        others = n - table[OUT] - (1 if table[CARDS + table[LAST]] > 0 else 0)
        # C2: every other player who still holds cards has passed.
        if table[PASSED] < others:
            table[ON_TURN] = next_holder(table, seat, n)
            return
        take_trick(table)
        # C3: the taker leads; if out, by option the partner or the next seat that holds cards.
        lead = table[LAST]
        if table[CARDS + lead] == 0:
            lead = (lead + 2) % 4 if rules[d.WIND_TO_PARTNER] != 0 else next_holder(table, lead, n)
        table[ON_TURN] = lead
        # C5: with "must" the deal is over at the first such moment.
        if rules[d.EARLY_STOP] == d.MUST and side_reached_target(table, rules, n):
            table[ENDED] = BY_C5
        return
    shape = shape_of[code]
    hand[seat, code >> RANK_SHIFT] -= np.uint16(code & NATURALS)
    hand[seat, d.JOKER_WORD] -= np.uint16((code & HELD) >> JOKER_SHIFT)
    table[CARDS + seat] -= shape_table[shape, SIZE]
    table[TRICK_POINTS] += points_of(code, rank_points)
    goes_out = table[CARDS + seat] == 0
    # F5: atoms count before the upstream player is out; the play by which that player goes out by option.
    if shape_table[shape, SHAPE_KIND] >= ATOM3 and table[OUT] == 0 and (not goes_out or rules[d.COUNT_HEAD_OUT] != 0):
        table[ATOMS] += 1
    # A6: a partner is revealed when the second copy of the called card leaves the hand.
    if called >= 0 and code >> RANK_SHIFT == called >> 2 and table[SIDE + seat] == 0:
        before = table[GONE + seat]
        table[GONE + seat] += copies(code, called)
        if before < rules[d.PARTNER_COPIES] <= table[GONE + seat]:
            table[REVEALED + 2 * table[REVEALS]] = seat
            table[REVEALED + 2 * table[REVEALS] + 1] = place
            table[REVEALS] += 1
    table[ON_TABLE], table[TABLE_SHAPE], table[LAST], table[PASSED] = code, shape, seat, 0
    if goes_out:
        table[FINISH + table[OUT]] = seat
        table[OUT] += 1
        if deal_is_over(table, seat, n):
            # C4: the trick on the table goes to the player of that last play.
            take_trick(table)
            table[ENDED] = BY_C4
            return
    table[ON_TURN] = next_holder(table, seat, n)


@inlined
def hand_size(total: int, n: int, step: int) -> int:
    """A4: cards of the seat that draws ``step`` places after the first, of ``total`` drawn one by one."""
    return total // n + (1 if step < total % n else 0)


@inlined
def knife_of(drawn: int, lower: bool, rules: Any) -> int:
    """A3: the knife's rank that follows from the drawn card; −1 where that card cannot be drawn."""
    if drawn >= SMALL_JOKER or (lower and rules[d.LOWER_THREES] >> (drawn >> 2) & 1 != 0):
        return int(rules[d.JOKER_KNIFE])
    return drawn >> 2


@inlined
def first_to_draw(knife: int, lower: bool, upstream: int, n: int) -> int:
    """A4: who draws first, and so who holds one card more."""
    return upstream if lower else int(_PIPS[knife]) % n


@inlined
def call_and_leader(head: Any, deal: int, hands: Any, rules: Any, knife: int, upstream: int, n: int) -> int:
    """Check what the dealer called and who leads (A5, A6), the hands being right: CALL, LEADER, or 0."""
    dealer, called, drawn = head[d.DEALER, deal], head[d.CALLED, deal], head[d.DRAWN, deal]
    leader = head[d.LEADER, deal]
    if n != 4:
        # A6: a card that the dealer does not hold, never a joker, never of the knife's rank.
        if called >= SMALL_JOKER or called >> 2 == knife or copies(hands[deal, dealer, called >> 2], called) > 0:
            return CALL
        # A5: the dealer leads, or by option anyone.
        return LEADER if leader != dealer and rules[d.ANY_LEADER] == 0 else 0
    # A5: the upstream player leads the lower half; a player dealt the drawn card leads the upper.
    if head[d.DEAL, deal] > 0:
        return LEADER if leader != upstream else 0
    if drawn < SMALL_JOKER:
        return LEADER if copies(wide(hands[deal, leader, drawn >> 2]), drawn) == 0 else 0
    # A5: if a joker was drawn, of that joker or of any card of the rank that became the knife.
    jokers = wide(hands[deal, leader, d.JOKER_WORD]) >> COUNT_BITS * (drawn - SMALL_JOKER) & MOST_OF_A_CARD
    return LEADER if jokers == 0 and hands[deal, leader, knife] == 0 else 0


@inlined
def set_table(head: Any, deal: int, hands: Any, rules: Any, n: int, decks: int, upstream: int, table: Any) -> int:
    """Lay the table for a deal and check it (A2–A6); the number of the violation, or 0.

    ``upstream`` is the first player out of the upper half (−1 in an upper half and in the five-player game).
    """
    for place in range(TABLE_SIZE):
        table[place] = 0
    for place in range(FINISH, FINISH + 5):
        table[place] = -1
    for place in range(REVEALED, REVEALED + 4):
        table[place] = -1
    dealer, called = head[d.DEALER, deal], head[d.CALLED, deal]
    total, complete = 0, True
    for word in range(d.HAND_WORDS):
        # A2, several kinds of card at a time: how many of each are in all hands.
        even, odd = 0, 0
        for seat in range(n):
            held = wide(hands[deal, seat, word])
            even += held & _EVERY_OTHER
            odd += held >> COUNT_BITS & _EVERY_OTHER
            cards = count_cards(held)
            table[CARDS + seat] += cards
            total += cards
        # A rank has four kinds of card, two of them at even places; of jokers there are two kinds.
        expected = decks * (_ONE_EACH if word < d.JOKER_WORD else 1)
        complete = complete and even == expected and odd == expected
    for seat in range(n):
        # A6: the dealer's side comes first; partners hold two or more of the called card.
        table[SIDE + seat] = side_at_table(seat)
        if n != 4:
            holds = 0
            if 0 <= called < SMALL_JOKER:
                holds = copies(wide(hands[deal, seat, called >> 2]), called)
            table[SIDE + seat] = 0 if seat == dealer or holds >= rules[d.PARTNER_COPIES] else 1
    lower = head[d.DEAL, deal] > 0
    knife = knife_of(head[d.DRAWN, deal], lower, rules)
    table[KNIFE_RANK] = knife
    # A2: the hands together are the deck.
    if not complete:
        return DECK
    if knife < 0 or head[d.KNIFE_CLAIMED, deal] not in (-1, knife):
        return KNIFE
    first = first_to_draw(knife, lower, upstream, n)
    if n == 4 and head[d.FIRST_DRAW, deal] not in (-1, first):
        return FIRST_DRAW
    for step in range(n):
        if table[CARDS + (first + step) % n] != hand_size(total, n, step):
            return HAND_SIZE
    table[ON_TURN] = head[d.LEADER, deal]
    return call_and_leader(head, deal, hands, rules, knife, upstream, n)


@inlined
def how_it_ended(table: Any, rules: Any, end: int, n: int) -> int:
    """After the last play: TRUNCATED, END (H2), or 0."""
    if table[ENDED] == BY_C4:
        return 0 if end == d.OUT_END else END
    if table[ENDED] == BY_C5:
        return 0 if end == d.POINTS_END else END
    if end == d.OUT_END:
        return TRUNCATED
    if end == d.POINTS_END:
        if rules[d.EARLY_STOP] == d.NEVER:
            return END
        if table[ON_TABLE] != PASS or not side_reached_target(table, rules, n):
            return TRUNCATED
    return 0


@inlined
def odd_is_held(hand: Any, seat: int, counts: Any) -> bool:
    """Whether a seat holds cards that no code can hold."""
    for card in range(54):
        word = hand[seat, card >> 2] if card < SMALL_JOKER else hand[seat, d.JOKER_WORD]
        place = card & 3 if card < SMALL_JOKER else card - SMALL_JOKER
        if counts[card] > wide(word) >> COUNT_BITS * place & MOST_OF_A_CARD:
            return False
    return True


@inlined
def write_facts(
    facts: Any, deal: int, table: Any, hand: Any, rank_points: Any, n: int, violation: int, place: int
) -> None:
    """Copy the end of a deal into its column of ``facts``; seats that the game does not have stay −1."""
    facts[d.VIOLATION, deal], facts[d.PLAY, deal] = violation, place
    facts[d.KNIFE, deal], facts[d.OUT, deal] = table[KNIFE_RANK], table[OUT]
    facts[d.TRICKS, deal], facts[d.ATOMS, deal] = table[TRICKS], table[ATOMS]
    facts[d.OPEN_POINTS, deal] = table[TRICK_POINTS]
    for seat in range(n):
        facts[d.FINISH + seat, deal] = table[FINISH + seat]
        facts[d.CAPTURED + seat, deal] = table[CAPTURED + seat]
        facts[d.CARDS + seat, deal] = table[CARDS + seat]
        facts[d.SIDE + seat, deal] = table[SIDE + seat]
        points = 0
        for rank in range(d.JOKER_WORD):
            if rank_points[rank] > 0:
                points += rank_points[rank] * count_cards(wide(hand[seat, rank]))
        facts[d.HAND + seat, deal] = points
    for place in range(4):
        facts[d.REVEALED + place, deal] = table[REVEALED + place]


@compiled(
    "void(i8, i8, i8[::1], i8[:, ::1], u2[::1], i4[:, ::1], i4[:, ::1],"
    " Array(u2, 3, 'C', readonly=True), i8[::1], Array(u4, 1, 'C', readonly=True), i8[::1],"
    " Array(u1, 2, 'C', readonly=True), i8, i8, i8, i8[::1], u2[:, ::1], i4[:, ::1])"
)
def _referee(
    n: int, decks: int, rank_points: Any, rules: Any, shape_of: Any, shape_table: Any, head: Any, hands: Any,
    offsets: Any, plays: Any, odd_plays: Any, odd_cards: Any, odd: int, first: int, last: int, table: Any, hand: Any,
    facts: Any,
) -> None:  # fmt: skip
    for deal in range(first, last):
        upstream = -1
        if head[d.DEAL, deal] > 0:
            # H1: nothing after the first violation of a match is judged.
            if facts[d.VIOLATION, deal - 1] != 0:
                facts[d.VIOLATION, deal] = d.NOT_JUDGED
                continue
            upstream = facts[d.FINISH, deal - 1]
        row = rules[head[d.RULES, deal]]
        # An upper half that nobody left has no upstream player (an escape): the settlement rules its lower half out.
        if head[d.DEAL, deal] > 0 and upstream < 0:
            facts[d.VIOLATION, deal] = d.NOT_JUDGED
            continue
        violation, place = set_table(head, deal, hands, row, n, decks, upstream, table), -1
        for seat in range(n):
            for word in range(d.HAND_WORDS):
                hand[seat, word] = hands[deal, seat, word]
        if violation == 0:
            called = head[d.CALLED, deal]
            for at in range(offsets[deal], offsets[deal + 1]):
                play = wide(plays[at])
                seat, code = play >> SEAT_SHIFT, play & ODD
                odd_held = False
                if code == ODD:
                    while odd_plays[odd] < at:
                        odd += 1
                    odd_held = odd_is_held(hand, seat, odd_cards[odd])
                violation = may_play(table, hand, shape_of, shape_table, row, seat, code, odd_held)
                if violation != 0:
                    place = at - offsets[deal]
                    break
                do_play(table, hand, shape_of, shape_table, row, rank_points, n, called, at - offsets[deal], seat, code)
            if violation == 0:
                violation = how_it_ended(table, row, head[d.END, deal], n)
                if violation != 0:
                    place = offsets[deal + 1] - offsets[deal]
        write_facts(facts, deal, table, hand, rank_points, n, violation, place)


@cache
def constants(variant: Variant) -> tuple[int, int, NDArray[np.int64]]:
    """Players, decks and the card points of each rank (A1, A2)."""
    rules = Rulesets()[f"{variant}-classic"]
    return rules.players, rules.decks, np.array(rules.rank_points, dtype=np.int64)


def _judge(
    deals: Deals, first: int, last: int, table: NDArray[np.int64], hand: NDArray[np.uint16], facts: Ints
) -> None:
    known = shapes(deals.variant)
    _referee(
        *constants(deals.variant), deals.rules, known.shape_of, known.table, deals.head, deals.hands, deals.offsets,
        deals.plays, deals.odd_plays, deals.odd_cards, int(np.searchsorted(deals.odd_plays, deals.offsets[first])),
        first, last, table, hand, facts,
    )  # fmt: skip


def _workspace(players: int) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    return np.zeros(TABLE_SIZE, dtype=np.int64), np.zeros((players, d.HAND_WORDS), dtype=np.uint16)


def referee(deals: Deals, first: int = 0, last: int | None = None, facts: Ints | None = None) -> Ints:
    """Judge deals ``first`` to ``last`` of a batch (whole matches); returns ``facts``, int32 (36, deals).

    Rows as :data:`deals.FACTS`; seats that the game does not have, and everything of a deal that was not judged,
    are −1. In a deal with a violation the facts are those of the moment before it. Runs without the interpreter's
    lock, so slices of one batch may run in threads into one ``facts``.
    """
    if facts is None:
        facts = np.full((len(d.FACTS), len(deals)), -1, dtype=np.int32)
    last = len(deals) if last is None else last
    # A game that is not played needs no shapes.
    if first < last:
        _judge(deals, first, last, *_workspace(deals.hands.shape[1]), facts)
    return facts


def stop(deals: Deals, deal: int, facts: Ints) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Judge one deal again and return what then lies on the table and in the hands: at its end, or before its first
    violation.

    ``facts`` must hold the deal before it in the match, and gets this deal's anew. The table is int64 (41), in the
    places of this module; hands as in ``Deals``, uint16 (seats, 14).
    """
    table, hand = _workspace(deals.hands.shape[1])
    _judge(deals, deal, deal + 1, table, hand, facts)
    return table, hand
