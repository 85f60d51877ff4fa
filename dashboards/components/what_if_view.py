"""The control of other options, and what they change: counts, players' sums, matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.components import export, filters
from dashboards.components.balance_words import say
from dashboards.components.figures import count, tone, word
from dashboards.components.frame import View
from dashboards.components.markup import Html, chip, data, joined, show, tag
from dashboards.components.places import player
from dashboards.components.tables import Column, Line, table
from dashboards.queries import what_if as asked
from dashboards.queries.balance import Chosen
from dashboards.queries.rows import Row
from yuanzi_core.ruleset import Value, options
from yuanzi_core.what_if import OPTIONS, WhatIf, what_if
from yuanzi_core.words import signed

#: Matches settled again at most, the newest: about a second.
MOST = 20_000
PLAYERS, SIZE = 20, 25


def changes(page: View, variant: str) -> dict[str, Value]:
    """The options chosen otherwise than played."""
    names = [name for name in OPTIONS if variant in options()[name].variants]
    found: dict[str, Value] = {}
    with st.grid(columns=len(names), min_column_width=170):
        for name in names:
            value = _value(page, variant, name)
            if value is not None:
                found[name] = value
    return found


def _value(page: View, variant: str, name: str) -> Value | None:
    """What is chosen of an option, None: as played."""
    option = options()[name]
    named, as_played = word(f"terms.options.{name}.name", page.lang, name), say(page, "what_if.as_played")
    if variant in option.range:
        about = word(f"terms.options.{name}.help", page.lang, "") or None
        limits = option.range[variant]
        return filters.number(name, named, limits["least"], limits["most"], as_played, about)

    def shown(value: str) -> str:
        return word(f"terms.options.{name}.values.{value}", page.lang, value)

    offered = [str(value) for value in option.values[variant]]
    value = filters.choice(name, named, offered, as_played, shown)
    return value if value in offered else None


@st.cache_data(show_spinner=False, max_entries=20)
def _settled(snapshot: str, chosen: Chosen, changed: tuple[tuple[str, Value], ...], _cursor: Any) -> WhatIf:
    return what_if(asked.facts(_cursor, chosen, MOST), dict(changed))


def show_what_if(page: View, chosen: Chosen, matches: int) -> None:
    """The whole section."""
    st.caption(say(page, "what_if.intro"))
    changed = changes(page, chosen.variant)
    if not changed:
        st.info(say(page, "what_if.choose"))
        return
    found = _settled(page.snapshot.hash, chosen, tuple(changed.items()), page.cursor)
    if matches > MOST:
        st.caption(say(page, "what_if.newest", count=count(MOST)))
    with st.grid(columns=4, min_column_width=120):
        st.metric(say(page, "what_if.settled"), count(found.matches))
        share = f"{found.changed / found.matches:.1%}" if found.matches else None
        st.metric(say(page, "what_if.changed"), count(found.changed), share, delta_color="off", delta_arrow="off")
        if chosen.variant == "four":
            st.metric(say(page, "what_if.open"), count(found.open), help=say(page, "what_if.open_help"))
            st.metric(say(page, "what_if.cut_short"), count(found.cut_short), help=say(page, "what_if.cut_short_help"))
    if chosen.variant == "five":
        st.caption(say(page, "what_if.balances"))
    if not found.changed:
        st.info(say(page, "what_if.nothing"))
        return
    _players(page, chosen, found)
    st.subheader(say(page, "what_if.results", count=count(found.changed)), anchor=False)
    start = filters.offset(found.changed, SIZE)
    show(_results(page, found.results[start : start + SIZE]))
    filters.paging(found.changed, SIZE)
    export.download(page, "what-if-matches", lambda _, most: found.results[:most], len(found.results))


def _players(page: View, chosen: Chosen, found: WhatIf) -> None:
    differing = [one for one in found.players if one["changed"]]
    moved = [one for one in differing if one["score"] != one["new_score"]]
    st.subheader(say(page, "what_if.players", count=count(len(moved))), anchor=False)
    names = (
        "player",
        "matches",
        "changed",
        *(["open"] if chosen.variant == "four" else []),
        "score",
        "new_score",
        "difference",
    )
    columns = [Column(say(page, f"what_if.column.{name}"), name != "player") for name in names]
    lines = []
    for one in differing[:PLAYERS]:
        difference = one["new_score"] - one["score"]
        cells: list[object] = [
            player([one["player_name"]], [one["player_id"]], 0),
            count(one["matches"]),
            count(one["changed"]),
        ]
        cells += [count(one["open"])] if chosen.variant == "four" else []
        cells += [signed(one["score"]), signed(one["new_score"]), chip(signed(difference), tone(difference))]
        lines.append(Line(cells))
    show(table(columns, lines))
    if len(differing) > PLAYERS:
        st.caption(say(page, "what_if.players_cut", count=count(PLAYERS)))
    export.download(page, "what-if-players", lambda _, most: differing[:most], len(differing))


def _results(page: View, found: Sequence[Row]) -> Html:
    columns = [
        Column(say(page, "what_if.column.match")),
        Column(say(page, "what_if.was")),
        Column(say(page, "what_if.would_be")),
    ]
    lines = [
        Line([page.match_link(one["match_id"]), _result(page, one, ""), _result(page, one, "new_")]) for one in found
    ]
    return table(columns, lines)


def _result(page: View, one: Row, prefix: str) -> Html:
    if prefix and one["is_open"]:
        return chip(say(page, "what_if.is_open"), "warn")
    outcome = word(f"terms.outcome.{one[prefix + 'outcome']}", page.lang, str(one[prefix + "outcome"]))
    scores = one[prefix + "scores"]
    seats = []
    for place, score in enumerate(scores):
        named = player(one["player_names"], one["registry_ids"], place)
        moved = score != one["scores"][place]
        mark = chip(signed(score), tone(score)) if moved or not prefix else tag("span", signed(score))
        seats.append(tag("span", named, " ", mark, class_="yz-whole"))
    return joined(tag("strong", data(outcome)), " ", joined(*seats, between=" "))
