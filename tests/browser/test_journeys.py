"""What readers do: switch the language, filter, follow a finding to its match, calculate, download a file."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import duckdb
import polars as pl
import pytest
from playwright.sync_api import Page, expect

from dashboards.store import pointer
from tests.browser.conftest import Opened
from tests.browser.serving import go, served, settle
from yuanzi_core.texts import text


def query(page: Page) -> dict[str, str]:
    """What stands in the address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_the_language_is_the_browser_s_and_a_choice_stays_in_the_address(opened: Opened, base: str) -> None:
    page = opened(extra_http_headers={"Accept-Language": "zh-CN"})
    go(page, base, "files", None)
    page.get_by_role("radio", name="中文").or_(page.get_by_text("中文", exact=True)).first.click()
    expect(page).to_have_title(re.compile(text("pages.files.menu", "zh")))
    assert query(page)["lang"] == "zh"
    page.get_by_role("link", name=text("pages.violations.menu", "zh")).first.click()
    expect(page).to_have_title(re.compile(text("pages.violations.menu", "zh")))
    settle(page)
    page.get_by_text("English", exact=True).first.click()
    expect(page).to_have_title(re.compile("Violations"))
    page.reload()
    settle(page)
    expect(page).to_have_title(re.compile("Violations"))


def test_a_filter_is_in_the_address_and_the_address_is_the_filter(opened: Opened, base: str, home: Path) -> None:
    with duckdb.connect(str(pointer(home).path), read_only=True) as con:
        code, count = con.execute(
            "select code, count(*) from out_audit__violations group by code order by 2 desc, 1 limit 1"
        ).fetchall()[0]
    page = opened()
    go(page, base, "violations")
    page.locator(".yz-chip").filter(has_text=text(f"reasons.violation.{code}.name", "en")).first.click()
    expect(page.locator("h1")).to_have_text(f"Violations: {count}")
    assert query(page)["code"] == code
    page.get_by_label("Club").first.click()
    page.get_by_role("option").first.click()
    expect(page).to_have_url(re.compile("club="))
    settle(page)
    assert query(page)["code"] == code
    again = opened("phone")
    again.goto(page.url)
    settle(again)
    assert again.locator("h1").inner_text() == page.locator("h1").inner_text()


def test_a_discrepancy_leads_to_its_match(opened: Opened, base: str) -> None:
    page = opened()
    go(page, base, "discrepancies")
    card = page.locator(".yz h4").first
    named = card.inner_text().split()[0]
    page.get_by_role("link", name=text("pages.findings.open_match", "en")).first.click()
    expect(page.locator("h1")).to_have_text(text("pages.match.title", "en"))
    settle(page)
    assert "match" in query(page)
    expect(page.get_by_text(named).first).to_be_visible()
    expect(page.locator(".yz-differs").first).to_be_visible()
    expect(page.get_by_text(text("pages.match.explanation", "en")).first).to_be_visible()
    # In public nobody's standing is told, and the record as received would.
    expect(page.get_by_text(text("pages.match.for_auditors", "en"))).to_be_visible()


def test_G3_auditors_see_the_record_as_received(opened: Opened, home: Path) -> None:
    with served(home, "auditor") as base:
        # Asking another server is what the other windows must not do.
        page = opened().context.browser.new_page()  # type: ignore[union-attr]
        go(page, base, "discrepancies")
        expect(page.get_by_text(text("pages.frame.for.auditor", "en"))).to_be_visible()
        page.get_by_role("link", name=text("pages.findings.open_match", "en")).first.click()
        expect(page.get_by_text("The record as received").first).to_be_visible()
        page.context.close()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_calculator_settles_while_one_types(size: str, opened: Opened, base: str) -> None:
    page = opened(size)
    go(page, base, "score")
    finish = page.get_by_label("Out, in this order")
    for seat in ("South", "East", "North"):
        finish.click()
        page.get_by_role("option", name=seat).click()
        page.keyboard.press("Escape")
        settle(page)
    for seat, points in zip(("North", "East", "South", "West"), (95, 40, 120, 45), strict=True):
        page.get_by_role("textbox", name=seat, exact=True).first.press_sequentially(str(points))
    # E1: East and west are left with 40 points, fewer than 60.
    expect(page.locator(".yz p", has_text="double clamp").first).to_be_visible()
    expect(page.get_by_text("+2", exact=True).first).to_be_visible()
    # Whoever gets the address sees the same result.
    expect(page).to_have_url(re.compile(r"0\.finish=2\.1\.0"))
    again = opened()
    again.goto(page.url)
    settle(again)
    expect(again.get_by_text("+2", exact=True).first).to_be_visible()


@pytest.mark.parametrize("kind", ["CSV", "XLSX", "Parquet"])
def test_a_table_is_downloaded_and_read_back(kind: str, opened: Opened, base: str, home: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(pointer(home).path), read_only=True) as con:
        expected = con.sql("select player_id, name from public.out_players").pl()
    page = opened()
    go(page, base, "data", table="out_players")
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile(kind)).click()
    name = waiting.value.suggested_filename
    assert name == f"yuanzi-out_players.{kind.lower()}"
    waiting.value.save_as(tmp_path / name)
    found = {"CSV": pl.read_csv, "XLSX": pl.read_excel, "Parquet": pl.read_parquet}[kind](tmp_path / name)  # type: ignore[operator]
    assert found.select("player_id", "name").equals(expected)


def test_a_clause_of_the_rules_can_be_sent(opened: Opened, base: str) -> None:
    page = opened("phone")
    go(page, base, "rules", "zh", clause="e1")
    expect(page.get_by_text("E1 双夹").first).to_be_visible()
    page.get_by_label(text("pages.rules.find", "zh")).fill("接风")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("find="))
    expect(page.get_by_text("C3 接风").first).to_be_visible()


def test_from_the_standings_to_a_player_and_a_match(opened: Opened, base: str) -> None:
    page = opened()
    go(page, base, "standings")
    page.get_by_role("columnheader", name=text("standings.heading.matches", "en")).get_by_role("link").click()
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Matches")
    settle(page)
    assert query(page)["sort"] == "matches"
    for _ in range(2):
        page.get_by_role("link", name=text("pages_standings.compare.choose", "en"), exact=True).first.click()
        settle(page)
    assert {"a", "b", "sort"} <= set(query(page))
    expect(page.get_by_text("Chance", exact=True)).to_be_visible()
    page.locator(".yz-box h3 a").first.click()
    settle(page)
    expect(page.locator('[data-testid="stVegaLiteChart"]')).to_have_count(2)
    page.get_by_text(text("pages_standings.parts.matches", "en"), exact=True).click()
    expect(page).to_have_url(re.compile("show=matches"))
    settle(page)
    page.locator('.yz a[href*="evening="]').first.click()
    settle(page)
    page.locator('.yz td a[href*="/match?"]').first.click()
    expect(page.locator("h1")).to_have_text(text("pages.match.title", "en"))
