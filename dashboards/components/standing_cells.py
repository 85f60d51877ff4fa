"""Standings, levels, ranks and ratings in cells, as the pages of players show them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from dashboards.components.frame import Frame
from dashboards.components.markup import Html, chip, joined, link, tag
from dashboards.components.places import player_link
from dashboards.components.tables import linked_count
from yuanzi_core.certainty import Estimate
from yuanzi_core.levels import LEVELS
from yuanzi_core.levels import floor as floor_of
from yuanzi_core.levels import name as level_name
from yuanzi_core.standing_words import chance_and_bounds, rating_and_bounds, why_unranked
from yuanzi_core.texts import text
from yuanzi_core.words import number


def say(page: Frame, key: str, **fields: object) -> str:
    """A sentence of the topic ``pages_standings``."""
    return text(f"pages_standings.{key}", page.lang, **fields)


def heading(page: Frame, key: str) -> str:
    """A heading as the terminal has it, but for its first letter."""
    named = text(f"standings.heading.{key}", page.lang)
    return named[0].upper() + named[1:]


def player_cell(page: Frame, row: Mapping[str, Any], game: str) -> Html:
    """Who it is, leading to the player's page, and whether the player is a guest."""
    guest = None if row["member"] else chip(text("standings.guest", page.lang), "warn")
    return joined(player_link(page, row["name"], row["player_id"], game), " ", guest)


def matches_href(page: Frame, player_id: str, game: str, **part: object) -> str:
    """Where a player's matches of a game are listed, all of them or those of ``player_lists.Part``."""
    return page.href("player", player=player_id, game=game, show="matches", **part)


def level_cell(page: Frame, level: int, standing: Decimal) -> Html:
    """A level by name and number, a bar for how much of the way to the next one is done, and what is missing."""
    begin, end = floor_of(level) or 0, floor_of(level + 1) if level + 1 < LEVELS else None
    done = Decimal(1) if end is None else max(Decimal(0), (standing - begin) / (end - begin))
    if end is None:
        missing, way = None, say(page, "level.highest")
    else:
        missing = tag("span", say(page, "level.missing", points=number(end - standing)), class_="yz-missing")
        way = say(page, "level.to_next", points=number(end - standing), name=level_name(level + 1, page.lang))
    return tag(
        "span",
        level_name(level, page.lang),
        " ",
        tag("span", say(page, "level.number", level=level), class_="yz-muted"),
        tag("span", tag("i", tag("i", style=f"width:{100 * done:.1f}%"), class_="yz-way"), missing, class_="yz-to-go"),
        class_="yz-level",
        title=way,
    )


def with_bounds(value: object, bounds: str) -> Html:
    """A number and, less loud, its interval."""
    return joined(value, " ", tag("span", bounds, class_="yz-muted"))


def rating_cell(row: Mapping[str, Any]) -> Html | None:
    """A rating and its interval; None where there is none."""
    said = rating_and_bounds(row)
    return None if said is None else with_bounds(*said)


def marks(page: Frame, row: Mapping[str, Any]) -> Html | None:
    """Why somebody is not on the leaderboard of ratings; None for who is."""
    shown = [chip(text(f"standings.mark.{key}", page.lang), "warn") for key in why_unranked(row)]
    return joined(*shown, between=" ") if shown else None


def share_cell(row: Mapping[str, Any], href: str) -> Html | None:
    """A share of matches won, which leads to them, and its interval; None without matches."""
    if row["win_share"] is None:
        return None
    won, bounds = chance_and_bounds(row["win_share"], row["win_low"], row["win_high"])
    return with_bounds(link(href, won) if row["wins"] else won, bounds)


def won_cell(page: Frame, wins: int, won: Estimate | None, href: str) -> Html:
    """How many matches were won, which leads to them, and the share with its interval, or that they are too few to tell
    (None).
    """
    number = linked_count(wins, href)
    if won is None:
        return joined(number, " ", tag("span", say(page, "too_few"), class_="yz-muted"))
    return joined(number, " · ", with_bounds(*chance_and_bounds(won.value, won.low, won.high)))


def moved(page: Frame, climbed: int | None) -> Html | None:
    """How many ranks were won or lost; None where none, or where there was no rank before."""
    if not climbed:
        return None
    said = say(page, "up" if climbed > 0 else "down", count=abs(climbed))
    return tag("span", f"{'▲' if climbed > 0 else '▼'}{abs(climbed)}", title=said,
               class_="yz-up" if climbed > 0 else "yz-down")  # fmt: skip
