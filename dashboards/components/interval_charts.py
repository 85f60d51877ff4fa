"""Charts of shares and means with their intervals, and of distributions.

What lies clearly above, clearly below, or cannot be told apart from the whole has a colour each, from the palette of
Okabe and Ito (told apart by all eyes, on light and dark); place and interval say the same without colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl
import streamlit as st

from dashboards.components.figures import count
from yuanzi_core.certainty import Estimate

ABOVE, BELOW, ALIKE = "#3a8dc9", "#d5711f", "#8a8a8a"
#: Pixels a row, of a distribution, and of the axis and each line above a chart.
_ROW, _HEIGHT, _AXIS, _LINE = 28, 170, 62, 17
_QUIET = "#7a7a7a"


@dataclass(frozen=True)
class Words:
    """What stands on a chart: ``title``, ``about`` (lines below it: the unit, what the interval is and the count behind
    it); where there are intervals also ``axis`` for what the rows or stretches are, ``too_few``, names in tooltips."""

    title: str
    about: Sequence[str]
    axis: str = ""
    too_few: str = ""
    estimate: str = ""
    interval: str = ""
    count: str = ""


def _tone(found: Estimate | None, whole: float | None) -> str:
    if found is None or whole is None or found.low <= whole <= found.high:
        return ALIKE
    return ABOVE if found.value > whole else BELOW


def interval_chart(
    words: Words, found: Sequence[tuple[str, int, Estimate | None]], whole: float | None, form: str
) -> None:
    """Values in their order, from top to bottom: a dot and its interval each, beside the line of the whole.

    ``found``: label, count and estimate (None: too few to tell); ``form``: how numbers are written (d3).
    """
    known = [one for _, _, one in found if one is not None]
    middle = whole if whole is not None else (known[0].value if known else 0.0)
    frame = pl.DataFrame(
        {
            "label": [f"{label}  ·  {count(number)}" for label, number, _ in found],
            "value": [None if one is None else one.value for _, _, one in found],
            "low": [None if one is None else one.low for _, _, one in found],
            "high": [None if one is None else one.high for _, _, one in found],
            "count": [number for _, number, _ in found],
            "tone": [_tone(one, whole) for _, _, one in found],
            "middle": [middle] * len(found),
            "too_few": [words.too_few if one is None else "" for _, _, one in found],
        },
        schema_overrides={"value": pl.Float64, "low": pl.Float64, "high": pl.Float64},
    )
    base = alt.Chart(frame).encode(
        y=alt.Y(
            "label:N",
            sort=frame["label"].to_list(),
            title=None,
            axis=alt.Axis(labelLimit=210, labelOverlap=False, ticks=False, domain=False, grid=True),
        ),
        color=alt.Color("tone:N", scale=None),
        tooltip=[
            alt.Tooltip("label:N", title=words.axis),
            alt.Tooltip("value:Q", title=words.estimate, format=form),
            alt.Tooltip("low:Q", title=f"{words.interval} ≥", format=form),
            alt.Tooltip("high:Q", title=f"{words.interval} ≤", format=form),
            alt.Tooltip("count:Q", title=words.count, format=","),
        ],
    )
    scale = alt.Scale(zero=False, padding=12, nice=False)
    axis = alt.Axis(format=form, tickCount=5)
    bars = base.mark_rule(strokeWidth=3, opacity=0.55, strokeCap="round").encode(
        x=alt.X("low:Q", title=None, scale=scale, axis=axis), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(x="value:Q")
    few = base.mark_text(fontStyle="italic", align="left", dx=8).encode(
        x=alt.X("middle:Q", title=None, scale=scale, axis=axis), text="too_few:N"
    )
    # Vega warns of a layer without values.
    layers: list[Any] = [*([bars, dots] if known else []), few]
    if whole is not None:
        line = alt.Chart(pl.DataFrame({"whole": [whole]})).mark_rule(strokeDash=[5, 4], color=ALIKE, size=1.5)
        layers.insert(0, line.encode(x=alt.X("whole:Q", title=None, scale=scale, axis=axis)))
    show_chart(alt.layer(*layers), words, _ROW * len(found))


def bar_chart(words: Words, stretches: Sequence[tuple[int, int, int]]) -> None:
    """A distribution: (least value, width, count) of each stretch."""
    total = sum(number for _, _, number in stretches)
    frame = pl.DataFrame({
        "start": [start for start, _, _ in stretches],
        "end": [start + width for start, width, _ in stretches],
        "span": [str(start) if width == 1 else f"{start}–{start + width - 1}" for start, width, _ in stretches],
        "share": [number / total for _, _, number in stretches],
        "count": [number for _, _, number in stretches],
    })  # fmt: skip
    chart = alt.Chart(frame).mark_bar(color=ABOVE, opacity=0.85, binSpacing=1).encode(
        x=alt.X("start:Q", bin="binned", title=None, axis=alt.Axis(format="d", labelFlush=False, tickCount=8)),
        x2="end:Q",
        y=alt.Y("share:Q", title=words.estimate, axis=alt.Axis(format="%", tickCount=4)),
        tooltip=[
            alt.Tooltip("span:N", title=words.axis),
            alt.Tooltip("count:Q", title=words.count, format=","),
            alt.Tooltip("share:Q", title=words.estimate, format=".1%"),
        ],
    )  # fmt: skip
    show_chart(chart, words, _HEIGHT)


def show_chart(chart: Any, words: Words, height: int) -> None:
    """Put a chart on the page under its title. ``height``: pixels of what is drawn, without axis and title."""
    title = alt.TitleParams(
        words.title, subtitle=list(words.about), anchor="start", frame="bounds", offset=10, subtitleColor=_QUIET,
        subtitleLineHeight=_LINE,
    )  # fmt: skip
    around = _AXIS + _LINE * (1 + len(words.about))
    st.altair_chart(chart.properties(title=title, height=height + around), width="stretch")
