"""The reader's language: the address says it (``?lang=zh``), else the command, else the browser."""

from __future__ import annotations

import streamlit as st

from dashboards.components import address
from dashboards.components.address import LANGUAGE
from yuanzi_core.texts import LANGS, Lang, pick_language, text

_SWITCH = "lang-switch"


def chosen_language() -> Lang | None:
    """The language that the reader chose, or None."""
    return next((lang for lang in LANGS if lang == st.session_state.get(LANGUAGE)), None)


def reading_language(from_command: str | None) -> Lang:
    """The language of this run. A choice in the address is kept for the pages to come, and stays in the address."""
    asked = address.asked(LANGUAGE)
    if asked in LANGS:
        st.session_state[LANGUAGE] = asked
    chosen = chosen_language()
    if chosen is None:
        return pick_language(from_command or st.context.locale, {})
    if asked != chosen:
        # Going to another page empties the address.
        address.put(**{LANGUAGE: chosen})
    return chosen


def _switch() -> None:
    chosen = st.session_state[_SWITCH]
    if chosen is not None:
        address.put(**{LANGUAGE: chosen})


def language_switch(lang: Lang) -> None:
    """The switch, each language by its own name."""
    st.session_state[_SWITCH] = lang
    st.segmented_control(
        text("pages.frame.language", lang),
        LANGS,
        key=_SWITCH,
        format_func=lambda code: text("pages.frame.this_language", code),
        on_change=_switch,
        label_visibility="collapsed",
        width="stretch",
    )
