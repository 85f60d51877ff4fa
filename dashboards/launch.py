"""How the pages are started. The command does it; nothing here starts anything."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

#: Whom the pages are for: everybody (without standings, levels, ranks and ratings of non-members, G3), or auditors.
Audience = Literal["public", "auditor"]
AUDIENCES: tuple[Audience, ...] = ("public", "auditor")

APP = Path(__file__).parent / "app.py"
ADDRESS = "127.0.0.1"


def command(home: Path, port: int, lang: str | None = None, audience: Audience = "public") -> list[str]:
    """The command line that serves the pages of a home folder on this machine alone, without opening a browser.

    ``lang``: ``en`` or ``zh``; None leaves it to each reader's browser.
    """
    options = {
        "server.address": ADDRESS,
        "server.port": str(port),
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
        "browser.serverAddress": ADDRESS,
    }
    line = [sys.executable, "-m", "streamlit", "run", str(APP)]
    line += [f"--{name}={value}" for name, value in options.items()]
    line += ["--", "--home", str(home.resolve()), "--for", audience]
    return line if lang is None else [*line, "--lang", lang]


def address(port: int) -> str:
    """Where a browser finds the pages."""
    return f"http://{ADDRESS}:{port}"
