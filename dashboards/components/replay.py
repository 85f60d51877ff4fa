"""The replay of a match: a component of our own that gets the match once and steps through it in the browser.

It keeps where the reader is (deal, play, viewer, order, switches) in the address by itself: a step asks the server
nothing, and whoever opens that address sees the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import streamlit as st

from dashboards.components.frame import View
from yuanzi_core.explanation import cleaned
from yuanzi_core.texts import Lang, keys, text

#: What the page fills into its labels while it steps.
_FILLED_LATER = ("play", "plays", "trick", "points", "count", "seat", "place", "what")
_LABEL = "replay.label."
#: A name longer than this is cut off; the style cuts off what does not fit.
LONGEST_NAME = 60
_HERE = files(__package__)
#: One module in the browser, in this order.
SCRIPTS = ("card_faces.js", "replay_table.js", "replay.js")
_component = st.components.v2.component(
    "yuanzi_replay",
    html='<div class="replay"></div>',
    css=(_HERE / "replay.css").read_text(encoding="utf-8"),
    js="\n".join([(_HERE / name).read_text(encoding="utf-8") for name in SCRIPTS]),
)


def labels(lang: Lang) -> dict[str, str]:
    """What stands on the replay in a language; ``{fields}`` that change with each step are left open."""
    left_open = {name: f"{{{name}}}" for name in _FILLED_LATER}
    return {
        key.removeprefix(_LABEL): text(key, lang, **left_open) for key in keys("replay", lang) if key.startswith(_LABEL)
    }


def replay(view: View, shown: dict[str, Any], match_id: str, names: Sequence[str]) -> None:
    """The replay of a match as ``yuanzi_core.replay_view`` gives it; ``names`` of players by seat."""
    about = {"match": match_id, "names": [cleaned(name, LONGEST_NAME) for name in names], "labels": labels(view.lang)}
    _component(key="replay", data={**shown, **about})
