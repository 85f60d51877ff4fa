"""Every page, found by itself, in both languages and for both audiences: with tables that have no row, and with 50,000
matches, quickly enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.launch import Audience
from tests.dashboards.reading import shown, titles
from tests.dashboards.test_pages import PAGES
from yuanzi_core.texts import LANGS, Lang, text

Open = Callable[..., AppTest]
#: In public in one language, for auditors in the other.
READERS: list[tuple[Lang, Audience]] = list(zip(LANGS, ("public", "auditor"), strict=True))
#: A page took longer than this only on a machine with other work; the measure proper is `make bench`.
SECONDS = 5.0


@pytest.mark.parametrize(("lang", "audience"), READERS)
@pytest.mark.parametrize("page", PAGES)
def test_a_snapshot_without_rows_is_a_normal_state(
    page: str, lang: Lang, audience: Audience, empty: Path, open_page: Open
) -> None:
    app = open_page(empty, page, audience, lang=lang)
    assert titles(app)
    assert titles(app) != [text("pages.welcome.title", lang)]
    assert text(f"pages.frame.for.{audience}", lang) in shown(app)


@pytest.mark.parametrize(("lang", "audience"), READERS)
@pytest.mark.parametrize("page", PAGES)
def test_a_large_snapshot_is_a_normal_state(
    page: str, lang: Lang, audience: Audience, large: Path, open_page: Open
) -> None:
    started = time.perf_counter()
    app = open_page(large, page, audience, lang=lang)
    assert time.perf_counter() - started < SECONDS
    assert titles(app) != [text("pages.welcome.title", lang)]
    # A page shows a part of what there is, and leads to the rest.
    assert len(shown(app)) < 400_000
