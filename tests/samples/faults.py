"""One fault put into a deal that is right otherwise.

Where it goes is told by a place: the first play there, or later, with which it can be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.samples.dealt import Deal, Play, cards_of, plays_of, with_plays

_SUITS = "shcd"
_ORDER = "3456789TJQKA2"


def misread_card(deal: Deal, seat: int) -> Deal:
    """DECK: a card of a hand written down in another suit."""
    hands = list(deal["hands"])
    card = hands[seat][:2]
    hands[seat] = card[0] + _SUITS[_SUITS.index(card[1]) - 1] + hands[seat][2:]
    return deal | {"hands": hands}


def lost_card(deal: Deal, seat: int) -> Deal:
    """DECK: a hand with a card too few."""
    hands = list(deal["hands"])
    hands[seat] = hands[seat][2:]
    return deal | {"hands": hands}


def moved_card(deal: Deal, giver: int, taker: int) -> Deal:
    """HAND_SIZE: the last card of a hand written at the end of another."""
    hands = list(deal["hands"])
    hands[giver], hands[taker] = hands[giver][:-2], hands[taker] + hands[giver][-2:]
    return deal | {"hands": hands}


def without_the_drawn_card(deal: Deal) -> int:
    """LEADER: a seat that was not dealt the drawn card."""
    return next(seat for seat, hand in enumerate(deal["hands"]) if deal["drawn"] not in cards_of(hand))


def card_of_the_dealer(deal: Deal) -> str:
    """CALL: a card that the dealer holds and could otherwise call."""
    held = cards_of(deal["hands"][deal["dealer"]])
    return next(card for card in reversed(held) if card[0] not in (deal["knife"], "X"))


def played_on(deal: Deal) -> Deal:
    """AFTER_END: one more play, by a player who still holds a card."""
    last = list(plays_of(deal))[-1]
    hands = last.hands
    hands[last.seat] -= Counter(cards_of(last.text))
    seat = next(other for other, hand in enumerate(hands) if hand)
    return with_plays(deal, [*deal["plays"].split(), f"{seat}:{min(hands[seat])}"])


def lost_pass(deal: Deal, start: int) -> Deal:
    """TURN: a pass that was not written down."""
    plays = deal["plays"].split()
    del plays[next(play.place for play in plays_of(deal) if play.place >= start and play.text == "-")]
    return with_plays(deal, plays)


def _changed(deal: Deal, start: int, change: Callable[[Play], str | None]) -> Deal:
    """The first play that can be changed, changed; the log ends with the deal as before."""
    plays = deal["plays"].split()
    for play in plays_of(deal):
        text = change(play) if play.place >= start else None
        if text is not None:
            plays[play.place] = f"{play.seat}:{text}"
            return with_plays(deal, plays)
    raise ValueError("there is no such play in this deal")


def passed_lead(deal: Deal, start: int) -> Deal:
    """LEAD_PASS: a lead written as a pass."""
    return _changed(deal, start, lambda play: None if play.on_table else "-")


def wrong_suit(deal: Deal, start: int) -> Deal:
    """NOT_HELD: a single written in a suit that the player does not hold."""

    def change(play: Play) -> str | None:
        if play.text[0] in "-X" or len(play.text) != 2:
            return None
        others = (play.text[0] + suit for suit in _SUITS)
        return next((card for card in others if not play.hands[play.seat][card]), None)

    return _changed(deal, start, change)


def two_ranks(deal: Deal, start: int) -> Deal:
    """NOT_A_COMBO: a lead of neighbouring ranks, which makes a straight elsewhere and nothing here."""

    def change(play: Play) -> str | None:
        if play.on_table:
            return None
        held = play.hands[play.seat]
        one_each = [next((rank + suit for suit in _SUITS if held[rank + suit]), "") for rank in _ORDER]
        runs = ([*one_each[at : at + 3]] for at in range(len(_ORDER) - 2))
        return next(("".join(run) for run in runs if all(run)), None)

    return _changed(deal, start, change)


def knife_with_joker(deal: Deal, start: int) -> Deal:
    """NOT_A_COMBO in the game for four: a lead of the knife and a joker (B3)."""

    def change(play: Play) -> str | None:
        held = sorted(play.hands[play.seat].elements())
        knives = [card for card in held if card[0] == deal["knife"]]
        jokers = [card for card in held if card[0] == "X"]
        return knives[0] + jokers[0] if knives and jokers and not play.on_table else None

    return _changed(deal, start, change)


def equal_single(deal: Deal, start: int) -> Deal:
    """CANNOT_BEAT: a single answered by one of the same rank (B8)."""

    def change(play: Play) -> str | None:
        if play.text != "-" or len(play.on_table) != 2 or play.on_table[0] == "X":
            return None
        same = (play.on_table[0] + suit for suit in _SUITS)
        return next((card for card in same if play.hands[play.seat][card]), None)

    return _changed(deal, start, change)


def pair_on_single(deal: Deal, start: int) -> Deal:
    """CANNOT_BEAT: a single answered by a pair of 2s, which is no single (B4)."""

    def change(play: Play) -> str | None:
        twos = [card for card in sorted(play.hands[play.seat].elements()) if card[0] == "2"]
        return "".join(twos[:2]) if play.text == "-" and len(play.on_table) == 2 and len(twos) >= 2 else None

    return _changed(deal, start, change)


def bomb_on_knife(deal: Deal, start: int) -> Deal:
    """CANNOT_BEAT: up to three cards of the knife's rank answered by a common bomb (B4)."""

    def change(play: Play) -> str | None:
        on_table = cards_of(play.on_table)
        if play.text != "-" or not on_table or len(on_table) > 3 or {card[0] for card in on_table} != {deal["knife"]}:
            return None
        held = sorted(play.hands[play.seat].elements())
        ranks = [[card for card in held if card[0] == rank][:4] for rank in _ORDER if rank != deal["knife"]]
        return next(("".join(bomb) for bomb in ranks if len(bomb) == 4), None)

    return _changed(deal, start, change)


def stopped_early(deal: Deal, plays: int) -> Deal:
    """TRUNCATED: a log that stops after so many plays (counted from the end if below 0)."""
    return with_plays(deal, deal["plays"].split()[:plays])
