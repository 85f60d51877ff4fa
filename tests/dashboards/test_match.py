"""From a finding to its match, claims against the recomputation, and the match in words."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.reading import one, shown, titles
from tests.dashboards.snapshot import HOSTILE
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]


def test_a_discrepancy_leads_to_its_match(published: Path, open_page: Open) -> None:
    app = open_page(published, "discrepancies", code="CLAIM_SIDE_POINTS")
    link = app.get("page_link")[0].proto
    assert link.page == "match"
    address = dict(pair.split("=") for pair in link.query_string.split("&"))
    found = open_page(published, "match", **address)
    assert titles(found) == ["Match"]
    assert address["match"] in shown(found)
    assert any(heading.value.startswith("Discrepancies: ") for heading in found.subheader)


def test_claims_are_compared_seat_by_seat(published: Path, open_page: Open) -> None:
    # claims.jsonl, line 3: captured points of seat 1 recorded as 55; handed answer: 60.
    body = shown(open_page(published, "match", match="r12-00285"))
    assert body.count("yz-differs") == 1
    row = re.findall(r'<tr class="yz-differs">(.*?)</tr>', body)[0]
    cells = [html.unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
    assert cells[0].startswith("Seat 1 ")
    assert cells[1:] == ["55", "60", "+5"]
    # Line 5: scores 3, 3, −2, −2, −2 recorded; −2, 3, 3, −2, −2 are right: two seats differ; one side's points, too.
    body = shown(open_page(published, "match", match="r12-00287", lang="zh"))
    assert body.count("yz-differs") == 3
    assert "座位0" in body
    assert "庄家方" in body


def test_a_finish_order_and_a_word_are_compared(published: Path, open_page: Open) -> None:
    finish = shown(open_page(published, "discrepancies", code="CLAIM_FINISH"))
    assert re.search(r"<th[^>]*>Place</th>", finish)
    outcome = shown(open_page(published, "discrepancies", code="CLAIM_OUTCOME", lang="zh"))
    assert "双夹" in outcome
    winner = shown(open_page(published, "discrepancies", code="CLAIM_WINNER"))
    assert "Defenders" in winner


def test_a_match_that_nobody_handed_in(published: Path, open_page: Open) -> None:
    app = open_page(published, "match", match="<b>none</b>")
    assert titles(app) == ["Match"]
    assert [element.value for element in app.warning] == [text("pages.match.unknown", "en")]
    assert "&lt;b&gt;none&lt;/b&gt;" in shown(app)


def test_a_match_of_which_no_record_counts(own_home: Path, open_page: Open) -> None:
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.execute("delete from out_matches where match_id = 'r12-00287'")
    app = open_page(own_home, "match", match="r12-00287")
    assert [element.value for element in app.warning] == [text("pages.match.none_counts", "en")]
    assert "claims.jsonl" in shown(app)


def test_each_clause_opens_its_text(published: Path, open_page: Open) -> None:
    app = open_page(published, "discrepancies", code="CLAIM_CAPTURED", lang="zh")
    spoken = [element.value for element in app.markdown]
    assert any(line.startswith("**A2 用牌与分数**") for line in spoken)
    assert any("一张 5 算 5 分" in line for line in spoken)


@pytest.mark.parametrize("lang", LANGS)
def test_a_match_is_explained_with_its_clauses(lang: Lang, published: Path, open_page: Open) -> None:
    # claims.jsonl, line 5: sides 230 and 270 card points, defenders win 3 each by the handed answer.
    app = open_page(published, "match", match="r12-00287", lang=lang)
    assert titles(app) == [text("pages.match.title", lang)]
    assert text("pages.match.explanation", lang) in [heading.value for heading in app.subheader]
    body = shown(app)
    for clause in ("C2", "D0", "F1", "F2"):
        assert f">{clause}</span>" in body
        assert any(spoken.value.startswith(f"**{clause} ") for spoken in app.markdown)
    said = html.unescape(re.sub(r"<[^>]*>", "", body))
    assert "230" in said
    assert "270" in said
    assert not app.warning


def test_a_violation_is_explained(published: Path, open_page: Open) -> None:
    (match,) = one(published, "select match_id from out_matches where code = 'CANNOT_BEAT' limit 1")
    app = open_page(published, "match", match=match)
    titles(app)
    said = html.unescape(re.sub(r"<[^>]*>", "", shown(app)))
    assert "Does not beat" in said
    assert text("explain.heading.stop", "en") in " ".join(section.label for section in app.expander)


@pytest.mark.slow
def test_every_kind_of_violation_has_a_page(published: Path, open_page: Open) -> None:
    with duckdb.connect(str(published / "twin.duckdb"), read_only=True) as con:
        found = con.execute("select code, min(match_id) from out_audit__violations group by code").fetchall()
    assert len(found) >= 12
    for code, match in found:
        app = open_page(published, "match", match=match, lang="zh")
        titles(app)
        assert text(f"reasons.violation.{code}.name", "zh") in shown(app)
        assert not app.warning


def test_names_in_an_explanation_are_text(published: Path, open_page: Open) -> None:
    for number in range(len(HOSTILE)):
        (match,) = one(
            published, "select match_id from out_matches where file_name = 'claims.jsonl' and line = $1", [number + 1]
        )
        app = open_page(published, "match", match=match)
        titles(app)
        assert "<script" not in shown(app)
        assert not any("script>" in section.label for section in app.expander)


@pytest.mark.parametrize(
    "change",
    [
        "status = 'unfinished'",
        "ruleset_hash = '0123456789abcdef'",
        "outcome = 'escape'",
        "winner = 0",
        "scores = [-3, 3, 3, -2, -1]",
        "scores = null",
    ],
)
def test_a_match_that_would_be_judged_otherwise_now_says_so(change: str, own_home: Path, open_page: Open) -> None:
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.execute(f"update out_matches set {change} where match_id = 'r12-00287'")
    app = open_page(own_home, "match", match="r12-00287")
    assert [element.value for element in app.warning] == [text("pages.match.explained_otherwise", "en")]


def test_a_record_that_is_gone_says_so(own_home: Path, open_page: Open) -> None:
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.execute("delete from raw_record")
    app = open_page(own_home, "match", match="r12-00287")
    assert [element.value for element in app.warning] == [text("pages.match.no_raw", "en")]


def test_a_record_whose_lake_file_is_gone_says_so(own_home: Path, open_page: Open) -> None:
    lake = own_home / "raw_record.parquet"
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.table("raw_record").write_parquet(str(lake))
        con.execute("drop table raw_record")
        con.read_parquet(str(lake)).create_view("raw_record")
    app = open_page(own_home, "match", match="r12-00287")
    assert not app.warning
    lake.unlink()
    app = open_page(own_home, "match", match="r12-00288")
    assert titles(app) == ["Match"]
    assert [element.value for element in app.warning] == [text("pages.match.no_raw", "en")]
