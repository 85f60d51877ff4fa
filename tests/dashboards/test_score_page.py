"""The calculator's page: it works without results, settles while one types, explains what cannot be, writes nothing."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.reading import shown, titles
from tests.dashboards.snapshot import HOSTILE
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]


@pytest.fixture
def page(tmp_path: Path, open_page: Open) -> Open:
    """The page of a home where nothing was published."""
    return lambda **address: open_page(tmp_path, "score", **address)


def enter(app: AppTest, variant: str, deal: int, finish: list[int], captured: list[int], **hand: str) -> None:
    """Enter a deal; ``hand0`` … stand for themselves."""
    app.multiselect(key=f"score-{variant}-{deal}-finish").set_value(finish)
    for seat, points in enumerate(captured):
        app.text_input(key=f"score-{variant}-{deal}-captured{seat}").set_value(str(points))
    for name, written in hand.items():
        app.text_input(key=f"score-{variant}-{deal}-{name}").set_value(written)
    app.run()


def rows(app: AppTest) -> list[dict[str, str]]:
    """The rows to copy, as CSV has them; those with tabs say the same."""
    tabs, commas = [code.value for code in app.code]
    assert list(csv.reader(io.StringIO(commas))) == list(csv.reader(io.StringIO(tabs), delimiter="\t"))
    return list(csv.DictReader(io.StringIO(commas)))


@pytest.mark.parametrize("lang", LANGS)
def test_it_works_where_nothing_was_published(lang: Lang, page: Open, tmp_path: Path) -> None:
    app = page(lang=lang)
    assert titles(app) == [text("pages.score.title", lang)]
    assert [said.value for said in app.info] == [text("pages.score.begin", lang)]
    assert not app.code
    enter(app, "four", 0, [2, 1, 0], [95, 40, 120, 45])
    titles(app)
    body = shown(app)
    for score in ("+2", "−2"):
        assert score in body
    for clause in ("D1", "E1"):
        assert f">{clause}</span>" in body
    # East and west have 40 points, fewer than 60 (E1).
    assert text("terms.outcome.double", lang) in body
    assert list(tmp_path.iterdir()) == []


def test_the_lower_half_comes_when_it_is_due(page: Open) -> None:
    app = page()
    enter(app, "four", 0, [2, 1, 0], [95, 70, 65, 40], hand3="30")
    titles(app)
    assert [heading.value for heading in app.subheader][:2] == ["Upper half", "Lower half"]
    enter(app, "four", 1, [1, 3], [80, 100, 30, 60], hand0="10", hand2="20")
    titles(app)
    assert "340" in shown(app)
    assert [(row["half"], row["finish"], row["captured3"]) for row in rows(app)] == [
        ("1", "2 1 0", "40"), ("2", "1 3", "60"),
    ]  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
def test_what_cannot_be_is_said_while_one_types(lang: Lang, page: Open) -> None:
    app = page(lang=lang)
    still, impossible = (text(f"pages.score.{name}", lang) for name in ("still", "impossible"))
    enter(app, "four", 0, [2], [])
    assert still in shown(app)
    enter(app, "four", 0, [2, 1, 0], [95, 70, 65, 40])
    # 270 of 300: something is still to come.
    assert still in shown(app)
    assert "270" in shown(app)
    enter(app, "four", 0, [2, 1, 0], [95, 70, 65, 40], hand0="<b>x</b>")
    titles(app)
    assert impossible in shown(app)
    assert "<b>x" not in shown(app)
    assert not app.code
    enter(app, "four", 0, [2, 1, 0, 3], [95, 70, 65, 40], hand0="", hand3="30")
    assert impossible in shown(app)


def test_five_players_with_atoms_and_an_option(page: Open) -> None:
    app = page(lang="zh")
    app.segmented_control(key="score-variant").set_value("five").run()
    app.selectbox(key="score-ruleset-five").set_value("five-atomic").run()
    app.selectbox(key="score-five-match-dealer").set_value(0)
    app.multiselect(key="score-five-match-partners").set_value([2])
    app.text_input(key="score-five-match-balance0").set_value("5")
    enter(app, "five", 0, [2, 0], [150, 60, 90, 80, 40], hand1="30", hand3="20", hand4="30", atoms="2")
    titles(app)
    # 3 + 3 for each of the two; seat 0 gains no more than it held (F6).
    assert "+6" in shown(app)
    assert "+5" in shown(app)
    app.selectbox(key="score-option-five-atomic-cap").set_value("none").run()
    assert "+5" not in shown(app)
    (row,) = rows(app)
    assert row["选项"] == "cap=none"
    assert (row["庄家"], row["伴"], row["原子数"]) == ("0", "2", "2")


def test_an_escape_asks_for_who_and_when(page: Open) -> None:
    app = page()
    app.segmented_control(key="score-four-0-end").set_value("escape").run()
    enter(app, "four", 0, [], [10, 0, 20, 5])
    assert text("pages.score.still", "en") in shown(app)
    app.selectbox(key="score-four-0-escaped").set_value(1)
    app.text_input(key="score-four-0-tricks").set_value("5").run()
    titles(app)
    # E3: the escaper −4, each opponent +1 once five tricks are complete.
    assert "−4" in shown(app)
    assert "+1" in shown(app)


def test_a_club_s_ruleset_can_be_chosen_and_a_broken_one_does_no_harm(tmp_path: Path, page: Open) -> None:
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "west-lake.toml").write_text('extends = "four-classic"\nclamp_points = 80\n', "utf-8")
    (tmp_path / "rulesets" / "broken.toml").write_text("=", "utf-8")
    app = page()
    assert app.selectbox(key="score-ruleset-four").options == ["Yuanzi, four players", "west-lake"]
    app.selectbox(key="score-ruleset-four").set_value("west-lake").run()
    enter(app, "four", 0, [2, 1, 0], [95, 70, 65, 40], hand3="30")
    titles(app)
    assert "+2" in shown(app)
    assert rows(app)[0]["ruleset"] == "west-lake"


def test_a_number_of_an_option_that_cannot_be_is_said(page: Open) -> None:
    app = page()
    app.text_input(key="score-option-four-classic-clamp_points").set_value("1000")
    enter(app, "four", 0, [2, 1, 0], [95, 70, 65, 40], hand3="30")
    titles(app)
    assert text("pages.score.impossible", "en") in shown(app)


def test_an_entry_stands_in_the_address_and_comes_from_it(page: Open, tmp_path: Path, open_page: Open) -> None:
    app = page()
    assert "ruleset" not in app.query_params
    app.segmented_control(key="score-variant").set_value("five").run()
    app.selectbox(key="score-five-match-dealer").set_value(0)
    app.multiselect(key="score-five-match-partners").set_value([2])
    enter(app, "five", 0, [2, 0], [150, 60, 90, 80, 40], hand1="30", hand3="20", hand4="30", atoms="2")
    sent = {name: values[0] if isinstance(values, list) else values for name, values in app.query_params.items()}
    assert sent["game"] == "five"
    assert sent["0.finish"] == "2.0"
    again = open_page(tmp_path, "score", "public", **sent)
    titles(again)
    assert rows(again) == rows(app)


@pytest.mark.parametrize("name", HOSTILE[1:5], ids=range(4))
def test_a_hostile_address_enters_nothing_that_cannot_be_chosen(name: str, page: Open) -> None:
    parts = ("game", "ruleset", "match.knife", "match.dealer", "match.partners", "0.end", "0.finish", "option.clamp")
    app = page(**dict.fromkeys(parts, name), **{"0.captured0": name})
    titles(app)
    assert app.multiselect(key="score-four-0-finish").value == []
    assert "<script" not in shown(app)
