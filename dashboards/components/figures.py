"""Numbers, times and codes as people read them."""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from yuanzi_core.clubs import ZONE
from yuanzi_core.texts import Lang, has, text

#: Evenings belong to clubs, and clubs to one time zone (the default of the clubs' registry); pages show its clock.
TIME_ZONE = ZONE


def tone(gain: Decimal | int) -> str:
    """In which tone a chip shows what was won or lost."""
    return "good" if gain > 0 else "bad" if gain < 0 else "plain"


def count(number: int) -> str:
    """A count, thousands apart: ``12,345``."""
    return f"{number:,}"


def minute(at: datetime) -> str:
    """A moment by the clubs' clock: ``2026-03-01 20:15``."""
    return f"{at.astimezone(ZoneInfo(TIME_ZONE)):%Y-%m-%d %H:%M}"


def size(count_of_bytes: int) -> str:
    """A file's size."""
    value, units = Decimal(count_of_bytes), ["B", "KiB", "MiB", "GiB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        del units[0]
    return f"{value:.0f} {units[0]}" if units[0] == "B" or value >= 100 else f"{value:.1f} {units[0]}"


def word(key: str, lang: Lang, default: str) -> str:
    """A word of the texts, or the code itself where there is none (a newer snapshot, a club's own ruleset)."""
    return text(key, lang) if has(key, lang) else default


def parsed(json_text: str | None) -> Any:
    """A claimed or recomputed value; decimals stay exact. What is no JSON stays the text that it is."""
    if json_text is None:
        return None
    try:
        return json.loads(json_text, parse_float=Decimal, parse_constant=str)
    except (ValueError, RecursionError):
        return json_text
