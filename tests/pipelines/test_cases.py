"""The handed cases through the whole pipeline: the warehouse comes to the verdicts that the cases expect."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.pipelines.conftest import Judged
from tests.pipelines.homes import CASES, ask

# Those whose records stand alone: no match_id comes twice.
ALONE = ("logs", "pairs", "edges", "rare")


def expected(case: str) -> list[dict[str, Any]]:
    lines = (CASES / f"{case}.expected.jsonl").read_bytes().splitlines()
    return [json.loads(line, parse_float=Decimal) for line in lines]


def test_nothing_failed_and_the_counts_add_up(cases: Judged) -> None:
    home, report = cases
    assert report.ok
    assert report.files == 6
    statuses = "settled + unfinished + violation + rejected + duplicate + superseded"
    query = f"select sum(read), sum({statuses}), sum(discrepancies) > 0 from out_audit__files"
    handed = sum(len(expected(path.name.split(".")[0])) for path in CASES.glob("*.expected.jsonl"))
    assert ask(home, query) == [(handed, handed, True)]


@pytest.mark.parametrize("case", ALONE)
def test_each_record_has_the_expected_verdict(cases: Judged, case: str) -> None:
    home, _ = cases
    found = ask(
        home, "select match_id, status, code, deal, play from out_audit__records where file_name = ?", f"{case}.jsonl"
    )
    assert sorted(found) == sorted(
        tuple(answer[name] for name in ("match_id", "status", "code", "deal", "play")) for answer in expected(case)
    )


# Of the pairs every match ends in a violation.
@pytest.mark.parametrize("case", ["logs", "edges", "rare"])
def test_each_match_has_the_expected_result(cases: Judged, case: str) -> None:
    home, _ = cases
    # Without a logged balance the ledger's standing caps what `settle`, which has no ledger, leaves alone.
    rows = ask(
        home,
        "select match_id, m.outcome, m.winner, m.scores from out_matches as m join core_record as r using (match_id)"
        " where m.file_name = ? and m.status <> 'violation' and list_count(r.balance) = len(r.balance)",
        f"{case}.jsonl",
    )
    wanted = {answer["match_id"]: answer for answer in expected(case)}
    assert len(rows) > 50
    for match_id, *result in rows:
        assert result == [wanted[match_id][name] for name in ("outcome", "winner", "scores")], match_id


def test_discrepancies_are_the_expected_ones(cases: Judged) -> None:
    home, _ = cases
    found: dict[str, list[tuple[Any, ...]]] = {}
    for match_id, code, deal, *values in ask(
        home,
        "select match_id, code, deal, claimed, recomputed from out_audit__discrepancies"
        " where file_name = 'claims.jsonl' and code <> 'CLAIM_BALANCE' order by match_id, deal nulls last",
    ):
        found.setdefault(match_id, []).append((code, deal, *(json.loads(text, parse_float=Decimal) for text in values)))
    counting = {
        match_id for (match_id,) in ask(home, "select match_id from out_matches where file_name = 'claims.jsonl'")
    }
    wanted = {
        answer["match_id"]: [
            tuple(each[name] for name in ("code", "deal", "claimed", "recomputed")) for each in answer["discrepancies"]
        ]
        for answer in expected("claims")
        if answer["match_id"] in counting and answer.get("discrepancies")
    }
    assert {match_id: sorted(rows, key=repr) for match_id, rows in found.items()} == {
        match_id: sorted(rows, key=repr) for match_id, rows in wanted.items()
    }
    assert len(found) > 10


def test_every_message_is_there_in_both_languages(cases: Judged) -> None:
    home, _ = cases
    for table in ("out_audit__violations", "out_audit__discrepancies"):
        assert ask(home, f"select count(*) from {table} where message_en = '' or message_zh = '' or message_en is null"
                         " or message_zh is null or message_en = message_zh or len(clauses) = 0") == [(0,)]  # fmt: skip
    assert ask(
        home,
        "select count(*) from out_audit__records"
        " where (message_en is null) <> (code is null) or (message_zh is null) <> (code is null)",
    ) == [(0,)]


def test_the_lake_holds_what_judging_again_needs(cases: Judged) -> None:
    from pipelines.warehouse import Warehouse
    from yuanzi_core.lake import judge_lake

    home, _ = cases
    warehouse = Warehouse(home)
    (file,) = (file for file in warehouse.all_received() if file.name == "edges.jsonl")
    again = []
    columns = "line, status, violation, violation_deal, violation_play, outcome, winner, scores_before_cap"
    for judge in judge_lake(
        *(warehouse.table_of_file(table, file.file_id) for table in ("core_deal", "core_record", "core_ruleset"))
    ):
        again += judge.con.execute(f"select {columns} from core_settlement__match order by line").fetchall()
    stored = ask(home, f"select {columns} from core_settlement__match where file_id = ? order by line", file.file_id)
    assert again == stored
    assert len(stored) == len(expected("edges"))
