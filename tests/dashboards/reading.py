"""What a page that was run shows, and what the snapshot says to the same question."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import duckdb
from streamlit.testing.v1 import AppTest

from tests.dashboards.snapshot import TWIN
from yuanzi_core.texts import LANGS, text


def shown(app: AppTest) -> str:
    """All HTML of our own on a page, the style sheet apart."""
    bodies = [element.proto.body for element in app.get("html")]
    return "\n".join(body for body in bodies if not body.startswith("<style>"))


def links(app: AppTest) -> list[str]:
    """The labels of links to other pages."""
    found: list[Any] = list(app.get("page_link"))
    return [link.value for link in found]


def titles(app: AppTest, outdated: bool = False) -> list[str]:
    """The titles of a page, after a look that nothing went wrong. ``outdated``: it has to say that the results are of
    another version, as a page also does whose statement does not fit the tables.
    """
    assert not app.exception, [element.stack_trace for element in app.exception]
    assert not app.error
    words = {text("pages.welcome.outdated", lang) for lang in LANGS}
    assert any(element.value in words for element in app.markdown) == outdated
    return [title.value for title in app.title]


def one(home: Path, sql: str, parameters: Sequence[object] = ()) -> tuple[Any, ...]:
    """The first row of a statement about the snapshot of a home."""
    # The twin: a file that the pages have open cannot be opened in another way by the same process.
    with duckdb.connect(str(home / TWIN), read_only=True) as con:
        found = con.execute(sql, parameters).fetchone()
    assert found is not None
    return found


def said(app: AppTest) -> str:
    """What a page says, without its markup."""
    titles(app)
    return html.unescape(re.sub(r"<[^>]*>", " ", shown(app)))


def column(app: AppTest, label: str) -> list[str]:
    """The cells below a heading, of the last table that has it."""
    cells = re.findall(rf'<td[^>]*data-label="{label}"[^>]*>(.*?)</td>', shown(app))
    return [" ".join(html.unescape(re.sub(r"<[^>]*>", " ", cell)).split()) for cell in cells]


def hrefs(app: AppTest, page: str) -> list[dict[str, str]]:
    """What the addresses of links to a page say, in the order of the links."""
    found = re.findall(rf'href="\./{page}\?([^"]*)"', shown(app))
    return [dict(parse_qsl(html.unescape(one))) for one in found]


def listed(app: AppTest) -> int:
    """How many matches a list says that it has."""
    (number,) = (re.sub(r"\D", "", one.value) for one in app.subheader if one.value.startswith("Matches"))
    return int(number)
