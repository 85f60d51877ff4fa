"""The calculator: results entered by hand settle as sheets do, and what cannot be is said at its place.

Expected scores are worked out by hand from the rulings.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from yuanzi_core.answers import answers
from yuanzi_core.calculator import SETTLING, Entry, Result, calculate, columns_of
from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.judge import Judge
from yuanzi_core.ruleset import Rulesets, options
from yuanzi_core.stream import judge_files
from yuanzi_core.texts import LANGS, Lang


def deal(**cells: str) -> dict[str, str]:
    """A deal; ``captured`` and ``hand`` stand for a value a seat."""
    found: dict[str, str] = {}
    for name, value in cells.items():
        if name in ("captured", "hand", "balance"):
            found |= {f"{name}{seat}": part for seat, part in enumerate(value.split())}
        else:
            found[name] = value
    return found


def result(variant: Variant, *deals: dict[str, str], lang: Lang = "en", **of_match: str) -> Result:
    """What comes of an entry."""
    return settled(variant, of_match, list(deals), lang)


def settled(variant: Variant, of_match: dict[str, str], deals: list[dict[str, str]], lang: Lang = "en") -> Result:
    """The same."""
    return calculate(Entry(variant, deal(**of_match), deals), Rulesets(), lang)


UPPER = deal(finish="2 1 0", captured="95 70 65 40", hand="0 0 0 30")
LOWER = deal(finish="1 3", captured="80 100 30 60", hand="10 0 20 0")
FIVE = deal(finish="2 0", captured="150 60 90 80 40", hand="0 30 0 20 30")


def test_E1_a_double_clamp() -> None:
    """D1: west's 45 go to south, 165 + 95 against 40, fewer than 60."""
    found = result("four", deal(finish="2 1 0", captured="95 40 120 45"))
    assert found.is_possible
    answer = found.answer
    assert (answer["outcome"], answer["winner"], answer["scores"]) == ("double", 0, [2, -2, 2, -2])
    assert answer["deals"][0]["points"] == [95, 40, 165, 0]
    assert answer["deals"][0]["side_points"] == [260, 40]


def test_E2_the_lower_half_decides() -> None:
    assert result("four", UPPER).answer["outcome"] == "unfinished"
    found = result("four", UPPER, LOWER, base="2.5").answer
    assert (found["outcome"], found["scores"]) == ("normal", [2.5, -2.5, 2.5, -2.5])
    # E1: with a limit of 80 the 70 points of east and west are a double clamp, and E2: so may a single half decide.
    assert result("four", UPPER, rules="clamp_points=80").answer["outcome"] == "double"
    assert result("four", UPPER, rules="halves=1").answer["scores"] == [1, -1, 1, -1]


def test_E3_an_escape() -> None:
    found = result("four", deal(end="escape", escaped="1", tricks="5", captured="10 0 20 5")).answer
    assert (found["outcome"], found["scores"]) == ("escape", [1, -4, 1, 0])
    found = result("four", deal(end="escape", escaped="1", tricks="4", captured="10 0 20 5")).answer
    assert found["scores"] == [0, -4, 0, 0]


def test_F_atoms_and_the_cap() -> None:
    """Two atoms: 3 + 3 for each of the two, 2 + 2 for each of the three; F6 leaves seat 2 what it held, 4."""
    table = {"ruleset": "five-atomic", "dealer": "0", "partners": "2", "balance": "40 0 4 0 0"}
    found = settled("five", table, [FIVE | {"atoms": "2"}]).answer
    assert found["scores_before_cap"] == [6, -4, 6, -4, -4]
    assert found["scores"] == [6, -4, 4, -4, -4]
    # F4: atoms of an ordinary table count for nothing.
    assert result("five", FIVE, dealer="0", partners="2").answer["scores"] == [3, -2, 3, -2, -2]


@pytest.mark.parametrize("lang", LANGS)
def test_it_is_explained_clause_by_clause_without_names(lang: Lang) -> None:
    found = result("four", UPPER, LOWER, lang=lang)
    keys = [section.key for section in found.sections]
    assert keys == ["summary", "end", "points", "end", "points", "result", "scores"]
    clauses = {clause for section in found.sections for line in section.lines for clause in line.clauses}
    assert {"D0", "D1", "D2", "D4", "E1", "E2", "E5"} <= clauses
    said = " ".join(line.text for section in found.sections for line in section.lines)
    assert "#" not in said
    named = result("four", UPPER, LOWER, lang=lang, player0="Wang")
    assert "Wang" in " ".join(line.text for section in named.sections for line in section.lines)


IMPOSSIBLE: list[tuple[list[dict[str, str]], dict[str, str], str, int | None, bool]] = [
    ([deal(finish="2 0 1", captured="95 70 65 40")], {}, "finish", 0, False),
    ([deal(finish="2 2", captured="95 70 65 40")], {}, "finish", 0, False),
    ([deal(finish="x", captured="95 70 65 40")], {}, "finish", 0, False),
    ([deal(finish="2 1", captured="95 70 65 40")], {}, "finish", 0, True),
    ([deal(captured="95 70 65 40")], {}, "finish", 0, True),
    ([deal(finish="2 1 0", captured="95 70 65 40")], {}, "", 0, True),
    ([deal(finish="2 1 0", captured="95 70 65 100")], {}, "", 0, False),
    ([deal(finish="2 1 0", captured="95 70 65")], {}, "captured3", 0, True),
    ([deal(finish="2 1 0", captured="95 70 65 ten")], {}, "captured3", 0, False),
    ([deal(finish="2 1 0", captured="95 70 65 40", hand="30")], {}, "hand0", 0, False),
    ([deal(end="escape", captured="0 0 0 0")], {}, "escaped", 0, True),
    ([deal(end="escape", escaped="1", captured="0 0 0 0")], {}, "tricks", 0, True),
    ([UPPER, deal(finish="1", captured="0 0 0 0")], {}, "finish", 1, True),
    ([deal(finish="2 0", captured="150 60 90 0"), LOWER], {}, "half", 1, False),
    ([UPPER], {"base": "0"}, "base", 0, False),
    ([UPPER], {"rules": "wind=east"}, "rules", None, False),
    ([UPPER], {"ruleset": "five-classic"}, "ruleset", None, False),
]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("deals", "of_match", "column", "place", "is_missing"), IMPOSSIBLE)
def test_what_cannot_be_is_said_at_its_place(
    deals: list[dict[str, str]], of_match: dict[str, str], column: str, place: int | None, is_missing: bool, lang: Lang
) -> None:
    found = settled("four", of_match, deals, lang)
    assert not found.is_possible
    assert (found.column, found.deal, found.is_missing) == (column, place, is_missing), found.message
    assert found.message
    assert "None" not in found.message
    # The rows are the entry's own.
    assert "Row " not in found.message
    assert "行" not in found.message
    assert found.answer["status"] == "rejected"
    assert found.answer["scores"] is None


def test_any_text_may_be_entered() -> None:
    texts = ("=1", "-1", "\t", '"', "\n", "北", "9" * 50, "🀄", "0 0", "'", ";", "\x00")
    judge = Judge()
    for place, column in enumerate(columns_of("five")):
        cells = {"dealer": "0", "partners": "2", **FIVE, column.name: texts[place % len(texts)]}
        calculated = calculate(Entry("five", {}, [cells]), Rulesets(), "zh", judge)
        assert calculated.is_possible == (calculated.answer["status"] != "rejected"), column.name


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("tabs", [False, True])
def test_the_rows_to_copy_settle_alike_in_a_sheet(tabs: bool, lang: Lang, tmp_path: Path) -> None:
    entry = Entry("four", {"match_id": "=a", "played_at": "2026-03-01 20:15", "rules": "clamp_points=50",
                           **{f"player{seat}": f"-p{seat}" for seat in range(4)}}, [UPPER, LOWER])  # fmt: skip
    sheet = tmp_path / "x.csv"
    sheet.write_text(entry.as_text(lang, tabs), encoding="utf-8")
    (found,) = [answer for judged in judge_files([str(sheet)], Rulesets()) for answer in answers(judged)]
    mine = calculate(entry, Rulesets(), "en").answer
    assert {**found, "file": "-"} == mine
    assert mine["match_id"] == "=a"
    assert mine["status"] == "settled"


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result("four", UPPER, LOWER)
    assert list(tmp_path.iterdir()) == []


def test_the_options_that_matter_are_options() -> None:
    assert set(SETTLING) <= options().keys()
    # What is left decides plays, and how atoms are counted.
    assert options().keys() - set(SETTLING) == {"wind", "knife_bomb", "knife_jokers", "five_leader", "count_head_out"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_sheet_of_one_game_has_its_own_columns(variant: Variant) -> None:
    names = {column.name for column in columns_of(variant)}
    five = {"player4", "captured4", "hand4", "balance4", "claimed4", "dealer", "partners"}
    assert five <= names if variant == "five" else not five & names
