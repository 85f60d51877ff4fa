"""HTML in which everything that comes from data is text.

Streamlit's own titles, labels and tables read Markdown, so nothing from data goes into them. It goes through here:
a child that is not :class:`Html` is escaped, whatever it is.
"""

from __future__ import annotations

import html
import re

import streamlit as st

# Control characters would break a line or vanish; each has a picture of its own in Unicode.
_CONTROL = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}
_RED_CARD = re.compile(r"([♥♦](?:10|[2-9JQKA]))")
_ATTRIBUTE = re.compile(r"[a-z][a-z-]*\Z")


class Html(str):
    """Text that is HTML already. Only this module and components built on it make any."""

    __slots__ = ()


def escaped(value: object) -> Html:
    """A value as text in HTML; what is HTML already stays as it is."""
    if isinstance(value, Html):
        return value
    return Html(html.escape(str(value).translate(_CONTROL), quote=True))


def tag(name: str, *children: object, **attributes: object) -> Html:
    """An element. ``class_`` is ``class``, ``data_x`` is ``data-x``; an attribute that is None is left out."""
    written = ""
    for attribute, value in attributes.items():
        attribute = attribute.rstrip("_").replace("_", "-")
        assert _ATTRIBUTE.match(attribute), attribute
        if value is not None:
            written += f' {attribute}="{escaped(str(value))}"'
    return Html(f"<{name}{written}>{joined(*children)}</{name}>")


def joined(*children: object, between: str = "") -> Html:
    """Children one after the other; those that are None are left out."""
    return Html(escaped(between).join(escaped(child) for child in children if child is not None))


def seen(value: str) -> str:
    """A text as it is; one of nothing but blanks and signs that nobody sees as so many pictures of a blank."""
    if isinstance(value, Html) or any(sign.isprintable() and not sign.isspace() for sign in value):
        return value
    return "␣" * len(value)


def data(value: object, class_: str = "yz-data") -> Html:
    """A name, id or text from data: cut off by the style when long, and kept from turning its neighbours round."""
    shown = seen(value if isinstance(value, str) else str(value))
    return tag("bdi", shown, class_=class_, dir="auto", title=str(value).translate(_CONTROL))


def with_cards(said: object) -> Html:
    """A sentence that may hold names and cards: hearts and diamonds are red."""
    parts = _RED_CARD.split(str(said))
    shown = [tag("span", part, class_="yz-red") if place % 2 else part for place, part in enumerate(parts)]
    return tag("bdi", *shown, class_="yz-long", dir="auto")


def link(href: str, child: object) -> Html:
    """A link within the pages. ``href`` comes from :meth:`dashboards.components.frame.View.href`."""
    return tag("a", child, href=href)


def chip(child: object, tone: str = "plain") -> Html:
    """A short mark. ``tone``: ``good``, ``bad``, ``warn``, ``chosen`` or ``plain``."""
    return tag("span", child, class_=f"yz-chip yz-{tone}")


def show(content: Html) -> None:
    """Put it on the page."""
    st.html(tag("div", content, class_="yz"))
