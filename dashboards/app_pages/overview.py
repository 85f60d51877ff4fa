"""The snapshot at a glance: what was read and whether it adds up, and what wants a decision."""

from __future__ import annotations

import streamlit as st

from dashboards.components.clubs import club
from dashboards.components.figures import TIME_ZONE, count, minute
from dashboards.components.frame import View, view
from dashboards.components.level_views import feed
from dashboards.components.markup import Html, data, joined, link, show, tag
from dashboards.components.places import game, source_line
from dashboards.components.standing_cells import say
from dashboards.components.tables import Column, Line, accounting, bars, linked_count, table
from dashboards.queries import discrepancies, levels, overview, violations
from dashboards.queries.rows import Chosen, Row
from dashboards.store import files_before, received
from yuanzi_core.texts import text

#: Files of the last intake that are named, and promotions that are told.
NEW_FILES, PROMOTIONS = 8, 8
#: Files of the last intake, those with the most records, that are asked when they came.
TIMED_FILES = 25


def club_link(page: View, key: str | None) -> Html | str:
    """A club's matches; those without a club have no filter."""
    return page.say("frame.no_club") if key is None else link(page.href("match", club=key), club(page, key))


def of_club(page: View, key: str | None, number: int, to: str, status: str | None = None) -> Html | str | int:
    """A number of a club's that leads to the list of just these; those without a club have no filter."""
    return count(number) if key is None else linked_count(number, page.href(to, club=key, status=status))


def last_intake(page: View, totals: Row, before: list[str] | None) -> None:
    """The files that the results before did not know: what was read in them, when the newest came, and which they are.
    Where no such results are kept it is all of them, which the sum above is of.
    """
    newest = totals if before is None else overview.accounting(page.cursor, before)
    if not newest["files"]:
        return
    files = overview.new_files(page.cursor, before or (), TIMED_FILES)
    came = [received(page.home, one["file_id"]) for one in files]
    newest_came = max((one for one in came if one is not None), default=None)
    at = "–" if newest_came is None else minute(newest_came)
    if before is None:
        show(source_line(say(page, "intake.first", at=at)))
    else:
        only = files[0]["file_id"] if newest["files"] == 1 else None
        st.subheader(say(page, "intake.title", files=count(newest["files"]), records=count(newest["read"])))
        show(source_line(say(page, "intake.at", at=at)))
        show(
            accounting(
                page, newest, None if only is None else lambda status: page.href("records", file=only, status=status)
            )
        )
    shown = [link(page.href("records", file=one["file_id"]), data(one["file_name"])) for one in files[:NEW_FILES]]
    if newest["files"] > len(shown):
        shown.append(link(page.href("files"), say(page, "intake.more")))
    show(tag("p", joined(*shown, between=" ")))


page = view()
totals = overview.accounting(page.cursor)
clubs = overview.clubs(page.cursor, TIME_ZONE)
matches = sum(one["matches"] for one in clubs)

st.title(page.say("overview.title", matches=count(matches)), anchor=False)
parts = [
    link(
        page.href("match", game=found["variant"], source=found["source"]),
        page.say(
            "overview.of_game" if found["source"] == "real" else "overview.of_game_simulated",
            count=count(found["matches"]), game=game(page, found["variant"]),
        ),
    )
    for found in overview.games(page.cursor)
]  # fmt: skip
show(source_line(*parts))

st.subheader(page.say("overview.accounting", files=count(totals["files"]), records=count(totals["read"])))
show(accounting(page, totals, lambda status: page.href("records", status=status)))
last_intake(page, totals, files_before(page.snapshot))
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
    show(feed(page, events, with_game=True))
    page.page_link("levels", say(page, "news.all"), show="feed", kind="promotion")

named = sum(one["club"] is not None for one in clubs)
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
                        club_link(page, one["club"]),
                        of_club(page, one["club"], one["matches"], "match"),
                        of_club(page, one["club"], one["settled"], "match", "settled"),
                        of_club(page, one["club"], one["violation"], "violations"),
                        of_club(page, one["club"], one["discrepancies"], "discrepancies"),
                        one["last"],
                    ]
                )
                for one in clubs[:50]
            ],
        )
    )
    if len(clubs) > 50:
        st.caption(page.say("overview.more_clubs", count=count(len(clubs) - 50)))
