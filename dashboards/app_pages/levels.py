"""The ladder: who stands on which level, how many over time, and who went up and down."""

from __future__ import annotations

import streamlit as st

from dashboards.components import filters
from dashboards.components.clubs import choose_club
from dashboards.components.figures import count
from dashboards.components.frame import View, view
from dashboards.components.level_views import feed, ladder, population_chart
from dashboards.components.markup import chip, data, joined, link, show, tag
from dashboards.components.places import game
from dashboards.components.standing_cells import say
from dashboards.queries import levels, players, standings
from dashboards.queries.rows import Row

SIZE, FIRST = 25, 4
PARTS = ("ladder", "population", "feed")
KINDS: dict[str, levels.Kind | None] = {"all": None, "promotion": "promotion", "demotion": "demotion"}


def the_feed(page: View, variant: str) -> None:
    """Promotions and demotions."""
    left, right = st.columns(2)
    with left:
        club = choose_club(page, standings.clubs(page.cursor))
    with right:
        kind = filters.tabs("kind", say(page, "feed.kind"), list(KINDS), lambda one: say(page, f"feed.{one}"))
    player = filters.asked("player")
    if player is not None:
        named = players.names(page.cursor, [player]).get(player, player)
        without = {name: one for name, one in filters.chosen().items() if name != "player"}
        show(tag("p", link(page.href("levels", **without), chip(joined(data(named), " ✕"), "chosen"))))

    def found(limit: int, offset: int = 0) -> list[Row]:
        return levels.events(page.cursor, variant, limit, offset, club, player, kind=KINDS[kind])

    first = found(SIZE)
    total = first[0]["of"] if first else 0
    before = filters.offset(total, SIZE)
    st.subheader(say(page, "feed.title", count=count(total)), anchor=False)
    if not first:
        st.info(say(page, "feed.none"))
        return
    show(feed(page, found(SIZE, before) if before else first, with_club=True))
    filters.paging(total, SIZE)


page = view()
games = standings.games(page.cursor) or ["four"]
title = st.empty()
left, right = st.columns(2)
with left:
    variant = filters.tabs("game", page.say("filters.game"), games, lambda one: game(page, one), hidden=True)
with right:
    asked = PARTS if filters.asked("player") is None else ("feed", *PARTS[:2])
    part = filters.tabs("show", say(page, "parts.label"), asked, lambda one: say(page, f"ladder.{one}"), hidden=True)
title.title(say(page, "ladder.title", count=count(standings.ranked(page.cursor, variant))), anchor=False)
if page.audience == "public" and standings.without_members(page.cursor):
    st.info(say(page, "without_members"))
elif part == "ladder":
    st.caption(say(page, "ladder.about"))
    show(ladder(page, variant, levels.standing_on(page.cursor, variant, FIRST)))
elif part == "population":
    population_chart(page, variant, levels.population(page.cursor, variant))
else:
    the_feed(page, variant)
if page.audience == "public":
    st.caption(say(page, "members_only"))
