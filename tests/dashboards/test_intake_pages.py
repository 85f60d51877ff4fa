"""When files came and results were published, what the last intake was, and the findings and records of some files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.reading import one, said, shown, titles
from tests.dashboards.snapshot import point, publish
from yuanzi_core.history import History
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]


def came(home: Path, file_id: str, at: object) -> None:
    """Say in a home when a file was received."""
    folder = home / "lake" / "history"
    folder.mkdir(parents=True, exist_ok=True)
    content = json.dumps({"received": at, "names": ["a.jsonl"], "judging": None})
    (folder / f"{file_id}.json").write_text(content, encoding="utf-8")


def file_ids(home: Path) -> list[str]:
    """The files of the snapshot, by name."""
    return list(one(home, "select list(file_id order by file_name) from out_audit__files")[0])


@pytest.mark.parametrize("lang", LANGS)
def test_files_and_records_say_when_a_file_came_by_the_clubs_clock(lang: Lang, own_home: Path, open_page: Open) -> None:
    known, broken, missing = file_ids(own_home)
    came(own_home, known, "2026-02-28T16:05:59+00:00")
    came(own_home, broken, "yesterday")
    (own_home / "lake" / "history" / f"{missing}.json").write_text("{", encoding="utf-8")
    app = open_page(own_home, "files", lang=lang)
    titles(app)
    column = text("pages.files.column.received", lang)
    assert shown(app).count(f'data-label="{column}"') == 3
    assert shown(app).count(f'class="yz-zero" data-label="{column}"><span>–<') == 2
    assert "2026-03-01 00:05" in said(app)
    for file_id, at in ((known, "2026-03-01 00:05"), (broken, "–"), (missing, "–")):
        assert text("pages.records.received", lang, at=at) in said(
            open_page(own_home, "records", file=file_id, lang=lang)
        )


def test_a_page_asks_when_its_own_files_came_and_no_others(
    own_home: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = file_ids(own_home)[0]
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.execute(
            "insert into out_audit__files"
            " select * exclude (n) replace (file_id || n as file_id, file_name || n as file_name)"
            " from out_audit__files cross join range(30) as again(n) where file_id = $1",
            [first],
        )
    asked: list[str] = []

    def of(_: object, file_id: str) -> History:
        asked.append(file_id)
        return History()

    monkeypatch.setattr("dashboards.store.Histories.of", of)
    for page in ("files", "overview"):
        app = open_page(own_home, page)
        asked.clear()
        titles(app.run())
        assert len(set(asked)) == len(asked) == 25


@pytest.mark.parametrize("lang", LANGS)
def test_pages_say_when_the_results_were_published(lang: Lang, own_home: Path, open_page: Open) -> None:
    at = datetime(2026, 3, 1, 16, 30, tzinfo=UTC).timestamp()
    os.utime(own_home / "published" / "snapshot-test.duckdb", (at, at))
    # Beside the menu and at the foot.
    words = text("pages.frame.published", lang, at="2026-03-02 00:30")
    assert said(open_page(own_home, "files", lang=lang)).count(words) == 2


@pytest.mark.parametrize("lang", LANGS)
def test_the_first_intake_is_all_there_is(lang: Lang, own_home: Path, open_page: Open) -> None:
    app = open_page(own_home, "overview", lang=lang)
    assert text("pages_standings.intake.first", lang, at="–") in said(app)
    ids = file_ids(own_home)
    for number, file_id in enumerate(ids):
        came(own_home, file_id, f"2026-03-0{number + 1}T01:00:00+00:00")
    app = open_page(own_home, "overview", lang=lang)
    assert text("pages_standings.intake.first", lang, at="2026-03-03 09:00") in said(app)
    assert all(f'./records?file={file_id}&amp;lang={lang}"' in shown(app) for file_id in ids)


def test_the_last_intake_are_the_files_that_the_results_before_did_not_know(own_home: Path, open_page: Open) -> None:
    published = own_home / "published"
    older = publish(own_home, "snapshot-older.duckdb")
    point(own_home, "snapshot-test.duckdb")
    with duckdb.connect(str(older)) as con:
        ((read, file_id),) = con.execute(
            "delete from out_audit__files where file_name = 'claims.jsonl' returning read, file_id"
        ).fetchall()
    os.utime(older, (1, 1))
    # One that cannot be opened, of another version or broken, is passed over.
    (published / "snapshot-broken.duckdb").write_bytes(b"no database")
    os.utime(published / "snapshot-broken.duckdb", (2, 2))
    came(own_home, file_id, "2026-03-01T12:15:59+00:00")
    app = open_page(own_home, "overview")
    assert f"Last intake (records: {read}, files: 1)" in [heading.value for heading in app.subheader]
    assert shown(app).count("adds up") == 2
    assert f"./records?file={file_id}&amp;status=settled" in shown(app)
    assert "received 2026-03-01 20:15" in said(app)


@pytest.mark.parametrize("page", ["violations", "discrepancies"])
def test_a_part_of_a_file_s_name_is_a_filter_of_findings(page: str, published: Path, open_page: Open) -> None:
    table = f"out_audit__{page}"
    name, count = one(published, f"select file_name, count(*) from {table} group by file_name order by 2 limit 1")
    (file_id,) = one(published, "select file_id from out_audit__files where file_name = $1", [name])
    everything = one(published, f"select count(*) from {table}")[0]
    app = open_page(published, page)
    app.text_input(key="filter-name").set_value(str(name)[2:].upper()).run()
    assert titles(app) == [f"{page.capitalize()}: {count}"]
    assert app.query_params["name"] == str(name)[2:].upper()
    assert titles(open_page(published, page, name="no such file")) == [f"{page.capitalize()}: 0"]
    # The link from a file's row still chooses just that one, and can be given up.
    assert titles(open_page(published, page, file=str(file_id))) == [f"{page.capitalize()}: {count}"]
    assert titles(open_page(published, page, name="")) == [f"{page.capitalize()}: {everything}"]


def test_records_are_found_by_match_and_by_file(published: Path, open_page: Open) -> None:
    match, file_id = one(published, "select match_id, file_id from out_matches limit 1")
    sql = "select count(*) from out_audit__records where contains(lower(file_name), 'dirty')"
    (dirty,), (rejected,) = one(published, sql), one(published, f"{sql} and status = 'rejected'")
    app = open_page(published, "records")
    app.text_input(key="filter-find").set_value("DIRTY").run()
    assert titles(app) == [f"Records: {dirty}"]
    assert app.query_params["find"] == "DIRTY"
    app.pagination[0].set_value(-(-dirty // 50)).run()
    assert shown(app).count("<tr") - 1 == (dirty - 1) % 50 + 1
    assert titles(open_page(published, "records", find="dirty", status="rejected")) == [f"Records: {rejected}"]
    (found,) = one(published, "select count(*) from out_audit__records where contains(match_id, $1)", [match])
    app = open_page(published, "records", find=str(match))
    assert titles(app) == [f"Records: {found}"]
    assert f"match={match}" in shown(app)
    assert titles(open_page(published, "records", find=str(match), file=str(file_id)))[0] != "Records: 0"
    assert titles(open_page(published, "records", find="no such thing")) == ["Records: 0"]
