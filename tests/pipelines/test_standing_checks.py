"""Each check of the ledger, the standings and the levels on clean tables and on dirty ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import duckdb
import pytest

from pipelines.defs.publish.snapshot import pointer
from pipelines.defs.settlement.checks import movements_of_a_match_sum_to_zero, parts_sum_to_the_score
from pipelines.defs.standings.checks import (
    days_come_to_the_standings,
    events_go_the_way_of_their_levels,
    standing_is_opening_plus_movements,
    sums_reconcile,
)
from pipelines.defs.standings.shrinking import look, reason_to_shrink, tables_do_not_shrink
from pipelines.run import run
from pipelines.warehouse import Warehouse, write_json
from pipelines.withdrawals import withdrawals
from tests.pipelines.books import ledger, stand
from tests.pipelines.homes import hand_in, lines_of
from tests.pipelines.test_standings import MATCHES

Check = Callable[[duckdb.DuckDBPyConnection], dg.AssetCheckResult]
MOVEMENT, PLAYER, DAY = "core_ledger__movement", "out_standings__player", "out_standings__day"
EVENT, SUMS = "out_levels__event", "out_standings__sums"


@pytest.fixture(scope="module")
def clean() -> Iterator[duckdb.DuckDBPyConnection]:
    con = stand(ledger(*MATCHES, registry=[("p1", [], "3"), ("m", [], "25")], escapes=["c"]))
    yield con
    con.close()


DIRTY: list[tuple[Check, str]] = [
    (parts_sum_to_the_score, f"update {MOVEMENT} set cap_effect = cap_effect - 1 where number = 2"),
    (parts_sum_to_the_score, f"update {MOVEMENT} set cap_effect = 1, play_score = play_score - 1 where number = 1"),
    (movements_of_a_match_sum_to_zero, f"update {MOVEMENT} set play_score = 3 where match_id = 'a' and seat = 1"),
    (movements_of_a_match_sum_to_zero, f"update {MOVEMENT} set score = score + 1 where match_id = 'c' and seat = 3"),
    (standing_is_opening_plus_movements, f"update {PLAYER} set standing = standing + 0.0001 where player_id = 'p0'"),
    (standing_is_opening_plus_movements, f"update {PLAYER} set opening = 26 where player_id = 'm'"),
    (standing_is_opening_plus_movements, f"update {PLAYER} set matches = 5 where player_id = 'p2'"),
    (standing_is_opening_plus_movements, f"delete from {PLAYER} where player_id = 'p3'"),
    (standing_is_opening_plus_movements, f"update {MOVEMENT} set ledger_after = 9 where number = 4"),
    (days_come_to_the_standings, f"delete from {DAY} where player_id = 'p2' and day = '2026-03-02'"),
    (days_come_to_the_standings, f"update {DAY} set score = score + 1 where player_id = 'p2' and day = '2026-03-02'"),
    (days_come_to_the_standings, f"update {DAY} set standing_after = 9 where player_id = 'p0' and last_number = 4"),
    (events_go_the_way_of_their_levels, f"update {EVENT} set level_after = 0 where kind = 'promotion'"),
    (events_go_the_way_of_their_levels, f"update {EVENT} set standing_before = 23 where kind = 'promotion'"),
    (events_go_the_way_of_their_levels, f"update {EVENT} set kind = 'promotion' where kind = 'demotion'"),
    (events_go_the_way_of_their_levels, f"update {EVENT} set standing_after = 61 where kind = 'promotion'"),
    (events_go_the_way_of_their_levels, f"delete from {EVENT} where kind = 'promotion'"),
    (events_go_the_way_of_their_levels, f"delete from {EVENT} where kind = 'start'"),
    (sums_reconcile, f"update {SUMS} set total = total + 1 where evening = '2026-03-02'"),
    (sums_reconcile, f"update {SUMS} set play_score = 1, total = total + 1 where evening = '2026-03-03'"),
    (sums_reconcile, f"delete from {SUMS} where evening = '2026-03-03'"),
    (sums_reconcile, f"update {SUMS} set matches = 3 where evening = '2026-03-03'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "dirt"), DIRTY, ids=[f"{check.__name__}-{number}" for number, (check, _) in enumerate(DIRTY)]
)
def test_each_check_passes_clean_tables_and_sees_dirty_ones(
    clean: duckdb.DuckDBPyConnection, check: Check, dirt: str
) -> None:
    clean.begin()
    try:
        before = check(clean)
        clean.execute(dirt)
        after = check(clean)
    finally:
        clean.rollback()
    assert (before.passed, after.passed) == (True, False)
    assert after.check_name == check.__name__
    assert after.severity == dg.AssetCheckSeverity.ERROR


@pytest.mark.parametrize(
    ("matches", "players", "contested", "passed"),
    [
        ("('a'), ('b'), ('c')", "('p', 'b'), ('q', 'c')", "", True),
        ("('a')", "('p', 'b')", "", False),
        ("('a'), ('b')", "('q', 'c')", "", False),
        # A revision has other players, or a conflict leaves no record that counts.
        ("('a'), ('b')", "('q', 'c')", "('b')", True),
        ("('a')", "('p', 'b')", "('b')", True),
        ("('a')", "('p', 'b')", "('c')", False),
    ],
)
def test_what_goes_without_a_reason_is_a_warning(matches: str, players: str, contested: str, passed: bool) -> None:
    with duckdb.connect() as con:
        for prefix, counted, stood in (("former_", "('a'), ('b')", "('p', 'b')"), ("", matches, players)):
            con.execute(f"create table {prefix}out_matches as from (values {counted}) t(match_id)")
            con.execute(
                f"create table {prefix}out_standings__player as select 'five' as game, * from (values {stood})"
                " t(player_id, last_match_id)"
            )
        con.execute("create table core_match__contested (match_id varchar)")
        if contested:
            con.execute(f"insert into core_match__contested values {contested}")
        found = tables_do_not_shrink(con)
    assert found.passed is passed
    assert found.severity == dg.AssetCheckSeverity.WARN


@pytest.mark.slow
def test_a_state_that_lacks_a_file_is_compared_with_what_is_published(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", lines_of("logs", 0, 3))
    lost = hand_in(tmp_path, "b.jsonl", lines_of("claims", 0, 3))
    assert run(tmp_path).ok
    former, known = pointer(Warehouse(tmp_path)), Warehouse(tmp_path).present_state()
    assert former is not None
    # Nobody has withdrawn it: it is just not there any more.
    (file,) = [file for file in known.files if file.name == lost.name]
    lost.unlink()
    for path in (tmp_path / "lake" / "raw_file").glob(f"{file.file_id}*"):
        path.unlink()
    assert run(tmp_path).ok
    warehouse = Warehouse(tmp_path)
    state = warehouse.present_state()
    assert [file.name for file in state.files] == ["a.jsonl"]
    assert look(warehouse, state).passed
    write_json(tmp_path / "published" / "current.json", {"name": former, "hash": known.id})
    found = look(warehouse, state)
    assert (found.passed, found.metadata["matches"].value) == (False, 3)
    about = tmp_path / "published" / former.replace(".duckdb", ".json")
    content = about.read_text(encoding="utf-8")
    for reason, name in (("engine", state.tag), ("registry", state.registry)):
        about.write_text(content.replace(name, "other", 1), encoding="utf-8")
        assert reason_to_shrink(warehouse, former, state) == reason
        assert look(warehouse, state).passed
    about.write_text(content.replace('"withdrawn": []', '"withdrawn": ["x"]'), encoding="utf-8")
    assert reason_to_shrink(warehouse, former, state) == "withdrawn"
    about.write_text("{", encoding="utf-8")
    assert reason_to_shrink(warehouse, former, state) == "unknown"
    assert withdrawals(warehouse.lake) == ()
