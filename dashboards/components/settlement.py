"""The settlement of a match as a picture: captured, transfers, points of the sides, scores, each step with its figures.

``yuanzi_core.settlement_flow`` gives the figures, the explanation the sentences about who wins what.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import streamlit as st

from dashboards.components.clauses import clause_buttons
from dashboards.components.explanation import sentence
from dashboards.components.figures import tone, word
from dashboards.components.frame import View
from dashboards.components.markup import Html, chip, data, joined, show, tag
from dashboards.components.places import seat, side
from yuanzi_core.explanation import Explanation
from yuanzi_core.settlement_flow import DealFlow, Flow
from yuanzi_core.texts import text
from yuanzi_core.transfers import Transfer
from yuanzi_core.words import listed, signed

STYLE = Path(__file__).with_name("settlement.css")


class _Picture:
    """What all steps need: the language, the game, and who sits where."""

    def __init__(self, view: View, variant: str, names: Sequence[str]) -> None:
        self.view, self.variant, self.names = view, variant, names

    def say(self, key: str, **fields: object) -> str:
        return text(f"replay.flow.{key}", self.view.lang, **fields)

    def seat(self, place: int) -> str:
        return seat(self.view, self.variant, place)

    def side(self, place: int) -> str:
        return side(self.view, self.variant, place)

    def person(self, place: int) -> Html:
        return joined(self.seat(place), " ", data(self.names[place]))

    def own(self, owner: object, amount: object, its: int, share: float | None = None) -> Html:
        """A line: whose, how much, in the colour of a side, with a bar for its share of all points."""
        bar = None if share is None else tag("span", class_="yz-share", style=f"width:{share:.0%}")
        return tag("li", tag("span", owner), tag("b", amount), bar, class_=f"yz-own yz-side{its}")

    def step(self, key: str, *content: object) -> Html:
        return tag("div", tag("h4", self.say(key)), *content, class_="yz-step")

    def captured(self, deal: DealFlow) -> Html:
        most = max([*deal.captured, 1])
        lines = [
            self.own(self.person(place), points, deal.sides[place], points / most)
            for place, points in _by_side(deal, deal.captured)
        ]
        open_points = tag("p", self.say("open"), " ", tag("b", deal.open_points)) if deal.open_points else None
        return self.step("captured", tag("ul", *lines), open_points)

    def move(self, move: Transfer) -> Html:
        sources = listed([self.seat(place) for place in move.sources], self.view.lang)
        target = self.seat(move.seat) if move.seat is not None else self.side(move.side or 0)
        if move.unplayed:
            sources = self.say("from_hands", seats=sources)
        return tag("li", sources, " → ", target, " ", tag("b", move.points),
                   tag("span", move.clause, class_="yz-clause"), class_="yz-move")  # fmt: skip

    def transfers(self, deal: DealFlow) -> Html:
        if deal.points is None:
            return self.step("transfers", tag("p", self.say("not_moved")))
        moved = [self.move(move) for move in deal.moves if move.points]
        return self.step("transfers", tag("ul", *moved) if moved else tag("p", self.say("nothing_moved")))

    def sides(self, deal: DealFlow) -> Html | None:
        if deal.points is None or deal.side_points is None:
            return None
        lines = []
        for its in range(2):
            lines += [
                self.own(self.seat(place), points, its)
                for place, points in _by_side(deal, deal.points)
                if deal.sides[place] == its
            ]
            if deal.given[its]:
                lines.append(self.own(self.say("unplayed"), deal.given[its], its))
            total = tag("span", deal.side_points[its], class_="yz-total")
            lines.append(self.own(tag("b", self.side(its)), total, its))
        return self.step("sides", tag("ul", *lines))

    def deal(self, deal: DealFlow) -> Html:
        half = word(f"terms.half.{deal.deal}", self.view.lang, "") if self.variant == "four" else None
        steps = tag("div", self.captured(deal), self.transfers(deal), self.sides(deal), class_="yz-steps")
        return joined(tag("h4", half) if half else None, steps, tag("div", "↓", class_="yz-down", aria_hidden="true"))

    def score(self, place: int, score: Decimal, before: Decimal) -> Html:
        capped = (
            tag("span", self.say("before_cap", score=signed(before)), class_="yz-muted") if before != score else None
        )
        return tag("li", self.person(place), tag("b", chip(signed(score), tone(score))), capped)


def _by_side(deal: DealFlow, values: Sequence[int]) -> list[tuple[int, int]]:
    """Seats with their values, side by side."""
    return sorted(enumerate(values), key=lambda pair: (deal.sides[pair[0]], pair[0]))


def settlement(
    view: View, flow: Flow, said: Explanation, variant: str, names: Sequence[str], without: str | None = None
) -> None:  # fmt: skip
    """The whole flow of a match, with the sentences that lead from points to scores and the clauses behind them.

    ``names`` of players by seat; sentences that cite the clause ``without`` are left out.
    """
    picture = _Picture(view, variant, names)
    st.html(STYLE)
    found = [line for section in said.sections if section.key == "result" for line in section.lines]
    lines = [line for line in found if without not in line.clauses]
    result = picture.step("result", tag("ul", *[sentence(view, line) for line in lines], class_="yz-lines"))
    parts: list[Html | None] = [*map(picture.deal, flow.deals), result]
    if flow.scores is not None:
        before = flow.before_cap or flow.scores
        scores = [picture.score(*line) for line in zip(range(len(names)), flow.scores, before, strict=True)]
        parts += [
            tag("div", "↓", class_="yz-down", aria_hidden="true"),
            picture.step("scores", tag("ul", *scores, class_="yz-scores")),
        ]
    show(tag("div", *parts, class_="yz-flow"))
    moved = [move.clause for deal in flow.deals for move in deal.moves]
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        clause_buttons(view, ["C2", *moved, "D0", *[number for line in lines for number in line.clauses]])
