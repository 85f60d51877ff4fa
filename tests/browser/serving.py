"""A home with results of every kind, the server of its pages, and a browser that asks nobody else."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, ViewportSize, expect

from dashboards import app_pages
from dashboards.launch import Audience, address
from yuanzi_core.texts import Lang

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in Path(next(iter(app_pages.__path__))).glob("*.py") if path.stem != "__init__")
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 390, "height": 844},
    "desktop": {"width": 1440, "height": 900},
    "projector": {"width": 1920, "height": 1080},
}
#: What Chromium is told, so that it asks the net for nothing.
QUIET = (
    "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
)  # fmt: skip
#: How long a page may take on a busy machine, in milliseconds.
PATIENCE = 60_000


def make_home(home: Path) -> Path:
    """A home on which the pipeline ran: the samples with their registries, and a small simulated league."""
    inbox = home / "inbox"
    # In processes of their own: the browser's driver has an event loop running in this one.
    _yuanzi("simulate", "league", "--players", "24", "--months", "1", "--seed", "7", "--out", str(home))
    for sample in (ROOT / "data" / "samples").iterdir():
        shutil.copy(sample, home if sample.suffix in (".csv", ".toml") else inbox)
    _yuanzi("run", "--home", str(home))
    return home


def _yuanzi(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pipelines.cli", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


@contextmanager
def served(home: Path, audience: Audience = "public") -> Iterator[str]:
    """The pages of a home, served as a reader's ``yuanzi dashboard`` does. Gives their address."""
    port = _free_port()
    line = [sys.executable, "-m", "pipelines.cli", "dashboard", "--home", str(home), "--port", str(port)]
    log = home / f"dashboard-{audience}.log"
    with log.open("wb") as said:
        server = subprocess.Popen([*line, "--for", audience], cwd=ROOT, stdout=said, stderr=said)
    try:
        for _ in range(600):
            if server.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{address(port)}/_stcore/health", timeout=5) as answer:
                    if answer.status == 200:
                        break
            except OSError:
                time.sleep(0.1)
        assert server.poll() is None, log.read_text("utf-8", "replace")
        yield address(port)
    finally:
        server.terminate()
        server.wait(30)


def chromium(playwright: Playwright) -> Browser:
    """The system's Chromium, else the one that ``YUANZI_CHROMIUM`` names."""
    found = os.environ.get("YUANZI_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise FileNotFoundError(
            "The browser tests need Chromium (on Debian: apt-get install chromium fonts-wqy-microhei), "
            "or its path in YUANZI_CHROMIUM."
        )
    return playwright.chromium.launch(executable_path=found, args=list(QUIET))


def go(page: Page, base: str, name: str = "", lang: Lang | None = "en", /, **parameters: str) -> None:
    """Open a page of the app and wait until it stands."""
    query = {**parameters, **({"lang": lang} if lang else {})}
    page.goto(f"{base}/{name}?" + "&".join(f"{key}={value}" for key, value in query.items()))
    settle(page)


def settle(page: Page) -> None:
    """Wait until the script of a page has run and what it drew is there."""
    app = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=PATIENCE)
    expect(page.locator("h1").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator('[data-testid="stSkeleton"], [data-stale="true"]')).to_have_count(0, timeout=PATIENCE)
    expect(app).to_have_count(1, timeout=PATIENCE)
