"""Every record received, of one file or of all, with what became of it."""

from __future__ import annotations

import streamlit as st

from dashboards.components import export, filters
from dashboards.components.figures import count, minute, size, word
from dashboards.components.frame import view
from dashboards.components.markup import data, show, tag
from dashboards.components.matches import finding
from dashboards.components.places import file_and_line, source_line
from dashboards.components.tables import STATUSES, Column, Line, accounting, status_chip, table
from dashboards.queries import files, overview
from dashboards.store import received

SIZE = 50

page = view()
file_id = filters.asked("file")
title = st.empty()
file = files.file(page.cursor, file_id) if file_id else None
if file_id:
    page.page_link("files", page.say("records.all_files"))
    if file is None:
        st.warning(page.say("records.no_file"))
    else:
        show(tag("h4", data(file["file_name"], class_="yz-long")))
        came = received(page.home, file["file_id"])
        at = page.say("records.received", at="–" if came is None else minute(came))
        show(source_line(size(file["bytes"]), at, page.say("records.hash", hash=file["file_id"])))
        if file["damage"] is not None:
            st.warning(page.say("records.damage"), icon=":material/broken_image:")
read = file or overview.accounting(page.cursor)
show(accounting(page, read, lambda status: page.href("records", file=file_id, status=status)))

left, right = st.columns(2)
with left:
    search = filters.search("find", page.say("filters.match_or_file"), page.say("filters.any_part"))
with right:
    status = filters.choice(
        "status",
        page.say("filters.status"),
        STATUSES,
        page.say("filters.all"),
        lambda code: word(f"terms.status.{code}", page.lang, code),
    )
counts = {row["status"]: row["records"] for row in files.statuses(page.cursor, file_id, search)}
total = counts.get(status, 0) if status else sum(counts.values())
title.title(page.say("records.title", count=count(total)), anchor=False)
found = files.records(page.cursor, file_id, status, SIZE, filters.offset(total, SIZE), search)
if found:
    names = ("place", "match", "revision", "status", "finding")
    columns = [Column(page.say(f"records.column.{name}")) for name in names]
    lines = [
        Line(
            [
                file_and_line(page, record["file_id"], record["file_name"], record["line"]),
                page.match_link(record["match_id"]),
                record["revision"],
                status_chip(page, record["status"]),
                finding(page, record),
            ]
        )
        for record in found
    ]
    show(table(columns, lines))
else:
    st.info(page.say("records.none"))
filters.paging(total, SIZE)
if found:
    export.download(
        page, "records", lambda cursor, most: files.records(cursor, file_id, status, most, 0, search), total
    )
