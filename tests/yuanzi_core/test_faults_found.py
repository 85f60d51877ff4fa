"""Logs with every fault at a high rate: the checker finds the truth and nothing else, and so does the oracle."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.oracle.match import settle
from tests.yuanzi_core.tables import judge_file
from yuanzi_core.canonical import fill_in
from yuanzi_core.faults import injection
from yuanzi_core.faults.injection import Injection
from yuanzi_core.faults.kinds import Fault
from yuanzi_core.faults.truth import Truth, encode_truth
from yuanzi_core.log import Match
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.writer import encode_match, write_log

SEED = 20
MATCHES = 1000
Row = dict[str, Any]
CLEAN: Row = {"code": None, "deal": None, "play": None, "discrepancies": []}

#: A ruleset, its options and the base; and the faults that cannot occur under them.
ATOMS = {Fault.ATOMS_AFTER_HEAD_OUT, Fault.ATOM_FACTORS_SWAPPED, Fault.CAP_IGNORED, Fault.STALE_BALANCE}
COMBINATIONS: list[tuple[str, dict[str, Any], Any, set[Fault]]] = [
    ("four-classic", {}, 10, set()),
    ("four-classic", {"halves": 1, "clamp": "any_side", "downstream": "all_holders", "wind": "partner"}, 2, set()),
    (
        "four-classic",
        {"clamp": "upstream_side", "clamp_points": 120, "knife_bomb": "shielded", "knife_jokers": True,
         "escape_min_tricks": 0, "escape_upper_compensation": Decimal("0.25"), "count_head_out": False},
        Decimal("0.5"),
        set(),
    ),
    ("five-classic", {}, 10, ATOMS),
    (
        "five-classic",
        {"five_leader": "any", "early_stop": "never", "knife_jokers": False, "knife_bomb": "by_size"},
        2,
        ATOMS | {Fault.LEADER},
    ),
    ("five-atomic", {}, 10, set()),
    (
        "five-atomic",
        {"early_stop": "must", "downstream": "all_holders", "count_head_out": False, "low_applies": "base_only",
         "escape_min_tricks": 12},
        Decimal("1.25"),
        set(),
    ),
    # Without a base there is none to forget.
    ("five-atomic", {"cap": "none"}, None, {Fault.CAP_IGNORED, Fault.STALE_BALANCE, Fault.BASE_FORGOTTEN}),
]  # fmt: skip
NAMES = [f"{name} {' '.join(map(str, rules.values()))}".strip() for name, rules, _, _ in COMBINATIONS]


def simulated(name: str, rules: dict[str, Any], base: Any, matches: int) -> Iterator[Match]:
    """True matches without claims, of which a tenth end in an escape."""
    for headers, deals in play_matches(Rulesets()[name].with_options(rules), matches, SEED, escape_rate=0.1):
        for made in fill_in(headers, deals):
            yield msgspec.structs.replace(made, base=base)


def everything(name: str, share: float) -> dict[Fault, float]:
    """All faults of a game alike, in so many of the matches."""
    faults = [fault for fault in Fault if name.split("-")[0] in fault.games]
    return dict.fromkeys(faults, share / len(faults))


def rows(truths: Iterable[Truth]) -> dict[int, Row]:
    """The truths as JSON by their lines."""
    found: dict[int, Row] = {}
    for truth in truths:
        assert truth.line not in found
        found[truth.line] = json.loads(encode_truth(truth), parse_float=Decimal)
    return found


def of_answer(answer: Row) -> Row:
    """What an answer finds wrong."""
    return {name: answer.get(name, CLEAN[name]) for name in CLEAN}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules", "base", "impossible"), COMBINATIONS, ids=NAMES)
def test_the_checker_finds_the_faults_and_nothing_else(
    name: str, rules: dict[str, Any], base: Any, impossible: set[Fault], tmp_path: Path
) -> None:
    plan = everything(name, 0.9)
    faults = Injection(plan, SEED)
    records = list(faults.run(simulated(name, rules, base, MATCHES)))
    path = tmp_path / "log.jsonl"
    write_log(path, (made for made, _ in records))
    truth = rows(one for _, truths in records for one in truths)

    answers = judge_file(path)
    assert len(answers) == len(records)
    for answer, (made, _) in zip(answers, records, strict=True):
        wanted = truth.get(answer["line"])
        assert answer["match_id"] == made.match_id
        if wanted is None:
            assert answer["status"] in ("settled", "unfinished")
            assert of_answer(answer) == CLEAN, answer["line"]
        else:
            assert answer["status"] == wanted["status"]
            assert of_answer(answer) == {field: wanted[field] for field in CLEAN}, wanted["fault"]
            assert (wanted["match_id"], wanted["revision"]) == (made.match_id, made.revision or 1)
        # A claim that does not hold is found out, and not only noted (F7).
        assert not [note for note in answer.get("notes", []) if note["code"] == "ESCAPE_CLAIM"]

    # Of two records in conflict neither is as it should be.
    rows_of = {fault: (2 if fault is Fault.CONFLICT else 1) * count for fault, count in faults.made.items()}
    assert Counter(row["fault"] for row in truth.values()) == {fault.value: count for fault, count in rows_of.items()}
    assert {fault for fault in plan if not faults.made[fault]} == impossible
    # Every kind at its rate, but those for which the matches do not lend themselves: these take all that do.
    seldom = {Fault.TIE_TO_WRONG_SIDE, Fault.LOW_FACTOR_MISSED, Fault.ATOMS_AFTER_HEAD_OUT, Fault.DOWNSTREAM_FORGOTTEN}
    seldom |= impossible
    assert {fault: faults.owed[fault] for fault in plan.keys() - seldom if faults.owed[fault] > 3} == {}


@pytest.mark.parametrize(("name", "rules", "base", "impossible"), COMBINATIONS, ids=NAMES)
@pytest.mark.slow
def test_the_oracle_finds_them_too(name: str, rules: dict[str, Any], base: Any, impossible: set[Fault]) -> None:
    """The truths are right by a second opinion, which has neither the referee's nor the settlement's code."""
    records = Injection(everything(name, 0.9), SEED).run(simulated(name, rules, base, 160))
    for made, truths in records:
        wanted = rows(truths).get(truths[0].line) if truths else None
        if wanted and wanted["status"] in ("duplicate", "rejected"):
            continue
        answer = json.loads(json.dumps(settle(json.loads(encode_match(made)))), parse_float=Decimal)
        assert of_answer(answer) == ({field: wanted[field] for field in CLEAN} if wanted else CLEAN), wanted
        assert not [note for note in answer["notes"] if note.startswith("F7")]


def test_few_faults_among_many_matches() -> None:
    plan = {Fault.TURN: 0.01, Fault.SIGN_ERROR: 0.01, Fault.DUPLICATE: 0.01, Fault.HAND_POINTS_ASTRAY: 0.01}
    faults = Injection(plan, SEED)
    for _ in faults.run(simulated("five-classic", {}, None, 5000)):
        pass
    for fault in plan:
        assert faults.owed[fault] <= 1
        # Within four standard deviations of 50.
        assert 22 <= faults.made[fault] <= 78


def test_the_same_seed_gives_the_same_faults_and_another_seed_others() -> None:
    def run(seed: int) -> list[bytes]:
        matches = simulated("five-atomic", {}, None, 300)
        faults = Injection(everything("five-atomic", 0.5), seed).run(matches)
        return [line for made, truths in faults for line in (encode_match(made), *map(encode_truth, truths))]

    once = run(1)
    assert once == run(1)
    assert once != run(2)


def test_lines_and_matches_are_taken_alike() -> None:
    matches = list(simulated("four-classic", {}, None, 60))
    plan = everything("four-classic", 0.5)
    of_matches = list(Injection(plan, SEED).run(matches))
    assert of_matches == list(Injection(plan, SEED).run(map(encode_match, matches)))


def test_matches_of_both_games_may_come_mixed() -> None:
    mixed = [
        one
        for pair in zip(
            simulated("four-classic", {}, 2, 200), simulated("five-atomic", {"early_stop": "must"}, 2, 200), strict=True
        )
        for one in pair
    ]
    plan = dict.fromkeys(Fault, 0.9 / len(Fault))
    found = Counter(
        truth.fault for _, truths in Injection(plan, SEED).run(mixed) for truth in truths if truth.status == "violation"
    )
    assert found[Fault.CALL]
    assert found[Fault.FIRST_DRAW]


def test_what_comes_out_is_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are taken in as records come out: memory is that of a batch."""
    monkeypatch.setattr(injection, "BATCH", 16)
    taken = 0

    def counted() -> Iterator[Match]:
        nonlocal taken
        for one in simulated("four-classic", {"halves": 1}, None, 64):
            taken += 1
            yield one

    given = 0
    for _ in Injection({}, SEED).run(counted()):
        assert given <= taken <= given + 16
        given += 1
    assert given == taken == 64
