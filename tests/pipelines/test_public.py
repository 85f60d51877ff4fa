"""G3: what everybody may see of a snapshot, by whoever is a member on the reader's day."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import pytest

from dashboards.queries import levels, standings
from pipelines.defs.publish.public import ALSO, POLICY, Shown, add_public_views, sql
from pipelines.tables import BY_STATE
from tests.pipelines.books import ledger, stand
from tests.pipelines.conftest import Judged
from tests.pipelines.homes import ask
from tests.pipelines.test_standings import MATCHES
from yuanzi_core.log import Problem
from yuanzi_core.messages import message_of_problem
from yuanzi_core.reasons import Reject
from yuanzi_core.registry import Club
from yuanzi_core.texts import text

#: p1 is a member from the first of April on, m from February until the end of March; nobody else is.
MEMBERS = {"p1": (date(2026, 4, 1), None), "m": (date(2026, 2, 1), date(2026, 3, 31))}
TABLES = ("out_standings__player", "out_standings__day", "out_standings__sums", "out_levels__step", "out_levels__event",
          "out_matches", "out_audit__discrepancies", "out_audit__registry",
          "out_audit__records")  # fmt: skip


def _cell(column: str, cell: str, key: str, **fields: Any) -> tuple[str, str, str]:
    problem = Problem(Reject.SHEET, key, row=12, column=column, cell=cell, **fields)
    return "SHEET", message_of_problem(problem, "en"), message_of_problem(problem, "zh")


#: Rejects that quote a standing, and those that quote something else, or nothing.
QUOTING = [_cell("balance0", "7,771", "balance", below=1000, decimals=3),
           _cell("balance4", "7771", "disagrees", other=3, found="7772"),
           _cell("balance1", "", "disagrees", other=3, found="7771")]  # fmt: skip
RECORDS = [*QUOTING, _cell("captured0", "7,773", "not_whole"), _cell("", "", "surplus"), ("JSON", "no", "不"),
           ("SCHEMA", "The field players[0].balance", "players[0].balance"), (None, None, None)]  # fmt: skip


@pytest.fixture(scope="module")
def book() -> Iterator[duckdb.DuckDBPyConnection]:
    """The matches of test_standings as a snapshot has them. In d p1 logs 50 against 1, and p0 the 4 of the ledger."""
    con = stand(ledger(*MATCHES, registry=[("p1", [], "3"), ("m", [], "25")], escapes=["c"], members=MEMBERS))
    con.execute("create table raw_record (file_id varchar)")
    con.execute(
        "create table out_matches as select match_id, file_id, line, player_ids as registry_ids,"
        " [s.standing_before, 1, null, -3]::decimal(18, 4)[] as standings_before"
        " from core_record"
        " join (select line, standing_before from core_ledger__movement where seat = 0) as s using (line)"
    )
    con.execute("update out_matches set standings_before = null where match_id = 'a'")
    con.execute(
        "create table out_audit__discrepancies as select match_id, x.*, 'said 50' as message_en, '说 50' as message_zh"
        " from core_discrepancy as x join core_match using (file_id, line)"
        " union all select 'c', 'f', 3, -1, 'CLAIM_SCORES', 5, '[1,2]', '[2,1]', false, 'said [1,2]', '说'"
    )
    con.execute(
        "create table out_audit__registry as select * from (values (1, 'opening_five'), (2, 'id'), (3, null))"
        ' t("row", "column")'
    )
    con.execute("create table out_audit__records (code varchar, message_en varchar, message_zh varchar)")
    con.executemany("insert into out_audit__records values ($1, $2, $3)", [[*one] for one in RECORDS])
    add_public_views(con, TABLES)
    yield con
    con.close()


def on(book: duckdb.DuckDBPyConnection, day: str | None, schema: str = "public") -> duckdb.DuckDBPyConnection:
    """A reader on a day."""
    cursor = book.cursor()
    cursor.execute("set search_path = $schema", {"schema": schema})
    cursor.execute("set variable today = $day", {"day": day})
    return cursor


@pytest.mark.parametrize(
    ("day", "members"),
    [
        ("2026-01-31", set()), ("2026-02-01", {"m"}), ("2026-03-31", {"m"}), ("2026-04-01", {"p1"}),
        ("2030-01-01", {"p1"}),
    ],
)  # fmt: skip
def test_G3_members_show_from_the_first_to_the_last_day_with_all_they_earned(
    book: duckdb.DuckDBPyConnection, day: str, members: set[str]
) -> None:
    cursor = on(book, day)
    assert {row["player_id"] for row in standings.ranking(cursor, "five")} == members
    for table in ("out_standings__day", "out_levels__event", "core_ledger__movement"):
        shown = {player for (player,) in cursor.execute(f"select player_id from {table}").fetchall()}
        assert shown == members - {"m"}, table
    # The days before membership too.
    assert len(standings.history(cursor, "five", "p1")) == (4 if "p1" in members else 0)
    assert {one["players"] for one in levels.population(cursor, "five")} == ({1} if "p1" in members else set())
    assert levels.events(cursor, "five", 9) == []
    # Ranks are those among the rows shown: p0 with 8 points is before p1.
    assert [row["rank"] for row in standings.ranking(cursor, "five")] == [1] * len(members)


def test_auditors_see_everybody(book: duckdb.DuckDBPyConnection) -> None:
    cursor = on(book, "2026-04-01", "main")
    assert len(standings.ranking(cursor, "five")) == 5
    assert len(levels.events(cursor, "five", 9)) == 2
    query = "select standings_before from out_matches where match_id = 'd'"
    assert cursor.execute(query).fetchall() == [([4, 1, None, -3],)]


def test_G3_a_match_shows_the_standings_of_members_alone(book: duckdb.DuckDBPyConnection) -> None:
    query = "select standings_before from out_matches where match_id = 'd'"
    assert on(book, "2026-03-31").execute(query).fetchall() == [([None] * 4,)]
    assert on(book, "2026-04-01").execute(query).fetchall() == [([None, 1, None, None],)]
    none = "select standings_before from out_matches where match_id = 'a'"
    assert on(book, "2026-04-01").execute(none).fetchall() == [(None,)]


@pytest.mark.parametrize(
    ("day", "claimed", "recomputed"),
    [("2026-03-31", [None] * 4, [None] * 4), ("2026-04-01", [None, 50, None, None], [None, 1, None, None])],
)
def test_G3_a_discrepancy_of_balances_stays_and_names_no_standing_of_a_non_member(
    book: duckdb.DuckDBPyConnection, day: str, claimed: list[int | None], recomputed: list[int | None]
) -> None:
    query = "select claimed, recomputed, message_en, message_zh from out_audit__discrepancies where match_id = 'd'"
    ((one, other, *messages),) = on(book, day).execute(query).fetchall()
    assert (json.loads(one), json.loads(other)) == (claimed, recomputed)
    # p0 logs its standing as well, and is no member.
    assert messages == [text("public.balance", "en"), text("public.balance", "zh")]
    assert on(book, day, "main").execute(query).fetchall() == [
        ("[4,50,null,null]", "[4,1,null,null]", "said 50", "说 50")
    ]
    others = "select claimed, message_en from out_audit__discrepancies where code = 'CLAIM_SCORES'"
    assert on(book, day).execute(others).fetchall() == [("[1,2]", "said [1,2]")]


def test_a_message_stays_where_it_names_members_alone(book: duckdb.DuckDBPyConnection) -> None:
    book.begin()
    try:
        book.execute("update out_audit__discrepancies set claimed = '[null,50,null,null]' where code = 'CLAIM_BALANCE'")
        book.execute("set variable today = '2026-04-01'")
        found = book.execute("select claimed, message_en from public.out_audit__discrepancies where match_id = 'd'")
        assert found.fetchall() == [("[null,50,null,null]", "said 50")]
    finally:
        book.rollback()
        book.execute("reset variable today")


def test_G3_a_sheet_s_reject_quotes_no_standing(book: duckdb.DuckDBPyConnection) -> None:
    hidden = ("SHEET", text("public.cell", "en"), text("public.cell", "zh"))
    query = "select * from out_audit__records"
    assert on(book, None).execute(query).fetchall() == [hidden] * len(QUOTING) + RECORDS[len(QUOTING) :]
    assert on(book, None, "main").execute(query).fetchall() == RECORDS


def test_openings_are_in_nothing_public(book: duckdb.DuckDBPyConnection) -> None:
    assert on(book, None).execute('select "row" from out_audit__registry order by all').fetchall() == [(2,), (3,)]


def test_G3_today_is_the_clubs() -> None:
    # 25 hours apart: it is never the same day in both.
    zones = {"east": "Pacific/Kiritimati", "west": "Pacific/Pago_Pago"}
    today = {name: datetime.now(UTC).astimezone(ZoneInfo(zone)).date() for name, zone in zones.items()}
    assert today["east"] > today["west"]
    days = {"p0": today["east"], "p1": today["east"] + timedelta(1), "p2": today["west"], "p3": today["east"]}
    con = stand(ledger(
        ("a", "2026-01-01 00:00:00Z", [None] * 4, [1, -1, 0, 0], False),
        ("b", "2026-01-01 00:00:00Z", [None] * 4, [1, -1, 0, 0], False),
        seats={"a": ["p0", "p1", "x", "y"], "b": ["p2", "p3", "z", "w"]},
        registry=[(player, [], None) for player in days],
        members={player: (day, None) for player, day in days.items()},
        clubs=[Club(name, zone=zone) for name, zone in zones.items()],
        at={"a": "east", "b": "west"},
    ))  # fmt: skip
    con.execute(f"create view core_member__today as {sql('core_member__today')}")
    # p1 begins tomorrow, and where p3 plays the day of p0 has not come yet.
    assert con.execute("select player_id from core_member__today order by all").fetchall() == [("p0",), ("p2",)]


def test_every_published_table_says_what_of_it_everybody_may_see() -> None:
    assert {table for table in BY_STATE if table.startswith("out_")} == POLICY.keys()
    for table, shown in POLICY.items():
        if shown is Shown.PARTS:
            assert f"main.{table}" in sql(table)
    with duckdb.connect() as con:
        con.execute(
            "create table core_member as select 'p' as player_id, 'UTC' as zone, null::date as member_from,"
            " null::date as member_to"
        )
        with pytest.raises(KeyError, match="out_something__new"):
            add_public_views(con, ["out_something__new"])


def test_a_snapshot_has_the_public_views_and_without_members_no_standing(cases: Judged) -> None:
    home, _ = cases
    views = ask(home, "select view_name from duckdb_views() where schema_name = 'public'")
    assert {view for (view,) in views} == POLICY.keys() | ALSO.keys()
    for table in ("out_standings__player", "out_standings__day", "out_levels__event", "core_ledger__movement"):
        assert ask(home, f"select (select count(*) from public.{table}), count(*) > 100 from {table}") == [(0, True)]
    hidden = "list_count(standings_before)"
    assert ask(home, f"select sum({hidden}) from public.out_matches") == [(0,)]
    ((shown, some),) = ask(home, f"select count(*), sum({hidden}) > 0 from out_matches")
    assert (ask(home, "select count(*) from public.out_matches"), some) == ([(shown,)], True)
    query = "select count(*), count(*) filter (claimed like '%1%') from public.out_audit__discrepancies"
    ((found, told),) = ask(home, f"{query} where code = 'CLAIM_BALANCE'")
    assert (found > 10, told) == (True, 0)
    # All else is told to everybody as it is.
    same = "select * from {}.out_audit__discrepancies where code <> 'CLAIM_BALANCE' order by all"
    assert ask(home, same.format("public")) == ask(home, same.format("main"))
    assert ask(home, "from public.raw_record limit 1") == ask(home, "from main.raw_record limit 1")
