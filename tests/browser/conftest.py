"""One home, one server and one browser for all tests, and a page that fails on every error of the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests.browser import serving

#: What Streamlit itself makes the browser say, word for word, and why it is no fault of ours. Behind the address of a
#: page it asks for these two below that page first, and where they are next.
STREAMLITS = {"Failed to load resource: the server responded with a status of 404 (Not Found)"}
STREAMLITS_ADDRESSES = ("/_stcore/host-config", "/_stcore/health")

Opened = Callable[..., Page]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples and a small league, judged and published."""
    return serving.make_home(tmp_path_factory.mktemp("browser") / "home")


@pytest.fixture(scope="session")
def base(home: Path) -> Iterator[str]:
    """The address of its pages for the public."""
    with serving.served(home) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        opened = serving.chromium(playwright)
        yield opened
        opened.close()


@pytest.fixture
def opened(browser: Browser, base: str) -> Iterator[Opened]:
    """``opened(size, **context)``: a window of one of the sizes. At the end nothing went wrong in any of them."""
    contexts, wrong = [], []

    def note(message: ConsoleMessage) -> None:
        known = message.text in STREAMLITS and str(message.location.get("url", "")).endswith(STREAMLITS_ADDRESSES)
        if message.type == "error" and not known:
            wrong.append(f"{message.text} {message.location}")

    def asked(request: Request) -> None:
        if not request.url.startswith((base, "data:", "blob:", base.replace("http", "ws"))):
            wrong.append(f"asks elsewhere: {request.url}")

    def window(size: str = "desktop", /, **settings: Any) -> Page:
        context = browser.new_context(viewport=serving.SIZES[size], locale="en-US", **settings)
        context.set_default_timeout(serving.PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", asked)
        return page

    yield window
    for context in contexts:
        context.close()
    assert wrong == []
