"""Every published table: what its rows and columns are, a look at it, and the whole of it as a file."""

from __future__ import annotations

import streamlit as st

from dashboards.components import address, export, filters
from dashboards.components.figures import count
from dashboards.components.frame import View, view
from dashboards.components.markup import data, joined, link, show, tag
from dashboards.components.table_rows import is_numeric, preview
from dashboards.components.tables import Column, Line, table
from dashboards.queries import tables
from yuanzi_core.table_texts import documented

SIZE = 25


def all_tables(page: View, names: list[str]) -> None:
    """The list of tables."""
    st.title(page.say("data.title", count=count(len(names))), anchor=False)
    st.caption(page.say("data.intro"))
    texts = documented(page.lang)
    columns = [Column(page.say("data.table")), Column(page.say("data.about")), Column(page.say("data.key_columns"))]
    lines = [
        Line(
            [
                link(page.href("data", table=name), tag("code", name)),
                texts[name].about if name in texts else None,
                texts[name].key if name in texts else None,
            ]
        )
        for name in names
    ]
    show(table(columns, lines))


def one(page: View, name: str) -> None:
    """A table: its columns, then its rows."""
    page.page_link("data", page.say("data.all"))
    st.title(name.replace("_", r"\_"), anchor=False)
    known = documented(page.lang).get(name)
    if known is not None:
        show(joined(tag("p", known.about), tag("p", page.say("data.key", columns=known.key), class_="yz-muted")))
    columns = tables.columns(page.cursor, name)
    with st.expander(page.say("data.columns", count=count(len(columns))), expanded=True):
        heads = [Column(page.say(f"data.{each}")) for each in ("column", "type", "meaning")]
        meanings = known.columns if known is not None else {}
        lines = [
            Line(
                [
                    tag("code", column["name"]),
                    tag("code", column["type"], class_="yz-type"),
                    meanings.get(column["name"], page.say("data.undocumented")),
                ]
            )
            for column in columns
        ]
        show(table(heads, lines))
    search = filters.search("find", page.say("data.find"), page.say("filters.any_part"))
    total = tables.found_rows(page.cursor, name, search)
    st.subheader(page.say("data.preview", count=count(total)), anchor=False)
    if not total:
        st.info(page.say("data.none"))
        return
    found = tables.some_rows(page.cursor, name, search, SIZE, filters.offset(total, SIZE))
    show(preview([Column(column["name"], is_numeric(column["type"])) for column in columns], found))
    filters.paging(total, SIZE)
    export.download(page, name, lambda cursor, most: tables.relation(cursor, name, search, most), total)


page = view()
names = tables.published(page.cursor)
wanted = address.asked("table")
if wanted in names:
    one(page, str(wanted))
else:
    if wanted is not None:
        show(tag("p", data(wanted)))
    all_tables(page, names)
