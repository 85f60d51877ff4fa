"""The page of the rules' balance on matches that the pipeline settled: sections, filters, matches behind, what if."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.components.balance_sections import CARDS, ENDINGS, ROLES
from dashboards.queries.balance import (
    BEHIND,
    MEASURES,
    OF_MATCHES,
    OF_PLAYERS,
    Chosen,
    behind,
    counted_behind,
    figures,
    kinds,
)
from dashboards.store import open_cursor, pointer
from pipelines.run import run
from tests.dashboards.reading import shown, titles
from tests.dashboards.snapshot import CASES
from yuanzi_core.certainty import FEWEST
from yuanzi_core.texts import LANGS, Lang, has, keys, text

Open = Callable[..., AppTest]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with simulated matches of both games, handed as cases."""
    home = tmp_path_factory.mktemp("played")
    (home / "inbox").mkdir()
    lines = (CASES / "logs.jsonl").read_bytes().split(b"\n")[:300]
    (home / "inbox" / "logs.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    assert run(home).ok
    return home


def chosen(variant: str) -> Chosen:
    return Chosen(variant, "simulated")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("section", ["roles", "cards", "endings", "values", "kinds", "what_if"])
@pytest.mark.parametrize("game", ["four", "five"])
@pytest.mark.slow
def test_every_section_opens(game: str, section: str, lang: Lang, played: Path, open_page: Open) -> None:
    app = open_page(played, "balance", lang=lang, game=game, section=section)
    assert re.search(r"[1-9]", titles(app)[0])
    assert bool(app.get("vega_lite_chart")) == (section != "what_if")


@pytest.mark.parametrize("game", ["four", "five"])
def test_counts_lead_to_the_matches_behind_them(game: str, played: Path, open_page: Open) -> None:
    body = shown(open_page(played, "balance", game=game, section="endings"))
    links = re.findall(r'href="\./balance\?([^"]*by=outcome&amp;value=normal[^"]*)">([\d,]+)</a>', body)
    (found,) = set(links)
    assert f"game={game}" in found[0]
    app = open_page(played, "balance", game=game, by="outcome", value="normal")
    titles(app)
    assert text("balance.behind", "en", count=found[1]) in [heading.value for heading in app.subheader]


def test_a_filter_without_matches_says_so(played: Path, open_page: Open) -> None:
    app = open_page(played, "balance", lang="zh", **{"from": "2030-01-01"})
    assert titles(app) == [text("balance.title", "zh", count="0")]
    assert [info.value for info in app.info] == [text("balance.none", "zh")]


def test_the_address_holds_the_state(played: Path, open_page: Open) -> None:
    app = open_page(played, "balance")
    app.segmented_control(key="filter-game").set_value("five").run()
    app.segmented_control(key="filter-section").set_value("what_if").run()
    app.selectbox(key="filter-cap").set_value("none").run()
    titles(app)
    assert {"game": "five", "section": "what_if", "cap": "none"}.items() <= dict(app.query_params).items()


def test_what_if_shows_whose_results_change(played: Path, open_page: Open) -> None:
    app = open_page(played, "balance", game="four", section="what_if", clamp_points="150")
    titles(app)
    metrics = {metric.label: int(metric.value) for metric in app.metric}
    changed = metrics[text("balance.what_if.changed", "en")]
    assert metrics[text("balance.what_if.settled", "en")] >= changed > 0
    assert text("balance.what_if.results", "en", count=changed) in [heading.value for heading in app.subheader]
    assert len(set(re.findall(r'href="\./match\?match=[^"]*"', shown(app)))) == min(changed, 25)
    # An option's value that is none counts as none.
    assert not open_page(played, "balance", game="four", section="what_if", clamp="nobody", clamp_points="x").metric


@pytest.mark.parametrize("variant", ["four", "five"])
def test_figures_agree_with_the_matches_behind_them(variant: str, played: Path) -> None:
    cursor = open_cursor(pointer(played), "public")
    for breakdown, found in figures(cursor, chosen(variant), OF_MATCHES).items():
        for figure in found:
            total = counted_behind(cursor, chosen(variant), breakdown, figure.value)
            listed = behind(cursor, chosen(variant), breakdown, figure.value, "UTC", 5, 0)
            assert total == figure.count, (breakdown, figure.value)
            assert len(listed) == min(total, 5)
            assert (figure.share is None) == (figure.count < FEWEST)
    for breakdown, found in figures(cursor, chosen(variant), OF_PLAYERS).items():
        for figure in found:
            total = counted_behind(cursor, chosen(variant), breakdown, figure.value)
            # Several players of a match may share a value.
            assert 0 < total <= figure.count, (breakdown, figure.value)


def test_taken_and_beaten_are_all_that_was_played(played: Path) -> None:
    cursor = open_cursor(pointer(played), "public")
    for variant in ("four", "five"):
        found = kinds(cursor, chosen(variant))
        assert sum(one.led for one in found) >= sum(one.won for one in found) > 0
        for one in found:
            total = counted_behind(cursor, chosen(variant), "kind", one.kind + "+" * one.of_knife)
            assert 0 < total <= one.led + one.answered


@pytest.mark.parametrize("lang", LANGS)
def test_every_breakdown_and_measure_has_its_words(lang: Lang) -> None:
    assert sorted([*ROLES, *CARDS, *ENDINGS]) == sorted({*OF_PLAYERS, *OF_MATCHES})
    named = {key.split(".")[2] for key in keys("balance", lang) if key.startswith("balance.breakdown.")}
    assert named == {*OF_PLAYERS, *OF_MATCHES}
    assert set(BEHIND) >= {*OF_PLAYERS, *OF_MATCHES, "kind"}
    for measure in MEASURES:
        assert has(f"balance.measure.{measure}.name", lang) or has(f"balance.measure.{measure}.four.name", lang)
