"""Filters that live in the address (``dashboards.components.address``).

The address decides: before a widget is drawn it gets the value found there, and a change goes there first. A changed
filter begins at the first page of its list again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

import streamlit as st

from dashboards.components import address
from dashboards.components.address import FIRST_DAY, LAST_DAY, PAGE, Choice, asked, chosen
from dashboards.components.markup import seen

__all__ = ["asked", "choice", "chosen", "day", "number", "offset", "paging", "search", "switch", "tabs"]


def _keep(name: str, key: str) -> None:
    address.put(**{name: st.session_state[key], PAGE: None})


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
        format_func=lambda one: seen(shown(one)),
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
    st.session_state[key] = address.day(name)
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
    st.session_state[key] = address.is_on(name)
    st.toggle(label, key=key, on_change=_keep, args=(name, key))
    return address.is_on(name)


def tabs(
    name: str, label: str, options: Sequence[Choice], shown: Callable[[Choice], str], hidden: bool = False
) -> Choice:
    """One of some values, all in sight; the first unless another was chosen. ``hidden``: a label for screen readers."""
    key = f"filter-{name}"
    value = st.session_state[key] = address.one_of(name, options, options[0])

    def keep() -> None:
        found = st.session_state[key]
        address.put(**{name: None if found == options[0] else found, PAGE: None})

    st.segmented_control(
        label, options, key=key, format_func=shown, required=True, on_change=keep,
        label_visibility="collapsed" if hidden else "visible",
    )  # fmt: skip
    return value


def number(name: str, label: str, least: int, most: int, placeholder: str, about: str | None = None) -> int | None:
    """A whole number between two others, or None. What is none in the address counts as none."""
    key, value = f"filter-{name}", asked(name) or ""
    is_one = value.isascii() and value.isdigit() and len(value) < 10 and least <= int(value) <= most
    st.session_state[key] = int(value) if is_one else None
    st.number_input(
        label, least, most, key=key, value=None, step=1, placeholder=placeholder, help=about, on_change=_keep,
        args=(name, key),
    )  # fmt: skip
    return int(value) if is_one else None


def _page(pages: int) -> int:
    return address.number(PAGE, 1, max(pages, 1), 1)


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
    address.put(**{PAGE: st.session_state[key]})
