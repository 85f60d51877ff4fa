"""The tables of the rules' balance: by hand on two matches, and their sums on the handed cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import duckdb
import pytest

from dashboards.queries.balance import Chosen, figures
from dashboards.queries.balance_behind import counted_behind
from pipelines.defs.balance import checks
from pipelines.run import run
from pipelines.tables import SUMS
from pipelines.warehouse import sql
from tests.pipelines.conftest import Judged
from tests.pipelines.homes import ask, changed, hand_in, hashes, lines_of
from yuanzi_core.table_texts import documented

# Two matches of the four-player game of one evening: a double clamp by points, and a tie off a score sheet, of which
# nobody knows hands, draws and who led.
BY_HAND = """
    create table core_balance__match as
    select
        'four' as variant, 'four-classic' as ruleset, 'real' as source, 'A' as club, date '2026-03-01' as evening,
        1.00::decimal(8, 2) as base, [0, 1, 0, 1] as sides, * from (values
        (1, 'double', [-2.0, 2, -2, 2]::decimal(18, 4)[], [20, 280], 1, 1, 2.0::decimal(18, 4), true, '7', 'points',
            'none', false, [3, 0, 1, 0], [4, 1, 2, 3], [3, 4, 1, 2]),
        (0, 'normal', [1.0, -1, 1, -1]::decimal(18, 4)[], [300, 300], null, null, null, false, '7', 'none',
            'lower', true, null, [null, null, null, null], [null, null, null, null])
    ) t(winner, outcome, scores, side_points, first_seat, first_side, first_score, first_won, knife, clamp, double_outs,
        tie, atoms_held, draws, leads),
    (select null::varchar[] as roles, ['against', 'upstream', 'against', 'with_upstream'] as upstreams,
        null::varchar[] as side_sizes, [0, 0, 0, 0] as hbombs_held, [1, 1, 1, 1] as bombs_held,
        [3, 3, 3, 3] as knives_held,
        [2, 1, 2, 1] as jokers_held, 'out' as ending, 0 as capped, null::bigint as dealer_side,
        null::smallint as reveal_trick)
"""


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute(BY_HAND)
        yield con


def made(con: duckdb.DuckDBPyConnection, table: str, **parameters: int) -> None:
    con.execute(f"create table {table} as {sql('balance', table)}", parameters)


def test_players_by_hand(con: duckdb.DuckDBPyConnection) -> None:
    made(con, "out_balance__players")
    found = con.execute(
        "select breakdown, value, players, won, score::double from out_balance__players"
        " where breakdown in ('all', 'seat', 'atoms', 'draw', 'lead', 'upstream', 'role') order by all"
    ).fetchall()
    assert found == [
        ("all", None, 8, 4, 0.0),
        # The second match knows no hands.
        ("atoms", "0", 2, 2, 4.0),
        ("atoms", "1", 1, 0, -2.0),
        ("atoms", "3", 1, 0, -2.0),
        ("atoms", None, 4, 2, 0.0),
        ("draw", "1", 1, 1, 2.0),
        ("draw", "2", 1, 0, -2.0),
        ("draw", "3", 1, 1, 2.0),
        ("draw", "4", 1, 0, -2.0),
        ("draw", None, 4, 2, 0.0),
        ("lead", "1", 1, 0, -2.0),
        ("lead", "2", 1, 1, 2.0),
        ("lead", "3", 1, 0, -2.0),
        ("lead", "4", 1, 1, 2.0),
        ("lead", None, 4, 2, 0.0),
        ("seat", "0", 2, 1, -1.0),
        ("seat", "1", 2, 1, 1.0),
        ("seat", "2", 2, 1, -1.0),
        ("seat", "3", 2, 1, 1.0),
        ("upstream", "against", 4, 2, -2.0),
        ("upstream", "upstream", 2, 1, 1.0),
        ("upstream", "with_upstream", 2, 1, 1.0),
    ]
    assert checks.players_sum_to_their_total(con).passed


def test_matches_by_hand(con: duckdb.DuckDBPyConnection) -> None:
    made(con, "out_balance__matches", stretch=5)
    found = con.execute(
        "select breakdown, value, matches, first_known, won, score::double from out_balance__matches"
        " where breakdown in ('all', 'knife', 'clamp', 'tie', 'double_outs', 'reveal') order by all"
    ).fetchall()
    assert found == [
        ("all", None, 2, 1, 1, 2.0),
        ("clamp", "none", 1, 0, 0, 0.0),
        ("clamp", "points", 1, 1, 1, 2.0),
        ("double_outs", "lower", 1, 0, 0, 0.0),
        ("double_outs", "none", 1, 1, 1, 2.0),
        ("knife", "7", 2, 1, 1, 2.0),
        ("tie", "false", 1, 1, 1, 2.0),
        ("tie", "true", 1, 0, 0, 0.0),
    ]
    assert checks.matches_sum_to_their_total(con).passed


def test_what_a_sheet_does_not_say_is_in_no_share_and_still_leads_to_its_match(con: duckdb.DuckDBPyConnection) -> None:
    made(con, "out_balance__players")
    made(con, "out_balance__matches", stretch=5)
    chosen = Chosen("four", "real")
    found = figures(con, chosen, ["knife", "tie", "atoms", "draw", "lead"])
    (knife,) = found["knife"]
    assert (knife.count, knife.known, knife.won) == (2, 1, 1)
    assert [(one.value, one.count, one.known) for one in found["tie"]] == [("false", 1, 1), ("true", 1, 0)]
    for breakdown in ("atoms", "draw", "lead"):
        assert [one.count for one in found[breakdown] if one.value is None] == [4]
        assert counted_behind(con, chosen, breakdown, None) == 1


# A log of the five-player game with a base of 0.1, and a score sheet of the four-player game.
SETTLED = """
    create table out_matches as
    select 'f' as file_id, 'settled' as status, 'real' as source, 'A' as registry_club, date '2026-03-01' as evening,
        'normal' as outcome, 0 as winner, [200, 100] as side_points, scores as scores_before_cap, * from (values
        ('five', 1, 'five-atomic', 1, 0.10::decimal(8, 2), [0, 0, 0, 1, 1],
            [0.3, 0.3, 0.25, -0.45, -0.6]::decimal(18, 4)[],
            2, ['partner', 'partner', 'dealer', 'defender', 'defender']),
        ('four', 2, 'four-classic', 2, 2.00::decimal(8, 2), [0, 1, 0, 1], [2, -2, 2, -2]::decimal(18, 4)[], null, null)
    ) t(variant, match_id, ruleset, line, base, sides, scores, dealer, roles);
    create table core_settlement__deal as
    select 'f' as file_id, 0 as deal, 'out' as "end", 3 as players_out, 0 as upstream, 0 as upstream_side, 12 as tricks,
        4 as atoms, * from (values
        (1, 'five', '7', 2), (2, 'four', null, null)
    ) t(line, variant, knife, leader);
    create table core_balance__deal as
    select 'f' as file_id, 1 as line, 0 as deal, [null::int, null, null, null, null] as draw, [0, 1, 0, 2, 0] as atoms,
        atoms as hbombs, atoms as bombs, atoms as knives, atoms as jokers, [7, 9] as reveal_tricks
"""


def test_a_score_in_bases_is_rounded_down_from_the_exact_one() -> None:
    with duckdb.connect() as con:
        con.execute(SETTLED)
        made(con, "core_balance__match")
        found = con.execute(
            "select scores_in_bases, first_seat, first_score::double, first_won, reveal_trick, atoms_held, leads"
            " from core_balance__match"
        ).fetchall()
        made(con, "out_balance__values", points=20, tricks=5)
        counted = con.execute(
            "select value, count, total::double from out_balance__values where measure = 'score' and variant = 'five'"
        ).fetchall()
    # As binary fractions 0.3 is less than three times 0.1. A sheet knows no hands, and at four not who led.
    assert found == [
        ([3, 3, 2, -5, -6], 2, 0.25, True, 7, [0, 1, 0, 2, 0], [4, 5, 1, 2, 3]),
        ([1, -1, 1, -1], None, None, False, None, None, [None] * 4),
    ]
    assert counted == [(-6, 1, -0.6), (-5, 1, -0.45), (2, 1, 0.25), (3, 2, 0.6)]


def test_sums_that_do_not_add_up_fail(con: duckdb.DuckDBPyConnection) -> None:
    made(con, "out_balance__players")
    made(con, "out_balance__matches", stretch=5)
    con.execute("update out_balance__players set won = won + 1 where breakdown = 'seat' and value = '2'")
    con.execute("delete from out_balance__matches where breakdown = 'clamp' and value = 'none'")
    for check in (checks.players_sum_to_their_total, checks.matches_sum_to_their_total):
        found = check(con)
        assert not found.passed
        assert found.severity == dg.AssetCheckSeverity.ERROR


@pytest.mark.parametrize(
    ("won", "points", "beaten", "passed"),
    [(3, 100, 2, True), (4, 100, 1, False), (3, 95, 2, False), (3, 100, 1, False)],
)
def test_tricks_and_card_points_come_home(won: int, points: int, beaten: int, passed: bool) -> None:
    with duckdb.connect() as con:
        con.execute("create table core_balance__match as select 'f' as file_id, 1 as line")
        con.execute("create table core_balance__deal as select 'f' as file_id, 1 as line, 0 as deal")
        con.execute(
            "create table core_settlement__deal as select 'f' as file_id, 1 as line, 0 as deal, 3 as tricks,"
            " [60, 40, 0, 0] as captured, 'out' as \"end\""
        )
        con.execute(
            "create table out_balance__kinds as select 3 as led, 2 as answered, $1 as won, $2 as points, $3 as beaten",
            [won, points, beaten],
        )
        assert checks.kinds_bring_home_what_was_captured(con).passed is passed


def test_every_settled_match_is_in_every_breakdown(cases: Judged) -> None:
    home, _ = cases
    expected = ask(home, """
        select variant, source, count(*), sum(len(scores)), sum(list_sum(scores))
        from out_matches where status = 'settled' group by all order by all
    """)  # fmt: skip
    for table, number, count in (("out_balance__matches", 2, "matches"), ("out_balance__players", 3, "players")):
        found = ask(home, f"select distinct variant, source, breakdown, sum({count}) from {table} group by all")
        assert found
        wanted = {row[:2]: row[number] for row in expected}
        assert all(total == wanted[variant, source] for variant, source, _, total in found)
    sums = ask(home, """
        select variant, source, sum(players), sum(score)
        from out_balance__players where breakdown = 'all' group by all order by all
    """)  # fmt: skip
    assert sums == [(variant, source, players, score) for variant, source, _, players, score in expected]
    assert {row[2] for row in ask(home, "select variant, source, breakdown from out_balance__players")} >= {
        "all", "seat", "draw", "lead", "role", "upstream", "side_size", "atoms", "hbombs", "bombs", "knives", "jokers",
    }  # fmt: skip


def test_an_evening_ends_at_six_in_the_morning(cases: Judged) -> None:
    home, _ = cases
    wrong = ask(home, """
        select count(*)
        from core_balance__match as b
        join out_matches as m using (match_id)
        where b.evening <> cast(timezone('Asia/Shanghai', m.played_at - interval 6 hours) as date)
    """)  # fmt: skip
    assert wrong == [(0,)]


def test_E1_a_double_clamp_has_one_of_two_conditions(cases: Judged) -> None:
    home, _ = cases
    found = ask(home, """
        select b.clamp, d.players_out, count(*)
        from core_balance__match as b
        join core_settlement__deal as d on d.file_id = b.file_id and d.line = b.line and d.deal = 0
        where b.outcome = 'double'
        group by all
        order by all
    """)  # fmt: skip
    assert {(clamp, players_out) for clamp, players_out, _ in found} == {("double_out", 2), ("points", 3)}


@pytest.mark.slow
def test_an_evening_that_comes_in_pieces_is_one_row(tmp_path: Path) -> None:
    # The same match under other ids: every row of the evening is that of one match, twice.
    record = lines_of("logs", 0, 1)[0]
    pieces = {f"{name}.jsonl": [changed(record, match_id=name)] for name in "ab"}
    grown, whole = tmp_path / "grown", tmp_path / "whole"
    for name in pieces:
        for home in (grown, whole):
            hand_in(home, name, pieces[name])
        assert run(grown).ok
    assert run(whole).ok
    assert hashes(grown) == hashes(whole)
    assert ask(grown, "select matches from out_balance__matches where breakdown = 'all'") == [(2,)]
    for table in SUMS:
        key = documented("en")[table].key
        assert ask(grown, f"select {key} from {table} group by all having count(*) > 1") == []
