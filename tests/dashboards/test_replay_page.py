"""The page of a match: what the replay in it is given, and its settlement as a flow, in both languages."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from dashboards.components.replay import SCRIPTS, labels
from tests.dashboards.reading import one, shown, titles
from tests.dashboards.snapshot import HOSTILE, point
from tests.yuanzi_core.score_sheets import SIDE_OUT, as_csv, five, records_in
from yuanzi_core.explanation import cleaned
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]
COMPONENTS = Path(__file__).parents[2] / "dashboards" / "components"
#: claims.jsonl, line 5: sides 230 and 270 card points, defenders win 3 each by the handed answer.
FIVE = "r12-00287"


def given(app: AppTest) -> dict[str, Any]:
    """What the page hands to the replay in the browser."""
    (component,) = app.get("bidi_component")
    found: dict[str, Any] = json.loads(component.proto.json)
    return found


def words(app: AppTest) -> str:
    """What a page shows as HTML, without the tags."""
    return html.unescape(re.sub(r"<[^>]*>", " ", shown(app)))


@pytest.mark.parametrize("lang", LANGS)
def test_a_match_has_its_replay_and_its_settlement_as_a_flow(lang: Lang, published: Path, open_page: Open) -> None:
    app = open_page(published, "match", match=FIVE, lang=lang)
    titles(app)
    headings = [heading.value for heading in app.subheader]
    assert text("replay.label.title", lang) in headings
    assert text("replay.flow.title", lang) in headings
    replay = given(app)
    assert replay["match"] == FIVE
    assert replay["labels"] == labels(lang)
    assert len(replay["deals"]) == 1
    # Every name is one that came with the record; how it is shown is for the browser's test.
    assert set(replay["names"]) <= {cleaned(name, 60) for name in HOSTILE}
    said = words(app)
    for step in ("captured", "transfers", "sides", "result", "scores"):
        assert text(f"replay.flow.{step}", lang) in said
    scores = one(published, "select scores from out_matches where match_id = $1", [FIVE])[0]
    last = re.findall(r'<ul class="yz-scores">(.*?)</ul>', shown(app))[0]
    found = [re.sub(r"<[^>]*>", "", score) for score in re.findall(r"<b>(.*?)</b>", last)]
    assert found == [f"+{score:.0f}" if score > 0 else f"−{-score:.0f}" for score in scores]


def test_D4_the_flow_shows_the_handed_points_of_the_sides(published: Path, open_page: Open) -> None:
    body = shown(open_page(published, "match", match=FIVE))
    assert re.findall(r'<span class="yz-total">(\d+)</span>', body) == ["230", "270"]


@pytest.mark.parametrize("lang", LANGS)
def test_H1_a_violation_is_replayed_and_not_settled(lang: Lang, published: Path, open_page: Open) -> None:
    (match,) = one(published, "select match_id from out_matches where code = 'CANNOT_BEAT' limit 1")
    app = open_page(published, "match", match=match, lang=lang)
    titles(app)
    stop = given(app)["deals"][-1]["stop"]
    assert stop["name"] == text("reasons.violation.CANNOT_BEAT.name", lang)
    assert text("replay.flow.title", lang) not in [heading.value for heading in app.subheader]


def test_a_score_sheet_has_a_flow_and_no_replay(own_home: Path, open_page: Open) -> None:
    # D3 by hand: 3 and 4 hold 40 points, which go to the side of 0 and 1: 150 + 60 + 40; the others 100 + 90 + 60.
    (record,) = records_in(as_csv([five(**SIDE_OUT)]))
    # Under another name, since what a page has explained once is kept.
    other = shutil.copy(own_home / "published" / "snapshot-test.duckdb", own_home / "published" / "sheet.duckdb")
    point(own_home, "sheet.duckdb")
    with duckdb.connect(str(other)) as con:
        con.execute(
            "update raw_record set record = $raw, rows = $rows from out_matches as m"
            " where m.match_id = $match and m.file_id = raw_record.file_id and m.line = raw_record.line",
            {"raw": record.raw, "rows": list(record.rows), "match": FIVE},
        )
    app = open_page(own_home, "match", match=FIVE)
    titles(app)
    assert not app.get("bidi_component")
    assert re.findall(r'<span class="yz-total">(\d+)</span>', shown(app)) == ["250", "250"]


def test_labels_and_script_name_the_same_things() -> None:
    scripts = "".join((COMPONENTS / name).read_text("utf-8") for name in SCRIPTS)
    named = set(re.findall(r'label\("(\w+)"', scripts)) | set(re.findall(r"labels\.(\w+)", scripts))
    known = labels("en")
    assert named <= known.keys()
    for label in known:
        assert label in named or re.search(rf'[": ]{label}[":,}}]', scripts), label


def test_the_script_makes_no_html_of_data() -> None:
    for path in COMPONENTS.glob("*.js"):
        source = path.read_text("utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", source)
        assert not re.search(r"https?://(?!www\.w3\.org/)", source)
