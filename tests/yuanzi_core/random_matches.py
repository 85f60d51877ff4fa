"""Random matches in canonical notation for the comparison with the oracle: legal for the most part, and often not.

Hands are shuffled, or cut from a sorted deck so that whole ranks fall together and a deal is over in a dozen tricks.
The oracle's own table says whose turn it is; what is played is up to chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from tests.oracle.cards import PIPS, is_joker, knife_from, rank_of, split_cards, whole_deck
from tests.oracle.options import Options, options_of
from tests.oracle.referee import _five_sides, _Table
from yuanzi_core.ruleset import PRESETS, options

Match = dict[str, Any]
Deal = dict[str, Any]


def random_rules(rng: Random, variant: str, share: float = 0.4) -> dict[str, Any]:
    """A random value for some of the options of a game."""
    rules: dict[str, Any] = {}
    for name, option in options().items():
        if variant not in option.variants or rng.random() > share:
            continue
        if variant in option.values:
            rules[name] = rng.choice(option.values[variant])
        elif option.range[variant]["decimals"]:
            rules[name] = rng.choice([0, 1, 2, 0.5, 0.25, 1.01])
        else:
            least, most = option.range[variant]["least"], option.range[variant]["most"]
            rules[name] = rng.choice([least, most, rng.randint(least, most), rng.randint(least, min(most, 9))])
    return rules


def _hands(rng: Random, variant: str, first: int) -> list[list[str]]:
    deck = whole_deck(variant)
    rng.shuffle(deck)
    if rng.random() < 0.7:
        order = rng.sample("23456789TJQKAX", 14)
        deck.sort(key=lambda card: order.index(card[0]))
        for _ in range(rng.choice([0, 3, 12, 40])):
            one, other = rng.randrange(len(deck)), rng.randrange(len(deck))
            deck[one], deck[other] = deck[other], deck[one]
    sizes = [54] * 5 if variant == "five" else [41 if (seat - first) % 4 < 2 else 40 for seat in range(4)]
    starts = [sum(sizes[:seat]) for seat in range(len(sizes))]
    return [deck[start : start + size] for start, size in zip(starts, sizes, strict=True)]


def _some_cards(rng: Random, hand: list[str]) -> list[str]:
    """All or some cards of a rank, at times with jokers; or anything at all."""
    if rng.random() < 0.02:
        return rng.sample(hand, min(len(hand), rng.randint(1, 3)))
    rank = rng.choice(hand)[0]
    found = [card for card in hand if card[0] == rank]
    if rng.random() < 0.4:
        found = rng.sample(found, rng.randint(1, len(found)))
    elif rng.random() < 0.5:
        # Cards all alike: an atom, perhaps.
        found = [card for card in found if card == found[0]]
    if rank != "X" and rng.random() < 0.1:
        found += [card for card in hand if is_joker(card)][: rng.randint(1, 3)]
    return found


def _move(rng: Random, table: _Table) -> list[str]:
    """Cards that the player on turn may play, or none for a pass."""
    hand = table.hands[table.turn]
    leads = table.top is None
    if not leads and rng.random() < 0.45:
        return []
    for _ in range(12 if leads else 5):
        found = _some_cards(rng, hand)
        if table.check(table.turn, found) is None:
            return found
    return [hand[0]] if leads else []


def _mistake(rng: Random, table: _Table) -> tuple[int, list[str]]:
    """A seat and cards that are probably wrong."""
    hand = table.hands[table.turn]
    kind = rng.randrange(5)
    if kind == 0:
        seat = rng.randrange(table.seats)
        return seat, _some_cards(rng, table.hands[seat] or ["3s"])
    if kind == 1:
        return table.turn, []
    if kind == 2:
        return table.turn, [rng.choice(whole_deck(table.variant)) for _ in range(rng.randint(1, 9))]
    if kind == 3:
        return table.turn, rng.sample(hand, min(len(hand), 2))
    return table.turn, [hand[0]] * rng.choice([2, 4, 8, 9])


def _play(rng: Random, deal: Deal, variant: str, half: int, rules: Options, upstream: int | None) -> None:
    """Fill in ``plays``, ``end`` and ``escaped`` of a deal."""
    hands = [split_cards(text) for text in deal["hands"]]
    sides = [0, 1, 0, 1] if variant == "four" else _five_sides(hands, deal["dealer"], deal["called"])
    knife = knife_from(deal["drawn"], variant, half) or "3"
    table = _Table(deal, variant, knife, hands, sides, rules)
    written: list[str] = []
    stops_at = rng.choice([10_000, 10_000, 10_000, rng.randint(0, 60)])
    wrong_at = rng.choice([10_000, 10_000, 10_000, rng.randint(0, 120)])
    while table.over is None and len(written) < stops_at:
        seat, cards = table.turn, _move(rng, table)
        if len(written) == wrong_at:
            seat, cards = _mistake(rng, table)
        written.append(f"{seat}:{''.join(cards) or '-'}")
        if table.check(seat, cards) is not None:
            break
        if cards:
            table.play(len(written) - 1, cards)
        else:
            table.passes()
        if variant == "five" and table.top is None and table.a_side_has_enough() and rng.random() < 0.3:
            deal["end"] = "points"
            break
    if table.over == "points":
        deal["end"] = "points"
    elif table.over is None and "end" not in deal and rng.random() < 0.5:
        deal["end"], deal["escaped"] = "escape", rng.randrange(table.seats)
    if rng.random() < 0.03:
        deal["end"] = rng.choice(["out", "escape"] + ["points"] * (variant == "five"))
        deal["escaped"] = rng.randrange(table.seats)
    if rng.random() < 0.02:
        written.append(f"{rng.randrange(table.seats)}:{rng.choice(['-', '3s', 'XB'])}")
    deal["plays"] = " ".join(written)


def _deal(rng: Random, variant: str, half: int, rules: Options, upstream: int | None) -> Deal:
    cards = whole_deck(variant)
    drawn = rng.choice(cards)
    while variant == "five" and is_joker(drawn) and rng.random() < 0.99:
        drawn = rng.choice(cards)
    knife = knife_from(drawn, variant, half) or "3"
    first = upstream if upstream is not None else PIPS[knife] % 4
    hands = _hands(rng, variant, first)
    deal: Deal = {"drawn": drawn, "hands": ["".join(hand) for hand in hands]}
    if rng.random() < 0.5:
        deal["knife"] = knife
    if variant == "five":
        deal["dealer"] = rng.randrange(5)
        free = [card for card in cards if card not in hands[deal["dealer"]] and not is_joker(card)]
        callable_cards = [card for card in free if rank_of(card) != knife]
        deal["called"] = rng.choice(callable_cards if callable_cards and rng.random() < 0.98 else cards)
        deal["leader"] = deal["dealer"] if rng.random() < 0.95 else rng.randrange(5)
    else:
        holders = [seat for seat in range(4) if drawn in hands[seat]]
        if is_joker(drawn):
            holders = [seat for seat in range(4) if drawn in hands[seat] or any(card[0] == "3" for card in hands[seat])]
        deal["leader"] = rng.choice(holders) if upstream is None else upstream
        if rng.random() < 0.03:
            deal["leader"] = rng.randrange(4)
        if rng.random() < 0.5:
            deal["first_draw"] = first if rng.random() < 0.96 else rng.randrange(4)
    _play(rng, deal, variant, half, rules, upstream)
    if rng.random() < 0.02:
        _spoil(rng, deal)
    return deal


def _spoil(rng: Random, deal: Deal) -> None:
    hands = deal["hands"]
    seat = rng.randrange(len(hands))
    kind = rng.randrange(3)
    if kind == 0:
        hands[seat] = hands[seat][2:]
    elif kind == 1:
        hands[seat], other = hands[seat][2:], hands[seat][:2]
        hands[seat - 1] += other
    else:
        deal["knife"] = rng.choice("3456789TJQKA2")


def escape_claim(rng: Random, deal: Deal) -> list[int]:
    """Scores of an escape in 5p as a table might have written them, in about half of all cases within F7's bounds."""
    sides = _five_sides([split_cards(text) for text in deal["hands"]], deal["dealer"], deal["called"])
    escaped = deal.get("escaped", 0)
    scores = [0 if side == sides[escaped] else rng.choice([0, 1, 1, 1, 2, 3]) for side in sides]
    if rng.random() < 0.1:
        scores[rng.randrange(5)] = 1
    scores[escaped] = -rng.choice([9, 10, 12, 15, 18, 19])
    return scores


def _claims(rng: Random, made: Match) -> None:
    """What a table might have recorded; often enough it is right by chance."""
    seats = len(made["players"])
    for deal in made["deals"]:
        if rng.random() < 0.3:
            captured = [rng.choice([0, 5, 10, 60, 120]) for _ in range(seats)]
            deal["claimed"] = {
                "finish": rng.sample(range(seats), rng.randint(0, 3)), "captured": captured,
                "side_points": [rng.choice([300, 500, 180]), 0],
            }  # fmt: skip
    if rng.random() < 0.5:
        scores: list[Any] = [rng.choice([1, -1, 2, -2, 0, 3, 4.5]) for _ in range(seats)]
        if seats == 5 and rng.random() < 0.7:
            scores = escape_claim(rng, made["deals"][0])
        made["claimed"] = {
            "outcome": rng.choice(["normal", "double", "escape"]),
            "winner": rng.randrange(2),
            "scores": scores,
        }


def every_combination(rng: Random, variant: str) -> Iterator[dict[str, Any]]:
    """Each combination of the options that have values; those that have a range get one at random."""
    own = {name: option for name, option in options().items() if variant in option.variants}
    named = {name: option.values[variant] for name, option in own.items() if variant in option.values}
    for values in product(*named.values()):
        ranges = {name: value for name, value in random_rules(rng, variant).items() if name not in named}
        yield dict(zip(named, values, strict=True)) | ranges


def random_match(rng: Random, preset: str | None = None, rules: dict[str, Any] | None = None) -> Match:
    """A match of either game under random options, or those given."""
    preset = preset or rng.choice(PRESETS)
    variant = preset.split("-")[0]
    rules = random_rules(rng, variant) if rules is None else rules
    seats = 4 if variant == "four" else 5
    players: list[dict[str, Any]] = [{"id": f"p{seat}"} for seat in range(seats)]
    for player in players:
        if rng.random() < 0.7:
            player["balance"] = rng.choice([0, -3, 1, 2.125, 7.5, 40, 1000])
    made: Match = {
        "format": "yuanzi-log/1", "match_id": "m", "variant": variant, "ruleset": preset, "rules": rules,
        "played_at": "2026-03-01T20:15:00+08:00", "players": players,
    }  # fmt: skip
    if rng.random() < 0.5:
        made["base"] = rng.choice([1, 2, 0.5, 0.01, 0.15, 12.34])
    effective = options_of(preset, rules)
    made["deals"] = [_deal(rng, variant, 0, effective, None)]
    if variant == "four" and rng.random() < 0.8:
        # The upper half's first player out, if the oracle let it come to that.
        upstream = _first_out(made["deals"][0])
        if upstream is not None or rng.random() < 0.1:
            made["deals"].append(_deal(rng, variant, 1, effective, upstream or 0))
    _claims(rng, made)
    return made


def _first_out(deal: Deal) -> int | None:
    held = [len(text) // 2 for text in deal["hands"]]
    for play in deal["plays"].split():
        seat, _, cards = play.partition(":")
        if cards != "-":
            held[int(seat)] -= len(cards) // 2
            if held[int(seat)] == 0:
                return int(seat)
    return None
