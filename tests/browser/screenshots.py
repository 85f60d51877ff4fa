"""``make screenshots``: the pictures of the README, of the samples and a small league, made anew."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Literal, NamedTuple

import duckdb
from PIL import Image
from playwright.sync_api import sync_playwright

from dashboards.store import pointer
from tests.browser.serving import ROOT, SIZES, chromium, go, make_home, served
from yuanzi_core.texts import Lang

FOLDER = ROOT / "dashboards" / "screenshots"
#: Bytes of all pictures together.
MOST = 1_500_000


class Shot(NamedTuple):
    """A picture: its name, the page and what stands in its address, and how it is looked at."""

    name: str
    page: str
    lang: Lang
    scheme: Literal["light", "dark"]
    size: str
    address: dict[str, str]


def shots(home: Path) -> list[Shot]:
    """What is shown."""
    with duckdb.connect(str(pointer(home).path), read_only=True) as con:
        ((match,),) = con.execute(
            "select match_id from out_audit__discrepancies where code = 'CLAIM_CAPTURED' order by 1 limit 1"
        ).fetchall()
        ((player,),) = con.execute(
            "select player_id from public.out_standings__player where game = 'four' order by matches desc, 1 limit 1"
        ).fetchall()
    addresses = {"player": {"player": str(player), "game": "four"}}
    found = []
    for lang in ("en", "zh"):
        found += [
            Shot(f"overview-{lang}", "", lang, "light", "desktop", {}),
            Shot(f"match-{lang}", "match", lang, "light", "desktop", {"match": match}),
            Shot(f"discrepancies-{lang}", "discrepancies", lang, "light", "desktop", {}),
            Shot(f"rules-{lang}", "rules", lang, "dark", "desktop", {"part": "options"}),
            Shot(f"score-{lang}", "score", lang, "light", "phone",
                 {"0.finish": "2.1.0", "0.captured0": "95", "0.captured1": "40", "0.captured2": "120",
                  "0.captured3": "45"}),
        ]  # fmt: skip
        found += [
            Shot(f"{page}-{lang}", page, lang, "light", "desktop", addresses.get(page, {}))
            for page in ("standings", "player", "levels", "balance")
        ]
    return found


def main() -> int:
    """Make all of them; the exit status is 1 if they are too large."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.png"):
        path.unlink()
    with tempfile.TemporaryDirectory(prefix="yuanzi-screenshots-") as folder:
        home = make_home(Path(folder) / "home")
        with served(home) as base, sync_playwright() as playwright:
            browser = chromium(playwright)
            for shot in shots(home):
                window = browser.new_context(viewport=SIZES[shot.size], color_scheme=shot.scheme)
                page = window.new_page()
                go(page, base, shot.page, shot.lang, **shot.address)
                path = FOLDER / f"{shot.name}.png"
                page.screenshot(path=path, animations="disabled")
                # Few colours are enough for tables and text, and a third of the size.
                with Image.open(path) as picture:
                    picture.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)
                window.close()
            browser.close()
    return int(sum(path.stat().st_size for path in FOLDER.glob("*.png")) > MOST)


if __name__ == "__main__":
    sys.exit(main())
