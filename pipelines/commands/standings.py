"""``yuanzi standings``: who stands where, over everything or a period."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pipelines.commands.pages import home_folder
from pipelines.commands.published import export, number, published, say_json
from pipelines.commands.terminal import CallFailed, clean, columns, complain, painted, say
from yuanzi_core.claims import canonical_number
from yuanzi_core.levels import name as level_name
from yuanzi_core.standing_words import rating_and_bounds, why_unranked, wins
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from dashboards.queries.rows import Row

#: Lines of the table unless asked for more.
SHOWN = 30


@dataclass(frozen=True)
class Wanted:
    """What is asked for: a game, a club, a season or a period, whose name, in which order, how many."""

    game: str
    club: str | None = None
    season: str | None = None
    since: str | None = None
    until: str | None = None
    by: str | None = None
    search: str | None = None
    limit: int | None = None
    everybody: bool = False


def standings(wanted: Wanted, home: str | None, as_json: bool, out: str | None, lang: Lang) -> int:
    """Tell who stands where. Returns the exit status: 0.

    :raises CallFailed: nothing is published, there is no such season, a day is none or stands beside a season, a file
        cannot be written.
    """
    from dashboards.queries.standings import club_called, line, ranking, without_members

    if wanted.limit is not None and wanted.limit < 1:
        raise CallFailed(text("standings.limit", lang))
    if wanted.season is not None and (wanted.since, wanted.until) != (None, None):
        raise CallFailed(text("standings.season_or_days", lang))
    since, until = _day(wanted.since, lang), _day(wanted.until, lang)
    with published(home_folder(home), wanted.everybody, lang) as con:
        club = None if wanted.club is None else club_called(con, wanted.club)
        if wanted.season is not None:
            since, until = _season(con, wanted.season, club, lang)
        period = (since, until, club) != (None, None, None)
        # More rows than the database can count are all of them.
        limit = min(wanted.limit, sys.maxsize) if wanted.limit is not None else None if as_json or out else SHOWN
        by: Any = wanted.by or ("score" if period else "standing")
        found = ranking(con, wanted.game, club, since, until, by, wanted.search, limit=limit)
        hidden = not found and not wanted.everybody and without_members(con)
    if hidden:
        # It is for people: what a machine reads stays as it is.
        (complain if as_json or out is not None else say)(text("standings.without_members", lang))
    if out is not None:
        export(_table([line(row, lang) for row in found]), out, lang)
    elif as_json:
        for row in found:
            say_json({name: _json(value) for name, value in line(row, lang).items()})
    elif not hidden:
        _tell(found, wanted, period, lang)
    return 0


def _day(written: str | None, lang: Lang) -> date | None:
    try:
        return None if written is None else date.fromisoformat(written)
    except ValueError:
        raise CallFailed(text("standings.no_day", lang, day=clean(written))) from None


def _season(con: duckdb.DuckDBPyConnection, name: str, club: str | None, lang: Lang) -> tuple[date, date]:
    """The days of a season. :raises CallFailed: there is none of that name, or clubs mean other days by it."""
    from dashboards.queries.standings import seasons

    found = [one for one in seasons(con, club) if one["name"] == name]
    if len(found) != 1:
        known = sorted({one["name"] for one in seasons(con)})
        key = "season_of_which_club" if found else "no_season"
        raise CallFailed(
            text(f"standings.{key}", lang, season=clean(name), known=", ".join(clean(each) for each in known) or "–")
        )
    return found[0]["first_day"], found[0]["last_day"]


def _table(lines: list[dict[str, Any]]) -> pa.Table:
    """Lines as a file has them: the columns and their types are the same whoever is in it, or nobody."""
    import pyarrow as pa

    word, points, rating = pa.string(), pa.decimal128(38, 4), pa.decimal128(10, 1)
    kinds = {
        "id": word, "name": word, "member": pa.bool_(), "standing": points, "level": pa.int64(), "level_name": word,
        "points_to_next": points, "rank": pa.int64(), "climbed": pa.int64(), "score": points, "matches": pa.int64(),
        "wins": pa.int64(), "rating": rating, "rating_low": rating, "rating_high": rating, "rated_matches": pa.int64(),
        "provisional": pa.bool_(), "inactive": pa.bool_(),
    }  # fmt: skip
    columns = {name: [one[name] for one in lines] for name in (lines[0] if lines else kinds)}
    return pa.table({name: pa.array(values, kinds[name]) for name, values in columns.items()})


def _json(value: Any) -> Any:
    return number(value) if isinstance(value, Decimal) else value


def _tell(found: list[Row], wanted: Wanted, period: bool, lang: Lang) -> None:
    if not found:
        say(text("standings.nobody" if wanted.everybody else "standings.no_member", lang))
        return
    names = ["rank", "player", "standing", "level", *(["score"] if period else []), "matches", "wins", "rating"]
    heading = [text(f"standings.heading.{name}", lang) for name in names]
    lines = [[cell for name, cell in _cells(row, lang).items() if name in names] for row in found]
    first, *rest = columns([heading, *lines])
    say(painted(first, "bold"), *rest)
    if found[0]["of"] > len(found):
        say("  " + text("standings.more", lang, count=found[0]["of"] - len(found)))
    say("", text("standings.about_rating", lang))
    if any(row["climbed"] for row in found):
        from dashboards.queries.standings import MOVED_DAYS

        say(text("standings.about_climbed", lang, days=MOVED_DAYS))
    if not wanted.everybody:
        say(text("standings.members_only", lang))


def _cells(row: Row, lang: Lang) -> dict[str, str]:
    # Loaded only now: with it comes numba, which an answer for machines does not need.
    from yuanzi_core.words import signed

    rating = [*(rating_and_bounds(row) or ("–",))]
    rating += [text(f"standings.mark.{mark}", lang) for mark in why_unranked(row)]
    player, moved = clean(row["name"] or row["player_id"]), row["climbed"]
    return {
        "rank": ("–" if row["rank"] is None else str(row["rank"])) + ("" if not moved else f" {signed(moved)}"),
        "player": player if row["member"] else text("standings.mark.guest", lang, player=player),
        "standing": canonical_number(row["standing"]),
        "level": f"{row['level']} {level_name(row['level'], lang)}",
        "score": signed(row["score"]),
        "matches": str(row["matches"]),
        "wins": wins(row),
        "rating": " ".join(rating),
    }
