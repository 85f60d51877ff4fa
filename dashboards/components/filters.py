"""Filters that live in the address, so that what a reader sees can be sent to another.

The address decides: before a widget is drawn it gets the value found there, and a change goes there first. A changed
filter begins at the first page of its list again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

import streamlit as st

PAGE = "page"
#: What a day may be; a calendar needs ends.
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2100, 12, 31)


def _keep(name: str, key: str) -> None:
    value = st.session_state[key]
    if value in (None, "", False):
        st.query_params.pop(name, None)
    elif value is True:
        st.query_params[name] = "1"
    else:
        st.query_params[name] = value.isoformat() if isinstance(value, date) else str(value)
    st.query_params.pop(PAGE, None)


def chosen() -> dict[str, str]:
    """All filters in the address, for a link that changes one of them."""
    return {name: value for name, value in st.query_params.items() if name not in (PAGE, "lang")}


def asked(name: str) -> str | None:
    """What the address says, or None."""
    return st.query_params.get(name) or None


def choice(
    name: str, label: str, options: Sequence[str], everything: str, shown: Callable[[str], str] = str
) -> str | None:
    """One of some values, or None for all. A value in the address that is none of them is kept, and finds nothing."""
    key, value = f"filter-{name}", asked(name)
    st.session_state[key] = value
    more = [] if value is None or value in options else [value]
    return st.selectbox(
        label,
        [*options, *more],
        index=None,
        key=key,
        format_func=shown,
        placeholder=everything,
        on_change=_keep,
        args=(name, key),
    )


def search(name: str, label: str, placeholder: str) -> str | None:
    """A text to look for, or None."""
    key = f"filter-{name}"
    st.session_state[key] = asked(name) or ""
    st.text_input(label, key=key, placeholder=placeholder, on_change=_keep, args=(name, key))
    return asked(name)


def day(name: str, label: str) -> date | None:
    """A day, or None. What is no day in the address counts as none."""
    key = f"filter-{name}"
    try:
        value: date | None = date.fromisoformat(asked(name) or "")
    except ValueError:
        value = None
    if value is not None and not FIRST_DAY <= value <= LAST_DAY:
        value = None
    st.session_state[key] = value
    found = st.date_input(
        label,
        value=None,
        key=key,
        min_value=FIRST_DAY,
        max_value=LAST_DAY,
        on_change=_keep,
        args=(name, key),
    )
    return found if isinstance(found, date) else None


def switch(name: str, label: str) -> bool:
    """Yes or no; no is not written into the address."""
    key = f"filter-{name}"
    st.session_state[key] = asked(name) == "1"
    st.toggle(label, key=key, on_change=_keep, args=(name, key))
    return asked(name) == "1"


def _page(pages: int) -> int:
    wanted = asked(PAGE) or ""
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else 1
    return min(max(number, 1), max(pages, 1))


def offset(total: int, size: int) -> int:
    """How many rows of a list come before the page that the address asks for; beyond the last page it is the last."""
    return (_page(-(-total // size)) - 1) * size


def paging(total: int, size: int) -> None:
    """The page numbers of a list longer than a page."""
    pages = -(-total // size)
    if pages > 1:
        # A key for each page: Streamlit warns of a value set from outside beside the widget's own default.
        page = _page(pages)
        key = f"paging-{page}-of-{pages}"
        st.pagination(pages, default=page, key=key, on_change=_turn, args=(key,))


def _turn(key: str) -> None:
    st.query_params[PAGE] = str(st.session_state[key])
