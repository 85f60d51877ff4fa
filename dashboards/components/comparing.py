"""Two players side by side: where each stands, what happened when they met, and what is expected if they meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dashboards.components import filters
from dashboards.components.figures import count
from dashboards.components.frame import View
from dashboards.components.markup import Html, joined, link, show, tag
from dashboards.components.places import player_link
from dashboards.components.standing_cells import (
    heading,
    level_cell,
    marks,
    matches_href,
    rating_cell,
    say,
    share_cell,
    with_bounds,
    won_cell,
)
from dashboards.components.tables import Column, Line, linked_count, table
from dashboards.queries import player_lists, players, ratings, standings
from dashboards.queries.player_lists import KINS, with_surplus
from dashboards.queries.rows import Row
from yuanzi_core.certainty import share
from yuanzi_core.standing_words import chance_and_bounds
from yuanzi_core.words import number, signed


def comparing(
    page: View, game: Any, ask: Callable[[list[str]], list[Row]], period: Mapping[str, object]
) -> None:  # fmt: skip
    """The players that the address names as ``a`` and ``b``. ``ask``: what the list was asked, of some players;
    ``period``: the club and the days of the list, as the list of a player's matches has them in its address.
    """
    first, second = filters.asked("a"), filters.asked("b")
    wanted = list(dict.fromkeys(one for one in (first, second) if one is not None))
    if not wanted:
        return
    found = standings.with_shares(ask(wanted))
    rows = {one["player_id"]: one for one in found}
    names = players.names(page.cursor, wanted)
    kept = {name: one for name, one in filters.chosen().items() if name not in ("a", "b")}
    if len(wanted) < 2:
        named = joined(say(page, "compare.one"), " ", player_link(page, names.get(wanted[0]), wanted[0], game),
                       " ", link(page.href("standings", **kept), say(page, "compare.stop")))  # fmt: skip
        show(tag("p", named, class_="yz-box"))
        return
    heads = [player_link(page, names.get(one), one, game) for one in wanted]
    stop = link(page.href("standings", **kept), say(page, "compare.stop"))
    chances = ratings.chances_of_two(page.cursor, game, *wanted)
    cells: list[list[object]] = [
        [label, *[of(rows[one]) if one in rows else None for one in wanted]]
        for label, of in _measures(page, game, period).items()
    ]
    if chances is not None:
        said = [with_bounds(*chance_and_bounds(one.chance, one.low, one.high)) for one in chances]
        cells.append([heading(page, "chance"), *said])
    show(
        tag(
            "div",
            tag("h3", heads[0], f" {say(page, 'compare.against')} ", heads[1], " ",
                tag("span", stop, class_="yz-muted")),
            tag("div", table([Column(""), *[_name(page, names.get(one, one), one, game) for one in wanted]],
                             [Line(line) for line in cells], stack=False), tag("div", _met(page, game, wanted, names),
                tag("p", say(page, f"compare.chance_{game}" if chances is not None else "compare.no_chance"),
                    class_="yz-muted")), class_="yz-versus"),
            class_="yz-box",
        )
    )  # fmt: skip


def _name(page: View, name: str, player_id: str, game: str) -> Column:
    shown = name if len(name) <= 12 else f"{name[:11]}…"
    return Column(shown, True, page.href("player", player=player_id, game=game))


def _measures(page: View, game: str, period: Mapping[str, object]) -> Mapping[str, Any]:
    def behind(row: Row, result: str) -> str:
        return matches_href(page, row["player_id"], game, **period, result=result)

    return {
        heading(page, "rank"): lambda row: "–" if row["rank"] is None else count(row["rank"]),
        heading(page, "standing"): lambda row: number(row["standing"]),
        heading(page, "level"): lambda row: level_cell(page, row["level"], row["standing"]),
        heading(page, "score"): lambda row: signed(row["score"]),
        heading(page, "matches"): lambda row: linked_count(row["matches"], behind(row, "settled")),
        heading(page, "wins"): lambda row: share_cell(row, behind(row, "won")),
        heading(page, "rating"): lambda row: joined(rating_cell(row) or "–", " ", marks(page, row)),
    }


def _met(page: View, game: str, wanted: list[str], names: Mapping[str, str]) -> Html:
    found = player_lists.together(page.cursor, game, *wanted)
    columns = [Column(say(page, "compare.met")), Column(heading(page, "matches"), True)]
    columns += [Column(say(page, f"people.{name}"), True) for name in ("won", "expected", "surplus")]
    lines = []
    for kin in KINS:
        named = say(page, f"compare.{kin}")
        if kin not in found:
            lines.append(Line([named, 0, None, None, None]))
            continue
        (row,) = with_surplus([found[kin]])
        href, won = (
            matches_href(page, wanted[0], game, kin=kin, other=wanted[1], result=result) for result in (None, "won")
        )
        lines.append(Line([named, linked_count(row["matches"], href), *record_cells(page, row, won)]))
    first = player_link(page, names.get(wanted[0]), wanted[0], game)
    return joined(tag("p", say(page, "compare.view_of"), " ", first, class_="yz-muted"), table(columns, lines))


def record_cells(page: View, row: Row, href: str) -> list[object]:
    """Of a record with its surplus: the share won, the share expected, and wins beyond what was expected. ``href``: the
    matches won.
    """
    won = share(row["wins"], row["matches"])
    expected = f"{100 * row['expected_wins'] / row['matches']:.0f} %"
    if won is None:
        return [won_cell(page, row["wins"], None, href), expected, None]
    surplus, low, high = (f"{row[name]:+.1f}".replace("-", "−") for name in ("surplus", "surplus_low", "surplus_high"))
    tone = "yz-up" if row["surplus_low"] > 0 else "yz-down" if row["surplus_high"] < 0 else None
    said = joined(tag("span", surplus, class_=tone), " ", tag("span", f"({low} – {high})", class_="yz-muted"))
    return [won_cell(page, row["wins"], won, href), expected, said]
