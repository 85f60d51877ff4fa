"""Charts of a player: the standing on the ladder's own scale, the rating with its band, wins beside those expected."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import altair as alt
import polars as pl

from dashboards.components.figures import TIME_ZONE, count
from dashboards.components.frame import Frame
from dashboards.components.interval_charts import ABOVE, ALIKE, BELOW, Words, show_chart
from dashboards.components.standing_cells import say
from dashboards.queries.rows import Row
from yuanzi_core.certainty import Estimate
from yuanzi_core.levels import LEVELS, level_of
from yuanzi_core.levels import floor as floor_of
from yuanzi_core.levels import name as level_name
from yuanzi_core.ratings.settings import CENTRE, INTERVAL_SIGMAS

#: Of the same palette as the tones of the intervals.
COURSE = "#2a9d78"
_HEIGHT, _ROW = 260, 30
_TIME = "%Y-%m-%d %H:%M"
#: Days up to which an axis of time shows days, and how many ticks it has, about.
_DAYS, _TICKS = 100, 6
#: A symmetric logarithm of points over this is the ladder's own scale: its levels are equally far apart (G1).
_FIRST = float(floor_of(1) or 0)


def _local(instant: datetime) -> datetime:
    """By the clubs' clock, without a zone: a browser then shows it as it is."""
    return instant.astimezone(ZoneInfo(TIME_ZONE)).replace(tzinfo=None)


def _time(at: Sequence[datetime]) -> alt.X:
    """The axis of time: days over a few months, else months."""
    days = (at[-1] - at[0]).days
    if days < _DAYS:
        axis = alt.Axis(format="%m-%d", tickCount=_TICKS, labelOverlap=True, grid=False)
    else:
        months = alt.TimeIntervalStep(interval="month", step=max(1, round(days / 30 / _TICKS)))
        axis = alt.Axis(format="%Y-%m", tickCount=months, labelOverlap=True, grid=False)
    return alt.X("at:T", title=None, axis=axis)


def _floors(low: float, high: float) -> list[float]:
    """Where levels begin, from the one around the lowest standing to the one above the highest; below 0 as far down as
    the levels are up."""
    top = level_of(int(max(high, 0)))
    ends = [float(floor_of(level) or 0) for level in range(1, min(top + 1, LEVELS - 1) + 1)]
    below = [-end for end in (float(floor_of(level) or 0) for level in range(1, LEVELS)) if -end > 2 * low - _FIRST]
    ticks = [*(reversed(below) if low < 0 else []), 0.0, *ends]
    reached = [tick for tick in ticks if tick <= low]
    return [tick for tick in ticks if not reached or tick >= reached[-1]]


def standing_chart(page: Frame, history: Sequence[Row], total: int) -> None:
    """The standing after each match (``standings.history``), with what changed the level marked."""
    first = history[0]
    held = [float(first["standing_before"]), *[float(one["standing_after"]) for one in history]]
    times = [_local(first["played_at"]), *[_local(one["played_at"]) for one in history]]
    frame = pl.DataFrame({"at": times, "standing": held})
    low, high = min(held), max(held)
    ticks = _floors(low, high)
    named = {
        f"{tick:.0f}": f"{level_name(level_of(int(tick)), page.lang)} {tick:,.0f}" if tick >= _FIRST else f"{tick:,.0f}"
        for tick in ticks
    }
    named["0"] = f"{level_name(0, page.lang)} 0"
    scale = alt.Scale(type="symlog", constant=_FIRST, domain=[min(ticks[0], low), max(ticks[-1], high)], nice=False)
    axis = alt.Axis(values=ticks, labelExpr=f"{json.dumps(named, ensure_ascii=False)}[toString(datum.value)]",
                    labelLimit=150, grid=True, ticks=False, domain=False)  # fmt: skip
    time = _time(times)
    line = alt.Chart(frame).mark_line(interpolate="step-after", color=COURSE, strokeWidth=2).encode(
        x=time, y=alt.Y("standing:Q", title=None, scale=scale, axis=axis)
    )  # fmt: skip
    steps = [one for one in history if one["level_before"] != one["level_after"]]
    changes = pl.DataFrame(
        {
            "at": [_local(one["played_at"]) for one in steps],
            "standing": [float(one["standing_after"]) for one in steps],
            "before": [float(one["standing_before"]) for one in steps],
            "what": [_change(page, one) for one in steps],
            "up": [one["level_after"] > one["level_before"] for one in steps],
            "size": [110 if one["record"] else 45 for one in steps],
            "match": [one["match_id"] for one in steps],
        },
        schema_overrides={"at": pl.Datetime("us"), "standing": pl.Float64, "before": pl.Float64, "up": pl.Boolean,
                          "size": pl.Int64, "match": pl.String, "what": pl.String},
    )  # fmt: skip
    marks = alt.Chart(changes).mark_point(filled=True, opacity=1).encode(
        x="at:T",
        y="standing:Q",
        size=alt.Size("size:Q", scale=None, legend=None),
        shape=alt.Shape(
            "up:N", scale=alt.Scale(domain=[True, False], range=["triangle-up", "triangle-down"]), legend=None
        ),
        color=alt.Color("up:N", scale=alt.Scale(domain=[True, False], range=[ABOVE, BELOW]), legend=None),
        tooltip=[
            alt.Tooltip("what:N", title=say(page, "course.change")),
            alt.Tooltip("at:T", title=say(page, "course.at"), format=_TIME),
            alt.Tooltip("before:Q", title=say(page, "feed.before"), format=",.6~f"),
            alt.Tooltip("standing:Q", title=say(page, "feed.after"), format=",.6~f"),
            alt.Tooltip("match:N", title=say(page, "feed.match")),
        ],
    )  # fmt: skip
    lines = [say(page, "course.standing_unit", count=count(total)), say(page, "course.standing_lines")]
    lines.append(say(page, "course.standing_marks"))
    # Vega warns of a layer without rows.
    show_chart(alt.layer(line, *([marks] if steps else [])), Words(say(page, "course.standing"), lines), _HEIGHT)


def _change(page: Frame, one: Row) -> str:
    before, after = (level_name(one[name], page.lang) for name in ("level_before", "level_after"))
    return f"{before} → {after}"


def rating_chart(page: Frame, found: Sequence[Row], total: int) -> None:
    """The rating after each rated match (``players.ratings``), and around it where it lies in 95 of 100 cases."""
    values = [float(one["rating"]) for one in found]
    reach = [INTERVAL_SIGMAS * float(one["sigma"]) for one in found]
    frame = pl.DataFrame({
        "at": [_local(one["played_at"]) for one in found],
        "rating": values,
        "low": [value - by for value, by in zip(values, reach, strict=True)],
        "high": [value + by for value, by in zip(values, reach, strict=True)],
    })  # fmt: skip
    scale = alt.Scale(zero=False, nice=False, padding=8)
    time = _time(frame["at"].to_list())
    band = alt.Chart(frame).mark_area(interpolate="step-after", color=ABOVE, opacity=0.22).encode(
        x=time, y=alt.Y("low:Q", title=None, scale=scale, axis=alt.Axis(format="d", tickCount=6)), y2="high:Q"
    )  # fmt: skip
    line = alt.Chart(frame).mark_line(interpolate="step-after", color=ABOVE, strokeWidth=1.8).encode(
        x=time,
        y="rating:Q",
        tooltip=[
            alt.Tooltip("at:T", title=say(page, "course.at"), format=_TIME),
            alt.Tooltip("rating:Q", title=say(page, "course.rating"), format=".0f"),
            alt.Tooltip("low:Q", title="≥", format=".0f"),
            alt.Tooltip("high:Q", title="≤", format=".0f"),
        ],
    )  # fmt: skip
    middle = (
        alt.Chart(pl.DataFrame({"middle": [CENTRE]})).mark_rule(strokeDash=[5, 4], color=ALIKE).encode(y="middle:Q")
    )
    lines = [say(page, "course.rating_unit", count=count(total)), say(page, "course.rating_band", newcomer=CENTRE)]
    show_chart(alt.layer(band, middle, line), Words(say(page, "course.rating"), lines), _HEIGHT)


@dataclass(frozen=True)
class Against:
    """A row of a chart of wins: what it is, of how many matches, the share won (None: too few) and that expected."""

    label: str
    matches: int
    won: Estimate | None
    expected: float | None


def expected_chart(page: Frame, title: str, found: Sequence[Against]) -> None:
    """Shares of matches won with their intervals, and beside each the share that was expected."""
    labels = [f"{one.label}  ·  {count(one.matches)}" for one in found]
    # Two players may have one name.
    labels = [label + "\u200b" * labels[:place].count(label) for place, label in enumerate(labels)]
    frame = pl.DataFrame(
        {
            "label": labels,
            "won": [None if one.won is None else one.won.value for one in found],
            "low": [None if one.won is None else one.won.low for one in found],
            "high": [None if one.won is None else one.won.high for one in found],
            "expected": [one.expected for one in found],
            "tone": [_tone(one) for one in found],
            "few": [say(page, "too_few") if one.won is None else "" for one in found],
            "few_at": [one.expected or 0.5 for one in found],
            "matches": [one.matches for one in found],
        },
        schema_overrides={"won": pl.Float64, "low": pl.Float64, "high": pl.Float64, "expected": pl.Float64},
    )
    base = alt.Chart(frame).encode(
        y=alt.Y("label:N", sort=labels, title=None,
                axis=alt.Axis(labelLimit=190, labelOverlap=False, ticks=False, domain=False, grid=True)),
        tooltip=[
            alt.Tooltip("label:N", title=title),
            alt.Tooltip("won:Q", title=say(page, "people.won"), format=".1%"),
            alt.Tooltip("low:Q", title="≥", format=".1%"),
            alt.Tooltip("high:Q", title="≤", format=".1%"),
            alt.Tooltip("expected:Q", title=say(page, "people.expected"), format=".1%"),
            alt.Tooltip("matches:Q", title=say(page, "people.matches"), format=","),
        ],
    )  # fmt: skip
    x = alt.X("low:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%", tickCount=5))
    color = alt.Color("tone:N", scale=None)
    layers: list[Any] = [
        base.mark_rule(strokeWidth=3, opacity=0.55, strokeCap="round").encode(x=x, x2="high:Q", color=color),
        base.mark_point(filled=True, size=90, opacity=1).encode(x="won:Q", color=color),
        base.mark_tick(thickness=3.5, height=20, color=COURSE).encode(x="expected:Q"),
        base.mark_text(fontStyle="italic", align="left", dx=8, color=ALIKE).encode(x="few_at:Q", text="few:N"),
    ]
    lines = [say(page, "people.unit"), say(page, "people.about"), say(page, "people.tones")]
    show_chart(alt.layer(*layers), Words(title, lines), _ROW * len(found))


def _tone(one: Against) -> str:
    if one.won is None or one.expected is None or one.won.low <= one.expected <= one.won.high:
        return ALIKE
    return ABOVE if one.won.value > one.expected else BELOW
