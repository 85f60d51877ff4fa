"""The pages of standings, players and levels on the matches of ``book``, worked out by hand."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

from dashboards.queries import levels, player_lists, players, ratings, standings
from dashboards.queries.matches import Wanted, found_matches, matches
from dashboards.queries.player_lists import Part
from tests.dashboards.reading import column, links, said, shown, titles
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]


@pytest.fixture(scope="module")
def book(home: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same for questions: a copy in memory, for auditors."""
    with duckdb.connect() as con:
        con.execute(f"attach '{home / 'published' / 'snapshot-book.duckdb'}' as book (read_only)")
        con.execute("copy from database book to memory")
        con.execute("detach book")
        yield con


def test_a_ranking_is_cut_by_level_and_by_players_and_its_ranks_stay(book: duckdb.DuckDBPyConnection) -> None:
    whole = standings.ranking(book, "four")
    assert [(one["rank"], one["player_id"], one["standing"]) for one in whole] == [
        (1, "an", 62), (2, "bo", 28), (3, "cy", -28), (4, "di", -52),
    ]  # fmt: skip
    assert [(one["rank"], one["player_id"]) for one in standings.ranking(book, "four", level=0)] == [
        (3, "cy"),
        (4, "di"),
    ]
    two = standings.ranking(book, "four", players=["di", "bo"])
    assert [(one["rank"], one["of"]) for one in two] == [(2, 2), (4, 2)]
    assert standings.ranked(book, "four") == 4
    assert standings.games(book) == ["four"]
    assert [(one["name"], one["same"]) for one in standings.seasons(book, "c")] == [("spring", 1)]
    assert standings.seasons(book, "another") == []


def test_a_long_way_is_thinned_and_keeps_its_records(book: duckdb.DuckDBPyConnection) -> None:
    way = standings.history(book, "four", "an")
    assert [(one["number"], one["standing_after"], one["record"]) for one in way] == [
        (1, 25, True), (2, 22, False), (3, 62, True),
    ]  # fmt: skip
    # Ten thousand matches, every one of which changes the level; one leads to a level not reached before.
    with duckdb.connect() as con:
        con.execute(
            "create table core_ledger__movement as"
            " select 'four' as game, 'x' as player_id, n as number, 'm' || n as match_id, n as played_at, 'c' as club,"
            " n as day, 1 as score, 1 as play_score, 0 as escape_penalty, 0 as compensation, 0 as cap_effect,"
            " n - 1 as ledger_before, n as ledger_after,"
            " case n when 5002 then 7 else n % 2 end as level_before, case n when 5001 then 7 else (n + 1) % 2 end"
            " as level_after from range(1, 10001) as r(n)"
        )
        thinned = [one["number"] for one in standings.history(con, "four", "x")]
        assert len(thinned) <= standings.POINTS
        assert {1, 5001, 10_000} <= set(thinned)


def test_the_ladder_says_who_stands_where(book: duckdb.DuckDBPyConnection) -> None:
    found = {one["level"]: one for one in levels.standing_on(book, "four", 1)}
    assert list(found) == list(range(27, -1, -1))
    assert (found[2]["players"], found[2]["ids"], found[2]["floor"], found[2]["next_floor"]) == (1, ["an"], 60, 140)
    # Of two on the lowest level the first has lost less.
    assert (found[0]["players"], found[0]["names"], found[0]["floor"]) == (2, ["Cy"], None)
    assert found[27]["players"] == 0
    ups = levels.events(book, "four", 10, kind="promotion")
    assert [(one["player_id"], one["match_id"], one["level_after"], one["of"]) for one in ups] == [
        ("an", "m3", 2, 3), ("bo", "m3", 1, 3), ("an", "m1", 1, 3),
    ]  # fmt: skip
    assert levels.events(book, None, 10, kind="demotion") == []


def test_two_players_meet_as_partners_and_as_opponents(book: duckdb.DuckDBPyConnection) -> None:
    met = player_lists.together(book, "four", "an", "bo")
    assert (met["partner"]["matches"], met["partner"]["wins"], met["partner"]["expected_wins"]) == (1, 1, 0.75)
    against = met["opponent"]
    assert (against["matches"], against["wins"]) == (2, 1)
    assert against["expected_wins"] == pytest.approx(0.5 + 0.6)
    assert against["spread"] == pytest.approx(0.25 + 0.24)
    (row,) = player_lists.with_surplus([against])
    reach = stats.norm.ppf(0.975) * 0.49**0.5
    assert [row[name] for name in ("surplus", "surplus_low", "surplus_high")] == pytest.approx(
        [-0.1, -0.1 - reach, -0.1 + reach], abs=1e-6
    )
    assert player_lists.together(book, "four", "an", "nobody") == {}


def test_the_chance_of_two_is_even_for_equals_and_none_without_a_rating(book: duckdb.DuckDBPyConnection) -> None:
    better = ratings.chances_of_two(book, "four", "an", "cy")
    assert better is not None
    # Opponents with an average player beside each: one wins, and 110 points are worth something.
    assert better[0].chance + better[1].chance == pytest.approx(1)
    assert better[0].chance > 0.55
    turned = ratings.chances_of_two(book, "four", "cy", "an")
    assert turned is not None
    assert turned[1].chance == pytest.approx(better[0].chance)
    assert ratings.chances_of_two(book, "four", "an", "di") is None


def test_parts_of_a_player_s_matches_are_those_behind_a_number(book: duckdb.DuckDBPyConnection) -> None:
    con = book.cursor()
    assert players.load(con, "four", "an") == 3

    def found(**part: Any) -> list[str]:
        return [one["match_id"] for one in player_lists.matches(con, Part(**part), 10)]

    assert found() == ["m3", "m2", "m1"]
    assert found(evening=date(2026, 3, 1), club="c") == ["m2", "m1"]
    assert found(last=2) == ["m3", "m2"]
    # Upstream was of side 0, then 1, then 0, and an always sat on side 0.
    assert found(role="upstream_side", size=2) == ["m3", "m1"]
    assert found(role="other_side") == ["m2"]
    assert found(other="bo", kin="partner") == ["m3"]
    assert found(other="bo", kin="opponent") == ["m2", "m1"]
    assert found(since=date(2026, 3, 1), until=date(2026, 4, 1)) == ["m2", "m1"]
    assert found(result="settled") == ["m3", "m2", "m1"]
    assert found(result="won") == ["m3", "m1"]
    assert found(result="won", last=2) == ["m3"]
    assert found(result="upstream", until=date(2026, 3, 1)) == ["m1"]
    assert player_lists.matches(con, Part(), 1, 1)[0]["of"] == 3
    scores = player_lists.recent_scores(con, [2, 20])
    assert (scores[2].sums, scores[2].counts) == ([Decimal(-3), Decimal(40)], [1, 1])
    assert (scores[20].sums, scores[20].counts) == ([Decimal(12), Decimal(40)], [2, 1])
    roles = player_lists.role_scores(con)
    assert roles["upstream_side", 2].sums == [Decimal(15), Decimal(40)]


def test_players_are_found_by_name_id_and_alias(book: duckdb.DuckDBPyConnection) -> None:
    assert [one["player_id"] for one in player_lists.found(book, "NN", 5)] == ["an"]
    everybody = player_lists.found(book, None, 2)
    assert [(one["player_id"], one["matches"], one["of"]) for one in everybody] == [("an", 3, 4), ("bo", 3, 4)]
    known = player_lists.registered(book, "an")
    assert known is not None
    assert known["member"]
    assert player_lists.registered(book, "bo") is None


def test_the_page_of_standings_shows_members_and_leads_to_them(home: Path, open_page: Open) -> None:
    app = open_page(home, "standings", "public")
    assert titles(app) == ["Standings (players: 3)"]
    assert column(app, "Player") == ["An", "Bo", "Cy"]
    assert column(app, "Standing") == ["62", "28", "−28"]
    assert column(app, "Level") == [
        "Wooden Club level 2 78 to go", "Stone level 1 32 to go", "Empty Hands level 0 48 to go",
    ]  # fmt: skip
    assert column(app, "Rating")[2] == "1450 (1390–1510) too few"
    assert 'href="./player?player=an&amp;game=four"' in shown(app)
    # From 60 to 140 points, and 62 of them: a fortieth of the way.
    assert 'style="width:2.5%"' in shown(app)
    auditors = open_page(home, "standings", "auditor", lang="zh")
    assert column(auditors, "牌手")[3] == "Di 非会员"


def test_a_period_has_its_ranks_and_the_way_up_and_down(home: Path, open_page: Open) -> None:
    app = open_page(home, "standings", "public", season="spring", by="standing")
    # Before it: an 22, cy 12, bo −12.
    assert column(app, "Rank") == ["1", "2 ▲1", "3 ▼1"]
    assert column(app, "Won and lost") == ["+40", "+40", "−40"]
    scores = open_page(home, "standings", "public", **{"from": "2026-03-01", "to": "2026-03-31"})
    assert column(scores, "Player") == ["An", "Cy", "Bo"]
    assert column(scores, "Standing") == ["22", "12", "−12"]
    assert titles(open_page(home, "standings", season="none")) == ["Standings (players: 0)"]


def test_a_heading_puts_the_list_in_its_order(home: Path, open_page: Open) -> None:
    app = open_page(home, "standings", sort="rating", level="1", a="bo")
    body = shown(app)
    assert len(re.findall("aria-sort=", body)) == 1
    assert re.search(r'aria-sort="descending"><a href="[^"]*sort=rating[^"]*">Rating', body)
    # The other headings keep what was chosen.
    assert re.search(r'href="\./standings\?sort=matches&amp;level=1&amp;a=bo"', body)
    assert column(app, "Player") == ["Bo"]
    by_rating = open_page(home, "standings", by="rating")
    assert column(by_rating, "Rank") == ["1", "2", "–", "–"]


def test_two_players_are_compared(home: Path, open_page: Open) -> None:
    one = open_page(home, "standings", a="an")
    assert "Compare with whom?" in said(one)
    assert 'href="./standings?a=an&amp;b=bo"' in shown(one)
    app = open_page(home, "standings", a="an", b="bo")
    text = " ".join(said(app).split())
    assert "Rank 1 2" in text
    assert "Chance " in text
    assert 'kin=opponent&amp;other=bo">2</a>' in shown(app)
    assert "as opponents 2 1 too few to tell 55 %" in text
    # Nobody's chance is told by a rating that is not shown.
    assert "No chance is given" in said(open_page(home, "standings", "public", a="an", b="di"))


def test_a_player_s_page_tells_what_the_ledger_says(home: Path, open_page: Open) -> None:
    app = open_page(home, "player", "public", player="ann")
    text = " ".join(said(app).split())
    assert "ann is an alias of this player" in text
    assert "Points to the next level, Broadsword: 78." in text
    assert "1 of 3" in text
    assert len(app.get("vega_lite_chart")) == 2
    assert column(app, "Change") == ["▲ Stone → Wooden Club", "▲ Empty Hands → Stone"]
    matches = open_page(home, "player", "public", player="an", show="matches")
    assert column(matches, "Score") == ["+40", "−3", "+15"]
    assert "evening=2026-04-02&amp;club=c" in shown(matches)
    assert column(matches, "Won and lost") == ["+40", "+12"]
    behind = open_page(home, "player", "public", player="an", show="matches", evening="2026-03-01", club="c")
    assert column(behind, "Score") == ["−3", "+15"]
    people = open_page(home, "player", "public", player="an", show="people")
    assert column(people, "Partner") == ["Cy", "Bo"]
    assert column(people, "Share won")[:2] == ["1 too few to tell", "1 too few to tell"]
    form = open_page(home, "player", "public", player="an", show="form", lang="zh")
    assert column(form, "近况") == ["最近 20 盘"]
    assert column(form, "计分：胜 / 预期")[0] == "2 / 1.9"


def test_G3_of_a_guest_only_name_and_results_are_public(home: Path, open_page: Open) -> None:
    app = open_page(home, "player", "public", player="di")
    assert "Di" in said(app)
    assert any("are kept but not shown (G3)" in element.value for element in app.info)
    assert not app.get("vega_lite_chart")
    assert "−52" not in said(app)
    matches = open_page(home, "player", "public", player="di", show="matches")
    assert column(matches, "Score") == ["−40", "+3", "−15"]
    assert column(matches, "Rating") == []
    assert "−52" in said(open_page(home, "player", "auditor", player="di"))


def test_the_page_of_levels_is_the_ladder(home: Path, open_page: Open) -> None:
    app = open_page(home, "levels", "public", lang="zh")
    assert titles(app) == ["级别：3 人"]
    steps = re.findall(r"<li.*?</li>", shown(app))
    assert len(steps) == 28
    assert "宇宙重生" in steps[0]
    assert "Cy" in steps[-1]
    assert "Di" not in steps[-1]
    assert "./standings?game=four&amp;level=0&amp;lang=zh" in steps[-1]
    population = open_page(home, "levels", "public", show="population")
    # At the end of March an on 1, bo and cy on 0; of April an on 2, bo on 1, cy on 0.
    assert [column(population, name) for name in ("Month", "Empty Hands", "Stone", "Wooden Club", "Total")] == [
        ["2026-04", "2026-03"], ["1", "2"], ["1", "1"], ["1", "0"], ["3", "3"],
    ]  # fmt: skip
    feed = open_page(home, "levels", "public", show="feed", club="c", kind="promotion")
    assert column(feed, "Standing after") == ["62", "28", "25"]
    assert "match=m3" in shown(feed)
    assert column(open_page(home, "levels", show="feed", player="bo"), "Player") == ["Bo"]


def test_the_overview_tells_the_newest_promotions(home: Path, open_page: Open) -> None:
    app = open_page(home, "overview", "public")
    assert column(app, "Player") == ["An", "Bo", "An"]
    assert "All promotions and demotions" in links(app)


def test_clubs_have_the_name_of_the_registry_in_the_reader_s_language(home: Path, open_page: Open) -> None:
    assert column(open_page(home, "overview"), "Club") == ["Club C"]
    listed = open_page(home, "match", lang="zh", club="c")
    assert set(column(listed, "俱乐部")) == {"丙社"}
    assert listed.selectbox(key="filter-club").value == "c"


def test_the_list_of_matches_is_cut_by_game_source_and_days(
    book: duckdb.DuckDBPyConnection, home: Path, open_page: Open
) -> None:
    zone = "Asia/Shanghai"
    for wanted, found in (
        (Wanted(), 3), (Wanted(variant="four", source="real", club="c", status="settled"), 3),
        (Wanted(variant="five"), 0), (Wanted(source="simulated"), 0), (Wanted(since=date(2026, 3, 2), zone=zone), 1),
        (Wanted(until=date(2026, 3, 1), zone=zone), 2), (Wanted(search="DI"), 3), (Wanted(search="m3"), 1),
    ):  # fmt: skip
        assert (found_matches(book, wanted), len(matches(book, wanted, 10))) == (found, found)
    address = {"game": "four", "source": "real", "from": "2026-04-02", "to": "2026-04-02"}
    assert titles(open_page(home, "match", **address)) == ["Matches: 1"]


@pytest.mark.parametrize("lang", LANGS)
def test_G3_where_nobody_is_a_member_the_public_is_told_why_it_sees_nobody(
    lang: Lang, home: Path, tmp_path: Path, open_page: Open
) -> None:
    shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    with duckdb.connect(str(tmp_path / "published" / "snapshot-book.duckdb")) as con:
        con.execute("delete from core_member__today")
        for table in ("out_standings__player", "out_standings__day", "out_levels__event"):
            con.execute(f"create or replace view public.{table} as select * from main.{table} where false")
    why = text("pages_standings.without_members", lang)
    for page, address in (("standings", {}), ("standings", {"club": "c", "by": "rating"}), ("levels", {}),
                          ("levels", {"show": "population"}), ("levels", {"show": "feed"})):  # fmt: skip
        app = open_page(tmp_path, page, "public", lang=lang, **address)
        titles(app)
        assert [info.value for info in app.info] == [why]
        assert not open_page(tmp_path, page, "auditor", lang=lang).info
    # Who finds nobody among members is told just that.
    found = open_page(home, "standings", "public", find="nobody", lang=lang)
    assert [info.value for info in found.info] == [text("standings.nobody", lang)]
