"""The parts of a player's page: the way so far, form and roles, partners and opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboards.components.balance_words import mean_word
from dashboards.components.comparing import record_cells
from dashboards.components.figures import count
from dashboards.components.frame import View
from dashboards.components.level_views import feed
from dashboards.components.markup import Html, joined, link, show, tag
from dashboards.components.places import player_link
from dashboards.components.player_charts import Against, expected_chart, rating_chart, standing_chart
from dashboards.components.standing_cells import (
    heading,
    level_cell,
    marks,
    matches_href,
    rating_cell,
    say,
    share_cell,
    won_cell,
)
from dashboards.components.tables import Column, Line, linked_count, table
from dashboards.queries import levels, player_lists, players, standings
from dashboards.queries.player_lists import Scores
from dashboards.queries.rows import Row
from dashboards.queries.standings import POINTS
from yuanzi_core.certainty import FEWEST, Estimate, mean, share
from yuanzi_core.standing_words import highest, role, to_next
from yuanzi_core.texts import text
from yuanzi_core.words import number

#: Roles in the order in which they are shown; None: nobody was out.
ROLES = ("dealer", "partner", "defender", "upstream_side", "other_side", None)
#: Sizes of the form that is told; partners and opponents in a chart and in a table; changes of level.
FORM, CHARTED, OTHERS, CHANGES = (20, 100, 500), 12, 20, 10


@dataclass(frozen=True)
class Player:
    """Whose page it is: the id, the game, how many matches of it, and whether standings and ratings are shown (G3)."""

    player_id: str
    game: Any
    played: int
    is_shown: bool


def summary(page: View, who: Player) -> None:
    """Standing, level, rank, rating, matches and wins, as far as they are anybody's business."""
    found = standings.with_shares(standings.ranking(page.cursor, who.game, players=[who.player_id]))
    if not found:
        if not who.is_shown:
            st.info(text("standings.guest", page.lang) + " " + say(page, "not_shown"), icon=":material/visibility_off:")
        return
    (row,) = found
    board = "–"
    if row["rank"] is not None:
        board = say(page, "rank_of", rank=count(row["rank"]), count=count(standings.ranked(page.cursor, who.game)))
    facts: list[tuple[str, object]] = [
        (heading(page, "standing"), number(row["standing"])),
        (heading(page, "level"), level_cell(page, row["level"], row["standing"])),
        (heading(page, "rank"), link(page.href("standings", game=who.game), board)),
        (heading(page, "rating"), joined(rating_cell(row) or "–", " ", marks(page, row))),
        (heading(page, "matches"), _part(page, who, row["matches"], result="settled")),
        (heading(page, "wins"), share_cell(row, _href(page, who, result="won"))),
    ]
    show(tag("dl", *[tag("div", tag("dt", name), tag("dd", "–" if value is None else value)) for name, value in facts],
             class_="yz-facts yz-summary"))  # fmt: skip
    standing = standings.player(page.cursor, who.game, who.player_id)
    if standing is not None:
        said = [one for one in (to_next(standing, page.lang), highest(standing, page.lang)) if one]
        show(joined(*[tag("p", one) for one in said]))


def course(page: View, who: Player) -> None:
    """Standing and rating over time, and what changed the level."""
    history = standings.history(page.cursor, who.game, who.player_id)
    rated = [one for one in players.ratings(page.cursor, POINTS) if one["rating"] is not None]
    if history:
        with st.container(border=True):
            standing_chart(page, history, history[-1]["number"])
        changes = levels.events(page.cursor, who.game, CHANGES, player=who.player_id)
        if changes:
            with st.expander(say(page, "course.changes", count=count(changes[0]["of"]))):
                show(feed(page, changes, named=False))
                if changes[0]["of"] > len(changes):
                    show(tag("p", link(page.href("levels", game=who.game, player=who.player_id),
                                       say(page, "course.all_changes"))))  # fmt: skip
    if rated:
        with st.container(border=True):
            rating_chart(page, rated, rated[-1]["number"])
    if not history and not rated:
        st.info(say(page, "not_shown") if not who.is_shown else say(page, "no_result"))


def _href(page: View, who: Player, **part: object) -> str:
    return matches_href(page, who.player_id, who.game, **part)


def _part(page: View, who: Player, matches: int, **part: object) -> Html | int:
    """A number of matches that leads to them."""
    return linked_count(matches, _href(page, who, **part))


def _mean(page: View, scores: Scores | None) -> str:
    found = None if scores is None else mean([float(one) for one in scores.sums], scores.counts)
    return mean_word(page, found)


def _expected(row: Row) -> float | None:
    return row["expected_wins"] / row["rated"] if row["rated"] else None


def _rated(row: Row) -> str | None:
    return f"{row['rated_wins']} / {row['expected_wins']:.1f}" if row["rated"] else None


def form(page: View, who: Player) -> None:
    """The last matches, and the matches by role."""
    found = standings.with_shares(players.form(page.cursor, FORM))
    # Where there are no more matches, a longer form says nothing more.
    found = [one for place, one in enumerate(found) if one["matches"] > (found[place - 1]["matches"] if place else 0)]
    if not found:
        st.info(text("standings.nothing_settled", page.lang, matches=count(who.played)))
        return
    scores = player_lists.recent_scores(page.cursor, FORM)
    names = [text("standings.last", page.lang, count=one["size"]) for one in found]
    with st.container(border=True):
        shares = [Estimate(one["win_share"], one["win_low"], one["win_high"], one["matches"]) for one in found]
        expected_chart(page, say(page, "form.title"), [
            Against(name, one["matches"], won, _expected(one))
            for name, one, won in zip(names, found, shares, strict=True)
        ])  # fmt: skip
        columns = [Column(say(page, "form.title")), *_counted(page)]
        lines = [
            Line([name, _part(page, who, one["matches"], last=one["size"]),
                  share_cell(one, _href(page, who, last=one["size"], result="won")), _rated(one),
                  _mean(page, scores.get(one["size"]))])
            for name, one in zip(names, found, strict=True)
        ]  # fmt: skip
        show(table(columns, lines))
    _roles(page, who)


def _counted(page: View) -> list[Column]:
    return [Column(heading(page, name), True) for name in ("matches", "wins", "expected", "mean")]


def _roles(page: View, who: Player) -> None:
    scores = player_lists.role_scores(page.cursor)
    found = sorted(players.roles(page.cursor), key=lambda one: (ROLES.index(one["role"]), one["side_size"]))
    names = [role(one["role"], one["side_size"], page.lang) for one in found]
    shares = [share(one["wins"], one["matches"]) for one in found]
    with st.container(border=True):
        expected_chart(page, say(page, "roles.title"), [
            Against(name, one["matches"], won, _expected(one))
            for name, one, won in zip(names, found, shares, strict=True)
        ])  # fmt: skip
        columns = [Column(say(page, "roles.title")), *_counted(page), Column(say(page, "roles.upstream"), True)]
        lines = []
        for name, one, won in zip(names, found, shares, strict=True):
            of_role = {"role": one["role"] or "none", "size": one["side_size"]}
            lines.append(Line([
                name, _part(page, who, one["matches"], **of_role),
                won_cell(page, one["wins"], won, _href(page, who, **of_role, result="won")), _rated(one),
                _mean(page, scores.get((one["role"], one["side_size"]))),
                _part(page, who, one["upstream"], **of_role, result="upstream"),
            ]))  # fmt: skip
        matches, wins, upstream = (
            _part(page, who, sum(one[name] for one in found), result=result)
            for name, result in (("matches", "settled"), ("wins", "won"), ("upstream", "upstream"))
        )
        lines.append(Line([page.say("frame.total"), matches, wins, "", "", upstream], "yz-total"))
        show(table(columns, lines))


def people(page: View, who: Player, everybody: bool) -> None:
    """Partners and opponents, with what was expected together with them and against them."""
    most = None if everybody else OTHERS
    for kin in player_lists.KINS:
        found = players.others(page.cursor, who.player_id, kin, 1_000_000)
        with st.container(border=True):
            title = say(page, f"people.{kin}", count=count(len(found)))
            if not found:
                show(tag("h3", title))
                continue
            told = [one for one in found[:CHARTED] if one["matches"] >= FEWEST]
            if told:
                expected_chart(page, title, [
                    Against(_short(one), one["matches"], share(one["wins"], one["matches"]),
                            one["expected_wins"] / one["matches"])
                    for one in told
                ])  # fmt: skip
            else:
                show(tag("h3", title))
            show(_records(page, who, kin, found[:most]))
            if most is not None and len(found) > most:
                show(tag("p", link(page.href("player", player=who.player_id, game=who.game, show="people", all="1"),
                                   say(page, "people.all", count=count(len(found))))))  # fmt: skip
    st.caption(say(page, "people.chance"))


def _short(one: Row) -> str:
    named = str(one["name"] or one["player_id"])
    return named if len(named) <= 16 else named[:15] + "…"


def _records(page: View, who: Player, kin: str, found: Sequence[Row]) -> Html:
    columns = [Column(say(page, f"people.{kin}_column")), Column(heading(page, "matches"), True)]
    columns += [Column(say(page, f"people.{name}"), True) for name in ("won", "expected", "surplus")]
    lines = []
    for one in player_lists.with_surplus(found):
        met = {"kin": kin, "other": one["player_id"]}
        lines.append(Line([player_link(page, one["name"], one["player_id"], who.game),
                           _part(page, who, one["matches"], **met),
                           *record_cells(page, one, _href(page, who, **met, result="won"))]))  # fmt: skip
    return table(columns, lines, tight=True)
