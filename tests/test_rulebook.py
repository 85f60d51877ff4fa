"""The rulebook: every clause of the rulings in both languages, in order, and every option with its values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

LANGUAGES = ("en", "zh")
CLAUSES = [
    *("A1", "A2", "A3", "A4", "A5", "A6"),
    *("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"),
    *("C1", "C2", "C3", "C4", "C5"),
    *("D0", "D1", "D2", "D3", "D4"),
    *("E1", "E2", "E3", "E4", "E5"),
    *("F1", "F2", "F3", "F4", "F5", "F6", "F7"),
    *("G1", "G2", "G3", "G4"),
    *("H1", "H2"),
]
# Option, its values (a range as one text), its default, the clauses that it changes.
OPTIONS = [
    ("wind", ["next", "partner"], ["next"], ["C3"]),
    ("knife_bomb", ["above_all", "by_size", "shielded"], ["above_all"], ["B5"]),
    ("knife_jokers", ["true", "false"], ["false", "true"], ["B3"]),
    ("downstream", ["last_holder", "all_holders"], ["last_holder"], ["D2", "D3"]),
    ("clamp", ["both_out", "any_side", "upstream_side"], ["both_out"], ["E1"]),
    ("clamp_points", ["1–150"], ["60"], ["E1"]),
    ("halves", ["2", "1"], ["2"], ["E2"]),
    ("escape_min_tricks", ["0–50"], ["5"], ["E3", "F7"]),
    ("escape_upper_compensation", ["0–2"], ["1"], ["E3"]),
    ("five_leader", ["dealer", "any"], ["dealer"], ["A5"]),
    ("early_stop", ["may", "must", "never"], ["may"], ["C5"]),
    ("atom_doubling", ["true", "false"], ["five-classic", "false", "five-atomic", "true"], ["F4"]),
    ("count_head_out", ["true", "false"], ["true"], ["F5"]),
    ("low_applies", ["total", "base_only"], ["total"], ["F4"]),
    ("cap", ["winner_only", "none"], ["winner_only"], ["F6"]),
]
CODES = [
    "DECK",
    "KNIFE",
    "FIRST_DRAW",
    "HAND_SIZE",
    "CALL",
    "LEADER",
    "AFTER_END",
    "TURN",
    "LEAD_PASS",
    "NOT_HELD",
    "NOT_A_COMBO",
    "CANNOT_BEAT",
    "TRUNCATED",
    "END",
]


def _names_of_tests() -> Iterator[str]:
    """The names of all test functions of the repository."""
    for path in Path(__file__).parent.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node.name


def test_every_clause_has_a_test_named_after_it() -> None:
    names = list(_names_of_tests())
    assert "test_every_clause_has_a_test_named_after_it" in names
    assert [clause for clause in CLAUSES if not any(name.startswith(f"test_{clause}_") for name in names)] == []


def test_every_test_named_after_a_clause_means_one_that_exists() -> None:
    named = {found[1] for name in _names_of_tests() if (found := re.match(r"test_([A-Z]\d+)_", name))}
    assert named <= set(CLAUSES)


def _book(lang: str) -> str:
    return (files("yuanzi_core") / f"rulebook.{lang}.md").read_text(encoding="utf-8")


def _clauses(lang: str) -> dict[str, str]:
    """The text of each clause, its heading included."""
    parts = re.split(r"^(?=##)", _book(lang), flags=re.MULTILINE)
    found: dict[str, str] = {}
    for part in parts:
        if heading := re.match(r"### ([A-H]\d+) (.+)\n", part):
            assert heading[1] not in found
            found[heading[1]] = part
    return found


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def _code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_clause_is_there_in_order(lang: str) -> None:
    headings = re.findall(r"^### ([A-H]\d+) (.+)$", _book(lang), re.MULTILINE)
    assert [number for number, _ in headings] == CLAUSES
    assert all(title.strip() == title for _, title in headings)
    assert len(re.findall("^### ", _book(lang), re.MULTILINE)) == len(CLAUSES)
    for number, text in _clauses(lang).items():
        assert len(text.split("\n", 1)[1].strip()) > 10, number


@pytest.mark.parametrize("lang", LANGUAGES)
def test_clauses_stand_in_the_section_of_their_letter(lang: str) -> None:
    letter, letters = "", []
    for line in _book(lang).splitlines():
        if section := re.match(r"## ([A-H])\. .", line):
            letter = section[1]
            letters.append(letter)
        elif clause := re.match(r"### ([A-H])", line):
            assert clause[1] == letter
    assert letters == list("ABCDEFGH")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_clauses_that_exist_are_cited(lang: str) -> None:
    cited = set(re.findall(r"(?<![A-Za-z0-9])[A-H]\d+(?![A-Za-z0-9])", _book(lang)))
    assert cited == set(CLAUSES)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("option", "values", "_default", "clauses"), OPTIONS, ids=[row[0] for row in OPTIONS])
def test_every_option_is_in_its_clause(
    option: str, values: list[str], _default: list[str], clauses: list[str], lang: str
) -> None:
    text = "".join(_clauses(lang)[number] for number in clauses)
    assert f"`{option}`" in text
    for value in values:
        assert (value if "–" in value else f"`{value}`") in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_of_options(lang: str) -> None:
    rows = [_cells(line) for line in _book(lang).splitlines() if re.match(r"\| `[a-z_]+` \| ", line)]
    assert [_code(row[0]) for row in rows] == [[option] for option, *_ in OPTIONS]
    for row, (_option, values, default, clauses) in zip(rows, OPTIONS, strict=True):
        if "–" in values[0]:
            assert values[0] in row[2]
        else:
            assert _code(row[2]) == values
        assert _code(row[3]) == default
        assert re.findall(r"[A-H]\d+", row[4]) == clauses


@pytest.mark.parametrize("lang", LANGUAGES)
def test_H2_lists_the_checks_in_their_order(lang: str) -> None:
    rows = [_cells(line) for line in _clauses(lang)["H2"].splitlines() if line.startswith("|")]
    assert [row[1] for row in rows if re.fullmatch(r"[A-Z_]+", row[1])] == CODES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_B1_ranks_from_high_to_low(lang: str) -> None:
    comma = {"en": ", ", "zh": "、"}[lang]
    ranks = comma.join(["2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3"])
    assert ranks in _clauses(lang)["B1"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_tables_are_whole(lang: str) -> None:
    # Each row of a table has as many cells as its head.
    width = 0
    for line in _book(lang).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        assert line.endswith("|"), line
        width = width or line.count("|")
        assert line.count("|") == width, line
