"""The pages on what the pipeline itself publishes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pipelines.run import run
from tests.dashboards.reading import shown, titles
from tests.dashboards.snapshot import CASES
from tests.dashboards.test_pages import PAGES
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home on which the pipeline ran: handed cases of claims, of bad records and of violations."""
    home = tmp_path_factory.mktemp("made")
    inbox = home / "inbox"
    inbox.mkdir()
    for case, first, last in (("claims", 0, 60), ("dirty", 0, 146), ("logs", 150, 180)):
        lines = (CASES / f"{case}.jsonl").read_bytes().split(b"\n")[first:last]
        (inbox / f"{case}.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    report = run(home)
    assert report.ok
    return home


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(page: str, lang: Lang, made: Path, open_page: Open) -> None:
    app = open_page(made, page, lang=lang)
    assert titles(app) != [text("pages.welcome.title", lang)]
    assert "✗" not in shown(app)


def test_each_match_with_a_discrepancy_is_explained_as_it_was_settled(made: Path, open_page: Open) -> None:
    expected = [json.loads(line) for line in (CASES / "claims.expected.jsonl").read_text("utf-8").splitlines()]
    differing = [answer for answer in expected if answer["discrepancies"]]
    assert titles(open_page(made, "discrepancies")) == [
        f"Discrepancies: {sum(len(answer['discrepancies']) for answer in differing)}"
    ]
    for answer in differing[:12]:
        app = open_page(made, "match", match=answer["match_id"])
        titles(app)
        assert not app.warning
        assert f"Discrepancies: {len(answer['discrepancies'])}" in [heading.value for heading in app.subheader]


def test_each_violation_has_its_place_and_its_explanation(made: Path, open_page: Open) -> None:
    expected = [json.loads(line) for line in (CASES / "logs.expected.jsonl").read_text("utf-8").splitlines()[150:180]]
    for answer in expected[:12]:
        app = open_page(made, "match", match=answer["match_id"], lang="zh")
        titles(app)
        assert not app.warning
        if answer["status"] == "violation":
            assert text(f"reasons.violation.{answer['code']}.name", "zh") in shown(app)
            assert answer["play"] is None or text("pages.place.play", "zh", play=answer["play"]) in shown(app)
