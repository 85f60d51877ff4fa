"""The page of the tables: all of them are there, described in both languages, and can be searched and downloaded."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from dashboards.components.export import MOST, as_file
from dashboards.queries import tables
from dashboards.store import open_cursor, pointer
from tests.dashboards.reading import shown, titles
from tests.dashboards.snapshot import HOSTILE
from yuanzi_core.table_texts import documented
from yuanzi_core.texts import LANGS, Lang

Open = Callable[..., AppTest]


@pytest.mark.parametrize("lang", LANGS)
def test_every_column_of_every_published_table_is_described(lang: Lang, made: Path) -> None:
    cursor, texts = open_cursor(pointer(made), "auditor"), documented(lang)
    names = tables.published(cursor)
    assert {"out_matches", "out_audit__files", "out_snapshot"} <= set(names)
    missing = [
        f"{name}.{column['name']}"
        for name in names
        for column in tables.columns(cursor, name)
        if name not in texts or column["name"] not in texts[name].columns
    ]
    assert not missing
    # The key is made of columns; – stands for a table of one row.
    for name in names:
        key = texts[name].key
        assert key == "–" or set(key.split(", ")) <= set(texts[name].columns), name


@pytest.mark.parametrize("lang", LANGS)
def test_every_table_has_its_page(lang: Lang, made: Path, open_page: Open) -> None:
    names = tables.published(open_cursor(pointer(made), "auditor"))
    app = open_page(made, "data", lang=lang)
    assert str(len(names)) in titles(app)[0]
    for name in names:
        assert f"?table={name}&amp;lang={lang}" in shown(app)
    page = open_page(made, "data", lang=lang, table="out_matches")
    assert titles(page) == [r"out\_matches"]
    assert documented(lang)["out_matches"].columns["registry_ids"] in shown(page)


def test_rows_are_found_by_any_column(published: Path, open_page: Open) -> None:
    app = open_page(published, "data", table="out_matches", find="R12-00287")
    assert [heading.value for heading in app.subheader] == ["Rows: 1"]
    assert "r12-00287" in shown(app)
    assert not open_page(published, "data", table="out_matches", find="no such thing").get("download_button")


@pytest.mark.parametrize(
    "name", [HOSTILE[1], HOSTILE[2], "core_deal", "raw_record", "out_matches; drop table out_matches"]
)
def test_no_other_table_can_be_named(name: str, published: Path, open_page: Open) -> None:
    names = tables.published(open_cursor(pointer(published), "auditor"))
    assert titles(open_page(published, "data", table=name)) == [f"Tables: {len(names)}"]


def test_a_download_is_the_table(published: Path) -> None:
    cursor = open_cursor(pointer(published), "public")
    expected = cursor.sql("select match_id, standings_before from out_matches").pl()
    assert expected["standings_before"].null_count() == len(expected)
    for kind, read in (("csv", pl.read_csv), ("parquet", pl.read_parquet), ("xlsx", pl.read_excel)):
        made = as_file(tables.relation(cursor, "out_matches", None, MOST[kind]), kind)  # type: ignore[index, arg-type]
        found = read(io.BytesIO(made))
        assert found["match_id"].to_list() == expected["match_id"].to_list()
        assert found["standings_before"].null_count() == len(expected)


def test_a_list_longer_than_a_file_says_so(large: Path, open_page: Open) -> None:
    app = open_page(large, "data", table="out_audit__records")
    assert any("hold the first 100,000" in said.value for said in app.caption)
    assert len(app.get("download_button")) == len(MOST)


@pytest.mark.parametrize("table", ["out_matches", "out_audit__files", "out_audit__records", "out_audit__violations"])
def test_nothing_in_a_table_is_markup(table: str, published: Path, open_page: Open) -> None:
    app = open_page(published, "data", table=table)
    spoken = [element.value for element in [*app.markdown, *app.caption, *app.title, *app.subheader]]
    assert not any(name in said for name in HOSTILE for said in spoken)
    for dangerous in ("<script", "<img", "<i>"):
        assert dangerous not in shown(app)
