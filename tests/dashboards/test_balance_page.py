"""The page of the rules' balance on matches that the pipeline settled: sections, filters, matches behind, what if."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.components.balance_sections import CARDS, ENDINGS, ROLES
from dashboards.queries.balance import MEASURES, OF_MATCHES, OF_PLAYERS, Chosen, distributions, figures, kinds, totals
from dashboards.queries.balance_behind import BEHIND, ONLY, behind, counted_behind
from dashboards.store import open_cursor, pointer
from pipelines.run import run
from tests.dashboards.reading import column, said, shown, titles
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
    links = set(re.findall(r'href="\./balance\?([^"]*by=outcome&amp;value=normal[^"]*)">([\d,]+)</a>', body))
    # All of them, and those that the dealer or who led first has won.
    assert {"only=won" in address for address, _ in links} == {True, False}
    for address, number in links:
        assert f"game={game}" in address
        app = open_page(played, "balance", **dict(parse_qsl(html.unescape(address))))
        titles(app)
        assert text("balance.behind", "en", count=number) in [heading.value for heading in app.subheader]
        who = text(f"balance.unit.won_{'dealer' if game == 'five' else 'leader'}", "en")
        assert (who in said(app)) == ("only=won" in address)


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
    address = {"game": "four", "section": "what_if", "clamp_points": "150"}
    app = open_page(played, "balance", **address)
    titles(app)

    def counted(name: str) -> int:
        label = re.escape(text(f"balance.what_if.{name}", "en"))
        found = re.search(rf"<dt>{label}</dt><dd>(?:<a [^>]*>)?([\d,]+)", shown(app))
        assert found
        return int(found[1])

    changed = counted("changed")
    assert counted("settled") >= changed > 0
    headings = [heading.value for heading in app.subheader]
    assert text("balance.what_if.results", "en", count=changed) in headings
    assert len(set(re.findall(r'href="\./match\?match=[^"]*"', shown(app)))) == min(changed, 25)
    # Those are listed whose sum moves, and only those; how many others have changed matches is said.
    moved = column(app, text("balance.what_if.column.difference", "en"))
    assert moved
    assert "0" not in moved
    assert len(moved) == 20 or text("balance.what_if.players", "en", count=len(moved)) in headings
    # A player's count leads to just these matches, and an open one's to those.
    leads = dict(re.findall(r'href="\./balance\?([^"#]*(?:player|part)=[^"#]*)#changed">([\d,]+)</a>', shown(app)))
    for lead, number in [*leads.items()][:2] + [*leads.items()][-1:]:
        one = open_page(played, "balance", **dict(parse_qsl(html.unescape(lead))))
        titles(one)
        assert text("balance.what_if.results", "en", count=number) in [heading.value for heading in one.subheader]
    # G3: nobody is a member here, and the public gets no sums, but all the matches.
    public = open_page(played, "balance", "public", **address)
    titles(public)
    said = [heading.value for heading in public.subheader]
    assert text("balance.what_if.players", "en", count=0) in said
    assert text("balance.what_if.results", "en", count=changed) in said
    # An option's value that is none counts as none.
    none = open_page(played, "balance", game="four", section="what_if", clamp="nobody", clamp_points="x")
    assert text("balance.what_if.choose", "en") in [info.value for info in none.info]


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
            for only, number in (("won", figure.won), ("known", figure.known)):
                assert counted_behind(cursor, chosen(variant), breakdown, figure.value, only) == number
    for breakdown, found in figures(cursor, chosen(variant), OF_PLAYERS).items():
        for figure in found:
            total = counted_behind(cursor, chosen(variant), breakdown, figure.value)
            # Several players of a match may share a value.
            assert 0 < total <= figure.count, (breakdown, figure.value)
            won = counted_behind(cursor, chosen(variant), breakdown, figure.value, "won")
            assert min(figure.won, 1) <= won <= min(figure.won, total)
    # Every match has each seat once.
    assert (
        counted_behind(cursor, chosen(variant), "seat", "0", "won")
        == figures(cursor, chosen(variant), ["seat"])["seat"][0].won
    )
    everything = totals(cursor, chosen(variant))["matches"]
    assert counted_behind(cursor, chosen(variant), "all", None) == everything
    assert counted_behind(cursor, chosen(variant), "everyone", None, "won") <= everything


@pytest.mark.parametrize("variant", ["four", "five"])
def test_measures_lead_to_the_matches_that_have_them(variant: str, played: Path) -> None:
    cursor = open_cursor(pointer(played), "public")
    everything = totals(cursor, chosen(variant))["matches"]
    found = distributions(cursor, chosen(variant))
    # One a match; after an escape there are none.
    side_points = found["side_points"]
    assert counted_behind(cursor, chosen(variant), "side_points", None) == side_points.count < everything
    for start, _, number in side_points.stretches:
        assert counted_behind(cursor, chosen(variant), "side_points", str(start)) == number
    for measure, by in (("tricks", "tricks"), ("atoms", "atoms_played"), ("score", "score")):
        whole = counted_behind(cursor, chosen(variant), by, None)
        assert 0 < whole <= min(everything, found[measure].count)
        for start, _, number in found[measure].stretches:
            assert 0 < counted_behind(cursor, chosen(variant), by, str(start)) <= min(number, whole)


@pytest.mark.parametrize(("by", "value"), [("seat", "x"), ("seat", "9"), ("reveal", "²"), ("tricks", "1e9")])
def test_a_value_that_cannot_be_has_no_match(by: str, value: str, played: Path, open_page: Open) -> None:
    app = open_page(played, "balance", by=by, value=value, only="won")
    titles(app)
    assert text("balance.behind", "en", count="0") in [heading.value for heading in app.subheader]


def test_taken_and_beaten_are_all_that_was_played(played: Path) -> None:
    cursor = open_cursor(pointer(played), "public")
    for variant in ("four", "five"):
        found = kinds(cursor, chosen(variant))
        assert sum(one.led for one in found) >= sum(one.won for one in found) > 0
        for one in found:
            total = counted_behind(cursor, chosen(variant), "kind", one.kind + "+" * one.of_knife)
            assert 0 < total <= one.led + one.answered
            key = one.kind + "+" * one.of_knife
            for only, number in zip(ONLY[2:], (one.led, one.answered, one.beaten, one.won, one.brought), strict=True):
                assert (
                    min(number, 1) <= counted_behind(cursor, chosen(variant), "kind", key, only) <= min(number, total)
                )
        assert counted_behind(cursor, chosen(variant), "kind", None) == totals(cursor, chosen(variant))["matches"]


@pytest.mark.parametrize("lang", LANGS)
def test_every_breakdown_and_measure_has_its_words(lang: Lang) -> None:
    assert sorted([*ROLES, *CARDS, *ENDINGS]) == sorted({*OF_PLAYERS, *OF_MATCHES})
    named = {key.split(".")[2] for key in keys("balance", lang) if key.startswith("balance.breakdown.")}
    assert named == {*OF_PLAYERS, *OF_MATCHES}
    assert set(BEHIND) >= {*OF_PLAYERS, *OF_MATCHES, "kind"}
    for measure in MEASURES:
        assert has(f"balance.measure.{measure}.name", lang) or has(f"balance.measure.{measure}.four.name", lang)
