"""A player's evenings and matches, all of them or those behind a number."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from dashboards.components import address, export, filters
from dashboards.components.clubs import club
from dashboards.components.figures import TIME_ZONE, count, tone, word
from dashboards.components.frame import View
from dashboards.components.markup import Html, chip, data, joined, link, show, tag
from dashboards.components.player_sections import ROLES, Player
from dashboards.components.standing_cells import heading, matches_href, say
from dashboards.components.tables import Column, Line, linked_count, status_chip, table
from dashboards.queries import player_lists, players
from dashboards.queries.player_lists import KINS, RESULTS, Part
from dashboards.queries.rows import Cursor, Row
from yuanzi_core.standing_words import role
from yuanzi_core.texts import text
from yuanzi_core.words import signed

SIZE, EVENINGS = 25, 5


def chosen() -> Part:
    """The matches that the address asks for."""
    asked = filters.asked("role")
    return Part(
        address.day("evening"), filters.asked("club"), asked if asked in (*ROLES[:-1], "none") else None,
        address.number("size", 1, 4, 0) or None, filters.asked("other"),
        address.one_of("kin", KINS, KINS[0]) if filters.asked("other") else None,
        address.number("last", 1, 1_000_000, 0) or None, address.day("from"), address.day("to"),
        next((one for one in RESULTS if one == filters.asked("result")), None),
    )  # fmt: skip


def evenings(page: View, who: Player) -> None:
    """The best and the worst evenings."""
    found = players.evenings(page.cursor, EVENINGS)
    left, right = st.columns(2, gap="medium")
    for column, best in ((left, True), (right, False)):
        kind = [one for one in found if one["best"] is best]
        if not best:
            kind.reverse()
        if kind:
            with column, st.container(border=True):
                show(tag("h3", say(page, "evenings.best" if best else "evenings.worst")))
                show(_evenings(page, who, kind))


def _evenings(page: View, who: Player, found: list[Row]) -> Html:
    columns = [Column(say(page, "evenings.evening")), Column(heading(page, "club"))]
    columns += [Column(heading(page, name), True) for name in ("matches", "wins", "score")]
    lines = []
    for one in found:
        part = {"evening": one["evening"], "club": one["club"]}
        href, won = (matches_href(page, who.player_id, who.game, **part, result=result) for result in (None, "won"))
        lines.append(Line([
            link(href, f"{one['evening']}"), club(page, one["club"]), linked_count(one["matches"], href),
            linked_count(one["wins"], won), _score(one["score"]),
        ]))  # fmt: skip
    return table(columns, lines, stack=False)


def _score(score: Any) -> Html:
    return chip(signed(score), tone(score))


def matches(page: View, who: Player) -> None:
    """The list of matches."""
    part = chosen()
    _chosen_parts(page, who, part)
    found = player_lists.matches(page.cursor, part, SIZE)
    total = found[0]["of"] if found else 0
    before = filters.offset(total, SIZE)
    if before:
        found = player_lists.matches(page.cursor, part, SIZE, before)
    st.subheader(page.say("match.list.title", count=count(total)), anchor=False)
    if not found:
        st.info(page.say("match.list.none"))
        return
    show(_matches(page, found))
    filters.paging(total, SIZE)

    def whole(cursor: Cursor, most: int) -> list[dict[str, Any]]:
        players.load(cursor, who.game, who.player_id)
        return [_line(one) for one in player_lists.matches(cursor, part, most)]

    export.download(page, "matches", whole, total)


def _line(one: Row) -> dict[str, Any]:
    names = ("match_id", "played_at", "day", "club", "status", "outcome", "role", "side_size", "won", "score",
             "expected", "rating_before", "rating_after")  # fmt: skip
    return {name: one[name] for name in names}


def _chosen_parts(page: View, who: Player, part: Part) -> None:
    """What is chosen, each a chip whose link gives it up."""
    said: list[tuple[tuple[str, ...], object]] = []
    if part.evening is not None or part.club is not None:
        said.append((("evening", "club"), joined(part.evening or "", " ", club(page, part.club))))
    if part.role is not None:
        said.append((("role", "size"), role(None if part.role == "none" else part.role, part.size, page.lang)))
    if part.other is not None:
        name = players.names(page.cursor, [part.other]).get(part.other, part.other)
        said.append((("other", "kin"), joined(say(page, f"matches.{part.kin}"), " ", data(name))))
    if part.last is not None:
        said.append((("last",), text("standings.last", page.lang, count=part.last)))
    if part.since is not None or part.until is not None:
        ends = ((page.say("filters.since"), part.since), (page.say("filters.until"), part.until))
        said.append((("from", "to"), " ".join(f"{name} {day}" for name, day in ends if day is not None)))
    if part.result is not None:
        said.append((("result",), say(page, f"matches.result.{part.result}")))
    if said:
        now = filters.chosen()
        chips = [
            link(page.href("player", **{name: one for name, one in now.items() if name not in names}),
                 chip(joined(what, " ✕"), "chosen"))
            for names, what in said
        ]  # fmt: skip
        show(tag("p", joined(*chips, between=" ")))


def _matches(page: View, found: list[Row]) -> Html:
    columns = [Column(page.say(f"match.list.{name}")) for name in ("match", "played", "club")]
    columns += [Column(say(page, "matches.role")), Column(page.say("match.list.result"))]
    columns += [Column(page.say("match.column.score"), True), Column(say(page, "people.expected"), True)]
    rated = any(one["rating_after"] is not None for one in found)
    columns += [Column(say(page, "course.rating"), True)] if rated else []
    lines = []
    for one in found:
        at = one["played_at"].astimezone(ZoneInfo(TIME_ZONE))
        cells: list[object] = [
            page.match_link(one["match_id"]),
            tag("span", f"{at:%Y-%m-%d %H:%M}", class_="yz-whole"),
            club(page, one["club"]),
            None if one["status"] != "settled" else role(one["role"], one["side_size"], page.lang),
            _result(page, one),
            None if one["score"] is None else _score(one["score"]),
            None if one["expected"] is None else f"{100 * one['expected']:.0f} %",
        ]
        if rated:
            cells.append(_rating(one))
        lines.append(Line(cells))
    return table(columns, lines, tight=True)


def _result(page: View, one: Row) -> Html:
    if one["status"] != "settled":
        why = word(f"reasons.violation.{one['code']}.name", page.lang, one["code"] or "")
        return joined(status_chip(page, one["status"]), " ", why)
    outcome = word(f"terms.outcome.{one['outcome']}", page.lang, str(one["outcome"]))
    return joined(
        "" if one["won"] is None else say(page, "matches.won" if one["won"] else "matches.lost"), " ", outcome
    )


def _rating(one: Row) -> Html | None:
    if one["rating_after"] is None:
        return None
    change = one["rating_after"] - one["rating_before"]
    return joined(f"{one['rating_after']:.0f} ", tag("span", f"{change:+.1f}".replace("-", "−"), class_="yz-muted"))
