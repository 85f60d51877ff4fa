"""Single values of the registries: days, and texts as a sentence quotes them."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

_LONGEST_SHOWN = 60
_DATE = re.compile(r"(\d{4})(?:-(\d\d?)-(\d\d?)|/(\d\d?)/(\d\d?)|\.(\d\d?)\.(\d\d?)|年(\d\d?)月(\d\d?)日)", re.ASCII)
#: Control and formatting characters, lone halves of a pair, line ends: what nobody sees in a table.
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def is_visible(text: str) -> bool:
    """Whether nothing in a text is invisible or has power over what stands around it."""
    return text.isprintable() or not any(unicodedata.category(sign) in _INVISIBLE for sign in text)


def shown(value: object) -> str:
    """A value as a sentence quotes it: not too long, invisible characters as escapes."""
    try:
        text = "–" if value is None else str(value)
    except ValueError:
        # A whole number of thousands of digits.
        return "…"
    cut = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
    return "".join(sign if is_visible(sign) else sign.encode("unicode_escape").decode() for sign in cut)


def date_of(text: str) -> date | None:
    """A day as people and spreadsheets write it, the year first: 2026-03-01, 2026/3/1, 2026.3.1, 2026年3月1日."""
    found = _DATE.fullmatch(unicodedata.normalize("NFKC", text))
    try:
        return date(*[int(part) for part in found.groups() if part is not None]) if found else None
    except ValueError:
        return None
