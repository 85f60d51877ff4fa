"""What cannot be true in a score sheet is rejected with row and column, the cell, and the reason in words."""

from __future__ import annotations

from datetime import UTC
from decimal import Decimal
from typing import Any

import pytest

from tests.yuanzi_core.score_sheets import (
    THREE_OUT,
    Row,
    as_csv,
    five,
    four,
    judge,
    judge_records,
    judge_rows,
    reason,
    records_in,
    settled,
)
from yuanzi_core.clubs import ClubDefaults
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import LANGS

ESCAPE: Row = {"finish": None, "end": "escape", "escaped": 1, "tricks": 9}
STOP: Row = {"finish": None, "captured": (210, 0, 40, 50, 0), "hand": (20, 30, 50, 60, 40), "end": "points"}

#: A row, the column that is named and what the reason says.
WRONG: list[tuple[Row, str, str]] = [
    (four(match_id=""), "match_id", "filled in"),
    (four(match_id="x" * 129), "match_id", "128"),
    (four(revision=0), "revision", "from 1"),
    (four(revision=2**31), "revision", "from 1"),
    (four(revision="1.5"), "revision", "whole number"),
    (four(played_at=None), "played_at", "filled in"),
    (four(played_at="yesterday"), "played_at", "date and time"),
    (four(played_at="2026-02-30 20:15"), "played_at", "date and time"),
    (four(played_at="46082.84375"), "played_at", "date and time"),
    (four(played_at="0001-01-01T00:00:00+08:00"), "played_at", "date and time"),
    (four(played_at="9999-12-31T23:59:00"), "played_at", "date and time"),
    (four(variant=None), "variant", "filled in"),
    (four(variant="six"), "variant", "four or five"),
    (four(ruleset=None), "ruleset", "filled in"),
    (four(rules="wind"), "rules", "wind"),
    (four(rules="wind=next; wind=partner"), "rules", "wind=partner"),
    (four(half=3), "half", "1 (upper)"),
    (four(half=2), "half", "without the upper"),
    (five(half=2), "half", "single deal"),
    (four(base=0), "base", "positive"),
    (four(base="-1"), "base", "positive"),
    (four(base="1.234"), "base", "decimals"),
    (four(base=1_000_000), "base", "below"),
    (four(base="1,5"), "base", "positive"),
    (four(player2=None), "player2", "filled in"),
    (four(player2="a"), "player2", "North"),
    (four(balance=(1, "1.2345", 0, 0)), "balance1", "decimals"),
    (four(balance=(1, 0, 10**12, 0)), "balance2", "between"),
    (four(balance=(1, 0, 0, "much")), "balance3", "number"),
    (four(captured1=None), "captured1", "filled in"),
    (four(captured1="some"), "captured1", "whole number"),
    (four(captured1="60.5"), "captured1", "whole number"),
    (four(captured1=-60), "captured1", "less than 0"),
    (four(captured1=61), "captured1", "steps of 5"),
    (four(captured1=305), "captured1", "300"),
    (four(captured1=55), "", "make 295; they should make 300"),
    (four(captured1=65), "", "make 305"),
    (four(hand1=None), "", "make 270"),
    (four(hand1=-30), "hand1", "less than 0"),
    (four(hand1=31), "hand1", "steps of 5"),
    (four(hand0=5, hand1=25), "hand0", "North is out"),
    (four(finish="2 7"), "finish", "0 to 3"),
    (four(finish="2 2"), "finish", "South is named twice"),
    (four(finish="20"), "finish", "spaces"),
    (four(finish="2,x"), "finish", "spaces"),
    (four(finish=None), "finish", "nobody is out"),
    (four(finish="2"), "finish", "not over yet"),
    (four(finish="2 1"), "finish", "not over yet"),
    (four(finish="2 0 1"), "finish", "North the deal was over"),
    (four(finish="1 2 3 0", hand1=0, hand3=0, captured=(100, 60, 100, 40)), "finish", "West the deal was over"),
    (four(end="draw"), "end", "out or escape"),
    (four(end="points"), "end", "out or escape"),
    (four(escaped=1), "escaped", "ended otherwise (out)"),
    (four(**ESCAPE | {"escaped": None}), "escaped", "filled in"),
    (four(**ESCAPE | {"escaped": 4}), "escaped", "0 to 3"),
    (four(**ESCAPE | {"escaped": "1 2"}), "escaped", "one seat"),
    (four(**ESCAPE | {"tricks": None}), "tricks", "after an escape"),
    (four(**ESCAPE | {"finish": "2 0"}), "finish", "North going out the deal was over"),
    (four(**ESCAPE | {"finish": "2 1 3"}), "finish", "West going out"),
    (four(**ESCAPE | {"captured1": 65}), "", "make 305; there are only 300"),
    (four(**ESCAPE | {"tricks": 3}), "tricks", "at least 4 tricks"),
    (four(tricks=0), "tricks", "at least 4 tricks"),
    (four(tricks=-1), "tricks", "less than 0"),
    (four(tricks="many"), "tricks", "whole number"),
    # 162 cards, of which 30 and 10 card points are left: three cards of ten and one.
    (four(tricks=159), "tricks", "158 tricks at most"),
    (four(**ESCAPE | {"captured": (0, 0, 0, 0), "hand": (0, 0, 0, 0), "tricks": 159}), "tricks", "158 tricks at most"),
    # 300 in hand: thirty cards, and one of the other player who still holds cards; 131 cards make 43 of three.
    (four(finish="1 3", captured=(0, 0, 0, 0), hand=(300, 0, 0, 0), tricks=132), "tricks", "131 tricks at most"),
    (four(finish="1 3", captured=(0, 0, 0, 0), hand=(300, 0, 0, 0), atoms=44), "atoms", "43"),
    # 35 points need four cards.
    (four(finish="2 1 0", captured=(100, 60, 80, 25), hand=(0, 0, 0, 35), tricks=159), "tricks", "158 tricks at most"),
    (four(captured=(160, 0, 100, 0), tricks=1), "tricks", "at least 2"),
    # Who goes out last takes the last trick, also for nothing.
    (four(captured=(0, 100, 140, 20), tricks=3), "tricks", "at least 4"),
    # Four cards at least are left of 162 (30 and 10 points): 158 make 52 of three; one left: 161 make 53.
    (four(atoms=53), "atoms", "52"),
    (four(finish="2 1 0", captured=(100, 80, 80, 40), hand=(0, 0, 0, 0), atoms=54), "atoms", "53"),
    (four(atoms=-1), "atoms", "less than 0"),
    (five(dealer=None), "dealer", "filled in"),
    (five(dealer=5), "dealer", "0 to 4"),
    (five(dealer="E"), "dealer", "0 to 4"),
    (five(partners=None), "partners", "filled in"),
    (five(partners="无"), "partners", "not 0"),
    (five(partners="1 2 3"), "partners", "not 3"),
    (five(partners="0"), "partners", "Seat 0 is the dealer"),
    (five(partners="1 1"), "partners", "Seat 1 is named twice"),
    (five(finish="0 2"), "finish", "not over yet"),
    (five(captured=(150, 60, 100, 90, 65)), "", "make 505; they should make 500"),
    (five(captured=(0, 0, 0, 0, 0), hand=(0, 0, 0, 475, 25)), "hand3", "more than 470"),
    (five(**STOP, rules="early_stop=never"), "end", "does not stop"),
    (five(**STOP | {"finish": "0 1"}), "finish", "Seat 1 going out"),
    (five(**STOP | {"captured": (200, 0, 50, 50, 0)}), "end", "needed: Dealer's side 205, Defenders 305"),
    (five(**STOP | {"captured": (200, 0, 50, 45, 0)}), "", "make 495"),
    (five(**STOP | {"end": "escape", "escaped": 2, "tricks": 9}, rules="early_stop=must"), "end", "was over when"),
    (five(ruleset="five-atomic"), "atoms", "atom doubling"),
    (five(rules="atom_doubling=true", tricks=30), "atoms", "atom doubling"),
    # Of five alike one atom of three, and an H-bomb of two in each suit; the jokers are two kinds more.
    (five(atoms=68), "atoms", "67"),
    (four(club="#REF!"), "club", "found an error"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "column", "words"), WRONG, ids=[f"{at}-{col}-{why[:24]}" for at, (_, col, why) in enumerate(WRONG)]
)
def test_what_cannot_be_is_rejected_with_row_column_and_cell(row: Row, column: str, words: str) -> None:
    message = reason(row)
    if not column:
        assert message.startswith("Row 2: ")
    elif row.get(column, "") != "":
        assert message.startswith(f"Row 2, column {column}, “{str(row[column])[:20]}"), message
    else:
        assert message.startswith(f"Row 2, column {column}: "), message
    assert words in message


def test_a_message_is_in_the_language_of_the_reader() -> None:
    row = four(captured1=61)
    assert reason(row, lang="zh") == "第 2 行“抓分1”栏写着“61”：分数都是 5 的倍数（A2）。"
    assert reason(row) == "Row 2, column captured1, “61”: card points come in steps of 5 (A2)."
    stop = five(**STOP | {"captured": (200, 0, 50, 50, 0)})
    assert "抓到：庄家方 200、闲家方 100；分数线：庄家方 205、闲家方 305" in reason(stop, lang="zh")
    assert (
        reason(four(finish="2 0 1"), lang="zh")
        == "第 2 行“出完顺序”栏写着“2 0 1”：北家出完，这一局就结束了，后面不会再有人出完；还没出完的人不写（C4）。"
    )


def test_a_large_limit_has_its_digits_grouped() -> None:
    # A base is a number below a million.
    for lang in LANGS:
        assert "1,000,000" in reason(four(base=10**7), lang=lang)


def test_the_row_is_the_one_that_is_wrong() -> None:
    upper, lower = four(**THREE_OUT), four(**THREE_OUT, half=2) | {"captured0": 90}
    others = [four(match_id=f"x{number}") for number in range(3)]
    found = judge_rows(others[0], lower, others[1], upper, others[2])
    assert [(one["line"], one["match_id"], one["status"]) for one in found] == [
        (2, "x0", "settled"), (3, "m1", "rejected"), (4, "x1", "settled"), (6, "x2", "settled")
    ]  # fmt: skip
    assert found[1]["message"].startswith("Row 3: ")
    assert "make 290" in found[1]["message"]


@pytest.mark.parametrize(
    ("first", "second", "column"),
    [
        ({}, {"player2": "z"}, "player2"),
        ({"club": "one"}, {"club": "two"}, "club"),
        ({"base": 1}, {"base": 2}, "base"),
        ({"rules": "wind=next"}, {"rules": "wind=partner"}, "rules"),
        ({"balance0": 1}, {"balance0": 2}, "balance0"),
    ],
)
def test_rows_of_a_match_must_say_the_same_of_it(first: Row, second: Row, column: str) -> None:
    upper, lower = four(**THREE_OUT, **first), four(**THREE_OUT, half=2) | second
    message = reason(upper, lower)
    assert message.startswith(f"Row 3, column {column}, “{second[column]}”: row 2 of the same match says")


def test_what_belongs_to_the_match_may_stand_in_one_row_only() -> None:
    lower = four(**THREE_OUT, half="下")
    own = {"match_id", "half", "finish", *(f"{name}{seat}" for name in ("captured", "hand") for seat in range(4))}
    answer = settled(four(**THREE_OUT, revision=3), {name: cell for name, cell in lower.items() if name in own})
    assert len(answer["deals"]) == 2


AFTER_THE_END = [
    (four(), "already ended the match by double clamp"),
    (four(**THREE_OUT, rules="clamp_points=65"), "already ended the match by double clamp"),
    (four(**THREE_OUT, rules="halves=1"), "a single half"),
    (four(**ESCAPE), "somebody left in the upper half"),
]


@pytest.mark.parametrize(("upper", "words"), AFTER_THE_END)
def test_H2_a_half_after_the_end_is_a_row_that_cannot_be(upper: Row, words: str) -> None:
    lower = four(**THREE_OUT, half=2)
    good = four(match_id="good")
    found = judge_rows(good, upper, {**lower, **{name: upper[name] for name in upper if name == "rules"}})
    assert [(one["status"], one["code"]) for one in found] == [("settled", None), ("rejected", "SHEET")]
    assert found[1]["message"].startswith("Row 4, column half, “2”: ")
    assert words in found[1]["message"]


def test_a_row_with_more_cells_than_headings_is_not_guessed_at() -> None:
    content = as_csv([four(club="Ink")]).replace(b"Ink", b"Ink, and Paper")
    (found,) = judge_records(records_in(content))
    assert found["message"].startswith("Row 2: the row has more cells than there are headings")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ruleset": "no-such"}, "There is no ruleset called no-such."),
        ({"ruleset": "本店"}, "There is no ruleset called 本店, nor can there be: a name is of Latin letters, "),
        ({"ruleset": "five-classic"}, "belongs to the other game"),
        ({"rules": "bold=true"}, "There is no option called bold."),
        ({"rules": "early_stop=may"}, "belongs to the other game"),
        ({"rules": "clamp_points=0"}, "1–150"),
        ({"rules": "halves=一"}, "cannot be"),
    ],
)
def test_a_ruleset_or_option_that_does_not_exist_is_RULESET_as_in_a_log(changes: Row, words: str) -> None:
    found = judge(four(**changes))
    assert (found["status"], found["code"]) == ("rejected", "RULESET")
    assert words in found["message"]


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        ({"claimed": (2, -2, 2, None)}, {"code": "CLAIM_UNREADABLE", "path": "claimed3"}),
        ({"claimed": (2, "two", 2, -2)}, {"code": "CLAIM_UNREADABLE", "path": "claimed1"}),
        ({"claimed_outcome": "splendid"}, {"code": "CLAIM_UNREADABLE", "path": "claimed_outcome"}),
        ({"weather": "rain", "备注": "x"}, {"code": "UNKNOWN_FIELDS", "count": 2}),
        ({"dealer": 1, "player4": "e"}, {"code": "OTHER_VARIANT_FIELDS", "count": 2}),
    ],
)
def test_what_decides_nothing_is_a_note_and_never_a_reject(cells: Row, note: dict[str, Any]) -> None:
    answer = settled(four(**cells))
    assert (answer["notes"], answer["discrepancies"]) == ([note], [])


def test_claims_that_differ_between_the_rows_are_not_taken() -> None:
    upper = four(**THREE_OUT, claimed=(2, -2, 2, -2))
    answer = settled(upper, four(**THREE_OUT, half=2, claimed=(1, -1, 1, -1)))
    assert answer["notes"] == [{"code": "CLAIM_UNREADABLE", "path": "claimed0"}]


CLUBS = {"北山": ClubDefaults(zone="Europe/Berlin", ruleset="five-atomic", base=Decimal("0.5"))}


def test_what_a_club_says_once_its_sheets_need_not_say() -> None:
    row = five(club="北山", ruleset=None, atoms=0, played_at="2026-03-01 20:15", balance=(100,) * 5)
    answer = settled(row, clubs=CLUBS)
    assert (answer["scores"], answer["ruleset_hash"]) == ([1.5, 1.5, -1, -1, -1], Rulesets()["five-atomic"].hash)
    # Another club's sheets have to name it, and the default is no default of the other game.
    assert "filled in" in reason({**row, "club": "南山"}, clubs=CLUBS)
    assert "column ruleset: this has to be filled in" in reason(four(club="北山", ruleset=None), clubs=CLUBS)
    # What the sheet says prevails.
    assert settled({**row, "ruleset": "five-classic", "base": 2}, clubs=CLUBS)["scores"] == [6, 6, -4, -4, -4]


@pytest.mark.parametrize(
    ("cell", "club", "utc"),
    [
        ("2026-03-01T20:15:00+08:00", "", "2026-03-01T12:15:00"),
        ("2026-03-01T20:15:00Z", "北山", "2026-03-01T20:15:00"),
        ("2026-03-01 20:15", "", "2026-03-01T12:15:00"),
        ("2026/3/1 20:15:30", "", "2026-03-01T12:15:30"),
        ("2026年3月1日 20:15", "", "2026-03-01T12:15:00"),
        ("2026年3月1日20点15分", "", "2026-03-01T12:15:00"),
        ("2026-03-01", "", "2026-02-28T16:00:00"),
        ("2026-03-01 20:15", "北山", "2026-03-01T19:15:00"),
        ("2026-07-01 20:15", "北山", "2026-07-01T18:15:00"),
        # Twice on that night: the first time.
        ("2026-10-25 02:30", "北山", "2026-10-25T00:30:00"),
    ],
)
def test_a_time_without_an_offset_is_in_the_zone_of_the_club(cell: str, club: str, utc: str) -> None:
    chunk = Reader(Rulesets(), CLUBS).read_sheets(records_in(as_csv([four(played_at=cell, club=club)])))
    match = chunk.records[0].match
    assert match is not None
    assert match.played_at.astimezone(UTC).replace(tzinfo=None).isoformat() == utc


def test_an_hour_that_the_clocks_leapt_over_is_no_time() -> None:
    row = four(played_at="2026-03-29 02:30", club="北山")
    assert "Europe/Berlin leapt over" in reason(row, clubs=CLUBS)


@pytest.mark.parametrize(
    "cells",
    [
        {"variant": "四人", "half": "上", "end": "出完"},
        {"variant": "原子", "half": "upper", "end": "OUT"},
        {"variant": "4", "half": None, "end": None},
        {"variant": "４", "half": "１", "finish": "２　０"},
        {"finish": "南北"},
        {"finish": "S N"},
        {"finish": "sn"},
        {"finish": "2、0"},
        {"finish": "2→0"},
        {"rules": "knife_jokers＝是；wind=partner"},
    ],
)
def test_words_may_be_english_or_chinese_and_digits_full_width(cells: Row) -> None:
    answer = settled(four(**cells))
    assert (answer["deals"][0]["finish"], answer["scores"]) == ([2, 0], [2, -2, 2, -2])


def test_a_five_player_row_may_be_in_chinese() -> None:
    words = {"variant": "五人", "end": "出完", "partners": "1", "half": "上"}
    assert settled(five(**words))["scores"] == settled(five())["scores"]
    assert settled(five(**STOP | {"end": "够分停牌"}))["deals"][0]["end"] == "points"
