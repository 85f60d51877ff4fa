"""Three matches of four players at one club, worked out by hand, as a home that the pages read."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import duckdb

from tests.dashboards.snapshot import TABLES, give_public, point
from tests.dashboards.standing_tables import TABLES as STANDING_TABLES
from tests.dashboards.standing_tables import add_ladder, add_player, insert

#: Of four players: who sits where, which side wins (0: seats 0 and 2), and the score of a winner. an opens with 10.
MATCHES: list[tuple[str, str, list[str], int, int]] = [
    ("m1", "2026-03-01 20:00", ["an", "bo", "cy", "di"], 0, 15),
    ("m2", "2026-03-01 21:00", ["an", "bo", "cy", "di"], 1, 3),
    ("m3", "2026-04-02 20:00", ["an", "cy", "bo", "di"], 0, 40),
]
#: Standings after each match, by hand; level 1 begins at 20, level 2 at 60.
WAYS = {"an": [10, 25, 22, 62], "bo": [0, -15, -12, 28], "cy": [0, 15, 12, -28], "di": [0, -15, -12, -52]}
LEVELS = {"an": [0, 1, 1, 2], "bo": [0, 0, 0, 1], "cy": [0, 0, 0, 0], "di": [0, 0, 0, 0]}
#: Chances of side 0 before each match.
CHANCES = {"m1": 0.5, "m2": 0.6, "m3": 0.75}
RATINGS = {"an": 1560, "bo": 1520, "cy": 1450}


def _match(con: duckdb.DuckDBPyConnection, match: str, at: datetime, ids: list[str], winner: int, won: int) -> None:
    day, sides = at.date(), [0, 1, 0, 1]
    insert(con, "out_matches", [{
        "match_id": match, "variant": "four", "played_at": at, "club": "c", "registry_club": "c", "day": day,
        "evening": day, "registry_ids": ids, "player_ids": ids, "player_names": [one.title() for one in ids],
        "sides": sides, "winner": winner, "source": "real", "status": "settled", "outcome": "normal",
        "upstream": winner,
        "scores": [won if side == winner else -won for side in sides],
    }])  # fmt: skip
    chance = CHANCES[match]
    insert(con, "out_ratings__match", [{
        "match_id": match, "game": "four", "played_at": at, "player_ids": ids, "sides": sides, "winner": winner,
        "expected": [chance if side == 0 else 1 - chance for side in sides], "rating_before": [1500] * 4,
        "rating_after": [RATINGS.get(one) for one in ids], "sigma_after": [30.0] * 4,
    }])  # fmt: skip


def _moves(con: duckdb.DuckDBPyConnection, player: str) -> None:
    for number, (match, written, ids, winner, _) in enumerate(MATCHES, 1):
        at, seat = datetime.fromisoformat(f"{written}+08:00"), ids.index(player)
        before, after = WAYS[player][number - 1 : number + 1]
        level_before, level_after = LEVELS[player][number - 1 : number + 1]
        where = {"game": "four", "player_id": player, "number": number, "match_id": match, "played_at": at, "club": "c",
                 "day": at.date(), "seat": seat, "level_before": level_before, "level_after": level_after}  # fmt: skip
        won = seat % 2 == winner
        insert(con, "core_ledger__movement", [{**where, "evening": at.date(), "won": won, "score": after - before,
                                               "ledger_before": before, "ledger_after": after}])  # fmt: skip
        if number == 1:
            start = {"kind": "start", "level_before": None, "level_after": level_before, "standing_after": before}
            insert(con, "out_levels__event", [{**where, **start}])
        if level_before != level_after:
            moved = {"standing_before": before, "standing_after": after}
            insert(con, "out_levels__event", [{**where, "kind": "promotion", **moved}])
    con.execute(
        "insert into out_standings__day select game, player_id, club, day, count(*), count(*) filter (won), sum(score),"
        " 0, 0, 0, 0, arg_max(ledger_after, number), max(number) from core_ledger__movement where player_id = $1"
        " group by all",
        [player],
    )


def make_book(home: Path) -> None:
    """A home with these matches. di is no member; an's alias is ann."""
    (home / "published").mkdir()
    with duckdb.connect(str(home / "published" / "snapshot-book.duckdb")) as con:
        con.execute("set TimeZone = 'Asia/Shanghai'")
        con.execute(TABLES + STANDING_TABLES)
        add_ladder(con)
        for match, at, ids, winner, won in MATCHES:
            _match(con, match, datetime.fromisoformat(f"{at}+08:00"), ids, winner, won)
        for player, wins in (("an", 2), ("bo", 2), ("cy", 1), ("di", 1)):
            add_player(con, "four", player, player.title(), WAYS[player][-1], 3, wins, RATINGS.get(player),
                       few=player == "cy", member=player != "di")  # fmt: skip
            _moves(con, player)
        member = date(2025, 1, 1)
        insert(con, "out_players", [{"player_id": "an", "name": "An", "aliases": ["ann"], "member_from": member}])
        insert(con, "out_clubs", [{"club": "c", "name_en": "Club C", "name_zh": "丙社"}])
        insert(con, "out_seasons", [{"club": "c", "name": "spring", "first_day": date(2026, 4, 1),
                                     "last_day": date(2026, 6, 30)}])  # fmt: skip
        tables = ("out_standings__player", "out_standings__day", "out_levels__event", "out_ratings__player",
                  "core_ledger__movement")  # fmt: skip
        give_public(con, {table: f"select * from main.{table} where player_id <> 'di'" for table in tables})
    point(home, "snapshot-book.duckdb")
