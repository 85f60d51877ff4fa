"""What the rules do: shares and means by seat, role, hand and combination, and what other options would change."""

from __future__ import annotations

import streamlit as st

from dashboards.components import balance_sections as sections
from dashboards.components import filters, matches
from dashboards.components.balance_words import say, value_word
from dashboards.components.clubs import choose_club
from dashboards.components.figures import TIME_ZONE, count, word
from dashboards.components.frame import View, view
from dashboards.components.markup import data, show, tag
from dashboards.components.places import game
from dashboards.components.what_if_view import show_what_if
from dashboards.queries import balance, balance_behind
from dashboards.queries.balance import Chosen
from yuanzi_core.texts import has, text

SIZE = 25
SECTIONS = ("roles", "cards", "endings", "values", "kinds", "what_if")


def choose(page: View) -> Chosen:
    """The filters. Real and simulated matches are never put together."""
    offered = balance.offered(page.cursor)
    games = list(dict.fromkeys(one["variant"] for one in offered)) or ["four"]
    left, right = st.columns(2)
    with left:
        variant = filters.tabs("game", page.say("filters.game"), games, lambda one: game(page, one))
    of_game = [one for one in offered if one["variant"] == variant]
    # Played at tables first, however few they are.
    known = sorted({one["source"] for one in of_game}) or ["real"]
    with right:
        source = filters.tabs(
            "source", say(page, "source"), known, lambda one: word(f"pages.match.source.{one}", page.lang, one)
        )
    everything = page.say("filters.all")
    with st.grid(columns=4, min_column_width=150):
        names = [one["ruleset"] for one in of_game if one["source"] == source]
        ruleset = filters.choice(
            "ruleset", page.say("score.ruleset"), names, everything,
            lambda one: word(f"terms.ruleset.{one}", page.lang, one),
        )  # fmt: skip
        club = choose_club(page, balance.clubs(page.cursor))
        since = filters.day("from", say(page, "period_from"))
        until = filters.day("to", say(page, "period_to"))
    return Chosen(variant, source, ruleset, club, since, until)


def behind(page: View, chosen: Chosen, by: str) -> None:
    """The matches behind a number."""
    value, besides = filters.asked("value"), filters.asked("only")
    only = besides if besides in balance_behind.ONLY else None
    page.page_link("balance", say(page, "back"), **sections.without_behind())
    total = balance_behind.counted_behind(page.cursor, chosen, by, value, only)
    found = balance_behind.behind(page.cursor, chosen, by, value, TIME_ZONE, SIZE, filters.offset(total, SIZE), only)
    st.subheader(say(page, "behind", count=count(total)), anchor=False)
    named = next((say(page, key) for key in _names(by, chosen.variant) if has(f"balance.{key}", page.lang)), by)
    every = by in ("all", "everyone") or (by in balance_behind.WHOLE and value is None)
    of = page.say("frame.total") if every else data(value_word(page, chosen.variant, by, value))
    key = f"column.{only}"
    if only == "won" and by in ("all", *balance.OF_MATCHES):
        key = "unit.won_dealer" if chosen.variant == "five" else "unit.won_leader"
    named_of = None if by in ("all", "everyone") else tag("strong", named)
    show(tag("p", named_of, " ", of, None if only is None else f" · {say(page, key)}"))
    show(matches.match_list(page, found))
    filters.paging(total, SIZE)


def _names(by: str, variant: str) -> list[str]:
    measure = by.removesuffix("_played")
    return [f"breakdown.{by}.name", f"measure.{measure}.{variant}.name", f"measure.{measure}.name", "column.kind"]


page = view()
title = st.empty()
chosen = choose(page)
found = balance.totals(page.cursor, chosen)
title.title(say(page, "title", count=count(found["matches"])), anchor=False)
by = filters.asked("by")
if not found["matches"]:
    st.info(say(page, "none"))
elif by in balance_behind.BEHIND:
    behind(page, chosen, str(by))
else:
    st.caption(say(page, "period", matches=count(found["matches"]), evenings=count(found["evenings"]),
                   first=found["first"], last=found["last"]))  # fmt: skip
    section = filters.tabs(
        "section",
        say(page, "sections.label"),
        SECTIONS,
        lambda one: text(f"balance.sections.{one}", page.lang),
        hidden=True,
    )
    if section in ("roles", "cards", "endings"):
        st.caption(say(page, "intro"), help=say(page, "too_few_why"))
        wanted = {"roles": sections.ROLES, "cards": sections.CARDS, "endings": sections.ENDINGS}[section]
        sections.breakdowns(page, chosen, wanted)
    elif section == "values":
        sections.distributions(page, chosen)
    elif section == "kinds":
        sections.kinds(page, chosen)
    else:
        show_what_if(page, chosen, found["matches"])
