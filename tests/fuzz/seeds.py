"""Valid inputs to be spoilt: handed matches, the same as sheets and as Parquet, registries, rulesets."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.pipelines.homes import lines_of
from yuanzi_core.convert import convert
from yuanzi_core.ruleset import Rulesets

#: Records of the handed logs, of both games and of many sizes.
PLACES = (0, 1, 40, 80, 120, 155)


@cache
def matches() -> list[dict[str, Any]]:
    """Some matches that are settled, small ones first."""
    found = [json.loads(line) for line in lines_of("logs")]
    return sorted((found[place] for place in PLACES if place < len(found)), key=lambda match: len(json.dumps(match)))


def line(match: dict[str, Any]) -> bytes:
    """A match as a line."""
    return json.dumps(match, ensure_ascii=False).encode()


@cache
def good() -> tuple[bytes, bytes]:
    """Two lines that are settled whatever stands between them."""
    first, second = [{**match, "match_id": f"good-{place}", "revision": 1} for place, match in enumerate(matches()[:2])]
    return line(first), line(second)


@cache
def as_file(suffix: str) -> bytes:
    """The matches as a file of that kind."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "seed.jsonl"), Path(folder, f"seed{suffix}")
        source.write_bytes(b"\n".join(map(line, matches())) + b"\n")
        convert(str(source), target, Rulesets(), "en", lambda *_: None)
        return target.read_bytes()


PLAYERS = (
    "id,name,aliases,member_from,member_to,opening_four,opening_five\n"
    "p1,王一,p01;q1,2024-01-01,,340,12.5\n"
    "p2,Li Er,,2025-03-01,2026-02-28,,-7\n"
    'p3,"Zhang, San",p03,,,0,0\n'
)
CLUBS = """\
[jiaxing]
names.en = "Jiaxing"
names.zh = "嘉兴"
zone = "Asia/Shanghai"
ruleset = "four-classic"
base = 2.5
seasons = [{ name = "2026", first = 2026-01-01, last = 2026-12-31 }]
"""
RULESET = """\
extends = "five-classic"
[names]
en = "Ours"
zh = "我们的"
[options]
atom_doubling = true
early_stop = "must"
"""
