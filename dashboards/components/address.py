"""The state of a page as it stands in its address, so that a finding can be sent: the one way to read and write it.

Whatever stands in an address may have been typed by anybody: a value that cannot be is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TypeVar

import streamlit as st

PAGE = "page"
LANGUAGE = "lang"
#: What a day may be; a calendar needs ends.
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2100, 12, 31)

#: What can stand in an address. None, "" and False do not: they are how a page is without them.
Value = str | int | date | bool | None
Choice = TypeVar("Choice", bound=str)


def asked(name: str) -> str | None:
    """A text, or None."""
    return st.query_params.get(name) or None


def one_of(name: str, allowed: Sequence[Choice], default: Choice) -> Choice:
    """One of some values; the default where the address says none of them."""
    said = asked(name)
    return next((each for each in allowed if each == said), default)


def number(name: str, least: int, most: int, default: int) -> int:
    """A whole number; one beyond the ends counts as the end."""
    said = asked(name) or ""
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        return default
    return min(max(int(said), least), most)


def day(name: str) -> date | None:
    """A day, or None."""
    try:
        found = date.fromisoformat(asked(name) or "")
    except ValueError:
        return None
    return found if FIRST_DAY <= found <= LAST_DAY else None


def is_on(name: str) -> bool:
    """Whether something is switched on."""
    return asked(name) == "1"


def written(value: Value) -> str | None:
    """A value as it stands in an address; None where it stands there by not being there."""
    if value is None or value is False or value == "":
        return None
    if value is True:
        return "1"
    return value.isoformat() if isinstance(value, date) else str(value)


def put(**values: Value) -> None:
    """Write values into the address, or take them out of it."""
    for name, value in values.items():
        said = written(value)
        if said is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = said


def chosen() -> dict[str, str]:
    """All that a reader chose on this page, for a link that changes one of it: not the language and the page number."""
    return {name: value for name, value in st.query_params.items() if name not in (PAGE, LANGUAGE)}
