"""Ledger, levels, standings and ratings of a million matches, and of a thousand more: the stages alone, on tables that
look as the stages before them leave them (results drawn, nothing played).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb

from pipelines.defs.ratings.assets import rate_all
from pipelines.defs.ratings.chain import load_why_unrated
from pipelines.defs.settlement.ledger import Ledger
from pipelines.defs.standings.assets import STEPS
from pipelines.groups import FULL, Group
from pipelines.warehouse import State, Warehouse, sql
from tests.benchmarks.report import Report
from yuanzi_core.amounts import SCALE

MATCHES, NEW, PLAYERS = 1_000_000, 1_000, 50_000
#: Seconds on two cores: "in seconds" for the ledger and what stands on it, "a few minutes" for ratings.
LEDGER_SECONDS, RATING_SECONDS, MORE_SECONDS = 30, 240, 10

# A match of five, every half minute; who sits there and who wins is a hash of its number.
_RECORDS = """
select
    $file as file_id, number as line, 'm' || lpad(number::varchar, 8, '0') as match_id, 1 as revision,
    '' as record_hash,
    'five' as variant, timestamptz '2020-01-01 00:00:00+00' + number * interval 30 seconds as played_at,
    'c' || (number % 20) as club, 'settled' as status, (hash(number, 'w') % 2)::integer as winner,
    hash(number, 'e') % 300 = 0 as is_escape,
    [
        'p' || ((hash(number, 'p') % $players + seat * 7919) % $players)::varchar for seat in range(5)
    ] as player_ids,
    [null, null, null, null, null]::bigint[] as balance,
    case winner when 0 then [30, -20, 30, -20, -20] else [-30, 20, -30, 20, 20] end::bigint[] as units,
    null::boolean[] as capped
from range($first, $last) as t(number)
"""
#: What the stages read, as the stages before leave it.
_TABLES = {
    "core_match__candidate": "select * exclude (units), list_transform(units, lambda one: one * 10 * $scale) as scores"
    " from drawn",
    "core_record": "select file_id, line, match_id, variant, played_at, club, player_ids, player_ids as player_names"
    " from drawn",
    "core_settlement__deal": "select file_id, line, 0 as deal, [0, 1, 0, 1, 1] as sides from drawn",
    "out_matches": "select match_id, variant, status, if(is_escape, 'escape', 'normal') as outcome,"
    " player_ids as registry_ids, [0, 1, 0, 1, 1] as sides, winner, played_at, club as registry_club,"
    " played_at::date as day, file_id, line from drawn",
}


@contextmanager
def _timed(found: dict[str, float], name: str) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    found[name] = found.get(name, 0.0) + time.perf_counter() - begun


def _draw(con: duckdb.DuckDBPyConnection, folder: Path, name: str, first: int, last: int) -> None:
    """The tables that the stages read, of one group of matches."""
    con.execute(
        "create or replace table drawn as " + _RECORDS, {"players": PLAYERS, "first": first, "last": last, "file": name}
    )
    for table, statement in _TABLES.items():
        (folder / table).mkdir(parents=True, exist_ok=True)
        parameters = {"scale": SCALE} if "$scale" in statement else {}
        con.sql(statement, params=parameters).write_parquet(str(folder / table / f"{name}.parquet"))


def _look(con: duckdb.DuckDBPyConnection, folder: Path, *tables: str, name: str = "*") -> None:
    for table in tables:
        con.read_parquet(str(folder / table / f"{name}.parquet")).create_view(table, replace=True)


def _registry(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> None:
    con.execute("set TimeZone = 'UTC'")
    con.execute(
        "create or replace table raw_file as select unnest($names) as file_id, null::timestamptz as withdrawn_at",
        {"names": names},
    )
    con.execute("create or replace table core_match__contested (file_id varchar, line bigint, verdict varchar)")
    con.execute(
        "create or replace table core_player (player_id varchar, name varchar, aliases varchar[], member_from date,"
        " member_to date, opening_four decimal(18, 4), opening_five decimal(18, 4))"
    )
    con.execute("create or replace table out_clubs (club varchar, zone varchar)")


def _stages(warehouse: Warehouse, folder: Path, names: Sequence[str], new: Sequence[str]) -> dict[str, float]:
    """Seconds of each stage on all groups, of which ``new`` are new."""
    found = dict[str, float]()
    with warehouse.open() as con:
        _registry(con, names)
        _look(con, folder, *_TABLES)
        with _timed(found, "ledger: the fold of all matches"):
            ledger = Ledger(con, {})
        (folder / "core_ledger__movement").mkdir(exist_ok=True)
        for name in new:
            # As in a run, a group's movements are made of its own tables.
            with _timed(found, "ledger: movements of new groups"), warehouse.open() as desk:
                _look(desk, folder, "core_match__candidate", "core_record", "core_settlement__deal", name=name)
                parameters: dict[str, Any] = dict(ledger.load(desk, Group((name,), 0)))
                path = folder / "core_ledger__movement" / f"{name}.parquet"
                desk.sql(sql("settlement", "core_ledger__movement"), params=parameters).write_parquet(str(path))
        del ledger
        _look(con, folder, "core_ledger__movement")
        for step in STEPS:
            with _timed(found, "levels and standings, with their checks"):
                parameters = {**step.parameters, **(step.prepare(con, Group((), 0)) or {})}
                path = folder / f"{step.table}.parquet"
                con.sql(step.statement, params=parameters).write_parquet(str(path))
                con.read_parquet(str(path)).create_view(step.table, replace=True)
                if not all(check(con).passed for check in step.checks):
                    raise RuntimeError(f"a check of {step.table} did not pass")
        with _timed(found, "ratings"):
            load_why_unrated(con)
            rate_all(warehouse, State("bench", (), ""), con)
    return found


def measure(report: Report, folder: Path) -> None:
    """The stages on a million matches, and again with a thousand more."""
    report.heading(f"Standings and ratings, {MATCHES:,} matches of five by {PLAYERS:,} players")
    warehouse, tables = Warehouse(folder / "stood"), folder / "drawn"
    starts = [*range(0, MATCHES, FULL), MATCHES]
    with warehouse.open() as con:
        con.execute("set TimeZone = 'UTC'")
        for first, last in pairwise(starts):
            _draw(con, tables, f"f{first}", first, last)
        names = [f"f{first}" for first in starts[:-1]]
        _tell(report, _stages(warehouse, tables, names, names), "", (LEDGER_SECONDS, RATING_SECONDS))
        _draw(con, tables, "more", MATCHES, MATCHES + NEW)
        found = _stages(warehouse, tables, [*names, "more"], ["more"])
        _tell(report, found, f", {NEW:,} more", (LEDGER_SECONDS, MORE_SECONDS))


def _tell(report: Report, found: dict[str, float], more: str, limits: tuple[float, float]) -> None:
    for name, seconds in found.items():
        report.figure(f"{name}{more}", f"{seconds:.2f} s")
    standings = sum(seconds for name, seconds in found.items() if name != "ratings")
    report.limit(f"ledger, levels and standings{more}", standings, limits[0], "s")
    report.limit(f"ratings{more}", found["ratings"], limits[1], "s")
