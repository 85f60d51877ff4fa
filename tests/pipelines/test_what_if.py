"""What if: matches settled again under other options agree with their logs judged under these options."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from dashboards.queries.balance import Chosen
from dashboards.queries.what_if import facts
from tests.pipelines.conftest import Judged
from tests.pipelines.homes import ask, snapshot
from yuanzi_core.answers import answers
from yuanzi_core.judge import Judge
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import RulesetError, Rulesets
from yuanzi_core.stream import Judged as Answered
from yuanzi_core.what_if import OPTIONS, WhatIf, what_if

Asked = dict[str, Any]
CHANGES: list[tuple[str, Asked]] = [
    ("four", {"clamp": "any_side"}),
    ("four", {"clamp": "upstream_side"}),
    ("four", {"clamp_points": 150}),
    ("four", {"clamp_points": 1, "downstream": "all_holders"}),
    ("five", {"cap": "none"}),
    ("five", {"low_applies": "base_only", "downstream": "all_holders"}),
]


ANY = dict.fromkeys(("ruleset", "club", "since", "until"), None)


@pytest.fixture(scope="module")
def con(cases: Judged) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(snapshot(cases[0])), read_only=True) as con:
        yield con


def asked(con: duckdb.DuckDBPyConnection, variant: str, changes: Asked, most: int = 20_000) -> WhatIf:
    return what_if(facts(con, Chosen(variant, "simulated"), most), changes)


@pytest.mark.parametrize("schema", ["main", "public"])
@pytest.mark.parametrize("variant", ["four", "five"])
def test_the_same_options_change_nothing(con: duckdb.DuckDBPyConnection, variant: str, schema: str) -> None:
    # F6 caps everybody, G3 or not: to the public the same matches come out otherwise as to auditors.
    cursor = con.cursor()
    cursor.execute("set search_path = $schema", {"schema": schema})
    found = asked(cursor, variant, {})
    assert found.matches > 100
    assert (found.changed, found.open, found.cut_short, found.results) == (0, 0, 0, [])
    assert all(player["score"] == player["new_score"] for player in found.players)


def judged_again(cases: Judged, variant: str, changes: Asked) -> dict[str, Asked]:
    """The settled matches of that game, judged from their logs under other options: answers by match."""
    lines = ask(cases[0], """
        select w.record
        from out_matches as m
        join raw_record as w using (file_id, line)
        where m.status = 'settled' and m.variant = $1 and m.source = 'simulated' and w.rows is null
    """, variant)  # fmt: skip
    changed = []
    for number, (record,) in enumerate(lines, 1):
        match = json.loads(record, parse_float=Decimal)
        match["rules"] = {**(match.get("rules") or {}), **changes}
        changed.append((number, json.dumps(match, ensure_ascii=False, default=float).encode()))
    chunk, judge = Reader(Rulesets()).read(changed), Judge()
    judge.judge(chunk)
    return {str(answer["match_id"]): dict(answer) for answer in answers(Answered("", chunk, set(), judge), "en")}


@pytest.mark.parametrize(("variant", "changes"), CHANGES)
def test_matches_settle_as_their_logs_judged_under_these_options(
    cases: Judged, con: duckdb.DuckDBPyConnection, variant: str, changes: Asked
) -> None:
    found = asked(con, variant, changes)
    judged = judged_again(cases, variant, changes)
    before = {
        row[0]: row[1:]
        for row in ask(cases[0], "select match_id, outcome, winner, scores, standings_before from out_matches")
    }
    differing = {row["match_id"]: row for row in found.results}
    compared = cut_short = still_open = 0
    for match_id, answer in judged.items():
        outcome, winner, scores, standings = before[match_id]
        row = differing.get(match_id)
        if answer["status"] == "violation":
            # A half after the match is over: it would not have been played.
            assert answer["code"] == "AFTER_END"
            assert row is not None
            assert (row["cut_short"], row["new_outcome"]) == (True, "double")
            cut_short += 1
        elif answer["status"] == "unfinished":
            assert row is not None
            assert (row["is_open"], row["new_scores"]) == (True, None)
            still_open += 1
        elif standings is None or all(before is not None for before in standings):
            # Where a standing is the ledger's, a record alone does not know it.
            new = (row["new_outcome"], row["new_winner"], row["new_scores"]) if row else (outcome, winner, scores)
            if answer["notes"] and any(note["code"] == "NO_CAP_UNKNOWN_STANDING" for note in answer["notes"]):
                continue
            assert new == (answer["outcome"], answer["winner"], [Decimal(str(score)) for score in answer["scores"]])
            compared += 1
    assert compared > 50
    assert (found.open, found.cut_short) == (still_open, cut_short)
    assert found.changed == len(found.results)
    if changes.get("clamp_points") == 150:
        assert cut_short > 0
    if changes.get("clamp_points") == 1:
        assert still_open > 0


def test_sums_of_players_are_those_of_the_matches(con: duckdb.DuckDBPyConnection) -> None:
    found = asked(con, "four", {"clamp_points": 150})
    moved = sum(
        (new - old for row in found.results for old, new in zip(row["scores"], row["new_scores"], strict=True)),
        Decimal(),
    )
    assert sum((player["new_score"] - player["score"] for player in found.players), Decimal()) == moved
    assert sum(player["changed"] for player in found.players) == 4 * found.changed


def test_F6_the_cap_follows_from_what_came_before(con: duckdb.DuckDBPyConnection) -> None:
    # All movements or only the newest: a match's standing before is the same, as nothing changed before it.
    whole, part = asked(con, "five", {}), asked(con, "five", {}, most=40)
    assert (part.matches, part.changed, whole.changed) == (40, 0, 0)


def test_F6_a_changed_result_moves_the_caps_that_hang_on_it(cases: Judged, con: duckdb.DuckDBPyConnection) -> None:
    # No balance is logged: every standing is the ledger's, folded here in plain Python.
    given = facts(con, Chosen("five", "simulated"), 20_000)
    silent = con.from_arrow(given.matches).project("* replace (list_transform(balance, lambda held: null) as balance)")
    found = what_if(replace(given, matches=silent.to_arrow_table()), {"low_applies": "base_only"})
    plain = judged_again(cases, "five", {"low_applies": "base_only", "cap": "none"})
    capped = dict(ask(cases[0], """
        select m.match_id, s.capped
        from out_matches as m join core_settlement__match as s using (file_id, line) where s.has_cap
    """))  # fmt: skip
    held: dict[str, Decimal] = {}
    expected: dict[str, list[Decimal]] = {}
    carried = 0
    moves = con.from_arrow(given.movements).order("played_at, match_id, seat")
    for player, match_id, seat, moved, before, known in moves.project(
        "player_id, match_id, seat, score, ledger_before, opening_known"
    ).fetchall():
        standing = held.setdefault(player, before)
        if match_id in plain:
            gain = Decimal(str(plain[match_id]["scores"][seat]))
            if known and match_id in capped and capped[match_id][seat]:
                moved, alone = min(gain, max(standing, Decimal())), min(gain, max(before, Decimal()))
                carried += moved != alone
            else:
                moved = gain
            expected.setdefault(match_id, []).append(moved)
        held[player] = standing + moved
    new = dict(ask(cases[0], "select match_id, scores from out_matches"))
    new |= {row["match_id"]: row["new_scores"] for row in found.results}
    assert carried > 0
    assert {match_id: new[match_id] for match_id in capped if match_id in expected} == {
        match_id: scores for match_id, scores in expected.items() if match_id in capped
    }


def test_F6_standings_may_have_twelve_digits(con: duckdb.DuckDBPyConnection) -> None:
    given = facts(con, Chosen("five", "simulated"), 40)
    rich = con.from_arrow(given.movements).project("* replace (ledger_before + 999_000_000_000 as ledger_before)")
    found = what_if(replace(given, movements=rich.to_arrow_table()), {})
    # Only a logged balance caps anybody who holds as much.
    assert all(one["new_scores"] >= one["scores"] for one in found.results)


@pytest.mark.parametrize(
    "changes", [{"wind": "partner"}, {"no_such": 1}, {"clamp": "nobody"}, {"clamp_points": 0}, {"cap": True}]
)
def test_what_cannot_be_asked_is_refused(con: duckdb.DuckDBPyConnection, changes: Asked) -> None:
    assert not set(changes) & set(OPTIONS) or not set(changes) - set(OPTIONS)
    with pytest.raises(RulesetError):
        asked(con, "four", changes, most=1)
