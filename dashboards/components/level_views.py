"""The ladder, how many stand on its levels over time, and who went up and down."""

from __future__ import annotations

import json
from calendar import monthrange
from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

import altair as alt
import polars as pl
import streamlit as st

from dashboards.components.clubs import club
from dashboards.components.figures import TIME_ZONE, count
from dashboards.components.frame import View
from dashboards.components.interval_charts import ABOVE, Words, show_chart
from dashboards.components.markup import Html, joined, link, show, tag
from dashboards.components.places import game as game_named
from dashboards.components.places import player_link
from dashboards.components.standing_cells import heading, say
from dashboards.components.tables import Column, Line, linked_count, table
from dashboards.queries.rows import Row
from yuanzi_core.levels import name as level_name
from yuanzi_core.words import number

_ROW = 38
#: How much of a row its highest bar takes.
_FULL = 0.62


def ladder(page: View, game: str, found: Sequence[Row]) -> Html:
    """The steps, the highest on top: where each begins, how many stand there, and the first of them."""
    most = max((row["players"] for row in found), default=0) or 1
    steps = []
    for row in found:
        begins = say(page, "ladder.below", points=number(row["next_floor"])) if row["floor"] is None else \
            say(page, "ladder.from", points=f"{row['floor']:,.0f}")  # fmt: skip
        many = row["players"]
        shown = [player_link(page, name, one, game) for one, name in zip(row["ids"], row["names"], strict=True)]
        rest = many - len(shown)
        href = page.href("standings", game=game, level=row["level"])
        if rest:
            shown.append(link(href, say(page, "ladder.more", count=count(rest))))
        steps.append(
            tag(
                "li",
                tag("b", row["level"]),
                tag("span", level_name(row["level"], page.lang), tag("span", begins, class_="yz-muted"),
                    class_="yz-rung"),
                tag("span", tag("i", style=f"width:{100 * many / most:.1f}%") if many else None,
                    link(href, say(page, "ladder.players", count=count(many))) if many else None, class_="yz-crowd"),
                tag("span", joined(*shown, between=" "), class_="yz-who"),
                class_=None if many else "yz-empty",
            )
        )  # fmt: skip
    return tag("ul", *steps, class_="yz-ladder")


def feed(
    page: View, events: Sequence[Row], named: bool = True, with_club: bool = False, with_game: bool = False
) -> Html:
    """Promotions and demotions a row: who, from where to where, in which match, with the standing before and after.

    ``named``: with the player; ``with_club`` and ``with_game``: with the club and the game.
    """
    columns = [Column(say(page, "course.at"))]
    columns += [Column(heading(page, "player"))] if named else []
    columns += [Column(page.say("filters.game"))] if with_game else []
    columns += [Column(say(page, "course.change"))]
    columns += [Column(say(page, f"feed.{name}"), True) for name in ("before", "after")]
    columns += [Column(say(page, "feed.match"))]
    columns += [Column(heading(page, "club"))] if with_club else []
    lines = []
    for one in events:
        at = one["played_at"].astimezone(ZoneInfo(TIME_ZONE))
        up = one["kind"] == "promotion"
        before, after = (level_name(one[name], page.lang) for name in ("level_before", "level_after"))
        change = tag("span", "▲ " if up else "▼ ", title=say(page, f"feed.{one['kind']}"),
                     class_="yz-up" if up else "yz-down")  # fmt: skip
        cells: list[object] = [tag("span", f"{at:%Y-%m-%d %H:%M}", class_="yz-whole")]
        cells += [player_link(page, one["name"], one["player_id"], one["game"])] if named else []
        cells += [game_named(page, one["game"])] if with_game else []
        cells += [tag("span", change, f"{before} → ", tag("strong", after), class_="yz-whole")]
        cells += [number(one["standing_before"]), number(one["standing_after"]), page.match_link(one["match_id"])]
        cells += [club(page, one["club"])] if with_club else []
        lines.append(Line(cells))
    return table(columns, lines, tight=True)


def population_chart(page: View, game: str, found: Sequence[Row]) -> None:
    """How many stood on each level at the end of each month: a row of bars a level, all on one scale."""
    if not found:
        st.info(say(page, "population.none"))
        return
    held = [row["level"] for row in found]
    rows = list(range(min(held), max(held) + 1))
    most = max(row["players"] for row in found)
    last = max(row["month"] for row in found)
    frame = pl.DataFrame({
        "month": [f"{row['month']:%Y-%m}" for row in found],
        "level": [level_name(row["level"], page.lang) for row in found],
        "base": [float(row["level"]) for row in found],
        "top": [row["level"] + _FULL * row["players"] / most for row in found],
        "players": [row["players"] for row in found],
    })  # fmt: skip
    named = {str(level): f"{level} {level_name(level, page.lang)}" for level in rows}
    axis = alt.Axis(values=rows, labelExpr=f"{json.dumps(named, ensure_ascii=False)}[format(datum.value, 'd')]",
                    labelLimit=150, labelBaseline="bottom", grid=True, ticks=False, domain=False)  # fmt: skip
    scale = alt.Scale(domain=[rows[0], rows[-1] + 1], nice=False)
    month = alt.X("month:O", title=None, axis=alt.Axis(labelOverlap="greedy", labelAngle=0, grid=False, ticks=False))
    base = alt.Chart(frame).encode(
        x=month,
        tooltip=[
            alt.Tooltip("month:O", title=say(page, "population.month")),
            alt.Tooltip("level:N", title=heading(page, "level")),
            alt.Tooltip("players:Q", title=say(page, "population.players"), format=","),
        ],
    )
    bars = base.mark_bar(color=ABOVE, opacity=0.85).encode(
        y=alt.Y("base:Q", title=None, scale=scale, axis=axis), y2="top:Q"
    )
    counts = base.mark_text(baseline="bottom", dy=-1, fontSize=10, color="#7a7a7a").encode(y="top:Q", text="players:Q")
    of_last = sum(row["players"] for row in found if row["month"] == last)
    lines = [say(page, "population.unit"), say(page, "population.count", count=count(of_last), month=f"{last:%Y-%m}")]
    words = Words(say(page, "population.title"), lines)
    # Numbers stand on the bars while there is room for them.
    few = len({row["month"] for row in found}) <= 12
    show_chart(alt.layer(bars, *([counts] if few else [])), words, _ROW * len(rows))
    _figures(page, game, found, rows)


def _figures(page: View, game: str, found: Sequence[Row], rows: Sequence[int]) -> None:
    def who(number: int, month: date, level: int | None = None) -> Html | int:
        # Who has played by the end of a month stands in the list of that period where they stood then.
        end = month.replace(day=monthrange(month.year, month.month)[1])
        return linked_count(number, page.href("standings", game=game, by="standing", level=level, to=end))

    months = sorted({row["month"] for row in found}, reverse=True)
    counted = {(row["month"], row["level"]): row["players"] for row in found}
    columns = [Column(say(page, "population.month")), *[Column(level_name(level, page.lang), True) for level in rows],
               Column(page.say("frame.total"), True)]  # fmt: skip
    lines = []
    for month in months:
        numbers = [counted.get((month, level), 0) for level in rows]
        leading = [who(number, month, level) for number, level in zip(numbers, rows, strict=True)]
        lines.append(Line([f"{month:%Y-%m}", *leading, who(sum(numbers), month)]))
    with st.expander(say(page, "population.figures")):
        show(table(columns, lines, stack=False))
