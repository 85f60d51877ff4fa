"""Faults by name, and what each scorer's mistake makes of matches whose every figure was worked out by hand."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR_2_LEFT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    SEAT_1,
    SEAT_2,
    atomic,
    five,
    four_match,
)
from tests.yuanzi_core.tables import Match, judge, match, verdict, write
from tests.yuanzi_core.test_clauses_f import FIVE_3_4_OUT, FIVE_POINTS, LAST_LEAD, SEAT_0_OUT, SEVENTY
from yuanzi_core import log
from yuanzi_core.cards import Variant
from yuanzi_core.faults.injection import Injection
from yuanzi_core.faults.kinds import Fault, PlanError, parse_faults
from yuanzi_core.faults.truth import Truth, encode_truth
from yuanzi_core.reasons import Violation
from yuanzi_core.texts import LANGS, Lang, text
from yuanzi_core.writer import encode_match

SEED = 3
Found = list[tuple[str, int | None, Any, Any]]


def injected(fault: Fault, *matches: Match, seed: int = SEED, sheets: bool = False) -> list[Truth]:
    """The truths about matches of which each gets the fault if it can."""
    made = list(Injection({fault: 1.0}, seed, sheets=sheets).run(write(matches)))
    return [truth for _, truths in made for truth in truths]


def wrong(fault: Fault, one: Match, seed: int = SEED) -> Found:
    """The claims that do not hold in a match with a scorer's mistake, and their true values."""
    (truth,) = injected(fault, one, seed=seed)
    return _plain(truth)


def forms(fault: Fault, one: Match, times: int) -> list[tuple[str | None, Found]]:
    """The different forms that a mistake takes in a match that is played many times."""
    found: list[tuple[str | None, Found]] = []
    for truth in injected(fault, *[one | {"match_id": f"m{number}"} for number in range(times)]):
        if (form := (truth.detail, _plain(truth))) not in found:
            found.append(form)
    return sorted(found)


def _plain(truth: Truth) -> Found:
    rows = json.loads(encode_truth(truth), parse_float=Decimal)["discrepancies"]
    return [(row["code"], row["deal"], row["claimed"], row["recomputed"]) for row in rows]


def test_there_is_a_fault_for_every_violation() -> None:
    of_plays = [fault for fault in Fault if fault.kind == "plays"]
    assert [fault.value for fault in of_plays] == [violation.value for violation in Violation]
    assert all(fault.clause == Violation[fault.value].clause for fault in of_plays)


@pytest.mark.parametrize("lang", LANGS)
def test_every_fault_has_a_name_and_a_sentence(lang: Lang) -> None:
    names = [fault.words(lang) for fault in Fault]
    assert len(set(names)) == len(Fault)
    assert all(re.search(r"[.。]$", fault.sentence(lang)) for fault in Fault)
    assert all(fault.clause for fault in Fault)


def test_a_plan_is_parsed() -> None:
    assert parse_faults("") == {}
    assert parse_faults(" turn=0.01, double_clamp_missed = 0.02,") == {
        Fault.TURN: 0.01, Fault.DOUBLE_CLAMP_MISSED: 0.02,
    }  # fmt: skip
    assert parse_faults(",".join(f"{fault}=0.01" for fault in Fault)) == dict.fromkeys(Fault, 0.01)


@pytest.mark.parametrize(
    ("asked", "key", "named"),
    [
        ("TURN", "not_an_entry", "TURN"),
        ("=1", "not_an_entry", "=1"),
        ("TURNS=0.1", "unknown", "CANNOT_BEAT, TRUNCATED, END, downstream_forgotten"),
        ("TURN=0.1,turn=0.2", "twice", "TURN"),
        ("TURN=often", "not_a_rate", "often"),
        ("TURN=nan", "not_a_rate", "nan"),
        ("TURN=1.5", "not_a_rate", "1.5"),
        ("TURN=-0.1", "not_a_rate", "-0.1"),
        ("TURN=0.7,END=0.4", "too_many", "1.1"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_explained(asked: str, key: str, named: str) -> None:
    with pytest.raises(PlanError) as error:
        parse_faults(asked)
    assert error.value.key == key
    for lang in LANGS:
        assert named in error.value.sentence(lang)
        assert error.value.sentence(lang) == text(f"faults.error.{key}", lang, **error.value.fields)


@pytest.mark.parametrize(
    ("asked", "games", "sheets"), [("CALL=0.1", ["four"], False), ("first_draw=1", ["five"], False),
                                   ("TURN=0.1", ["four", "five"], True)],
)  # fmt: skip
def test_a_fault_that_cannot_occur_is_refused(asked: str, games: list[Variant], sheets: bool) -> None:
    with pytest.raises(PlanError) as error:
        parse_faults(asked, games, sheets)
    assert error.value.key == "impossible"
    assert all(asked.partition("=")[0].upper() in error.value.sentence(lang) for lang in LANGS)


def test_a_plan_of_the_wrong_rates_is_the_callers_mistake() -> None:
    with pytest.raises(PlanError):
        Injection({Fault.TURN: 2.0}, SEED).run([])
    with pytest.raises(PlanError):
        Injection({Fault.TURN: 0.6, Fault.END: 0.6}, SEED)


def test_faults_go_into_legal_matches_only() -> None:
    illegal = four_match("0:4* 1:-")
    with pytest.raises(ValueError, match="breaks a rule"):
        list(Injection({}, SEED).run(write([illegal])))
    with pytest.raises(ValueError, match="after its end"):
        list(Injection({}, SEED).run(write([four_match(FOUR_DOUBLE_OUT, FOUR_THREE_OUT)])))
    with pytest.raises(ValueError, match="match 0 cannot be read"):
        list(Injection({}, SEED).run([b"{}"]))


def test_without_faults_every_claim_is_there_and_true() -> None:
    ((made, truths),) = Injection({}, SEED).run(write([four_match(FOUR_THREE_OUT, FOUR_THREE_OUT)]))
    assert truths == []
    truth = {"finish": [0, 3, 2], "captured": [120, 60, 0, 120], "side_points": [180, 120]}
    assert [json.loads(bytes(half.claimed)) for half in made.deals] == [truth, truth]
    assert json.loads(bytes(made.claimed)) == {"outcome": "normal", "winner": 0, "scores": [1, -1, 1, -1]}


def test_D1_the_downstream_transfer_forgotten() -> None:
    # Seat 1 is left with 60 captured; they stay with side 1: 120 against 180, twice.
    assert wrong(Fault.DOWNSTREAM_FORGOTTEN, four_match(FOUR_THREE_OUT, FOUR_THREE_OUT)) == [
        ("CLAIM_SIDE_POINTS", 0, [120, 180], [180, 120]),
        ("CLAIM_SIDE_POINTS", 1, [120, 180], [180, 120]),
        ("CLAIM_WINNER", None, 1, 0),
        ("CLAIM_SCORES", None, [-1, 1, -1, 1], [1, -1, 1, -1]),
    ]
    # Seat 2 is left without a point: there is nothing to forget.
    assert injected(Fault.DOWNSTREAM_FORGOTTEN, four_match(FOUR_2_LEFT)) == []


def test_D2_the_transfer_of_all_holders_forgotten() -> None:
    # Seat 1 took 60 and seat 3 holds 120, which go to the upstream side: with all_holders the 60 follow.
    one = four_match(FOUR_DOUBLE_OUT, downstream="all_holders")
    assert wrong(Fault.DOWNSTREAM_FORGOTTEN, one) == [("CLAIM_SIDE_POINTS", 0, [240, 60], [300, 0])]


def test_D3_the_downstream_transfer_forgotten() -> None:
    # Seats 0 and 1, then 3 and 4 are out; seat 2, the dealer's partner, is left with 205 in hand and has taken nothing.
    nothing = match("five", five(f"{FIVE_0_OUT} {FIVE_1_OUT} . {FIVE_3_4_OUT}", SEAT_2))
    assert injected(Fault.DOWNSTREAM_FORGOTTEN, nothing) == []
    # It takes 70 first. Seat 1 is upstream, then seat 0, then the others. 200 + 70 : 95 and the 135 in its hand; the 70
    # go to seat 1, and side 0 has 200 of 205.
    start = "0:Ad 1:- 2:2d . 2:5xTd2xTc . 2:9c 3:- 4:- 0:- 1:Qc . 1:5xQd4xQc5xQh5xQs . 1:J* . 1:5x4h . 1:5x4s ."
    seventy = f"{start} 1:XBXSXSXS . {LAST_LEAD} {SEAT_0_OUT} {FIVE_3_4_OUT}"
    assert wrong(Fault.DOWNSTREAM_FORGOTTEN, match("five", five(seventy, SEAT_2))) == [
        ("CLAIM_SIDE_POINTS", 0, [270, 230], [200, 300]),
        ("CLAIM_WINNER", None, 0, 1),
        ("CLAIM_SCORES", None, [3, -2, 3, -2, -2], [-3, 2, -3, 2, 2]),
    ]


def test_D2_hand_points_to_the_wrong_player() -> None:
    # T 120 left in the hand of seat 3 belong to the upstream side; a scorer counts them for one of the losers.
    one = four_match(FOUR_DOUBLE_OUT)
    (truth,) = injected(Fault.HAND_POINTS_ASTRAY, one)
    assert truth.detail in ("deal=0 seat=1", "deal=0 seat=3")
    assert _plain(truth) == [("CLAIM_SIDE_POINTS", 0, [120, 180], [240, 60])]
    # Nothing is left in hand.
    assert injected(Fault.HAND_POINTS_ASTRAY, four_match(FOUR_THREE_OUT, FOUR_THREE_OUT)) == []


def test_E1_a_double_clamp_missed() -> None:
    assert wrong(Fault.DOUBLE_CLAMP_MISSED, four_match(FOUR_DOUBLE_OUT)) == [
        ("CLAIM_OUTCOME", None, "normal", "double"),
        ("CLAIM_SCORES", None, [1, -1, 1, -1], [2, -2, 2, -2]),
    ]
    assert injected(Fault.DOUBLE_CLAMP_MISSED, four_match(FOUR_THREE_OUT, FOUR_THREE_OUT)) == []


def test_E1_a_double_clamp_given_for_a_lower_half() -> None:
    # Side 0 wins both halves, the lower one by double out.
    assert wrong(Fault.DOUBLE_CLAMP_GIVEN, four_match(FOUR_THREE_OUT, FOUR_DOUBLE_OUT)) == [
        ("CLAIM_OUTCOME", None, "double", "normal"),
        ("CLAIM_SCORES", None, [2, -2, 2, -2], [1, -1, 1, -1]),
    ]
    assert injected(Fault.DOUBLE_CLAMP_GIVEN, four_match(FOUR_THREE_OUT, FOUR_THREE_OUT)) == []


def test_E1_a_double_clamp_given_although_there_are_points_enough() -> None:
    # One half, 180 against 120; with a limit of 150 the side left would have too few.
    assert wrong(Fault.DOUBLE_CLAMP_GIVEN, four_match(FOUR_THREE_OUT, halves=1)) == [
        ("CLAIM_OUTCOME", None, "double", "normal"),
        ("CLAIM_SCORES", None, [2, -2, 2, -2], [1, -1, 1, -1]),
    ]


def test_E2_a_tie_to_the_wrong_side() -> None:
    # 180 : 120 and 120 : 180. Seat 0 was upstream in the upper half.
    tie = four_match(FOUR_THREE_OUT, FOUR_2_LEFT)
    assert wrong(Fault.TIE_TO_WRONG_SIDE, tie) == [
        ("CLAIM_WINNER", None, 1, 0),
        ("CLAIM_SCORES", None, [-1, 1, -1, 1], [1, -1, 1, -1]),
    ]
    assert injected(Fault.TIE_TO_WRONG_SIDE, four_match(FOUR_THREE_OUT, FOUR_THREE_OUT)) == []


def test_F5_atoms_counted_after_the_head_out() -> None:
    # Three atoms before seat 0 is out, two of seat 1 behind it. 2 against 3: F2 is 3 and 2; 0 points: tripled.
    assert wrong(Fault.ATOMS_AFTER_HEAD_OUT, atomic(five(f"{FIVE_0_OUT} {FIVE_1_OUT}"))) == [
        (
            "CLAIM_SCORES", None,
            # 3 × (3 + 7.5) and 3 × (2 + 5); 3 × (3 + 4.5) and 3 × (2 + 3).
            [Decimal("31.5"), Decimal("31.5"), -21, -21, -21], [Decimal("22.5"), Decimal("22.5"), -15, -15, -15],
        )
    ]  # fmt: skip
    assert injected(Fault.ATOMS_AFTER_HEAD_OUT, match("five", five(f"{FIVE_0_OUT} {FIVE_1_OUT}"))) == []


def test_F4_the_factors_of_atoms_swapped() -> None:
    # Three atoms, 70 points where 75 are needed: doubled. 2 × (3 + 4.5) becomes 2 × (3 + 3), 2 × (2 + 3) 2 × (2 + 4.5).
    assert wrong(Fault.ATOM_FACTORS_SWAPPED, atomic(five(SEVENTY))) == [
        ("CLAIM_SCORES", None, [12, 12, -13, -13, -13], [15, 15, -10, -10, -10])
    ]


def test_F3_a_factor_missed() -> None:
    low = match("five", five(SEVENTY))
    assert wrong(Fault.LOW_FACTOR_MISSED, low) == [
        ("CLAIM_OUTCOME", None, "normal", "low"),
        ("CLAIM_SCORES", None, [3, 3, -2, -2, -2], [6, 6, -4, -4, -4]),
    ]
    zero = match("five", five(f"{FIVE_0_OUT} {FIVE_1_OUT}"))
    nine = [9, 9, -6, -6, -6]
    assert forms(Fault.LOW_FACTOR_MISSED, zero, 20) == [
        ("none", [("CLAIM_OUTCOME", None, "normal", "zero"), ("CLAIM_SCORES", None, [3, 3, -2, -2, -2], nine)]),
        ("×2 for ×3", [("CLAIM_OUTCOME", None, "low", "zero"), ("CLAIM_SCORES", None, [6, 6, -4, -4, -4], nine)]),
    ]


# Two atoms would do; here three: 2 × (3 + 4.5) = 15 for each of two winners, of whom one holds 4.
CAPPED: list[Any] = [4, 40, 40, 40, 40]


def test_F6_the_cap_ignored() -> None:
    assert wrong(Fault.CAP_IGNORED, atomic(five(SEVENTY), balances=CAPPED)) == [
        ("CLAIM_SCORES", None, [15, 15, -10, -10, -10], [4, 15, -10, -10, -10])
    ]
    assert injected(Fault.CAP_IGNORED, atomic(five(SEVENTY), balances=[40] * 5)) == []


def test_F6_the_cap_of_a_stale_balance() -> None:
    before = atomic(five(SEVENTY), balances=CAPPED)
    after = atomic(five(SEVENTY), balances=[6, 40, 40, 40, 40]) | {"match_id": "m2"}
    # The first match brings nothing to go by; in the second 4 still stands where 6 should.
    (truth,) = injected(Fault.STALE_BALANCE, before, after)
    assert truth.match_id == "m2"
    assert _plain(truth) == [("CLAIM_SCORES", None, [4, 15, -10, -10, -10], [6, 15, -10, -10, -10])]


def test_E5_the_base_forgotten() -> None:
    one = four_match(FOUR_DOUBLE_OUT, fields={"base": 2.5})
    assert wrong(Fault.BASE_FORGOTTEN, one) == [("CLAIM_SCORES", None, [2, -2, 2, -2], [5, -5, 5, -5])]
    assert injected(Fault.BASE_FORGOTTEN, four_match(FOUR_DOUBLE_OUT)) == []


def test_the_scores_of_two_players_swapped() -> None:
    ((code, place, claimed, true),) = wrong(Fault.PLAYERS_SWAPPED, four_match(FOUR_DOUBLE_OUT))
    assert (code, place, true) == ("CLAIM_SCORES", None, [2, -2, 2, -2])
    assert sorted(claimed) == sorted(true)
    assert sum(one != other for one, other in zip(claimed, true, strict=True)) == 2


def test_a_sign_error() -> None:
    ((code, place, claimed, true),) = wrong(Fault.SIGN_ERROR, four_match(FOUR_DOUBLE_OUT))
    assert (code, place, true) == ("CLAIM_SCORES", None, [2, -2, 2, -2])
    (seat,) = [seat for seat in range(4) if claimed[seat] != true[seat]]
    assert claimed[seat] == -true[seat]


def test_digits_transposed() -> None:
    # Captured 120, 60, 0, 0; sides 240 and 60; scores of one digit.
    slips = {(120, 210), (120, 102), (60, 6), (240, 420), (240, 204)}
    found = set()
    for _, ((_, _, claimed, true),) in forms(Fault.DIGITS_TRANSPOSED, four_match(FOUR_DOUBLE_OUT), 60):
        ((one, other),) = [pair for pair in zip(true, claimed, strict=True) if pair[0] != pair[1]]
        found.add((one, other))
    assert found == slips


def test_another_option_value_applied() -> None:
    # A double out is a double clamp under every value of clamp and clamp_points; nobody left before the end.
    assert forms(Fault.OTHER_OPTION, four_match(FOUR_DOUBLE_OUT), 20) == [
        ("downstream=all_holders", [("CLAIM_SIDE_POINTS", 0, [300, 0], [240, 60])])
    ]


def test_F7_what_a_checker_would_only_note_is_no_fault() -> None:
    # Seat 3 leaves after five tricks: 10 + 2 + 1 + 2 (200 captured), each of the other side gets 2.
    left = match("five", five(FIVE_0_OUT, end="escape", escaped=3))
    assert judge(left)["scores"] == [2, 2, 0, -15, 0]
    # Three atoms for each of two players would be beyond the bounds of F7, and nothing due to anybody below them.
    true = [2, 2, 0, -15, 0]
    assert forms(Fault.OTHER_OPTION, left, 20) == [
        ("atom_doubling=true", [("CLAIM_SCORES", None, [5, 5, 0, -21, 0], true)]),
        ("escape_min_tricks=50", [("CLAIM_SCORES", None, [0, 0, 0, -15, 0], true)]),
    ]
    # 15 written as 51 is beyond the bounds too, and a captured 200 is nobody's to change.
    assert wrong(Fault.DIGITS_TRANSPOSED, left)
    # After four tricks nothing is due; a scorer who has it due from the first gives 1 to each: F7 leaves room for that.
    early = match("five", five("0:K* . 0:A* . 0:5x4c . 0:5x4d .", end="escape", escaped=3))
    assert judge(early)["scores"] == [0, 0, 0, -12, 0]
    assert injected(Fault.OTHER_OPTION, early) == []


def test_a_score_sheet_shows_outcome_and_scores_alone() -> None:
    one = four_match(FOUR_THREE_OUT, FOUR_THREE_OUT)
    (truth,) = injected(Fault.DOWNSTREAM_FORGOTTEN, one, sheets=True)
    assert _plain(truth) == [("CLAIM_SCORES", None, [-1, 1, -1, 1], [1, -1, 1, -1])]
    # The double clamp stands, whatever the sides have: in a sheet nothing of it shows.
    assert injected(Fault.HAND_POINTS_ASTRAY, four_match(FOUR_DOUBLE_OUT), sheets=True) == []
    assert injected(Fault.TURN, one, sheets=True) == []


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault.kind == "plays"])
@pytest.mark.slow
def test_each_violation_in_a_match_of_a_dozen_tricks(fault: Fault) -> None:
    """Also where there is little room: the hands are whole ranks, and nearly every lead is passed by all."""
    made = []
    for game, one in {
        "four": four_match(FOUR_THREE_OUT, FOUR_2_LEFT), "five": match("five", five(SEVENTY, SEAT_1))
    }.items():  # fmt: skip
        for spoiled, truths in Injection({fault: 1.0}, SEED).run(write([one | {"match_id": f"{n}"} for n in range(6)])):
            for truth in truths:
                assert verdict(judge(_as_json(spoiled))) == (truth.code, truth.deal, truth.play)
                assert truth.code is Violation[fault.value]
                made.append(game)
    assert made == [game for game in ("four", "five") for _ in range(6) if game in fault.games]


def _as_json(made: log.Match) -> Match:
    parsed: Match = json.loads(encode_match(made))
    return parsed


def test_where_anybody_may_lead_no_leader_is_wrong() -> None:
    anybody = match("five", five(SEVENTY), rules={"five_leader": "any"})
    assert injected(Fault.LEADER, anybody) == []


def test_records_that_come_twice() -> None:
    one = four_match(FOUR_DOUBLE_OUT)
    ((first, none), (copy, (truth,))) = Injection({Fault.DUPLICATE: 1.0}, SEED).run(write([one]))
    assert (none, first) == ([], copy)
    assert (truth.line, truth.status, truth.stored) == (2, "duplicate", "duplicate")

    ((first, (kept,)), (other, (refused,))) = Injection({Fault.CONFLICT: 1.0}, SEED).run(write([one]))
    assert (kept.line, kept.status, kept.stored) == (1, "settled", "rejected")
    assert (refused.line, refused.status, refused.code, refused.stored) == (2, "rejected", "DUPLICATE", "rejected")
    assert (first.match_id, first.revision) == (other.match_id, other.revision)
    assert first != other

    ((first, (old,)), (new, nothing)) = Injection({Fault.REVISION: 1.0}, SEED).run(write([one | {"revision": 4}]))
    assert (old.status, old.stored, old.revision) == ("settled", "superseded", 4)
    assert (first.revision, new.revision, nothing) == (4, 5, [])
    # There is no revision above the highest.
    assert injected(Fault.REVISION, one | {"revision": 2**31 - 1}) == []


def test_truths_are_lines_of_json() -> None:
    (truth,) = injected(Fault.SIGN_ERROR, atomic(five(FIVE_POINTS)))
    row = json.loads(encode_truth(truth), parse_float=Decimal)
    assert row | {"discrepancies": ...} == {
        "match_id": "m1", "revision": 1, "fault": "sign_error", "status": "settled", "stored": "settled", "file": "",
        "line": 1, "code": None, "deal": None, "play": None, "discrepancies": ..., "detail": None,
    }  # fmt: skip
