"""What a publication says differently about what was published before."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from pipelines import version
from pipelines.commands.changes import changes
from pipelines.run import RunReport, run
from pipelines.warehouse import Warehouse, write_json
from pipelines.withdrawals import Withdrawal, withdraw
from tests.pipelines.homes import ask, changed, hand_in, lines_of

FOUR = next(line for line in lines_of("logs", 0, 6) if b'"four"' in line)
OTHERS = [line for line in lines_of("logs", 0, 6) if line != FOUR]


def told(report: RunReport) -> list[tuple[Any, ...]]:
    """The changes of a run: file, line, part, before, after."""
    if report.changes is None:
        return []
    with duckdb.connect() as con:
        query = "select file_name, line, part, before, after from read_parquet(?)"
        return con.execute(query, [str(report.changes)]).fetchall()


@pytest.mark.slow
def test_new_matches_change_nothing(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", [FOUR])
    assert run(tmp_path).changes is None
    hand_in(tmp_path, "b.jsonl", [*OTHERS, b"not JSON"])
    report = run(tmp_path)
    assert (report.ok, report.changes) == (True, None)
    assert run(tmp_path).changes is None


@pytest.mark.slow
def test_a_revision_changes_the_verdict_of_what_it_replaces_and_the_matchs_result(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", [FOUR])
    assert run(tmp_path).ok
    ((outcome, winner, scores),) = ask(tmp_path, "select outcome, winner, scores from out_matches")
    claim = {"winner": 1 - winner, "outcome": outcome}
    hand_in(tmp_path, "b.jsonl", [changed(FOUR, revision=2, base=2, claimed=claim)])
    found = told(run(tmp_path))
    once, twice = (" ".join(str(int(score * base)) for score in scores) for base in (1, 2))
    assert found == [
        ("a.jsonl", 1, "verdict", "settled", "superseded"),
        ("b.jsonl", 1, "scores", once, twice),
        ("b.jsonl", 1, "discrepancies", "", f"CLAIM_WINNER {1 - winner} → {winner}"),
    ]


@pytest.mark.slow
def test_a_changed_ruleset_tells_which_results_changed(tmp_path: Path) -> None:
    own = tmp_path / "rulesets" / "own.toml"
    hand_in(tmp_path, "a.jsonl", [changed(FOUR, ruleset="own", rules=None)])
    hand_in(tmp_path, "b.jsonl", OTHERS)
    assert run(tmp_path).ok
    own.parent.mkdir()
    own.write_text('extends = "four-classic"\n', encoding="utf-8")
    assert told(run(tmp_path)) == [("a.jsonl", 1, "verdict", "rejected RULESET", "settled")]
    # Everything is made again under another tag, and nothing comes out otherwise.
    own.write_text('extends = "four-classic"\n# the same\n', encoding="utf-8")
    report = run(tmp_path)
    assert report.ok
    assert told(report) == []


@pytest.mark.slow
def test_a_changed_engine_makes_stored_matches_again_and_tells_which_verdicts_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from pipelines.defs.referee import rows

    hand_in(tmp_path, "a.jsonl", [FOUR])
    hand_in(tmp_path, "b.jsonl", [*OTHERS, b"not JSON"])
    before = run(tmp_path)
    assert before.ok
    # Another engine: it calls the reject of a line that is no JSON otherwise.
    monkeypatch.setattr(version, "rows_version", lambda: "another engine")
    table = rows.record_table

    def otherwise(*arguments: Any) -> Any:
        found = table(*arguments)
        codes = ["SCHEMA" if code == "JSON" else code for code in found.column("code").to_pylist()]
        place = found.schema.get_field_index("code")
        return found.set_column(place, found.schema.field(place), pa.array(codes, pa.string()))

    monkeypatch.setattr(rows, "record_table", otherwise)
    report = run(tmp_path)
    assert (report.ok, report.new) == (True, ())
    assert report.snapshot != before.snapshot
    assert told(report) == [("b.jsonl", len(OTHERS) + 1, "verdict", "rejected JSON", "rejected SCHEMA")]
    assert changes(str(tmp_path), True, "en") == 0
    assert json.loads(capfdbinary.readouterr().out) == {
        "match_id": None, "file_name": "b.jsonl", "line": len(OTHERS) + 1, "part": "verdict",
        "before": "rejected JSON", "after": "rejected SCHEMA",
    }  # fmt: skip


@pytest.mark.slow
def test_a_withdrawal_is_a_change_and_its_undoing_too(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", [FOUR])
    hand_in(tmp_path, "b.jsonl", [changed(FOUR)])
    assert run(tmp_path).ok
    warehouse = Warehouse(tmp_path)
    (first,) = [file for file in warehouse.all_received() if file.name == "a.jsonl"]
    event = Withdrawal(first.file_id, first.name, True, "2026-05-01T10:00:00+00:00", None)
    withdraw(warehouse.lake, event, write_json)
    there = [("a.jsonl", 1, "verdict", "settled", "withdrawn"), ("b.jsonl", 1, "verdict", "duplicate", "settled")]
    assert told(run(tmp_path)) == there
    withdraw(warehouse.lake, replace(event, withdrawn=False), write_json)
    assert told(run(tmp_path)) == [(file, line, part, after, before) for file, line, part, before, after in there]
