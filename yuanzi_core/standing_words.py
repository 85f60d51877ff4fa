"""Standings, roles and what is to be expected in words, as terminal and pages tell them: topic ``standings``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from yuanzi_core.claims import canonical_number
from yuanzi_core.clubs import ZONE
from yuanzi_core.levels import name
from yuanzi_core.texts import Lang, text

#: Roles of which there is one size of side alone, so that it need not be said.
_OF_ONE_SIZE = ("upstream_side", "other_side", None)


def stands(row: Mapping[str, Any], lang: Lang) -> str:
    """Points and level of a row of ``out_standings__player``."""
    points = canonical_number(row["standing"])
    return text("standings.stands", lang, standing=points, level=row["level"], name=name(row["level"], lang))


def to_next(row: Mapping[str, Any], lang: Lang) -> str | None:
    """How far the next level is, and how many matches that is expected to be; None on the highest."""
    if row["points_to_next"] is None:
        return None
    said = {"points": canonical_number(row["points_to_next"]), "name": name(row["level"] + 1, lang)}
    return _with_expectation(text("standings.to_next", lang, **said), row, lang)


def highest(row: Mapping[str, Any], lang: Lang) -> str | None:
    """The highest level so far, with the day by the clubs' clock; None where it is the present one."""
    if row["highest_level"] <= row["level"]:
        return None
    reached = row["highest_played_at"]
    at = "" if reached is None else f"{reached.astimezone(ZoneInfo(ZONE)):%Y-%m-%d}"
    return text(
        "standings.highest", lang, level=row["highest_level"], name=name(row["highest_level"], lang), at=at
    ).rstrip()


def _with_expectation(so_far: str, row: Mapping[str, Any], lang: Lang) -> str:
    """And how many matches the next level is away, and between how many, where that can be said."""
    if row["matches_to_next"] is None:
        if row["recent_matches"] < 2:
            return so_far
        return text("standings.not_expected", lang, count=row["recent_matches"], so_far=so_far)
    if row["matches_to_next_low"] is None:
        return so_far
    low, high = row["matches_to_next_low"], row["matches_to_next_high"]
    key = "expected_from" if high is None else "expected_between"
    fields = {"matches": f"{row['matches_to_next']:.0f}", "low": f"{low:.0f}", "count": row["recent_matches"]}
    return text(f"standings.{key}", lang, **fields, high="" if high is None else f"{high:.0f}", so_far=so_far)


def rated(row: Mapping[str, Any], lang: Lang) -> str:
    """The rating of a row of ``out_ratings__player``."""
    fields = {key: f"{row[key]:.0f}" for key in ("rating", "rating_low", "rating_high", "highest_rating")}
    return text("standings.rated", lang, **fields, matches=row["matches"])


def why_unranked(row: Mapping[str, Any]) -> list[str]:
    """Why a player of ``out_ratings__player`` has no rank by rating: keys of ``standings.mark`` and ``.marked``."""
    return [mark for mark, column in (("inactive", "inactive"), ("few", "provisional")) if row[column]]


def rating_and_bounds(row: Mapping[str, Any]) -> tuple[str, str] | None:
    """A rating and, in brackets, its interval, by the columns of ``out_ratings__player``; None without a rating."""
    if row["rating"] is None:
        return None
    return f"{row['rating']:.0f}", f"({row['rating_low']:.0f}–{row['rating_high']:.0f})"


def chance_and_bounds(chance: float, low: float, high: float) -> tuple[str, str]:
    """A chance or share and, in brackets, its interval, in whole per cent."""
    return f"{100 * chance:.0f} %", f"({100 * low:.0f}–{100 * high:.0f} %)"


def wins(row: Mapping[str, Any]) -> str:
    """``wins`` and their share of ``matches``, in whole per cent; no share of none."""
    return str(row["wins"]) + (f" ({100 * row['wins'] / row['matches']:.0f} %)" if row["matches"] else "")


def membership(since: object, until: object, lang: Lang) -> str:
    """Whether somebody is a member, and between which days."""
    if since is None:
        return text("standings.guest", lang)
    if until is None:
        return text("standings.member_since", lang, since=since)
    return text("standings.member_until", lang, since=since, until=until)


def role(of: str | None, size: int | None, lang: Lang) -> str:
    """A role, at five with the size of the side (None: of any size)."""
    named = text(f"standings.role.{of or 'none'}", lang)
    return named if of in _OF_ONE_SIZE or size is None else text("standings.role_of_side", lang, role=named, size=size)
