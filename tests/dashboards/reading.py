"""What a page that was run shows, and what the snapshot says to the same question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
from streamlit.testing.v1 import AppTest

from tests.dashboards.snapshot import TWIN


def shown(app: AppTest) -> str:
    """All HTML of our own on a page, the style sheet apart."""
    bodies = [element.proto.body for element in app.get("html")]
    return "\n".join(body for body in bodies if not body.startswith("<style>"))


def links(app: AppTest) -> list[str]:
    """The labels of links to other pages."""
    found: list[Any] = list(app.get("page_link"))
    return [link.value for link in found]


def titles(app: AppTest) -> list[str]:
    """The titles of a page, after a look that nothing went wrong."""
    assert not app.exception, [element.stack_trace for element in app.exception]
    assert not app.error
    return [title.value for title in app.title]


def one(home: Path, sql: str, parameters: Sequence[object] = ()) -> tuple[Any, ...]:
    """The first row of a statement about the snapshot of a home."""
    # The twin: a file that the pages have open cannot be opened in another way by the same process.
    with duckdb.connect(str(home / TWIN), read_only=True) as con:
        found = con.execute(sql, parameters).fetchone()
    assert found is not None
    return found
