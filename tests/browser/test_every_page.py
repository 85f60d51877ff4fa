"""Every page, found by itself: it opens in both languages on a phone and a desktop, fits, and passes axe."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Opened
from tests.browser.serving import PAGES, go
from yuanzi_core.texts import LANGS, Lang, text

#: What axe finds in the markup of Streamlit and Vega, by rule and the test id of the element
#: around it. Ours must have none.
STREAMLITS = {
    # Between the list of the menu and its entries there is an element that a list may not have.
    ("list", "stSidebarNavItems"),
    ("listitem", "stSidebarNavItems"),
    # Vega calls each layer of a chart a graphic and gives it no name; title, unit and counts are texts of the chart.
    ("svg-img-alt", "stVegaLiteChart"),
}
#: Axe's grades that are not let pass.
GRADES = ("serious", "critical")


def path_of(name: str) -> str:
    """The first page of the menu is at the root."""
    return "" if name == "overview" else name


def too_wide(page: Page) -> list[str]:
    """What stands out of the window to the right, and is not inside something that scrolls."""
    found: list[str] = page.evaluate(
        """() => {
            const scrolls = e => { for (let p = e.parentElement; p; p = p.parentElement) {
                if (p.scrollWidth > p.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(p).overflowX)) {
                    return p.closest('.yz, .stDataFrame, [data-testid="stCode"]') !== null; } } return false; };
            const wide = document.documentElement.clientWidth + 1;
            return [...document.querySelectorAll('[data-testid="stMain"] *')]
                .filter(e => { const box = e.getBoundingClientRect();
                    return box.width > 1 && box.height > 1 && box.right > wide && !scrolls(e); })
                .map(e => e.outerHTML.slice(0, 160));
        }"""
    )
    return found


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", PAGES)
def test_it_opens_and_fits(name: str, lang: Lang, opened: Opened, base: str) -> None:
    for size in ("phone", "desktop"):
        page = opened(size)
        go(page, base, path_of(name), lang)
        assert text(f"pages.{name}.menu", lang) in page.title()
        assert page.locator('[data-testid="stException"]').count() == 0
        assert too_wide(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def faults(page: Page) -> list[tuple[str, str, str]]:
    """What axe holds to be serious: rule, the nearest of Streamlit's test ids (empty: our own markup), element."""
    found: dict[str, Any] = Axe().run(page).response
    serious = []
    for violation in found["violations"]:
        if violation["impact"] not in GRADES:
            continue
        for node in violation["nodes"]:
            selector = node["target"][0]
            near = page.evaluate(
                """selector => { const e = document.querySelector(selector);
                    return e.closest('.yz') ? '' : e.closest('[data-testid]')?.dataset.testid ?? ''; }""",
                selector,
            )
            serious.append((violation["id"], near, f"{selector} {node['html'][:200]}"))
    return serious


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_fault(name: str, scheme: str, opened: Opened, base: str) -> None:
    page = opened("desktop", color_scheme=scheme)
    go(page, base, path_of(name), "zh")
    assert [fault for fault in faults(page) if fault[:2] not in STREAMLITS] == []


@pytest.mark.parametrize("lang", LANGS)
def test_chinese_is_drawn_and_not_boxes(lang: Lang, opened: Opened, base: str) -> None:
    page = opened()
    go(page, base, "", lang)
    # Where no font has a sign, all signs are drawn as the same box.
    drawn: list[str] = page.evaluate(
        """signs => { const font = getComputedStyle(document.querySelector('h1')).fontFamily;
            return [...signs].map(sign => { const canvas = document.createElement('canvas');
                canvas.width = canvas.height = 40; const pen = canvas.getContext('2d');
                pen.font = `32px ${font}`; pen.fillText(sign, 2, 32); return canvas.toDataURL(); }); }""",
        "原子氢弹刀伴闲",
    )
    assert len(set(drawn)) == len(drawn)
