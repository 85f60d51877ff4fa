"""A4-A6, C1-C5 and H2: one deal, judged from its first card to its last, stopping at the first violation."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .cards import PIPS, SEATS, card_points, is_joker, knife_from, rank_of, split_cards, whole_deck
from .combos import ATOM_KINDS, Combo, beats, name
from .options import Options

COUNTED_AS_ATOMS = [*ATOM_KINDS.values(), "h_bomb", "big_h_bomb"]  # F5


@dataclass(frozen=True)
class Violation:
    """H2: a code and its place in `plays`; no place for the checks of the deal."""

    code: str
    play: int | None = None


@dataclass
class Facts:
    """What a deal came to: everything that D, E and F need and nothing that is claimed (H1)."""

    variant: str
    knife: str
    leader: int
    sides: list[int]
    captured: list[int]  # card points taken in tricks, before D1-D3
    hand_points: list[int]  # card points left in each hand
    holders: list[int]  # seats that still hold cards
    finish: list[int] = field(default_factory=list)
    tricks: int = 0
    atoms: int = 0  # F5
    revealed: list[list[int]] = field(default_factory=list)  # A6: [seat, play]
    end: str = "out"
    escaped: int | None = None

    def seats_of(self, side: int) -> list[int]:
        """The seats of a side."""
        return [seat for seat in range(len(self.sides)) if self.sides[seat] == side]


def judge_deal(
    deal: Mapping[str, Any], variant: str, half: int, options: Options, upper_upstream: int | None = None
) -> Facts | Violation:
    """H2: every check of one deal, in order; the facts of its end when there is nothing to object to.

    `half` is 0 or 1 (always 0 in 5p); `upper_upstream` is the upstream player of the upper half, for the lower one.
    """
    hands = [split_cards(text) for text in deal["hands"]]
    drawn = deal["drawn"]
    knife = knife_from(drawn, variant, half)

    # H2 DECK, A2: the hands together are the deck.
    if Counter(card for hand in hands for card in hand) != Counter(whole_deck(variant)):
        return Violation("DECK")
    # H2 KNIFE, A3: the knife follows from the drawn card; in 5p no joker is drawn.
    if knife is None or deal.get("knife") not in (None, knife):
        return Violation("KNIFE")
    if variant == "four":
        first = _first_to_draw(knife, half, upper_upstream)
        # H2 FIRST_DRAW, A4: checked when given.
        if deal.get("first_draw") not in (None, first):
            return Violation("FIRST_DRAW")
        # H2 HAND_SIZE, A4: the first two to draw hold 41 cards and the other two 40.
        sizes = [41 if seat in (first, (first + 1) % 4) else 40 for seat in range(4)]
    else:
        # H2 HAND_SIZE, A4: in 5p everyone holds 54.
        sizes = [54] * 5
    if [len(hand) for hand in hands] != sizes:
        return Violation("HAND_SIZE")
    if variant == "five":
        called = deal["called"]
        # H2 CALL, A6: a card that the dealer does not hold, never a joker, never of the knife's rank.
        if called in hands[deal["dealer"]] or is_joker(called) or rank_of(called) == knife:
            return Violation("CALL")
    # H2 LEADER, A5.
    if not _may_lead(deal, hands, variant, half, options, upper_upstream):
        return Violation("LEADER")

    sides = [0, 1, 0, 1] if variant == "four" else _five_sides(hands, deal["dealer"], deal["called"])
    return _Table(deal, variant, knife, hands, sides, options).walk()


def _first_to_draw(knife: str, half: int, upper_upstream: int | None) -> int:
    """A4: upper half: the pip of the knife modulo 4; lower half: the upstream player of the upper half."""
    if half == 0:
        return PIPS[knife] % 4
    assert upper_upstream is not None
    return upper_upstream


def _may_lead(
    deal: Mapping[str, Any],
    hands: list[list[str]],
    variant: str,
    half: int,
    options: Options,
    upper_upstream: int | None,
) -> bool:
    """A5: whether the seat named as leader may lead first."""
    leader = deal["leader"]
    if variant == "five":
        # A5: 5p: the dealer, or anyone by option.
        return options.five_leader == "any" or bool(leader == deal["dealer"])
    if half == 1:
        # A5: 4p lower half: the upstream player of the upper half.
        return bool(leader == upper_upstream)
    drawn = deal["drawn"]
    # A5: 4p upper half: a player who was dealt at least one copy of the drawn card.
    if drawn in hands[leader]:
        return True
    # A5: if a joker was drawn, of that joker or of any 3.
    return is_joker(drawn) and any(card[0] == "3" for card in hands[leader])


def _five_sides(hands: list[list[str]], dealer: int, called: str) -> list[int]:
    """A6: partners are all other players who were dealt two or more copies of the called card; theirs is side 0."""
    return [0 if seat == dealer or hands[seat].count(called) >= 2 else 1 for seat in range(5)]


class _Table:
    """The cards on the table and in the hands while the plays of one deal are walked through."""

    def __init__(
        self,
        deal: Mapping[str, Any],
        variant: str,
        knife: str,
        hands: list[list[str]],
        sides: list[int],
        options: Options,
    ) -> None:
        self.deal = deal
        self.variant = variant
        self.options = options
        self.seats = SEATS[variant]
        self.hands = hands
        self.facts = Facts(variant, knife, deal["leader"], sides, [0] * self.seats, [], [])
        self.turn: int = deal["leader"]
        self.top: Combo | None = None  # the play to beat; None means that a trick is to be led
        self.top_seat = -1
        self.trick_points = 0
        self.passed: set[int] = set()  # who has passed since the last play
        self.over: str | None = None  # "out" by C4, "points" by C5 must
        # A6: how many copies of the called card each partner has played
        self.called_played = [0] * self.seats

    def walk(self) -> Facts | Violation:
        """H2: the checks of each play, then those after the last one."""
        plays = self.deal["plays"].split()
        for place, text in enumerate(plays):
            seat_text, cards_text = text.split(":")
            cards = [] if cards_text == "-" else split_cards(cards_text)
            code = self.check(int(seat_text), cards)
            if code is not None:
                return Violation(code, place)
            if cards:
                self.play(place, cards)
            else:
                self.passes()
        code = self.check_end()
        if code is not None:
            return Violation(code, len(plays))
        self.facts.end = self.deal.get("end") or "out"
        if self.facts.end == "escape":
            self.facts.escaped = self.deal["escaped"]
        self.facts.hand_points = [card_points(hand) for hand in self.hands]
        self.facts.holders = self.holders()
        return self.facts

    def check(self, seat: int, cards: list[str]) -> str | None:
        """H2: the six checks of a play, in order; a pass is a play without cards."""
        # H2 AFTER_END: the deal is over.
        if self.over is not None:
            return "AFTER_END"
        # H2 TURN, A1.
        if seat != self.turn:
            return "TURN"
        if not cards:
            # H2 LEAD_PASS, C1: passing is always allowed, except when leading.
            return "LEAD_PASS" if self.top is None else None
        # H2 NOT_HELD: the cards are in the hand, each as often as it is played.
        if Counter(cards) - Counter(self.hands[seat]):
            return "NOT_HELD"
        # H2 NOT_A_COMBO, B1-B3.
        combo = name(cards, self.variant, self.facts.knife, self.options)
        if combo is None:
            return "NOT_A_COMBO"
        # H2 CANNOT_BEAT, B4-B8.
        if self.top is not None and not beats(combo, self.top, self.variant, self.facts.knife, self.options):
            return "CANNOT_BEAT"
        return None

    def play(self, place: int, cards: list[str]) -> None:
        """A play that passed the checks."""
        seat = self.turn
        for card in cards:
            self.hands[seat].remove(card)
        self.top = name(cards, self.variant, self.facts.knife, self.options)
        self.top_seat = seat
        self.trick_points += card_points(cards)
        self.passed = set()
        goes_out = not self.hands[seat]
        self.count_atom(goes_out)
        self.reveal(place, cards)
        if goes_out:
            self.facts.finish.append(seat)
            if self.ended_by_out():
                # C4: the deal ends at once; the trick on the table goes to the player of that last play.
                self.take_trick()
                self.over = "out"
                return
        self.turn = self.next_holder(seat)

    def count_atom(self, goes_out: bool) -> None:
        """F5: one more for each atom or H-bomb played before the upstream player is out."""
        assert self.top is not None
        if self.top.kind not in COUNTED_AS_ATOMS or self.facts.finish:
            return
        # F5: the play by which the upstream player goes out still counts, by option.
        if goes_out and not self.options.count_head_out:
            return
        self.facts.atoms += 1

    def reveal(self, place: int, cards: list[str]) -> None:
        """A6: a partner is revealed when the second copy of the called card leaves that player's hand."""
        seat = self.turn
        if self.variant == "four" or seat == self.deal["dealer"] or self.facts.sides[seat] != 0:
            return
        before = self.called_played[seat]
        self.called_played[seat] += cards.count(self.deal["called"])
        if before < 2 <= self.called_played[seat]:
            self.facts.revealed.append([seat, place])

    def passes(self) -> None:
        """C2: a pass; the trick ends when every other player who still holds cards has passed since the last play."""
        self.passed.add(self.turn)
        if all(seat in self.passed for seat in self.holders() if seat != self.top_seat):
            self.take_trick()
            self.turn = self.next_leader()
            # C5: with `must` the deal is over at the first such moment.
            if self.variant == "five" and self.options.early_stop == "must" and self.a_side_has_enough():
                self.over = "points"
        else:
            self.turn = self.next_holder(self.turn)

    def take_trick(self) -> None:
        """C2: the last to play takes all points played in the trick."""
        self.facts.captured[self.top_seat] += self.trick_points
        self.facts.tricks += 1
        self.trick_points = 0
        self.top = None
        self.passed = set()

    def next_leader(self) -> int:
        """C2, C3: the taker leads the next trick; if out of cards, the wind decides."""
        if self.hands[self.top_seat]:
            return self.top_seat
        # C3: 4p only: to the taker's partner. The partner holds cards, or the deal would be over (C4).
        if self.variant == "four" and self.options.wind == "partner":
            return (self.top_seat + 2) % 4
        # C3: to the next seat that still holds cards.
        return self.next_holder(self.top_seat)

    def holders(self) -> list[int]:
        """The seats that still hold cards."""
        return [seat for seat in range(self.seats) if self.hands[seat]]

    def next_holder(self, seat: int) -> int:
        """A1: the turn passes to the next seat, skipping players without cards."""
        following = (seat + 1) % self.seats
        while not self.hands[following]:
            following = (following + 1) % self.seats
        return following

    def ended_by_out(self) -> bool:
        """C4: whether the deal has ended by players going out."""
        out_of_side = [[seat in self.facts.finish for seat in self.facts.seats_of(side)] for side in (0, 1)]
        if self.variant == "five":
            # C4: 5p: when all players of one side are out.
            return all(out_of_side[0]) or all(out_of_side[1])
        # C4: 4p: when three players are out.
        if len(self.facts.finish) == 3:
            return True
        # C4: 4p: when both partners of one side are out while both opponents still hold cards.
        return (all(out_of_side[0]) and not any(out_of_side[1])) or (all(out_of_side[1]) and not any(out_of_side[0]))

    def a_side_has_enough(self) -> bool:
        """C5: whether the captured points of a side (nothing of D3) have reached its target of F1."""
        return any(
            sum(self.facts.captured[seat] for seat in self.facts.seats_of(side)) >= target(self.facts, side)
            for side in (0, 1)
        )

    def check_end(self) -> str | None:
        """H2: TRUNCATED and END, after the last play."""
        end = self.deal.get("end") or "out"
        if self.over is not None:
            # H2 END: the deal ended by C4 and `end` is not `out`, or by C5 `must` and `end` is not `points`.
            return None if end == self.over else "END"
        if end == "escape":
            # E3, F7: an escape may come at any moment before the deal is over.
            return None
        if end == "points":
            # H2 END: with `early_stop` = `never` play may not stop on points, whatever was captured.
            if self.options.early_stop == "never":
                return "END"
            # H2 TRUNCATED, C5: a trick is open, or no side has enough.
            if self.top is not None or not self.a_side_has_enough():
                return "TRUNCATED"
            return None
        # H2 TRUNCATED: the log stops before the deal has ended.
        return "TRUNCATED"


def target(facts: Facts, side: int) -> int:
    """F1: 100 a player; 5 more for a side without the upstream player, and for both sides while nobody is out."""
    points = 100 * len(facts.seats_of(side))
    if not facts.finish or facts.sides[facts.finish[0]] != side:
        points += 5
    return points
