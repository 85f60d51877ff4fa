"""One player: where from and where to, in what form, with whom, and every match. Without an id, whom to choose from."""

from __future__ import annotations

import streamlit as st

from dashboards.components import filters, player_matches
from dashboards.components.figures import count
from dashboards.components.frame import View, view
from dashboards.components.markup import data, joined, link, show, tag
from dashboards.components.places import game, player_link
from dashboards.components.player_sections import Player, course, form, people, summary
from dashboards.components.standing_cells import heading, say
from dashboards.components.tables import Column, Line, table
from dashboards.queries import player_lists, players
from yuanzi_core.standing_words import membership
from yuanzi_core.texts import text

SIZE = 25
PARTS = ("course", "form", "people", "matches")


def choose(page: View) -> None:
    """All players, or those that a search finds."""
    title = st.empty()
    search = filters.search("find", say(page, "find_alias"), page.say("filters.any_part"))
    found = player_lists.found(page.cursor, search, SIZE)
    total = found[0]["of"] if found else 0
    before = filters.offset(total, SIZE)
    if before:
        found = player_lists.found(page.cursor, search, SIZE, before)
    title.title(say(page, "players", count=count(total)), anchor=False)
    if not found:
        st.info(say(page, "nobody"))
        return
    columns = [Column(heading(page, "player")), Column(say(page, "id")), Column(say(page, "aliases")),
               Column(heading(page, "matches"), True)]  # fmt: skip
    lines = [
        Line([player_link(page, one["name"], one["player_id"]), data(one["player_id"]),
              joined(*[data(alias) for alias in one["aliases"]], between=" ") if one["aliases"] else None,
              count(one["matches"])])
        for one in found
    ]  # fmt: skip
    show(table(columns, lines))
    filters.paging(total, SIZE)


def about(page: View, player_id: str, wanted: str) -> bool:
    """Who it is. Returns whether standings and ratings are shown (G3)."""
    known = player_lists.registered(page.cursor, player_id)
    name = players.names(page.cursor, [player_id]).get(player_id)
    page.page_link("player", say(page, "all_players"))
    st.title(say(page, "player"), anchor=False)
    show(tag("h4", data(name or player_id, class_="yz-long"), class_="yz-name"))
    said = [tag("span", say(page, "id"), " ", data(player_id))]
    if wanted != player_id:
        said.append(tag("span", data(wanted), " ", say(page, "is_alias")))
    if known is not None and known["aliases"]:
        said.append(tag("span", text("standings.aliases", page.lang, aliases=""),
                        joined(*[data(alias) for alias in known["aliases"]], between=" ")))  # fmt: skip
    since, until = (None, None) if known is None else (known["member_from"], known["member_to"])
    said.append(tag("span", membership(since, until, page.lang)))
    show(tag("p", *said, class_="yz-muted"))
    return page.audience == "auditor" or (known is not None and bool(known["member"]))


def one(page: View, wanted: str) -> None:
    """One player."""
    player_id = players.resolved(page.cursor, wanted)
    is_shown = about(page, player_id, wanted)
    played = [found["game"] for found in players.games(page.cursor, player_id)]
    games = played or ["four"]
    left, right = st.columns([1, 2])
    with left:
        variant = filters.tabs("game", page.say("filters.game"), games, lambda each: game(page, each), hidden=True)
    who = Player(player_id, variant, players.load(page.cursor, variant, player_id), is_shown)
    summary(page, who)
    if not played:
        st.info(say(page, "no_match"))
        return
    with right:
        compare = link(page.href("standings", game=variant, a=player_id), say(page, "compare.with"))
        show(tag("p", compare if is_shown else ""))
    part = filters.tabs("show", say(page, "parts.label"), PARTS, lambda each: say(page, f"parts.{each}"), hidden=True)
    if part == "course":
        course(page, who)
    elif part == "form":
        form(page, who)
    elif part == "people":
        people(page, who, filters.asked("all") is not None)
    else:
        if player_matches.chosen().is_all():
            player_matches.evenings(page, who)
        player_matches.matches(page, who)


page = view()
wanted = filters.asked("player")
if wanted is None:
    choose(page)
else:
    one(page, wanted)
