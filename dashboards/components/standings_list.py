"""The list of who stands where: its headings put it in their order, and its rows choose whom to compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from dashboards.components import filters
from dashboards.components.figures import count, word
from dashboards.components.frame import View
from dashboards.components.markup import Html, chip, joined, link, tag
from dashboards.components.standing_cells import (
    heading,
    level_cell,
    marks,
    matches_href,
    moved,
    player_cell,
    rating_cell,
    say,
    share_cell,
)
from dashboards.components.tables import Column, Line, linked_count, table
from dashboards.queries import ratings
from dashboards.queries.rows import Row
from dashboards.queries.standings import Sort
from yuanzi_core.words import number, signed

#: Headings by what they put the list in the order of; what is not a number of a row has its own.
_SORTS: dict[str, Sort] = {
    "rank": "rank", "player": "name", "standing": "standing", "level": "standing", "score": "score",
    "matches": "matches", "wins": "win_share", "rating": "rating",
}  # fmt: skip
_NUMBERS = ("rank", "standing", "score", "matches", "wins", "rating")


def standings_list(
    page: View, game: str, found: Sequence[Row], sort: Sort, period: Mapping[str, object] | None
) -> Html:  # fmt: skip
    """Rows of a ranking with their shares. ``period``: the club and the days of which it is told what was won and lost,
    as the list of a player's matches has them in its address; None: over everything.
    """
    of_period = ["score"] if period is not None else []
    names = ["rank", "player", "standing", "level", *of_period, "matches", "wins", "rating"]
    lines = []
    for row in found:
        cells = _cells(page, game, row, period or {})
        lines.append(Line([*[cells[name] for name in names], _to_compare(page, row["player_id"])]))
    columns = [_column(page, name, sort) for name in names]
    order = joined(*[_sorted_by(page, name, sort) for name in names if name != "level"], between=" ")
    return joined(
        # Where a narrow screen has a card a row there are no headings to click.
        tag("p", say(page, "order"), " ", order, class_="yz-narrow"),
        table([*columns, Column(say(page, "compare.column"))], lines, tight=True),
    )


def rated_matches(page: View, game: str) -> Html:
    """How many matches of a game are rated, and how many are not, by reason."""
    rated = say(page, "unrated.rated", count=count(ratings.rated_matches(page.cursor, game)))
    left = ratings.unrated(page.cursor, game)
    if not left:
        return tag("p", rated, " ", say(page, "unrated.none"), class_="yz-muted")
    reasons = [
        tag("span", word(f"ratings.unrated.{one['reason']}.name", page.lang, one["reason"]), " ", count(one["matches"]),
            title=word(f"ratings.unrated.{one['reason']}.text", page.lang, ""))
        for one in left
    ]  # fmt: skip
    listed = link(page.href("data", table="out_ratings__unrated"), say(page, "unrated.listed"))
    why = joined(say(page, "unrated.why"), " ", joined(*reasons, listed, between=" · "))
    return tag("p", rated, " ", why, class_="yz-muted")


def _href(page: View, sort: Sort) -> str:
    return page.href("standings", **{**filters.chosen(), "sort": None if sort == "rank" else sort})


def _column(page: View, name: str, sort: Sort) -> Column:
    mine = _SORTS[name]
    # Standing and level are one order; the mark is on the first.
    is_it = mine == sort and name != "level"
    order: Literal["ascending", "descending"] = "ascending" if mine in ("rank", "name") else "descending"
    return Column(heading(page, name), name in _NUMBERS, _href(page, mine), order if is_it else None)


def _sorted_by(page: View, name: str, sort: Sort) -> Html:
    mine = _SORTS[name]
    return link(_href(page, mine), chip(heading(page, name), "chosen" if mine == sort else "plain"))


def _cells(page: View, game: str, row: Row, period: Mapping[str, object]) -> dict[str, object]:
    settled, won = (
        matches_href(page, row["player_id"], game, **period, result=result) for result in ("settled", "won")
    )
    rank = "–" if row["rank"] is None else count(row["rank"])
    return {
        "rank": joined(rank, " ", moved(page, row["climbed"])),
        "player": player_cell(page, row, game),
        "standing": number(row["standing"]),
        "level": level_cell(page, row["level"], row["standing"]),
        "score": signed(row["score"]),
        "matches": linked_count(row["matches"], settled),
        "wins": share_cell(row, won),
        "rating": None if row["rating"] is None else joined(rating_cell(row), " ", marks(page, row)),
    }


def _to_compare(page: View, player_id: str) -> Html:
    now = filters.chosen()
    first, second = now.get("a"), now.get("b")
    if player_id in (first, second):
        kept = [one for one in (first, second) if one not in (None, player_id)]
        changed = {"a": kept[0] if kept else None, "b": None}
        return link(page.href("standings", **{**now, **changed}), chip(say(page, "compare.chosen"), "chosen"))
    changed = {"a": player_id} if first is None else {"b": player_id}
    return link(page.href("standings", **{**now, **changed}), say(page, "compare.choose"))
