"""Who stands where: over everything, or at a club, in a season, in any period; and two players side by side."""

from __future__ import annotations

from datetime import date

import streamlit as st

from dashboards.components import address, export, filters
from dashboards.components.clubs import choose_club
from dashboards.components.comparing import comparing
from dashboards.components.figures import count
from dashboards.components.frame import View, view
from dashboards.components.markup import show
from dashboards.components.places import game
from dashboards.components.standing_cells import heading, say
from dashboards.components.standings_list import rated_matches, standings_list
from dashboards.queries import standings
from dashboards.queries.rows import Row
from yuanzi_core.levels import LEVELS
from yuanzi_core.levels import name as level_name
from yuanzi_core.texts import text

SIZE = 25


def season_name(one: Row) -> str:
    """What a season is called in an address: where clubs mean other days by one name, with its first day."""
    return str(one["name"]) if one["same"] == 1 else f"{one['name']} ({one['first_day']})"


def period(page: View, club: str | None) -> tuple[date | None, date | None]:
    """The first and the last day: those of a season, of two days, or of what both have."""
    seasons = {season_name(one): one for one in standings.seasons(page.cursor, club)}
    chosen = filters.choice("season", say(page, "season"), list(seasons), page.say("filters.all"))
    since = filters.day("from", page.say("filters.since"))
    until = filters.day("to", page.say("filters.until"))
    if chosen is None:
        return since, until
    if chosen not in seasons:
        # A season that there is not has no day.
        return date.max, date.min
    one = seasons[chosen]
    return max(one["first_day"], since or date.min), min(one["last_day"], until or date.max)


page = view()
title = st.empty()
games = standings.games(page.cursor) or ["four"]
left, right = st.columns(2)
with left:
    variant = filters.tabs("game", page.say("filters.game"), games, lambda one: game(page, one))
with st.grid(columns=6, min_column_width=150):
    search = filters.search("find", say(page, "find"), page.say("filters.any_part"))
    club = choose_club(page, standings.clubs(page.cursor))
    since, until = period(page, club)
    levels = [str(level) for level in range(LEVELS)]
    level = filters.choice(
        "level", heading(page, "level"), levels[::-1], page.say("filters.all"),
        lambda one: f"{one} {level_name(int(one), page.lang)}" if one in levels else one,
    )  # fmt: skip
whole = (club, since, until) == (None, None, None)
behind = None if whole else {"club": club, "from": since, "to": until}
# As on the terminal: of a period it is asked who won in it.
orders: list[standings.By] = ["standing", "score", "rating"] if whole else ["score", "standing", "rating"]
with right:
    by = filters.tabs("by", say(page, "by.label"), orders, lambda one: say(page, f"by.{one}"))
sorts: tuple[standings.Sort, ...] = ("rank", "name", "standing", "score", "matches", "win_share", "rating", "climbed")
sort = address.one_of("sort", sorts, "rank")
wanted_level = None if level is None else int(level) if level in levels else -1
chosen = (page.cursor, variant, club, since, until, by)
found = standings.ranking(*chosen, search, sort, SIZE, 0, wanted_level)
total = found[0]["of"] if found else 0
before = filters.offset(total, SIZE)
if before:
    found = standings.ranking(*chosen, search, sort, SIZE, before, wanted_level)
title.title(say(page, "title", count=count(total)), anchor=False)
comparing(page, variant, lambda wanted: standings.ranking(*chosen, players=wanted), behind or {})
if found:
    st.caption(say(page, f"about.{by}", days=standings.MOVED_DAYS))
    show(standings_list(page, variant, standings.with_shares(found), sort, behind))
    filters.paging(total, SIZE)
    export.download(
        page, "standings",
        lambda cursor, most: [
            standings.line(one, page.lang)
            for one in standings.ranking(
                cursor, variant, club, since, until, by, search, sort, most, 0, wanted_level
            )
        ],
        total,
    )  # fmt: skip
    st.caption(text("standings.about_rating", page.lang) + " " + say(page, "marks"))
    if by == "rating":
        show(rated_matches(page, variant))
elif page.audience == "public" and standings.without_members(page.cursor):
    st.info(say(page, "without_members"))
else:
    st.info(text("standings.nobody", page.lang))
if page.audience == "public":
    st.caption(say(page, "members_only"))
