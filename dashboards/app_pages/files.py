"""The accounting of every file received."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import streamlit as st

from dashboards.components import export, filters
from dashboards.components.figures import TIME_ZONE, count, minute, size
from dashboards.components.frame import view
from dashboards.components.markup import chip, data, joined, link, show, tag
from dashboards.components.tables import STATUSES, Column, Line, accounting, linked_count, table
from dashboards.queries import files, overview
from dashboards.store import received
from yuanzi_core.texts import text

SIZE = 25

page = view()
title = st.empty()
left, right = st.columns([2, 1], vertical_alignment="bottom")
with left:
    search = filters.search("name", page.say("filters.file_name"), page.say("filters.any_part"))
with right:
    problems = filters.switch("problems", page.say("files.only_problems"))

totals = overview.accounting(page.cursor)
total = files.found_files(page.cursor, search, problems)
found = files.files(page.cursor, search, problems, SIZE, filters.offset(total, SIZE))
title.title(page.say("files.title", count=count(total)), anchor=False)
show(accounting(page, totals, lambda status: page.href("records", status=status)))

if not found:
    st.info(page.say("files.none"))
columns = [Column(page.say("files.column.file")), Column(page.say("files.column.received"))]
columns.append(Column(page.say("accounting.read"), True))
columns += [Column(text(f"terms.status.{status}", page.lang), True) for status in STATUSES]
columns += [Column(page.say("files.column.discrepancies"), True), Column(page.say("files.column.size"), True)]
lines = []
for file in found:
    name = link(page.href("records", file=file["file_id"]), data(file["file_name"]))
    if file["damage"] is not None:
        name = joined(name, " ", chip(page.say("files.damaged"), "bad"))
    if file["withdrawn_at"] is not None:
        at = file["withdrawn_at"].astimezone(ZoneInfo(TIME_ZONE))
        mark = chip(page.say("files.withdrawn", day=f"{at:%Y-%m-%d}"), "warn")
        name = joined(name, " ", mark, " ", data(file["withdrawn_reason"] or ""))
    came = received(page.home, file["file_id"])
    lines.append(
        Line(
            [
                name,
                None if came is None else tag("span", minute(came), class_="yz-whole"),
                count(file["read"]),
                *[linked_count(file[s], page.href("records", file=file["file_id"], status=s)) for s in STATUSES],
                linked_count(file["discrepancies"], page.href("discrepancies", file=file["file_id"])),
                size(file["bytes"]),
            ]
        )
    )
if found:
    show(table(columns, lines))
filters.paging(total, SIZE)
if found:
    export.download(page, "files", lambda cursor, most: files.files(cursor, search, problems, most, 0), total)
