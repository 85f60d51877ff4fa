"""The control of other options, and what they change: counts, players' sums, matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.components import export, filters
from dashboards.components.balance_sections import behind_link
from dashboards.components.balance_words import say, share_word
from dashboards.components.figures import count, tone, word
from dashboards.components.frame import View
from dashboards.components.markup import Html, chip, data, joined, link, show, tag
from dashboards.components.places import player_link
from dashboards.components.tables import Column, Line, linked_count, table
from dashboards.queries import players
from dashboards.queries import what_if as asked
from dashboards.queries.balance import Chosen
from dashboards.queries.rows import Row
from yuanzi_core.certainty import share
from yuanzi_core.ruleset import Value, options
from yuanzi_core.what_if import OPTIONS, WhatIf, what_if
from yuanzi_core.words import signed

#: Matches settled again at most, the newest: about a second.
MOST = 20_000
PLAYERS, SIZE = 20, 25
#: Where on the page the changed matches are listed, and the parts of them that may be, by the column that says so.
LISTED = "changed"
PARTS = {"open": "is_open", "cut_short": "cut_short"}


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
    _counts(page, chosen, found, matches)
    if not found.changed:
        st.info(say(page, "what_if.nothing"))
        return
    _players(page, chosen, found)
    _matches(page, found)


def _href(page: View, **listed: object) -> str:
    """Where changed matches are listed, all of them or those of a player or part."""
    return page.href("balance", **{**_without(), **listed}) + f"#{LISTED}"


def _without(*names: str) -> dict[str, str]:
    return {name: one for name, one in filters.chosen().items() if name not in (names or ("player", "part"))}


def _counts(page: View, chosen: Chosen, found: WhatIf, matches: int) -> None:
    # Of more matches than are settled again there is no list of just these.
    settled = count(found.matches) if matches > MOST else behind_link(page, found.matches, "all")
    changed = linked_count(found.changed, _href(page))
    facts: list[tuple[str, object]] = [
        ("settled", settled),
        ("changed", joined(changed, " ", tag("span", share_word(page, share(found.changed, found.matches)),
                                             class_="yz-muted"))),
    ]  # fmt: skip
    helps: list[object] = []
    if chosen.variant == "four":
        for part, number in (("open", found.open), ("cut_short", found.cut_short)):
            facts.append((part, linked_count(number, _href(page, part=part))))
            helps.append(joined(tag("strong", say(page, f"what_if.{part}")), " ", say(page, f"what_if.{part}_help")))
    named = [tag("div", tag("dt", say(page, f"what_if.{name}")), tag("dd", value)) for name, value in facts]
    helps += [say(page, "what_if.balances")] if chosen.variant == "five" else []
    show(joined(tag("dl", *named, class_="yz-facts yz-summary"), *[tag("p", one, class_="yz-muted") for one in helps]))


def _players(page: View, chosen: Chosen, found: WhatIf) -> None:
    # The sum of all that somebody won and lost is a standing: in public that of members alone (G3).
    shown = asked.members(page.cursor) if page.audience == "public" else None
    differing = [one for one in found.players if one["changed"] and (shown is None or one["player_id"] in shown)]
    moved = [one for one in differing if one["score"] != one["new_score"]]
    st.subheader(say(page, "what_if.players", count=count(len(moved))), anchor=False)
    if shown is not None:
        st.caption(say(page, "what_if.members_only"))
    if moved:
        show(_sums(page, chosen, moved[:PLAYERS]))
    if len(moved) > PLAYERS:
        st.caption(say(page, "what_if.players_cut", count=count(PLAYERS)))
    if len(moved) < len(differing):
        st.caption(say(page, "what_if.players_even", count=count(len(differing) - len(moved))))
    if moved:
        export.download(page, "what-if-players", lambda _, most: moved[:most], len(moved))


def _sums(page: View, chosen: Chosen, moved: Sequence[Row]) -> Html:
    with_open = ["open"] if chosen.variant == "four" else []
    names = ("player", "matches", "changed", *with_open, "score", "new_score", "difference")
    columns = [Column(say(page, f"what_if.column.{name}"), name != "player") for name in names]
    lines = []
    for one in moved:
        difference, who = one["new_score"] - one["score"], one["player_id"]
        cells: list[object] = [
            player_link(page, one["player_name"], who, chosen.variant),
            count(one["matches"]),
            linked_count(one["changed"], _href(page, player=who)),
        ]
        cells += [linked_count(one["open"], _href(page, player=who, part="open"))] if with_open else []
        cells += [signed(one["score"]), signed(one["new_score"]), chip(signed(difference), tone(difference))]
        lines.append(Line(cells))
    return table(columns, lines)


def _matches(page: View, found: WhatIf) -> None:
    who, part = filters.asked("player"), filters.asked("part")
    listed = [
        one for one in found.results
        if (who is None or who in one["registry_ids"]) and (part not in PARTS or one[PARTS[part]])
    ]  # fmt: skip
    st.subheader(say(page, "what_if.results", count=count(len(listed))), anchor=LISTED)
    chips: list[tuple[str, str]] = []
    if who is not None:
        chips.append(("player", data(players.names(page.cursor, [who]).get(who, who))))
    if part in PARTS:
        chips.append(("part", say(page, f"what_if.{part}")))
    if chips:
        gone = [link(page.href("balance", **_without(name)) + f"#{LISTED}", chip(joined(said, " ✕"), "chosen"))
                for name, said in chips]  # fmt: skip
        show(tag("p", joined(*gone, between=" ")))
    if not listed:
        st.info(page.say("match.list.none"))
        return
    start = filters.offset(len(listed), SIZE)
    show(_results(page, listed[start : start + SIZE]))
    filters.paging(len(listed), SIZE)
    export.download(page, "what-if-matches", lambda _, most: listed[:most], len(listed))


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
        names, who = one["player_names"], one["registry_ids"][place]
        named = player_link(page, None if names is None else names[place], who, one["variant"])
        moved = score != one["scores"][place]
        mark = chip(signed(score), tone(score)) if moved or not prefix else tag("span", signed(score))
        seats.append(tag("span", named, " ", mark, class_="yz-whole"))
    return joined(tag("strong", data(outcome)), " ", joined(*seats, between=" "))
