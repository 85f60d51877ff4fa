"""Every page, in both languages, without data, with a snapshot full of hostile texts, and with one of the pipeline."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from dashboards import app_pages
from tests.dashboards.reading import links, one, shown, titles
from tests.dashboards.snapshot import HOSTILE, point, publish
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]
WITHOUT_RESULTS = ("score", "rules")
ALL_PAGES = sorted(path.stem for path in Path(next(iter(app_pages.__path__))).glob("*.py") if path.stem != "__init__")
#: The pages of results.
PAGES = [page for page in ALL_PAGES if page not in WITHOUT_RESULTS]


def test_there_are_the_pages_that_the_menu_has(published: Path, open_page: Open) -> None:
    app = open_page(published)
    assert {"overview", "match", "discrepancies", "violations", "files"} <= set(PAGES)
    assert sorted(Path(str(page["script_path"])).stem for page in app._registered_pages.values()) == ALL_PAGES


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES)
def test_without_a_snapshot_every_page_says_how_to_make_one(
    page: str, lang: Lang, tmp_path: Path, open_page: Open
) -> None:
    app = open_page(tmp_path, page, lang=lang)
    assert titles(app) == [text("pages.welcome.title", lang)]
    # The samples have a home of their own, as `yuanzi demo` makes it: never among the reader's matches.
    assert [code.value for code in app.code] == [
        f"yuanzi demo --home {tmp_path / 'demo'}\nyuanzi dashboard --home {tmp_path / 'demo'}",
        f"yuanzi run --home {tmp_path}",
    ]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_shows_the_count_of_what_it_lists(page: str, lang: Lang, published: Path, open_page: Open) -> None:
    app = open_page(published, page, lang=lang)
    tables = {
        "overview": "out_matches",
        "match": "out_matches",
        "files": "out_audit__files",
        "records": "out_audit__records",
        "violations": "out_audit__violations",
        "discrepancies": "out_audit__discrepancies",
        "balance": "out_balance__matches",
        "standings": "out_standings__player where game = 'four'",
        "levels": "out_standings__player where game = 'four'",
        "player": "out_players",
    }
    if page not in tables:
        return
    (count,) = one(published, f"select count(*) from {tables[page]}")
    key = {
        "overview": "pages.overview.title",
        "match": "pages.match.list.title",
        "balance": "balance.title",
        "standings": "pages_standings.title",
        "levels": "pages_standings.ladder.title",
        "player": "pages_standings.players",
    }
    field = "matches" if page == "overview" else "count"
    assert titles(app) == [text(key.get(page, f"pages.{page}.title"), lang, **{field: f"{count:,}"})]


@pytest.mark.parametrize("page", PAGES)
def test_nothing_from_data_is_markup(page: str, published: Path, open_page: Open) -> None:
    app = open_page(published, page)
    markdown = [element.value for element in [*app.markdown, *app.caption, *app.title, *app.subheader, *app.warning]]
    labels = [*links(app), *[element.label for element in app.selectbox]]
    for name in HOSTILE:
        assert not any(name in spoken for spoken in [*markdown, *labels])
    body = shown(app)
    for dangerous in ("<script", "<img", "<i>", "onerror=alert(1)>.jsonl<"):
        assert dangerous not in body
    # What stands between tags and in attributes is all there is, and no attribute runs a script.
    assert set(re.findall(r"<([a-z0-9]+)", body)) <= {
        *(
            "a",
            "b",
            "bdi",
            "code",
            "dd",
            "div",
            "dl",
            "dt",
            "h3",
            "h4",
            "i",
            "li",
            "p",
            "span",
            "strong",
            "table",
            "tbody",
            "td",
        ),
        *("th", "thead", "tr", "ul"),
    }
    assert set(re.findall(r" ([a-z-]+)=\"", body)) <= {
        "aria-sort",
        "class",
        "data-label",
        "dir",
        "href",
        "scope",
        "style",
        "tabindex",
        "title",
    }
    assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', body))


def test_hostile_names_are_shown_as_they_are(published: Path, open_page: Open) -> None:
    match, names = one(published, "select match_id, player_names from out_matches where len(player_names) = 5 limit 1")
    app = open_page(published, "match", match=str(match))
    titles(app)
    said = html.unescape(re.sub(r"<[^>]*>", "", shown(app)))
    for name in names:
        pictured = "".join(chr(0x2400 + ord(sign)) if ord(sign) < 32 else sign for sign in str(name))
        assert pictured in said


LISTS = ["match", "records", "discrepancies", "violations", "balance"]
PLAYERS = ["standings", "player", "levels"]


@pytest.mark.parametrize(
    ("page", "name"),
    [*product(LISTS, HOSTILE), *product(PLAYERS, HOSTILE[1::3])],
    ids=[*map(str, range(len(LISTS) * len(HOSTILE) + len(PLAYERS) * len(HOSTILE[1::3])))],
)
def test_a_hostile_address_finds_nothing_and_breaks_nothing(
    page: str, name: str, published: Path, open_page: Open
) -> None:
    address = dict.fromkeys(
        (
            "match",
            "find",
            "club",
            "code",
            "game",
            "status",
            "file",
            "from",
            "to",
            "name",
            "only",
            "part",
            "result",
            "page",
            "lang",
            "self",
            "view",
            "by",
            "value",
            "player",
            "a",
            "b",
            "season",
            "level",
            "sort",
            "show",
            "kin",
            "other",
            "evening",
            "role",
        ),
        name,
    )
    app = open_page(published, page, **address)
    titles(app)
    assert "<script" not in shown(app)


def test_the_accounting_adds_up_and_leads_to_the_records(published: Path, open_page: Open) -> None:
    read, settled, rejected = one(published, "select sum(read), sum(settled), sum(rejected) from out_audit__files")
    app = open_page(published, "overview", lang="zh")
    body = shown(app)
    assert "✓ 对得上" in body
    for status, number in (("settled", settled), ("rejected", rejected)):
        assert f'<a href="./records?status={status}&amp;lang=zh">{number:,}</a>' in body
    assert f">{read:,}</a>" in body
    listed = open_page(published, "records", status="rejected")
    assert titles(listed) == [f"Records: {rejected}"]


def test_an_accounting_that_does_not_add_up_says_so(own_home: Path, open_page: Open) -> None:
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.execute("update out_audit__files set read = read + 1")
    assert "✗ does not add up" in shown(open_page(own_home, "files"))


def test_the_language_is_the_browser_s_until_it_is_switched(published: Path, open_page: Open) -> None:
    app = open_page(published, locale="zh-CN")
    assert titles(app)[0].startswith("总览")
    assert "lang" not in app.query_params
    assert titles(open_page(published, locale="de-DE"))[0].startswith("Overview")
    app.segmented_control[0].set_value("en").run()
    assert titles(app)[0].startswith("Overview")
    assert app.query_params["lang"] == "en"
    # Another page by the menu comes with an empty address.
    app.query_params = {}
    app.switch_page("app_pages/files.py").run()
    assert titles(app) == ["Files: 3"]
    assert app.query_params["lang"] == "en"
    assert "lang=en" in shown(app)


def test_filters_go_into_the_address_and_come_from_it(published: Path, open_page: Open) -> None:
    (captured,) = one(published, "select count(*) from out_audit__discrepancies where code = 'CLAIM_CAPTURED'")
    app = open_page(published, "discrepancies")
    app.selectbox(key="filter-code").set_value("CLAIM_CAPTURED").run()
    assert titles(app) == [f"Discrepancies: {captured}"]
    assert app.query_params["code"] == "CLAIM_CAPTURED"
    again = open_page(published, "discrepancies", code="CLAIM_CAPTURED")
    assert titles(again) == [f"Discrepancies: {captured}"]
    assert again.selectbox(key="filter-code").value == "CLAIM_CAPTURED"
    again.selectbox(key="filter-code").set_value(None).run()
    assert "code" not in again.query_params
    assert titles(again) == ["Discrepancies: 54"]


@pytest.mark.parametrize("club", HOSTILE[:7], ids=range(7))
def test_each_club_is_a_filter(club: str, published: Path, open_page: Open) -> None:
    (found,) = one(published, "select count(*) from out_audit__violations where club = $1", [club])
    app = open_page(published, "violations")
    app.selectbox(key="filter-club").set_value(club).run()
    assert titles(app) == [f"Violations: {found}"]


def test_days_are_filters(published: Path, open_page: Open) -> None:
    assert (
        titles(open_page(published, "violations", **{"from": "2026-03-01", "to": "2026-03-01"}))[0] != "Violations: 0"
    )
    assert titles(open_page(published, "violations", **{"from": "2026-03-02"})) == ["Violations: 0"]
    assert titles(open_page(published, "violations", to="2026-02-28")) == ["Violations: 0"]
    # What is no day chooses nothing.
    assert titles(open_page(published, "violations", to="0001-02-31"))[0] != "Violations: 0"


def test_lists_have_pages(published: Path, open_page: Open) -> None:
    (most,) = one(published, "select count(*) from out_audit__violations")
    app = open_page(published, "violations")
    assert len(links(app)) == 15
    pages = -(-most // 15)
    app.pagination[0].set_value(pages).run()
    assert app.query_params["page"] == str(pages)
    assert len(links(app)) == most - 15 * (pages - 1)
    # Another filter begins at the first page, and a page beyond the last is the last.
    app.selectbox(key="filter-code").set_value("TURN").run()
    assert "page" not in app.query_params
    assert len(links(open_page(published, "violations", page="999"))) == most - 15 * (pages - 1)


def test_a_search_finds_matches_and_players(published: Path, open_page: Open) -> None:
    match, player = one(published, "select match_id, player_ids[1] from out_matches limit 1")
    app = open_page(published, "match")
    for wanted in (str(match), str(player).upper()):
        app.text_input(key="filter-find").set_value(wanted).run()
        assert app.query_params["find"] == wanted
        assert f"match={match}" in shown(app)
    app.text_input(key="filter-find").set_value("no such thing").run()
    assert titles(app) == ["Matches: 0"]


def test_a_new_snapshot_is_offered_and_shown_without_a_restart(own_home: Path, open_page: Open) -> None:
    app = open_page(own_home, "files")
    assert not app.button
    with duckdb.connect(str(publish(own_home, "snapshot-newer.duckdb"))) as con:
        con.execute("delete from out_audit__files where file_name <> 'claims.jsonl'")
    point(own_home, "snapshot-newer.duckdb")
    app.run()
    assert titles(app) == ["Files: 1"]
    assert "snapshot-newer" in shown(app)


@pytest.mark.parametrize(
    ("pointer", "trouble"),
    [
        ("", "unreadable"),
        ("[]", "unreadable"),
        ("[" * 100_000, "unreadable"),
        ('{"name": "gone.duckdb", "hash": "1"}', "unreadable"),
        ('{"name": "../published/snapshot-test.duckdb", "hash": "1"}', "unreadable"),
        ('{"name": "current.json", "hash": "1"}', "unreadable"),
        ('{"name": "old.duckdb", "hash": "1"}', "outdated"),
    ],
    ids=range(7),
)
def test_a_snapshot_that_cannot_be_shown_says_so(pointer: str, trouble: str, own_home: Path, open_page: Open) -> None:
    duckdb.connect(str(own_home / "published" / "old.duckdb")).close()
    (own_home / "published" / "current.json").write_text(pointer, encoding="utf-8")
    app = open_page(own_home)
    assert titles(app, trouble == "outdated") == [text("pages.welcome.title", "en")]
    assert text(f"pages.welcome.{trouble}", "en") in [element.value for element in app.markdown]


@pytest.mark.parametrize("page", ["overview", "match", "standings"])
def test_results_whose_files_are_gone_say_so(page: str, own_home: Path, open_page: Open) -> None:
    # As in a home that was moved: the snapshot is there, and what its views read is not.
    away = own_home / "away.parquet"
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        for table in ("out_matches", "out_standings__player"):
            con.table(table).to_parquet(str(away))
            con.execute(f"drop table {table}")
            con.read_parquet(str(away)).create_view(table)
    away.unlink()
    app = open_page(own_home, page)
    assert titles(app)[-1] == text("pages.welcome.title", "en")
    assert text("pages.welcome.gone", "en") in [element.value for element in app.markdown]


def test_results_of_another_version_that_lack_a_column_say_so(own_home: Path, open_page: Open) -> None:
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.execute("alter table main.out_audit__files drop column damage")
    assert titles(open_page(own_home, "files"), outdated=True)[-1] == text("pages.welcome.title", "en")


def test_pages_write_nothing(own_home: Path, open_page: Open) -> None:
    before = {path: path.stat().st_mtime_ns for path in own_home.rglob("*")}
    for page in PAGES:
        titles(open_page(own_home, page))
    assert {path: path.stat().st_mtime_ns for path in own_home.rglob("*")} == before
