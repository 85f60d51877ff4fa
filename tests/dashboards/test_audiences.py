"""In public no standing shows, wherever it would come from (G3). That each page says for whom it is: test_sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import duckdb
from streamlit.testing.v1 import AppTest

from tests.dashboards.reading import one, said, shown, titles
from yuanzi_core.texts import text

Open = Callable[..., AppTest]


def test_G3_a_match_shows_no_standing_in_public(published: Path, open_page: Open) -> None:
    (match,) = one(
        published,
        "select match_id from out_matches where list_has_any(standings_before, [100, 50, 0]) and outcome is not null"
        " and code is null and notes like '%CAP_ZERO%' limit 1",
    )
    column, words = text("pages.match.column.standing", "en"), text("pages.match.for_auditors", "en")
    auditors = open_page(published, "match", "auditor", match=match)
    assert column in said(auditors)
    assert auditors.code
    public = open_page(published, "match", "public", match=match)
    titles(public)
    assert column not in said(public)
    # The record as it was received has the balances that the table wrote down.
    assert not public.code
    assert words in [caption.value for caption in public.caption]
    assert ">F6</span>" not in shown(public)


def test_G3_a_claimed_balance_is_for_auditors(own_home: Path, open_page: Open) -> None:
    with duckdb.connect(str(own_home / "published" / "snapshot-test.duckdb")) as con:
        con.execute(
            "update out_audit__discrepancies set code = 'CLAIM_BALANCE', claimed = '[7771, 0, 0, 0, 0]',"
            " recomputed = '[7772, 0, 0, 0, 0]' where match_id = 'r12-00287'"
        )
    for page, address in (("discrepancies", {"code": "CLAIM_BALANCE"}), ("match", {"match": "r12-00287"})):
        assert "7772" in said(open_page(own_home, page, "auditor", **address))
        public = open_page(own_home, page, "public", **address)
        assert not {"7771", "7772"} & set(re.findall(r"\d+", said(public)))
        assert text("pages.findings.standings_for_auditors", "en") in said(public)
