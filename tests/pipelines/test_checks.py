"""Each check on a clean frame and on dirty ones."""

from __future__ import annotations

from collections.abc import Iterator

import dagster as dg
import duckdb
import pytest

from pipelines.defs.audit.checks import claims_agree, counts_add_up, every_record_has_one_verdict, few_violations
from pipelines.defs.referee.checks import card_points_are_conserved, scores_sum_to_zero
from pipelines.defs.settlement.checks import scores_sum_to_zero_unless_capped


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        yield con


def deals(con: duckdb.DuckDBPyConnection, judged: str, settled: str = "null::integer[]") -> None:
    """One deal of the four-player game: (captured, hand, open_points, violation, judged), and its sides' totals."""
    con.execute("create table ruleset as select 'four' as ruleset, 300 as total_points")
    con.execute("create table core_record as select 'f' as file_id, 1 as line, 'four' as ruleset")
    con.execute(
        "create table core_deal as select 'f' as file_id, 1 as line, 0 as deal, * from (values"
        f" {judged}) t(captured, hand, open_points, violation, judged)"
    )
    con.execute(
        f"create table core_settlement__deal as select 'f' as file_id, 1 as line, 0 as deal, {settled} as side_points"
    )


@pytest.mark.parametrize(
    "judged",
    [
        pytest.param("([95, 40, 120, 45], [0, 0, 0, 0], 0, null, true)", id="finished"),
        pytest.param("([95, 40, 100, 45], [0, 5, 0, 5], 10, 'TURN', true)", id="stopped"),
        pytest.param("([0, 0, 0, 0], [75, 75, 70, 70], 0, 'DECK', true)", id="no deck"),
        pytest.param("([-1, -1, -1, -1], [-1, -1, -1, -1], -1, null, false)", id="not judged"),
    ],
)
def test_D4_points_that_are_all_there_pass(con: duckdb.DuckDBPyConnection, judged: str) -> None:
    deals(con, judged)
    assert card_points_are_conserved(con) == 0


@pytest.mark.parametrize(
    ("judged", "settled"),
    [
        pytest.param("([95, 40, 120, 40], [0, 0, 0, 0], 0, null, true)", "[260, 40]", id="five lost"),
        pytest.param("([95, 40, 100, 45], [0, 5, 0, 10], 10, 'TURN', true)", "null", id="five too many"),
        pytest.param("([95, 40, 120, 45], [0, 0, 0, 0], 0, null, true)", "[260, 45]", id="sides have more"),
    ],
)
def test_D4_points_that_are_not_fail(con: duckdb.DuckDBPyConnection, judged: str, settled: str) -> None:
    deals(con, judged, f"{settled}::integer[]")
    assert card_points_are_conserved(con) == 1


@pytest.mark.parametrize(
    ("outcome", "scores", "wrong"),
    [
        ("normal", "[1, -1, 1, -1]", 0),
        ("escape", "[-4, 1, 0, 1]", 0),
        (None, "null", 0),
        ("unfinished", "null", 0),
        ("normal", "[1, -1, 1, -0.9999]", 1),
        ("double", "[2, -2, 2, 2]", 1),
    ],
)
def test_scores_sum_to_zero_before_the_cap(
    con: duckdb.DuckDBPyConnection, outcome: str | None, scores: str, wrong: int
) -> None:
    con.execute(
        f"create table core_settlement__match as select $1::varchar as outcome, {scores}::decimal(18, 4)[] as"
        " scores_before_cap", [outcome],
    )  # fmt: skip
    assert scores_sum_to_zero(con) == wrong


@pytest.mark.parametrize(
    ("outcome", "has_cap", "before", "after", "passed"),
    [
        ("normal", False, "[1, -1, 1, -1]", "[1, -1, 1, -1]", True),
        ("normal", True, "[6, -4, 6, -4, -4]", "[6, -4, 6, -4, -4]", True),
        ("normal", True, "[6, -4, 6, -4, -4]", "[2.5, -4, 6, -4, -4]", True),
        ("escape", False, "[-4, 1, 0, 1]", "[-4, 1, 0, 1]", True),
        ("normal", False, "[1, -1, 1, -1]", "[1, -1, 1, -2]", False),
        ("normal", True, "[6, -4, 6, -4, -4]", "[6.5, -4, 6, -4, -4]", False),
    ],
)
def test_F6_scores_sum_to_zero_or_less_where_a_cap_took_some(
    con: duckdb.DuckDBPyConnection, outcome: str, has_cap: bool, before: str, after: str, passed: bool
) -> None:
    con.execute(
        f"create table core_settlement__scores as select $1 as outcome, $2 as has_cap, {before}::decimal(18, 4)[] as"
        f" scores_before_cap, {after}::decimal(18, 4)[] as scores", [outcome, has_cap],
    )  # fmt: skip
    assert scores_sum_to_zero_unless_capped(con).passed is passed


@pytest.mark.parametrize(
    ("verdicts", "passed"),
    [
        ("('f', 1), ('f', 2)", True),
        ("('f', 1)", False),
        ("('f', 1), ('f', 2), ('f', 2)", False),
        ("('f', 1), ('f', 2), ('g', 2)", False),
    ],
)
def test_every_record_read_has_exactly_one_verdict(con: duckdb.DuckDBPyConnection, verdicts: str, passed: bool) -> None:
    con.execute("create table raw_record as select * from (values ('f', 1), ('f', 2)) t(file_id, line)")
    con.execute(f"create table out_audit__records as select * from (values {verdicts}) t(file_id, line)")
    found = every_record_has_one_verdict(con)
    assert found.passed is passed
    assert found.severity == dg.AssetCheckSeverity.ERROR


def files(con: duckdb.DuckDBPyConnection, read: int, violation: int, rejected: int) -> None:
    """The accounting of a file with ten settled records."""
    con.execute(
        "create table out_audit__files as select 'f' as file_id, 'a.jsonl' as file_name, $1 as read, 10 as settled,"
        " 0 as unfinished, $2 as violation, $3 as rejected, 0 as duplicate, 0 as superseded,"
        " 0 as withdrawn",
        [read, violation, rejected],
    )  # fmt: skip


@pytest.mark.parametrize(("read", "passed"), [(12, True), (11, False), (13, False)])
def test_read_is_the_sum_of_the_counts(con: duckdb.DuckDBPyConnection, read: int, passed: bool) -> None:
    files(con, read, 1, 1)
    assert counts_add_up(con).passed is passed


@pytest.mark.parametrize(("violation", "passed"), [(0, True), (1, True), (2, False)])
def test_many_violations_in_a_file_are_a_warning(con: duckdb.DuckDBPyConnection, violation: int, passed: bool) -> None:
    files(con, 10 + violation, violation, 0)
    found = few_violations(con)
    assert found.passed is passed
    assert found.severity == dg.AssetCheckSeverity.WARN
    assert len(found.metadata) == (not passed)


@pytest.mark.parametrize(("rows", "passed"), [("where false", True), ("", False)])
def test_claims_that_disagree_are_a_warning(con: duckdb.DuckDBPyConnection, rows: str, passed: bool) -> None:
    con.execute(f"create table out_audit__discrepancies as select 'CLAIM_SCORES' as code {rows}")
    found = claims_agree(con)
    assert found.passed is passed
    assert found.severity == dg.AssetCheckSeverity.WARN
