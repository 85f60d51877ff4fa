"""Engine and oracle on matches that Hypothesis makes choice by choice, so that what it finds it can make small."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.cards import JOKERS, PIPS, RANKS_HIGH_TO_LOW, SUITS_HIGH_TO_LOW, is_joker, knife_from, whole_deck
from tests.oracle.options import Options, options_of
from tests.oracle.referee import _five_sides, _Table
from tests.yuanzi_core.second_opinion import disagreements
from tests.yuanzi_core.tables import Deal, Match
from yuanzi_core.ruleset import PRESETS, options

CARDS = [rank + suit for rank in RANKS_HIGH_TO_LOW for suit in SUITS_HIGH_TO_LOW] + JOKERS
#: So long a deal is not played to its end.
MOST_PLAYS = 150


@st.composite
def rules(draw: st.DrawFn, variant: str) -> dict[str, Any]:
    """Any of the options of a game, each with any of its values."""
    chosen: dict[str, st.SearchStrategy[Any]] = {}
    for name, option in options().items():
        if variant not in option.variants:
            continue
        if variant in option.values:
            chosen[name] = st.sampled_from(option.values[variant])
        else:
            least, most, decimals = (option.range[variant][key] for key in ("least", "most", "decimals"))
            whole = st.integers(least, most)
            chosen[name] = whole if not decimals else whole | st.decimals(least, most, places=decimals).map(float)
    return draw(st.fixed_dictionaries({}, optional=chosen))


@st.composite
def hands(draw: st.DrawFn, variant: str, first: int) -> list[list[str]]:
    """The deck, cut into hands after a shuffle, or after sorting by rank and a few exchanges: then deals are short."""
    deck = whole_deck(variant)
    if draw(st.booleans(), label="shuffled"):
        draw(st.randoms(use_true_random=False)).shuffle(deck)
    else:
        order = draw(st.permutations([*RANKS_HIGH_TO_LOW, "X"]))
        deck.sort(key=lambda card: order.index(card[0]))
        places = st.integers(0, len(deck) - 1)
        for one, other in draw(st.lists(st.tuples(places, places), max_size=20)):
            deck[one], deck[other] = deck[other], deck[one]
    sizes = [54] * 5 if variant == "five" else [41 if (seat - first) % 4 < 2 else 40 for seat in range(4)]
    starts = [sum(sizes[:seat]) for seat in range(len(sizes))]
    return [deck[start : start + size] for start, size in zip(starts, sizes, strict=True)]


def legal(table: _Table) -> list[list[str]]:
    """What the player on turn may play, as the oracle judges it: long plays first, a pass last, not every play."""
    hand = table.hands[table.turn]
    jokers = [card for card in hand if is_joker(card)]
    found: list[list[str]] = [jokers] if jokers else []
    for rank in RANKS_HIGH_TO_LOW:
        own = [card for card in hand if card[0] == rank]
        if own:
            alike = [[card for card in own if card[1] == suit] for suit in SUITS_HIGH_TO_LOW]
            found += [own + jokers, own, *alike, own + jokers[:1], own[:3], own[:2], own[:1]]
    found += [[card for card in jokers if card == joker] for joker in JOKERS] + [jokers[:1]]
    moves = [cards for cards in found if cards and table.check(table.turn, cards) is None]
    return moves if table.top is None else [*moves, []]


def play_on(draw: st.DrawFn, table: _Table, deal: Deal) -> None:
    """Fill in ``plays``, ``end`` and ``escaped``: legal plays up to the end, a chosen stop, or a chosen mistake."""
    stops_at = draw(st.none() | st.integers(0, 60), label="stops at")
    wrong_at = draw(st.none() | st.none() | st.integers(0, 60), label="wrong at")
    written: list[str] = []
    while table.over is None and len(written) < MOST_PLAYS and len(written) != stops_at:
        if len(written) == wrong_at:
            seat = draw(st.just(table.turn) | st.integers(0, table.seats - 1))
            anything = st.lists(st.sampled_from(CARDS), max_size=9)
            cards = draw(anything | st.lists(st.sampled_from(table.hands[seat] or CARDS), max_size=3))
        else:
            seat, cards = table.turn, draw(st.sampled_from(legal(table)))
        written.append(f"{seat}:{''.join(cards) or '-'}")
        if table.check(seat, cards) is not None:
            break
        if cards:
            table.play(len(written) - 1, cards)
        else:
            table.passes()
        may_stop = table.variant == "five" and table.top is None and table.a_side_has_enough()
        if may_stop and draw(st.booleans(), label="stops on points"):
            break
    deal["plays"] = " ".join(written)
    ends = ["out", "escape"] if table.variant == "four" else ["out", "points", "escape"]
    right = table.over or ("points" if table.variant == "five" and table.a_side_has_enough() else "escape")
    deal["end"] = draw(st.just(right) | st.just(right) | st.sampled_from(ends), label="end")
    if deal["end"] == "escape":
        deal["escaped"] = draw(st.integers(0, table.seats - 1))


@st.composite
def deals(draw: st.DrawFn, variant: str, half: int, in_force: Options, upstream: int | None) -> Deal:
    """A deal: what stands before the plays is mostly as it should be."""
    seats = st.integers(0, 4 if variant == "five" else 3)
    drawn = draw(st.sampled_from(CARDS if variant == "four" else CARDS[:-2]))
    knife = knife_from(drawn, variant, half) or "3"
    first = PIPS[knife] % 4 if upstream is None else upstream
    dealt = draw(hands(variant, first))
    deal: Deal = {"drawn": drawn, "hands": ["".join(hand) for hand in dealt]}
    if draw(st.booleans()):
        deal["knife"] = draw(st.just(knife) | st.just(knife) | st.sampled_from(RANKS_HIGH_TO_LOW))
    if variant == "five":
        deal["dealer"] = draw(seats)
        others = [card for card in CARDS[:-2] if card not in dealt[deal["dealer"]] and card[0] != knife]
        deal["called"] = draw(
            st.sampled_from(others or CARDS) | st.sampled_from(others or CARDS) | st.sampled_from(CARDS)
        )
        right = deal["dealer"]
        sides = _five_sides(dealt, deal["dealer"], deal["called"])
    else:
        may = [drawn, *(f"3{suit}" for suit in "dchs" if is_joker(drawn))]
        holders = [seat for seat in range(4) if any(card in dealt[seat] for card in may)]
        right = draw(st.sampled_from(holders)) if upstream is None else upstream
        sides = [0, 1, 0, 1]
        if draw(st.booleans()):
            deal["first_draw"] = draw(st.just(first) | st.just(first) | seats)
    deal["leader"] = draw(st.just(right) | st.just(right) | seats)
    play_on(draw, _Table(deal, variant, knife, dealt, sides, in_force), deal)
    return deal


@st.composite
def claims(draw: st.DrawFn, made: Match) -> None:
    """What the table recorded, deal by deal and at the end: seldom right."""
    seats = len(made["players"])
    for deal in made["deals"]:
        if draw(st.booleans(), label="claims of the deal"):
            points = st.integers(0, 100).map(lambda fives: 5 * fives)
            deal["claimed"] = {
                "finish": draw(st.permutations(range(seats)))[: draw(st.integers(0, seats))],
                "captured": draw(st.lists(points, min_size=seats, max_size=seats)),
                "side_points": draw(st.lists(points, min_size=2, max_size=2)),
            }
    if draw(st.booleans(), label="claims of the match"):
        score = st.integers(-20, 20) | st.sampled_from([4.5, -1.5, 0.01])
        made["claimed"] = {
            "outcome": draw(st.sampled_from(["normal", "double", "low", "zero", "escape"])),
            "winner": draw(st.integers(0, 1)),
            "scores": draw(st.lists(score, min_size=seats, max_size=seats)),
        }


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """A match of either game."""
    preset = draw(st.sampled_from(PRESETS))
    variant = preset.split("-")[0]
    overrides = draw(rules(variant))
    in_force = options_of(preset, overrides)
    players: list[dict[str, Any]] = [{"id": f"p{seat}"} for seat in range(4 if variant == "four" else 5)]
    for player in players:
        player |= draw(st.fixed_dictionaries({}, optional={"balance": st.integers(-40, 40).map(lambda half: half / 2)}))
    made: Match = {
        "format": "yuanzi-log/1", "match_id": "m", "variant": variant, "ruleset": preset, "rules": overrides,
        "played_at": "2026-03-01T20:15:00+08:00", "players": players,
        "base": draw(st.integers(1, 2000)) / 100,
    }  # fmt: skip
    upper = draw(deals(variant, 0, in_force, None))
    made["deals"] = [upper]
    upstream = first_out(upper)
    if variant == "four" and upstream is not None and draw(st.booleans(), label="lower half"):
        made["deals"].append(draw(deals(variant, 1, in_force, upstream)))
    draw(claims(made))
    return made


def first_out(deal: Deal) -> int | None:
    """The first seat to have played all that it held."""
    held = [len(hand) // 2 for hand in deal["hands"]]
    for play in deal["plays"].split():
        seat, _, cards = play.partition(":")
        held[int(seat)] -= 0 if cards == "-" else len(cards) // 2
        if held[int(seat)] == 0:
            return int(seat)
    return None


@settings(max_examples=settings().max_examples * 5 // 2)
@given(matches())
@pytest.mark.slow
def test_engine_and_oracle_agree_on_drawn_matches(made: Match) -> None:
    disagreements([made])
