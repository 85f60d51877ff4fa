"""The sections of the rules' balance: each a few charts, and below each the figures that lead to the matches behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dashboards.components import filters
from dashboards.components.balance_words import (
    counted,
    in_order,
    mean_word,
    say,
    share_word,
    value_word,
)
from dashboards.components.figures import count
from dashboards.components.frame import View
from dashboards.components.interval_charts import Words, bar_chart, interval_chart
from dashboards.components.markup import Html, data, show, tag
from dashboards.components.tables import Column, Line, linked_count, table
from dashboards.queries import balance
from dashboards.queries.balance import Chosen, Distribution, Figure, Kind
from yuanzi_core.certainty import Estimate, share

#: Breakdowns of a section, in the order in which they are shown.
ROLES = ("role", "side_size", "lead", "draw", "upstream", "seat")
CARDS = ("knife", "atoms", "bombs", "knives", "jokers", "hbombs")
ENDINGS = ("outcome", "clamp", "double_outs", "tie", "ending", "capped", "dealer_side", "reveal", "ruleset")
#: Of these it is asked how many matches there are, of the others who wins them.
_SHARES = ("outcome", "clamp", "double_outs", "tie", "ending", "capped")
_PERCENT, _SCORE, _POINTS = ".1%", "+.2f", ".1f"


def without_behind() -> dict[str, str]:
    """What was chosen, but not which matches behind a number."""
    return {name: one for name, one in filters.chosen().items() if name not in ("by", "value", "only")}


def behind_link(page: View, number: int, by: str, value: str | None = None, only: str | None = None) -> Html | int:
    """A count that leads to the matches behind it. ``only``: those of ``balance_behind.ONLY``."""
    return linked_count(number, page.href("balance", **without_behind(), by=by, value=value, only=only))


def _words(page: View, title: str, about: Sequence[str], estimate: str | None = None) -> Words:
    chart = [say(page, f"chart.{name}") for name in ("estimate", "interval", "count")]
    return Words(title, about, title, say(page, "too_few"), estimate or chart[0], chart[1], chart[2])


def _share_won(figures: Sequence[Figure]) -> float | None:
    known = sum(figure.known for figure in figures)
    return sum(figure.won for figure in figures) / known if known else None


def _labels(page: View, variant: str, breakdown: str, figures: Sequence[Figure]) -> list[str]:
    return [value_word(page, variant, breakdown, figure.value) for figure in figures]


def _fares(page: View, chosen: Chosen, breakdown: str, figures: Sequence[Figure], whole: Estimate | None) -> None:
    """Who wins, and how much."""
    of_match = breakdown in balance.OF_MATCHES
    who = ("_dealer" if chosen.variant == "five" else "_leader") if of_match else ""
    unit = "matches" if of_match else "players"
    # Where nobody knows who was first there is nothing to tell.
    figures = [figure for figure in figures if figure.known]
    if not figures:
        return
    total = sum(figure.known for figure in figures)
    title = say(page, f"breakdown.{breakdown}.name")
    labels = _labels(page, chosen.variant, breakdown, figures)
    left, right = st.columns(2, gap="medium")
    with left:
        shares = [(label, figure.known, figure.share) for label, figure in zip(labels, figures, strict=True)]
        words = _words(page, title, (say(page, f"unit.won{who}"), counted(page, "share", total, unit)))
        interval_chart(words, shares, _share_won(figures), _PERCENT)
    with right:
        means = [(label, figure.known, figure.mean) for label, figure in zip(labels, figures, strict=True)]
        words = _words(page, title, (say(page, f"unit.score{who}"), counted(page, "mean", total, unit)))
        interval_chart(words, means, None if whole is None else whole.value, _SCORE)


def _occurs(page: View, chosen: Chosen, breakdown: str, figures: Sequence[Figure]) -> None:
    """How many of the matches."""
    total = sum(figure.count for figure in figures)
    labels = _labels(page, chosen.variant, breakdown, figures)
    found = [(label, figure.count, share(figure.count, total))
             for label, figure in zip(labels, figures, strict=True)]  # fmt: skip
    title = say(page, f"breakdown.{breakdown}.name")
    words = _words(page, title, (say(page, "unit.share"), counted(page, "share", total, "matches")))
    interval_chart(words, found, None, _PERCENT)


def _figures_table(page: View, chosen: Chosen, breakdown: str, figures: Sequence[Figure]) -> None:
    of_match = breakdown in balance.OF_MATCHES
    total, won = sum(figure.count for figure in figures), sum(figure.won for figure in figures)
    known = sum(figure.known for figure in figures)
    names = ["column.value", "column.matches" if of_match else "column.players"]
    # Shares and means are of these alone.
    names += ["column.known"] if known < total else []
    if of_match:
        who = "dealer" if chosen.variant == "five" else "leader"
        names += ["column.won", f"unit.won_{who}", f"unit.score_{who}", "column.share_of"]
    else:
        names += ["column.won", "column.share_won", "column.score"]
    columns = [Column(say(page, name), name != "column.value") for name in names]
    lines = []
    for figure in figures:
        named = value_word(page, chosen.variant, breakdown, figure.value)
        # A club's own ruleset may be called anything.
        cells: list[object] = [data(named), behind_link(page, figure.count, breakdown, figure.value)]
        cells += [behind_link(page, figure.known, breakdown, figure.value, "known")] if known < total else []
        cells += [behind_link(page, figure.won, breakdown, figure.value, "won")]
        cells += [share_word(page, figure.share), mean_word(page, figure.mean)]
        cells += [share_word(page, share(figure.count, total))] if of_match else []
        lines.append(Line(cells))
    every = "all" if of_match else "everyone"
    sums = [behind_link(page, total, every)]
    sums += [behind_link(page, known, every, only="known")] if known < total else []
    sums += [behind_link(page, won, every, only="won")]
    lines.append(Line([page.say("frame.total"), *sums, *[""] * (len(columns) - 1 - len(sums))], "yz-total"))
    with st.expander(say(page, "figures")):
        show(table(columns, lines))


def breakdowns(page: View, chosen: Chosen, names: Sequence[str]) -> None:
    """Charts of some breakdowns, as far as the game has them."""
    found = balance.figures(page.cursor, chosen, names)
    everyone = balance.whole(page.cursor, chosen)
    for name in names:
        figures = [found[name][place] for place in in_order(name, [figure.value for figure in found[name]])]
        # Of a single value there is nothing to tell, but that nothing else happened.
        if not figures or (name == "ruleset" and len(figures) < 2):
            continue
        with st.container(border=True):
            st.caption(say(page, f"breakdown.{name}.about"))
            if name in _SHARES:
                _occurs(page, chosen, name, figures)
            else:
                _fares(page, chosen, name, figures, everyone[name in balance.OF_MATCHES])
            _figures_table(page, chosen, name, figures)


def distributions(page: View, chosen: Chosen) -> None:
    """How card points, tricks, atoms and scores are spread."""
    found = balance.distributions(page.cursor, chosen)
    units = {"side_points": "sides", "tricks": "deals", "atoms": "deals", "score": "players"}
    columns = st.columns(2, gap="medium")
    for place, (measure, one) in enumerate(found.items()):
        key = f"measure.{measure}.{chosen.variant}" if measure == "side_points" else f"measure.{measure}"
        with columns[place % 2], st.container(border=True):
            st.caption(say(page, f"{key}.about"))
            title = say(page, f"{key}.name")
            words = _words(page, title, _spread(page, one, units[measure]), say(page, "column.share_of"))
            bar_chart(words, one.stretches)
            by = {"atoms": "atoms_played"}.get(measure, measure)
            lines = [
                Line([str(start) if width == 1 else f"{start}–{start + width - 1}",
                      behind_link(page, number, by, str(start)), share_word(page, share(number, one.count))])
                for start, width, number in one.stretches
            ]  # fmt: skip
            lines.append(Line([page.say("frame.total"), behind_link(page, one.count, by), ""], "yz-total"))
            heads = [
                Column(say(page, f"column.{name}"), name != "stretch") for name in ("stretch", "count", "share_of")
            ]
            with st.expander(say(page, "figures")):
                show(table(heads, lines, stack=False))


def _spread(page: View, one: Distribution, unit: str) -> tuple[str, str]:
    counts = counted(page, "counted", one.count, unit)
    if one.mean is None:
        return say(page, "chart.mean_too_few"), counts
    value, low, high = (f"{number:.2f}".replace("-", "−") for number in (one.mean.value, one.mean.low, one.mean.high))
    return say(page, "chart.mean_is", value=value, low=low, high=high), counts


def kinds(page: View, chosen: Chosen) -> None:
    """How each kind of combination was played and what it brought home."""
    found = balance.kinds(page.cursor, chosen)
    if not found:
        st.info(say(page, "none_kinds"))
        return
    st.caption(say(page, "kinds.about"))
    order = in_order("kind", [one.kind for one in found])
    found = sorted((found[place] for place in order), key=lambda one: one.of_knife)
    names = [value_word(page, chosen.variant, "kind", _key(one)) for one in found]
    plays = sum(one.led + one.answered for one in found)
    charts: list[tuple[str, str, Callable[[Kind], int], Callable[[Kind], Estimate | None], float | None, str]] = [
        ("of_leads", "plays", lambda one: one.led, lambda one: one.of_leads, None, _PERCENT),
        ("taken", "plays", lambda one: one.led + one.answered, lambda one: one.taken,
         sum(one.won for one in found) / plays, _PERCENT),
        ("points", "plays_mean", lambda one: one.led + one.answered, lambda one: one.points,
         sum(one.brought for one in found) / plays, _POINTS),
    ]  # fmt: skip
    for unit, key, number, estimate, whole, form in charts:
        with st.container(border=True):
            shown = [(name, number(one), estimate(one)) for name, one in zip(names, found, strict=True)]
            counts = say(page, f"chart.{key}", count=count(sum(number(one) for one in found)))
            words = _words(page, say(page, f"kinds.{unit}"), (counts,))
            interval_chart(words, shown, whole, form)
    _kinds_table(page, found, names)


def _key(one: Kind) -> str:
    return f"{one.kind}+" if one.of_knife else one.kind


def _numbers(one: Kind) -> tuple[int, ...]:
    return one.led, one.answered, one.beaten, one.won, one.brought


def _kinds_table(page: View, found: Sequence[Kind], names: Sequence[str]) -> None:
    st.subheader(say(page, "kinds.heading"), anchor=False)
    heads = ("kind", "led", "answered", "beaten", "tricks", "points")
    columns = [Column(say(page, f"column.{name}"), name != "kind") for name in heads]
    lines, rates = [], []
    for one, name in zip(found, names, strict=True):
        named = tag("span", name, class_="yz-whole")
        numbers = zip(heads[1:], _numbers(one), strict=True)
        lines.append(Line([named, *[behind_link(page, number, "kind", _key(one), only) for only, number in numbers]]))
        said = [share_word(page, one.of_leads), share_word(page, one.taken), mean_word(page, one.points, signs=False)]
        rates.append(Line([named, *said]))
    sums = [sum(numbers) for numbers in zip(*[_numbers(one) for one in found], strict=True)]
    totals = [behind_link(page, number, "kind", only=only) for only, number in zip(heads[1:], sums, strict=True)]
    lines.append(Line([page.say("frame.total"), *totals], "yz-total"))
    show(table(columns, lines))
    columns = [Column(say(page, f"column.{name}"), name != "kind") for name in ("kind", "of_leads", "taken", "a_play")]
    with st.expander(say(page, "kinds.rates")):
        show(table(columns, rates))
