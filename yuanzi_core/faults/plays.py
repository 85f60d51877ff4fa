"""Violations put into a legal match: each code of H2, at a drawn place, in forms in which they really happen.

How a record is spoiled is decided here; whether it then breaks the rule that it should, and nothing before it, is for
the referee to say. What the referee does not confirm is tried elsewhere in the match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from yuanzi_core import deals as d
from yuanzi_core.cards import CARDS, PASS, RANKS, SMALL_JOKER, SUITS, cards_of, code_of, write_cards
from yuanzi_core.deals import Deals
from yuanzi_core.faults.draws import Draw
from yuanzi_core.faults.kinds import Fault
from yuanzi_core.log import Deal, Match
from yuanzi_core.reasons import Violation
from yuanzi_core.records import Reader
from yuanzi_core.referee import referee
from yuanzi_core.replay import Replay, State
from yuanzi_core.writer import encode_match

#: Records that the referee is asked about before a fault counts as impossible in a deal.
_TRIES = 16
_JOKERS = CARDS[SMALL_JOKER:]


class Spoiled(NamedTuple):
    """The deals of a match with a violation, and where it is: ``play`` is ``None`` where it concerns a whole deal."""

    deals: list[Deal]
    deal: int
    play: int | None


#: Fields of a deal that are changed, and the play at which the violation then is.
Candidate = tuple[dict[str, Any], int | None]


class _Case:
    """One deal of a match to be spoiled."""

    def __init__(self, match: Match, replay: Replay, number: int, draw: Draw) -> None:
        self.deal: Deal = match.deals[number]
        self.four, self.seats = match.variant == "four", len(match.players)
        self.replay, self.number, self.draw = replay, number, draw
        self.plays = self.deal.plays.split()
        self.knife = RANKS[replay.facts[d.KNIFE, number]]

    @cached_property
    def befores(self) -> list[State]:
        """The deal as it lies before each of its plays."""
        return [step.before for step in self.replay.steps(self.number)]

    @cached_property
    def leads(self) -> list[int]:
        """Plays that open a trick."""
        return [place for place, before in enumerate(self.befores) if before.on_table == PASS]

    def hand(self, seat: int) -> list[str]:
        """The cards dealt to a seat."""
        text = self.deal.hands[seat]
        return [text[at : at + 2] for at in range(0, len(text), 2)]

    def with_hand(self, seat: int, cards: list[str]) -> list[str]:
        """All hands, one of them changed."""
        return [*self.deal.hands[:seat], "".join(cards), *self.deal.hands[seat + 1 :]]

    def with_play(self, place: int, seat: int, cards: str) -> Candidate:
        """The deal with another play at a place, where the violation is then."""
        plays = [*self.plays[:place], f"{seat}:{cards}", *self.plays[place + 1 :]]
        return {"plays": " ".join(plays)}, place


def _alike(card: str) -> list[str]:
    """The cards for which one is taken by mistake: the same rank, another suit."""
    if card in _JOKERS:
        return [other for other in _JOKERS if other != card]
    return [card[0] + suit for suit in SUITS if suit != card[1]]


def _deck(case: _Case) -> Iterator[Candidate]:
    """A card of a hand misread, or not written down."""
    seat = case.draw.below(case.seats)
    cards = case.hand(seat)
    at = case.draw.below(len(cards))
    misread = [*cards[:at], case.draw.pick(_alike(cards[at])), *cards[at + 1 :]]
    yield {"hands": case.with_hand(seat, case.draw.pick([misread, cards[:at] + cards[at + 1 :]]))}, None


def _knife(case: _Case) -> Iterator[Candidate]:
    """The rank of a drawn card that makes 3 the knife, any other rank; for five players also a joker drawn."""
    if case.deal.drawn[0] in RANKS:
        yield {"knife": case.deal.drawn[0]}, None
    if not case.four and case.draw.below(2):
        yield {"drawn": case.draw.pick(_JOKERS)}, None
    yield {"knife": case.draw.pick([rank for rank in RANKS if rank != case.knife])}, None


def _first_draw(case: _Case) -> Iterator[Candidate]:
    """Another seat drew first."""
    for seat in case.draw.order(range(case.seats)):
        yield {"first_draw": seat}, None


def _hand_size(case: _Case) -> Iterator[Candidate]:
    """The last card of a hand written behind another."""
    giver, taker = case.draw.order(range(case.seats))[:2]
    cards = case.hand(giver)
    hands = case.with_hand(giver, cards[:-1])
    hands[taker] += cards[-1]
    yield {"hands": hands}, None


def _call(case: _Case) -> Iterator[Candidate]:
    """A card that the dealer holds, a card of the knife's rank, or a joker called."""
    assert case.deal.dealer is not None
    held = [card for card in case.hand(case.deal.dealer) if card not in _JOKERS and card[0] != case.knife]
    for cards in case.draw.order([held, [case.knife + suit for suit in SUITS], list(_JOKERS)]):
        if cards:
            yield {"called": case.draw.pick(cards)}, None


def _leader(case: _Case) -> Iterator[Candidate]:
    """Another seat leads; only those that the referee does not let lead are of use."""
    for seat in case.draw.order(range(case.seats)):
        if case.replay.trial(case.number, d.LEADER, seat) is Violation.LEADER:
            yield {"leader": seat}, None


def _after_end(case: _Case) -> Iterator[Candidate]:
    """One more play, by a player who still holds a card."""
    end = len(case.plays)
    state = case.replay.state(case.number, end)
    if state.ended:
        for seat in case.draw.order([seat for seat in range(case.seats) if state.cards[seat]]):
            yield case.with_play(end, seat, CARDS[case.draw.pick(state.hand(seat))])


def _turn(case: _Case) -> Iterator[Candidate]:
    """A pass not written down, or a play written under another seat."""
    lost = case.draw.below(2) == 0
    for place in case.draw.order(range(len(case.plays))):
        seat, _, cards = case.plays[place].partition(":")
        if not lost:
            other = case.draw.pick([one for one in range(case.seats) if one != int(seat)])
            yield case.with_play(place, other, cards)
        elif cards == "-":
            yield {"plays": " ".join(case.plays[:place] + case.plays[place + 1 :])}, place


def _lead_pass(case: _Case) -> Iterator[Candidate]:
    """A lead written as a pass."""
    for place in case.draw.order(case.leads):
        yield case.with_play(place, case.befores[place].turn, "-")


def _not_held(case: _Case) -> Iterator[Candidate]:
    """A card of a play written in a suit that the player does not hold, or no longer."""
    for place in case.draw.order(range(len(case.plays))):
        seat, _, cards = case.plays[place].partition(":")
        at = 2 * case.draw.below(len(cards) // 2)
        for other in case.draw.order(_alike(cards[at : at + 2])) if cards != "-" else []:
            candidate = cards[:at] + other + cards[at + 2 :]
            if _says(case, place, int(seat), candidate) is Violation.NOT_HELD:
                yield case.with_play(place, int(seat), candidate)


def _says(case: _Case, place: int, seat: int, cards: str) -> Violation | None:
    numbers = [CARDS.index(cards[at : at + 2]) for at in range(0, len(cards), 2)]
    return case.replay.verdict(case.number, place, seat, numbers)


def _not_a_combo(case: _Case) -> Iterator[Candidate]:
    """A lead of neighbouring ranks, which makes a straight elsewhere and nothing here; or of the knife and a joker."""
    for place in case.draw.order(case.leads):
        before = case.befores[place]
        held: dict[str, str] = {CARDS[card][0]: CARDS[card] for card in before.hand(before.turn)}
        jokers = [card for rank, card in held.items() if rank not in RANKS]
        if case.knife in held and jokers and _says(case, place, before.turn, held[case.knife] + jokers[0]):
            yield case.with_play(place, before.turn, held[case.knife] + jokers[0])
        runs = [run for size in (2, 3) for run in _runs(held, size)]
        if runs:
            yield case.with_play(place, before.turn, case.draw.pick(runs))


def _runs(held: dict[str, str], size: int) -> list[str]:
    """One card each of so many ranks that follow each other."""
    runs = (RANKS[at : at + size] for at in range(len(RANKS) - size + 1))
    return ["".join(held[rank] for rank in run) for run in runs if all(rank in held for rank in run)]


def _cannot_beat(case: _Case) -> Iterator[Candidate]:
    """An answer that is too low, of another kind or no more than equal."""
    for place in case.draw.order([place for place, before in enumerate(case.befores) if before.on_table != PASS]):
        before = case.befores[place]
        groups: dict[int, list[int]] = {}
        for card in before.hand(before.turn):
            groups.setdefault(min(card, SMALL_JOKER) >> 2, []).append(card)
        size = len(cards_of(before.on_table))
        for group in case.draw.order(list(groups.values()))[:3]:
            # As many cards as lie on the table, where there are so many: that is how people err.
            cards = case.draw.order(group)[: min(size, len(group))]
            if case.replay.verdict(case.number, place, before.turn, cards) is Violation.CANNOT_BEAT:
                yield case.with_play(place, before.turn, write_cards(cards_of(code_of(cards))))


def _truncated(case: _Case) -> Iterator[Candidate]:
    """The log stops early; or play stopped with enough points and the log says that somebody was out."""
    if case.deal.end == "escape":
        return
    if case.deal.end == "points" and case.draw.below(2):
        yield {"end": "out"}, len(case.plays)
    for place in case.draw.order(range(len(case.plays))):
        yield {"plays": " ".join(case.plays[:place])}, place


def _end(case: _Case) -> Iterator[Candidate]:
    """Another ending than the one that the plays show."""
    others: list[dict[str, Any]] = [{"end": "escape", "escaped": case.draw.below(case.seats)}]
    if case.deal.end == "points":
        others.append({"end": "out"})
    elif not case.four:
        others.append({"end": "points"})
    for fields in case.draw.order(others):
        yield {"escaped": None} | fields, len(case.plays)


_WAYS: dict[Fault, Callable[[_Case], Iterator[Candidate]]] = {
    Fault.DECK: _deck,
    Fault.KNIFE: _knife,
    Fault.FIRST_DRAW: _first_draw,
    Fault.HAND_SIZE: _hand_size,
    Fault.CALL: _call,
    Fault.LEADER: _leader,
    Fault.AFTER_END: _after_end,
    Fault.TURN: _turn,
    Fault.LEAD_PASS: _lead_pass,
    Fault.NOT_HELD: _not_held,
    Fault.NOT_A_COMBO: _not_a_combo,
    Fault.CANNOT_BEAT: _cannot_beat,
    Fault.TRUNCATED: _truncated,
    Fault.END: _end,
}


def _first_violation(match: Match, reader: Reader) -> tuple[Violation, int, int | None] | None:
    """What the referee finds in a match as it would be written."""
    chunk = reader.read([(1, encode_match(match))])
    if chunk.records[0].problem is not None:
        return None
    facts = referee(chunk.deals[match.variant])
    for deal, (number, play) in enumerate(zip(facts[d.VIOLATION].tolist(), facts[d.PLAY].tolist(), strict=True)):
        if number > 0:
            return Violation.numbered(number), deal, play if play >= 0 else None
    return None


def spoil(
    fault: Fault, match: Match, deals: Deals, place: int, is_over: bool, draw: Draw, reader: Reader
) -> Spoiled | None:  # fmt: skip
    """A legal match with one violation; ``None`` where it cannot be brought about in this match.

    ``place`` is the match's place in the batch ``deals``; ``is_over`` says that no half may follow its last (E1–E3).
    """
    if match.variant not in fault.games:
        return None
    if fault is Fault.AFTER_END and match.variant == "four" and is_over and len(match.deals) == 1 and draw.below(2):
        # H2: a half after the match is over, whatever is in it.
        surplus = msgspec.structs.replace(match.deals[0], claimed=Raw())
        return Spoiled([*match.deals, surplus], 1, None)
    replay = Replay(deals, place)
    for number in draw.order(range(len(match.deals))):
        case = _Case(match, replay, number, draw)
        for fields, play in islice(_WAYS[fault](case), _TRIES):
            spoiled = list(match.deals)
            spoiled[number] = msgspec.structs.replace(case.deal, **fields)
            made = msgspec.structs.replace(match, deals=spoiled)
            if _first_violation(made, reader) == (Violation[fault.name], number, play):
                return Spoiled(spoiled, number, play)
    return None
