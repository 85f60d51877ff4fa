"""Homes for the pages to read, and a way to run them without a browser."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.launch import APP, Audience
from pipelines.run import run
from tests.dashboards.book import make_book
from tests.dashboards.growth import grow
from tests.dashboards.snapshot import CASES, publish

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


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the matches worked out by hand; nobody changes it."""
    home = tmp_path_factory.mktemp("book")
    make_book(home)
    return home


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home on which the pipeline ran: handed cases of claims, of bad records and of violations. Nobody changes it."""
    home = tmp_path_factory.mktemp("made")
    inbox = home / "inbox"
    inbox.mkdir()
    for case, first, last in (("claims", 0, 60), ("dirty", 0, 146), ("logs", 150, 180)):
        lines = (CASES / f"{case}.jsonl").read_bytes().split(b"\n")[first:last]
        (inbox / f"{case}.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    for registry in ("players.csv", "clubs.toml"):
        shutil.copy(CASES.parents[1] / "data" / "samples" / registry, home)
    report = run(home)
    assert report.ok
    return home


@pytest.fixture(scope="session")
def large(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with 50,000 matches, grown from what the pipeline published. Nobody changes it."""
    home = tmp_path_factory.mktemp("large")
    grow(made, home, 50_000)
    return home


@pytest.fixture(scope="session")
def empty(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose snapshot has all tables and not one row. Nobody changes it."""
    home = tmp_path_factory.mktemp("empty")
    grow(made, home, 0)
    return home


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """``open_page(home, page, audience, locale=…, **address)``: that page of that home, run once, for auditors unless
    said otherwise: they see all there is.
    """
    main = sys.modules["__main__"]

    def run(
        home: Path, page: str = "overview", audience: Audience = "auditor", /, locale: str = "en-US", **address: str
    ) -> AppTest:
        monkeypatch.setenv("YUANZI_HOME", str(home))
        monkeypatch.setenv("YUANZI_FOR", audience)
        app = AppTest.from_file(str(APP), default_timeout=60)
        app.context = {"locale": locale}
        app.run()
        app.query_params = dict(address)
        return app.switch_page(f"app_pages/{page}.py").run()

    yield run
    # AppTest leaves the script in the place of the program's own main module.
    sys.modules["__main__"] = main
