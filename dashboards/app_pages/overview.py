"""The snapshot at a glance: what was read and whether it adds up, and what wants a decision."""

from __future__ import annotations

import streamlit as st

from dashboards.components.figures import TIME_ZONE, count
from dashboards.components.frame import View, view
from dashboards.components.level_views import feed
from dashboards.components.markup import Html, data, joined, link, show, tag
from dashboards.components.places import game, source_line
from dashboards.components.standing_cells import say
from dashboards.components.tables import Column, Line, accounting, bars, linked_count, table
from dashboards.queries import discrepancies, levels, overview, violations
from dashboards.queries.rows import Chosen
from dashboards.store import files_before
from yuanzi_core.texts import text

#: Files of the last intake that are named, and promotions that are told.
NEW_FILES, PROMOTIONS = 8, 8


def club_link(page: View, name: str | None) -> Html | str:
    """A club's matches; those without a club have no filter."""
    return page.say("frame.no_club") if name is None else link(page.href("match", club=name), data(name))


page = view()
totals = overview.accounting(page.cursor)
clubs = overview.clubs(page.cursor, TIME_ZONE)
matches = sum(club["matches"] for club in clubs)

st.title(page.say("overview.title", matches=count(matches)), anchor=False)
parts = [
    page.say("overview.of_game", count=count(found["matches"]), game=game(page, found["variant"]))
    if found["source"] == "real"
    else page.say("overview.of_game_simulated", count=count(found["matches"]), game=game(page, found["variant"]))
    for found in overview.games(page.cursor)
]
show(source_line(*parts))

st.subheader(page.say("overview.accounting", files=count(totals["files"]), records=count(totals["read"])))
show(accounting(page, totals, lambda status: page.href("records", status=status)))
before = files_before(page.snapshot)
newest = overview.accounting(page.cursor, before or ())
if before is not None and newest["files"]:
    files = overview.new_files(page.cursor, before, NEW_FILES)
    st.subheader(say(page, "intake.title", files=count(newest["files"]), records=count(newest["read"])))
    only = files[0]["file_id"] if newest["files"] == 1 else None
    show(
        accounting(
            page, newest, None if only is None else lambda status: page.href("records", file=only, status=status)
        )
    )
    shown = [link(page.href("records", file=one["file_id"]), data(one["file_name"])) for one in files]
    if newest["files"] > len(files):
        shown.append(link(page.href("files"), say(page, "intake.more")))
    show(tag("p", joined(*shown, between=" ")))
if totals["damaged"]:
    st.warning(page.say("overview.damaged", files=count(totals["damaged"])), icon=":material/broken_image:")

everything = Chosen()
left, right = st.columns(2, gap="large")
for column, kind, found in (
    (left, "violation", violations.kinds(page.cursor, everything)),
    (right, "discrepancy", discrepancies.kinds(page.cursor, everything)),
):
    name = {"violation": "violations", "discrepancy": "discrepancies"}[kind]
    total = sum(row["found"] for row in found)
    with column:
        st.subheader(page.say(f"overview.{name}", count=count(total)))
        if not found:
            st.caption(page.say(f"{name}.none"))
            continue
        counted = [
            (text(f"reasons.{kind}.{row['code']}.name", page.lang), row["found"], page.href(name, code=row["code"]))
            for row in found
        ]
        show(bars(page, counted, page.say("filters.code"), page.say("frame.total")))
        page.page_link(name, page.say(f"overview.see_{name}"))

events = levels.events(page.cursor, None, PROMOTIONS, kind="promotion")
if events:
    st.subheader(say(page, "news.title"))
    show(feed(page, events))
    page.page_link("levels", say(page, "news.all"), show="feed", kind="promotion")

named = sum(club["club"] is not None for club in clubs)
if named:
    st.subheader(page.say("overview.clubs", clubs=count(named)))
    columns = [Column(page.say("filters.club"))]
    columns += [
        Column(page.say(f"overview.column.{name}"), True)
        for name in ("matches", "settled", "violation", "discrepancies")
    ]
    columns.append(Column(page.say("overview.column.last")))
    show(
        table(
            columns,
            [
                Line(
                    [
                        club_link(page, club["club"]),
                        count(club["matches"]),
                        count(club["settled"]),
                        linked_count(club["violation"], page.href("violations", club=club["club"])),
                        linked_count(club["discrepancies"], page.href("discrepancies", club=club["club"])),
                        club["last"],
                    ]
                )
                for club in clubs[:50]
            ],
        )
    )
    if len(clubs) > 50:
        st.caption(page.say("overview.more_clubs", count=count(len(clubs) - 50)))
