"""The published tables of players, standings, levels and ratings, and what fills them by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import duckdb

from yuanzi_core.levels import LEVELS, floor, level_of, name

TABLES = """
create table out_players (
    player_id varchar, name varchar, aliases varchar[], member_from date, member_to date
);
create table out_clubs (
    club varchar, name_en varchar, name_zh varchar, zone varchar, ruleset varchar, base decimal(8, 2)
);
create table out_seasons (club varchar, name varchar, first_day date, last_day date);
create table out_standings__player (
    game varchar, player_id varchar, name varchar, member_from date, member_to date, zone varchar,
    opening decimal(18, 4), opening_known boolean, standing decimal(18, 4), level integer,
    points_to_next decimal(19, 4), highest_level integer, highest_match_id varchar, highest_played_at timestamptz,
    matches bigint, wins bigint, first_played_at timestamptz, last_played_at timestamptz, last_match_id varchar,
    recent_matches bigint, score_per_match double, matches_to_next double, matches_to_next_low double,
    matches_to_next_high double
);
create table out_standings__day (
    game varchar, player_id varchar, club varchar, day date, matches bigint, wins bigint, score decimal(38, 4),
    play_score decimal(38, 4), escape_penalty decimal(38, 4), compensation decimal(38, 4), cap_effect decimal(38, 4),
    standing_after decimal(18, 4), last_number bigint
);
create table out_levels__step (level integer, floor decimal(18, 4), name_en varchar, name_zh varchar);
create table out_levels__event (
    game varchar, player_id varchar, number bigint, kind varchar, match_id varchar, seat bigint,
    played_at timestamptz, club varchar, day date, level_before integer, level_after integer,
    standing_before decimal(18, 4), standing_after decimal(18, 4)
);
create table out_ratings__player (
    game varchar, player_id varchar, rating decimal(10, 2), rating_low decimal(10, 2), rating_high decimal(10, 2),
    rating_sigma double, highest_rating decimal(10, 2), matches bigint, wins bigint, expected_wins double,
    first_at timestamptz, last_at timestamptz, provisional boolean, inactive boolean
);
create table out_ratings__match (
    match_id varchar, game varchar, played_at timestamptz, player_ids varchar[], sides integer[], winner integer,
    rating_before decimal(10, 2)[], sigma_before double[], rating_after decimal(10, 2)[], sigma_after double[],
    expected double[], role_offset double
);
create table out_ratings__unrated (
    match_id varchar, game varchar, played_at timestamptz, club varchar, day date, file_id varchar, line bigint,
    reason varchar
);
create table out_ratings__role (
    game varchar, side_size integer, worth double, worth_sigma double, matches bigint
);
create table core_ledger__movement (
    game varchar, player_id varchar, number bigint, match_id varchar, played_at timestamptz, club varchar, day date,
    evening date, seat bigint, won boolean, score decimal(18, 4), play_score decimal(18, 4),
    escape_penalty decimal(18, 4), compensation decimal(18, 4), cap_effect decimal(18, 4),
    ledger_before decimal(18, 4), ledger_after decimal(18, 4), level_before integer, level_after integer
);
create table core_member__today (player_id varchar);
"""


def insert(con: duckdb.DuckDBPyConnection, table: str, found: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, each by column; other columns are null."""
    for row in found:
        names = ", ".join(f'"{column}"' for column in row)
        places = ", ".join(f"${number}" for number in range(1, len(row) + 1))
        con.execute(f"insert into {table} ({names}) values ({places})", list(row.values()))


def add_ladder(con: duckdb.DuckDBPyConnection) -> None:
    """The 28 levels."""
    steps = [
        {"level": level, "floor": floor(level), "name_en": name(level, "en"), "name_zh": name(level, "zh")}
        for level in range(LEVELS)
    ]
    insert(con, "out_levels__step", steps)


def add_player(
    con: duckdb.DuckDBPyConnection, game: str, player_id: str, called: str, standing: Decimal | int, matches: int,
    wins: int, rating: int | None = None, few: bool = False, member: bool = True,
) -> None:  # fmt: skip
    """A player's standing, and rating give or take 60."""
    level = level_of(standing)
    insert(con, "out_standings__player", [{
        "game": game, "player_id": player_id, "name": called, "opening": 0, "opening_known": True, "standing": standing,
        "level": level, "points_to_next": (floor(level + 1) or 0) - standing, "highest_level": level,
        "matches": matches, "wins": wins, "recent_matches": matches,
    }])  # fmt: skip
    if rating is not None:
        insert(con, "out_ratings__player", [{
            "game": game, "player_id": player_id, "rating": rating, "rating_low": rating - 60,
            "rating_high": rating + 60, "rating_sigma": 30.0, "highest_rating": rating, "matches": matches,
            "wins": wins, "expected_wins": matches / 2, "provisional": few, "inactive": False,
        }])  # fmt: skip
    if member:
        con.execute("insert into core_member__today select $1 where $1 not in (from core_member__today)", [player_id])


def add_hostile(con: duckdb.DuckDBPyConnection, names: Sequence[str], match_id: str) -> None:
    """Players with such names and ids in both games, all at a club of such a name, each promoted in a match."""
    add_ladder(con)
    at = datetime.fromisoformat("2026-03-01T20:00:00+08:00")
    for place, called in enumerate(names):
        insert(con, "out_players", [{"player_id": f"x{called}", "name": called, "aliases": [f"y{called}"]}])
        for game in ("four", "five"):
            add_player(con, game, f"x{called}", called, 30 + place, 3, 1, 1500 + place, few=place % 2 == 0)
            moved = {"game": game, "player_id": f"x{called}", "number": 1, "match_id": match_id, "seat": 0,
                     "played_at": at, "club": called, "day": at.date(), "level_before": 0,
                     "level_after": 1}  # fmt: skip
            insert(con, "out_levels__event", [{**moved, "kind": "promotion", "standing_before": 0,
                                               "standing_after": 30 + place}])  # fmt: skip
            insert(con, "core_ledger__movement", [{**moved, "evening": at.date(), "ledger_before": 0, "won": True,
                                                   "ledger_after": 30 + place, "score": 30 + place}])  # fmt: skip
            insert(con, "out_standings__day", [{
                "game": game, "player_id": f"x{called}", "club": called, "day": at.date(), "matches": 3, "wins": 1,
                "score": 30 + place, "standing_after": 30 + place, "last_number": 1,
            }])  # fmt: skip
        insert(con, "out_seasons", [{"club": called, "name": called, "first_day": at.date(), "last_day": at.date()}])
