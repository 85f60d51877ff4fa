"""Numbers on pages lead to the rows behind them, and to just as many."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.reading import column, hrefs, listed, one, said, shown

Open = Callable[..., AppTest]


@pytest.mark.parametrize(
    "period",
    [
        {"season": "spring"},
        *[pytest.param(one, marks=pytest.mark.slow) for one in ({}, {"to": "2026-03-31", "club": "c"})],
    ],
)
def test_numbers_of_a_period_lead_to_just_its_matches(period: dict[str, str], home: Path, open_page: Open) -> None:
    app = open_page(home, "standings", "public", a="an", b="cy", **period)
    lines = re.findall(r"<tr.*?</tr>", shown(app))
    (row,) = (line for line in lines if ">An</bdi>" in line and 'data-label="Rank"' in line)
    told = dict(re.findall(r'data-label="(Matches|Wins)"><span><a href="[^"]*">([^<]*)</a>', row))
    leads = [to for to in hrefs(app, "player") if to["player"] == "an" and "other" not in to and "show" in to]
    assert {to["result"] for to in leads} == {"settled", "won"}
    # The row's and the comparison's.
    behind = {to["result"]: to for to in leads}
    assert all(to == behind[to["result"]] for to in leads)
    counted = {result: listed(open_page(home, "player", "public", **to)) for result, to in behind.items()}
    assert str(counted["settled"]) == told["Matches"]
    assert f"{100 * counted['won'] / counted['settled']:.0f} %" == told["Wins"]
    # What was chosen is said, and given up by a click.
    said_to_be = said(open_page(home, "player", "public", **behind["won"]))
    assert "won ✕" in said_to_be
    if "season" in period:
        assert "From 2026-04-01 To 2026-06-30 ✕" in said_to_be


@pytest.mark.slow
def test_every_number_of_a_player_leads_to_its_matches(home: Path, open_page: Open) -> None:
    for part in ("form", "people", "matches"):
        app = open_page(home, "player", "public", player="an", show=part)
        numbers = re.findall(r'href="\./player\?([^"]*show=matches[^"]*)">(\d+)</a>', shown(app))
        assert {"form": 8, "people": 6, "matches": 5}[part] <= len(numbers)
        for address, number in dict(numbers).items():
            asked = dict(parse_qsl(html.unescape(address)))
            assert listed(open_page(home, "player", "public", **asked)) == int(number), asked


def test_a_best_evening_was_won_and_a_worst_one_lost(home: Path, open_page: Open) -> None:
    best = open_page(home, "player", player="an", show="matches")
    assert "Best evenings" in said(best)
    assert "Worst evenings" not in said(best)
    both = said(open_page(home, "player", player="cy", show="matches"))
    assert both.index("Best evenings") < both.index("Worst evenings")


def test_numbers_on_a_level_lead_to_who_stood_there(home: Path, open_page: Open) -> None:
    app = open_page(home, "levels", "public", show="population")
    leads = re.findall(r'href="\./standings\?([^"]*)">(\d+)</a>', shown(app))
    assert [number for _, number in leads] == ["1", "1", "1", "3", "2", "1", "3"]
    # At the end of April, on the lowest level and on all; at the end of March.
    for place, names in ((0, ["Cy"]), (3, ["An", "Bo", "Cy"]), (4, ["Cy", "Bo"])):
        listed = open_page(home, "standings", "public", **dict(parse_qsl(html.unescape(leads[place][0]))))
        assert column(listed, "Player") == names


def test_a_count_of_discrepancies_leads_to_the_match(published: Path, open_page: Open) -> None:
    match, number = one(published, "select match_id, discrepancies from out_matches where discrepancies > 0 limit 1")
    body = shown(open_page(published, "match", find=match))
    assert f'href="./match?match={match}">{number}</a>' in body
