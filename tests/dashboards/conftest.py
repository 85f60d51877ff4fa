"""Homes for the pages to read, and a way to run them without a browser."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.launch import APP
from tests.dashboards.snapshot import publish

Open = Callable[..., AppTest]


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a snapshot; nobody changes it."""
    home = tmp_path_factory.mktemp("home")
    publish(home)
    return home


@pytest.fixture
def own_home(published: Path, tmp_path: Path) -> Path:
    """A copy of that home, for a test that changes it."""
    return shutil.copytree(published, tmp_path / "own")


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """``open_page(home, page, locale=…, **address)``: that page of that home, run once."""
    main = sys.modules["__main__"]

    def run(home: Path, page: str = "overview", /, locale: str = "en-US", **address: str) -> AppTest:
        monkeypatch.setenv("YUANZI_HOME", str(home))
        app = AppTest.from_file(str(APP), default_timeout=60)
        app.context = {"locale": locale}
        app.run()
        app.query_params = dict(address)
        return app.switch_page(f"app_pages/{page}.py").run()

    yield run
    # AppTest leaves the script in the place of the program's own main module.
    sys.modules["__main__"] = main
