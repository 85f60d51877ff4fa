"""F6 in the ledger: order, opening standings and caps, worked out by hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import duckdb

from pipelines.defs.settlement.ledger import fold_entries, settle
from pipelines.warehouse import sql
from yuanzi_core.database import connect

Row = tuple[str, str, list[int | None], list[int], bool]


def ledger(*matches: Row) -> duckdb.DuckDBPyConnection:
    """Matches of the four-player table (match_id, played_at, balances, scores, capped winners) through the fold.

    The players are p0 … p3 in their seats. Only seats with a positive score are capped.
    """
    con = connect()
    con.execute("set TimeZone = 'UTC'")
    con.execute("create table core_match (match_id varchar, file_id varchar, line bigint)")
    con.execute(
        "create table core_record (file_id varchar, line bigint, variant varchar, played_at timestamptz,"
        " player_ids varchar[], balance decimal(18, 4)[])"
    )
    con.execute(
        "create table core_settlement__match_rows (file_id varchar, line bigint, status varchar, outcome varchar,"
        " scores_before_cap decimal(18, 4)[], has_cap boolean, capped boolean[])"
    )
    for line, (match_id, played_at, balances, scores, has_cap) in enumerate(matches, 1):
        players = [f"p{seat}" for seat in range(len(balances))]
        con.execute("insert into core_match values (?, 'f', ?)", [match_id, line])
        con.execute("insert into core_record values ('f', ?, 'five', ?, ?, ?)", [line, played_at, players, balances])
        capped = [score > 0 for score in scores] if has_cap else None
        status = "settled" if scores else "violation"
        con.execute(
            "insert into core_settlement__match_rows values ('f', ?, ?, 'normal', ?, ?, ?)",
            [line, status, scores or None, has_cap, capped],
        )
    con.execute("create view core_settlement__match as select * from core_settlement__match_rows")
    parameters = fold_entries(con)
    con.execute(f"create table core_ledger__movement as {sql('settlement', 'core_ledger__movement')}", parameters)
    return con


def of(con: duckdb.DuckDBPyConnection, player: str, *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of a player's movements, in ledger order."""
    return con.execute(
        f"select match_id, {', '.join(columns)} from core_ledger__movement where player_id = ?"
        " order by played_at, match_id",
        [player],
    ).fetchall()


def test_F6_a_winner_gains_no_more_than_the_standing_held() -> None:
    con = ledger(("m", "2026-01-01 00:00:00Z", [3, 100, -5, None], [6, -6, 6, 6], True))
    assert of(con, "p0", "score_before_cap", "score", "standing_before") == [("m", 6, 3, 3)]
    assert of(con, "p1", "score", "standing_before") == [("m", -6, 100)]
    # A negative standing counts as 0.
    assert of(con, "p2", "score", "standing_before") == [("m", 0, -5)]
    # Nothing known, no cap.
    assert of(con, "p3", "score", "standing_before", "opening_known") == [("m", 6, None, False)]
    settle(con)
    rows = con.execute("select scores, standings_before, uncapped_seats, cap_zero_seats from settled_match").fetchall()
    assert rows == [([3, -6, 0, 6], [3, 100, -5, None], [3], [2])]


def test_F6_without_a_balance_the_standing_is_the_ledgers() -> None:
    con = ledger(
        ("a", "2026-01-01 00:00:00Z", [10, None, None, None], [-8, 2, 3, 3], False),
        ("b", "2026-01-02 00:00:00Z", [None, None, None, None], [6, -2, -2, -2], True),
    )
    assert of(con, "p0", "score", "standing_before", "ledger_before", "ledger_after") == [
        ("a", -8, 10, 10, 2),
        ("b", 2, 2, 2, 4),
    ]
    # An opening that nobody knows counts as 0 in the ledger, and is no standing.
    assert of(con, "p1", "standing_before", "ledger_before", "ledger_after", "opening_known") == [
        ("a", None, 0, 2, False),
        ("b", None, 2, 0, False),
    ]


def test_F6_ledger_order_is_the_instant_and_then_the_match_id() -> None:
    con = ledger(
        # 09:00 in Hangzhou is before 02:00 in Greenwich.
        ("z", "2026-01-01 09:00:00+08:00", [1, 0, 0, 0], [-1, 1, 0, 0], False),
        ("b", "2026-01-01 02:00:00Z", [None, None, None, None], [4, -4, 0, 0], False),
        ("a", "2026-01-01 02:00:00Z", [None, None, None, None], [2, -2, 0, 0], False),
    )
    assert of(con, "p0", "ledger_before", "ledger_after") == [("z", 1, 0), ("a", 0, 2), ("b", 2, 6)]


def test_the_opening_standing_is_the_earliest_balance_in_ledger_order() -> None:
    con = ledger(
        ("late", "2026-01-03 00:00:00Z", [50, None, None, None], [1, -1, 0, 0], False),
        ("early", "2026-01-01 00:00:00Z", [None, None, None, None], [5, -5, 0, 0], False),
        # A match that a violation leaves without a result moves nothing, but its balance is on record.
        ("broken", "2026-01-02 00:00:00Z", [20, None, None, None], [], False),
    )
    assert of(con, "p0", "ledger_before", "ledger_after") == [("early", 20, 25), ("late", 25, 26)]


def test_amounts_are_exact_to_four_decimals() -> None:
    con = ledger(("m", "2026-01-01 00:00:00Z", [1, 0, 0, 0], [6, -6, 0, 0], True))
    con.execute("update core_settlement__match_rows set scores_before_cap = [0.0001, -0.0001, 0, 0]")
    parameters = fold_entries(con)
    rows = con.execute(sql("settlement", "core_ledger__movement"), parameters).fetchall()
    assert Decimal("0.0001") in rows[0]
