"""Matches on a page of their own through the fold: the ledger, and all that stands on it, without files or a home."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

import duckdb

from pipelines.defs.settlement.ledger import Ledger
from pipelines.defs.standings.assets import STEPS
from pipelines.groups import Group
from pipelines.warehouse import sql
from yuanzi_core.amounts import SCALE
from yuanzi_core.database import connect
from yuanzi_core.registry import Club

#: A match: match_id, played_at, balances, scores before the cap (none: it has no result), whether winners are capped.
Row = tuple[str, str, list[int | None], list[int], bool]
#: A player of the registry: id, aliases, opening standing in the game for five.
Registered = tuple[str, list[str], str | None]
GROUP = Group(("f",), 0)


def ledger(
    *matches: Row,
    registry: Sequence[Registered] = (),
    seats: Mapping[str, list[str]] | None = None,
    escapes: Collection[str] = (),
    unfinished: Collection[str] = (),
    at: Mapping[str, str] | None = None,
    clubs: Sequence[Club] = (),
    members: Mapping[str, tuple[date, date | None]] | None = None,
) -> duckdb.DuckDBPyConnection:
    """Matches of a four-player table through the fold.

    The players are p0 … p3 in their seats, but where ``seats`` says otherwise; the name of p0 is np0. Only seats with a
    positive score are capped, and win. ``escapes`` and ``unfinished`` are matches that somebody left or nobody ended;
    another one without scores holds a violation. Matches are played at the club c, but where ``at`` says otherwise;
    ``clubs`` are those of the registry. ``members`` are the days of membership of players of the registry.
    """
    con = connect()
    con.execute(
        "create table core_player (player_id varchar, name varchar, aliases varchar[], member_from date,"
        " member_to date, opening_four decimal(18, 4), opening_five decimal(18, 4))"
    )
    for player_id, aliases, opening in registry:
        days = (members or {}).get(player_id, (None, None))
        # The standing in the other game is another one.
        con.execute(
            "insert into core_player values (?, ?, ?, ?, ?, 999, ?)",
            [player_id, f"r{player_id}", aliases, *days, opening],
        )
    con.execute("set TimeZone = 'UTC'")
    con.execute("create table core_match (match_id varchar, file_id varchar, line bigint)")
    con.execute("create table raw_file as select 'f' as file_id, null::timestamptz as withdrawn_at")
    con.execute("create table core_match__contested (match_id varchar, file_id varchar, line bigint, verdict varchar)")
    con.execute(
        "create table core_record (file_id varchar, line bigint, match_id varchar, variant varchar,"
        " played_at timestamptz, club varchar, player_ids varchar[], player_names varchar[], balance decimal(18, 4)[],"
        " revision integer, record_hash varchar, status varchar)"
    )
    con.execute("create table core_settlement__deal (file_id varchar, line bigint, deal integer, sides integer[])")
    con.execute(
        "create table core_settlement__match_rows (file_id varchar, line bigint, status varchar, outcome varchar,"
        " winner integer, scores_before_cap decimal(18, 4)[], has_cap boolean, capped boolean[])"
    )
    for line, (match_id, played_at, balances, scores, has_cap) in enumerate(matches, 1):
        players = (seats or {}).get(match_id, [f"p{seat}" for seat in range(len(balances))])
        names, club = [f"n{player}" for player in players], (at or {}).get(match_id, "c")
        con.execute("insert into core_match values (?, 'f', ?)", [match_id, line])
        con.execute(
            "insert into core_record values ('f', ?, ?, 'five', ?, ?, ?, ?, ?, 1, '', 'settled')",
            [line, match_id, played_at, club, players, names, balances],
        )
        sides = [int(score <= 0) for score in scores or [0] * len(balances)]
        con.execute("insert into core_settlement__deal values ('f', ?, 0, ?)", [line, sides])
        capped = [score > 0 for score in scores] if has_cap else None
        status = "settled" if scores else "unfinished" if match_id in unfinished else "violation"
        outcome, winner = ("escape", None) if match_id in escapes else ("normal", 0)
        con.execute(
            "insert into core_settlement__match_rows values ('f', ?, ?, ?, ?, ?, ?, ?)",
            [line, status, outcome, winner, scores or None, has_cap, capped],
        )
    con.execute("create view core_settlement__match as select * from core_settlement__match_rows")
    con.execute("create table out_clubs (club varchar, zone varchar)")
    for of_registry in clubs:
        con.execute("insert into out_clubs values (?, ?)", [of_registry.key, of_registry.zone])
    fold(con, clubs)
    return con


def fold(con: duckdb.DuckDBPyConnection, clubs: Sequence[Club] = ()) -> None:
    """Make core_match__candidate, core_ledger__movement and core_discrepancy, this one of balances alone."""
    con.execute(
        f"create or replace table core_match__candidate as {sql('selection', 'core_match__candidate')}",
        {"scale": SCALE},
    )
    folded = Ledger(con, {club.key: club for club in clubs})
    parameters: dict[str, Any] = dict(folded.load(con, GROUP))
    con.execute(
        f"create or replace table core_ledger__movement as {sql('settlement', 'core_ledger__movement')}", parameters
    )
    con.execute(
        "create table if not exists claim_discrepancy (file_id varchar, line bigint, deal integer, code varchar,"
        " place integer, claimed varchar, recomputed varchar, is_note boolean)"
    )
    parameters = dict(folded.load_claims(con, GROUP))
    con.execute(f"create or replace table core_discrepancy as {sql('settlement', 'core_discrepancy')}", parameters)


def stand(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Make the tables of standings and levels on a ledger; every check of them must pass. Nobody is rated."""
    for step in STEPS:
        parameters: dict[str, Any] = {**step.parameters, **(step.prepare(con, GROUP) or {})}
        con.execute(f"create or replace table {step.table} as {step.statement}", parameters)
        for check in step.checks:
            assert check(con).passed, check.__name__
    con.execute(
        "create or replace table out_ratings__player (game varchar, player_id varchar, rating decimal(10, 2),"
        " rating_low decimal(10, 2), rating_high decimal(10, 2), matches bigint, provisional boolean, inactive boolean)"
    )
    return con


def of(con: duckdb.DuckDBPyConnection, player: str, *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of a player's movements, in ledger order."""
    return con.execute(
        f"select match_id, {', '.join(columns)} from core_ledger__movement where player_id = ?"
        " order by played_at, match_id, seat",
        [player],
    ).fetchall()


def balances(con: duckdb.DuckDBPyConnection) -> list[tuple[str, list[Any], list[Any]]]:
    """The balances that are not the ledger's: match_id, claimed and recomputed."""
    found = con.execute(
        "select match_id, claimed::json::decimal(18, 4)[], recomputed::json::decimal(18, 4)[] from core_discrepancy"
        " join core_match using (file_id, line) where code = 'CLAIM_BALANCE' order by match_id"
    ).fetchall()
    return [(match, *lists) for match, *lists in found]
