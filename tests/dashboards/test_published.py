"""The pages on what the pipeline itself publishes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.reading import shown, titles
from tests.dashboards.snapshot import CASES
from tests.dashboards.test_pages import PAGES
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(page: str, lang: Lang, made: Path, open_page: Open) -> None:
    app = open_page(made, page, lang=lang)
    assert titles(app) != [text("pages.welcome.title", lang)]
    assert "✗" not in shown(app)


@pytest.mark.slow
def test_each_match_with_a_discrepancy_is_explained_as_it_was_settled(made: Path, open_page: Open) -> None:
    expected = [json.loads(line) for line in (CASES / "claims.expected.jsonl").read_text("utf-8").splitlines()]
    differing = [answer for answer in expected if answer["discrepancies"]]
    # The cases judge each record alone: the standings that are logged there are nobody's in a warehouse.
    with duckdb.connect() as con:
        rows = con.read_parquet(str(made / "lake" / "out_audit__discrepancies" / "*" / "*.parquet"))
        balances = Counter(match for (match,) in rows.filter("code = 'CLAIM_BALANCE'").project("match_id").fetchall())
    assert set(balances.values()) == {1}
    found = sum(len(answer["discrepancies"]) for answer in differing) + balances.total()
    assert titles(open_page(made, "discrepancies")) == [f"Discrepancies: {found}"]
    for answer in differing[:12]:
        app = open_page(made, "match", match=answer["match_id"])
        titles(app)
        assert not app.warning
        shown_here = len(answer["discrepancies"]) + balances[answer["match_id"]]
        assert f"Discrepancies: {shown_here}" in [heading.value for heading in app.subheader]


def test_each_violation_has_its_place_and_its_explanation(made: Path, open_page: Open) -> None:
    expected = [json.loads(line) for line in (CASES / "logs.expected.jsonl").read_text("utf-8").splitlines()[150:180]]
    for answer in expected[:12]:
        app = open_page(made, "match", match=answer["match_id"], lang="zh")
        titles(app)
        assert not app.warning
        if answer["status"] == "violation":
            assert text(f"reasons.violation.{answer['code']}.name", "zh") in shown(app)
            # A page counts plays from 1, as its replay does; the log from 0.
            assert answer["play"] is None or text("pages.place.play", "zh", play=answer["play"] + 1) in shown(app)


@pytest.mark.parametrize("lang", LANGS)
def test_matches_that_are_not_rated_are_counted_by_reason(lang: Lang, made: Path, open_page: Open) -> None:
    with duckdb.connect() as con:
        rows = con.read_parquet(str(made / "lake" / "out_ratings__unrated" / "*" / "*.parquet")).filter("game = 'four'")
        counted = Counter(reason for (reason,) in rows.project("reason").fetchall())
    assert {"ESCAPE", "VIOLATION"} <= counted.keys()
    body = shown(open_page(made, "standings", game="four", by="rating", lang=lang))
    for reason, number in counted.items():
        assert f">{text(f'ratings.unrated.{reason}.name', lang)} {number:,}</span>" in body
