"""A claim against the recomputation: seat by seat where the claim is by seat, else by side, by place or in a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from dashboards.components.figures import parsed, word
from dashboards.components.frame import View
from dashboards.components.markup import Html, data, joined, tag
from dashboards.components.places import player, seat, side
from dashboards.components.tables import Column, Line, table
from yuanzi_core.words import number, signed

BY_SEAT = ("CLAIM_CAPTURED", "CLAIM_SCORES", "CLAIM_BALANCE")


def _is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _pair(claimed: Any, recomputed: Any, shown: Callable[[Any], object]) -> tuple[object, object]:
    if claimed == recomputed:
        return shown(claimed), shown(recomputed)
    return tag("span", shown(claimed), class_="yz-old"), tag("span", shown(recomputed), class_="yz-new")


def comparison(
    view: View,
    code: str,
    variant: str,
    claimed_json: str | None,
    recomputed_json: str | None,
    names: Sequence[str | None] | None,
    ids: Sequence[str] | None,
) -> Html:
    """The table of one discrepancy. Values of an unknown shape are shown as they are."""
    claimed, recomputed = parsed(claimed_json), parsed(recomputed_json)
    both_lists = isinstance(claimed, list) and isinstance(recomputed, list)
    heads = [Column(view.say("comparison.claimed"), True), Column(view.say("comparison.recomputed"), True)]

    def figure(value: Any) -> object:
        if value is None:
            return "–"
        return number(value) if _is_number(value) else data(value)

    if code == "CLAIM_FINISH" and both_lists:

        def who(value: Any) -> object:
            if not isinstance(value, int):
                return figure(value)
            name = player(names, ids, value)
            return seat(view, variant, value) if name is None else tag("span", seat(view, variant, value), " ", name)

        lines = [
            Line([view.say("comparison.out", place=place), *_pair(old, new, who)], "yz-differs" if old != new else None)
            for place, (old, new) in enumerate(zip_longest(claimed, recomputed), 1)
        ]
        words = [Column(view.say(f"comparison.{name}")) for name in ("place", "claimed", "recomputed")]
        return table(words, lines, stack=False)

    if both_lists:
        by_seat = code in BY_SEAT
        lines = []
        for place, (old, new) in enumerate(zip_longest(claimed, recomputed)):
            who_is = joined(seat(view, variant, place), " ", player(names, ids, place)) if by_seat else None
            difference = signed(new - old) if _is_number(old) and _is_number(new) and old != new else ""
            cells = [who_is or side(view, variant, place), *_pair(old, new, figure), difference]
            lines.append(Line(cells, "yz-differs" if old != new else None))
        first = Column(view.say("comparison.seat") if by_seat else view.say("comparison.side"))
        return table([first, *heads, Column(view.say("comparison.difference"), True)], lines, stack=False)

    def in_words(value: Any) -> object:
        if code == "CLAIM_OUTCOME" and isinstance(value, str):
            return data(word(f"terms.outcome.{value}", view.lang, value))
        if code == "CLAIM_WINNER" and isinstance(value, int):
            return side(view, variant, value)
        return figure(value)

    old, new = _pair(claimed, recomputed, in_words)
    return table([Column(head.label) for head in heads], [Line([old, new], "yz-differs")], stack=False)
