"""Sheets as they are written: readable by Excel, harmless in it, whole or not there; and the template."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yuanzi_core import sheet_writer
from yuanzi_core.calculator import calculate, columns_of
from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.sheet_cells import form_of, half_of
from yuanzi_core.sheet_columns import COLUMNS, column_of, heading_of
from yuanzi_core.sheet_file import SheetRow, read_rows
from yuanzi_core.sheet_template import choices, example, note, write_template
from yuanzi_core.sheet_words import end_of, game_of, outcome_of, seats_of
from yuanzi_core.sheet_writer import Row, SheetWriter, TooManyRows, as_text, typed
from yuanzi_core.spreadsheet_safety import defused, restored
from yuanzi_core.texts import LANGS, Lang, text

#: What makes a spreadsheet run a cell (OWASP, CSV injection), with and without something in front.
DANGEROUS = (
    "=1+1", "+1", "-2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1+1", "＝1", "'=1", "''=cmd|' /C calc'!A0", "-", "'-",
)  # fmt: skip
HARMLESS = ("", "p17", "'tis", "a=b", "1-2", "2026-03-01", "'", "西湖")
ROW: Row = {
    "match_id": "=WEBSERVICE(\"http://x\")", "player0": "-x", "player1": "007", "club": "http://example.org",
    "table": "4",
    "variant": "four", "finish": "2 1 0", "captured0": 95, "half": 1, "end": "escape", "claimed_outcome": "double",
    "base": Decimal("1.5"), "balance0": Decimal("-0.001"), "balance1": Decimal("123456789012.345"),
    "balance2": 10**29, "claimed0": -2,
}  # fmt: skip


def rows_of(path: Path) -> list[dict[str, str]]:
    """The cells of a sheet as the project's own reader finds them."""
    found = read_rows(path.read_bytes(), path.name)
    assert isinstance(found, list)
    return [row.cells for row in found]


def parts(path: Path) -> dict[str, str]:
    """The parts of an XLSX file."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.parametrize("text", DANGEROUS)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert defused(text) == f"'{text}"
    assert restored(defused(text)) == text


@pytest.mark.parametrize("text", HARMLESS)
def test_what_it_would_not_run_stays_as_it_is(text: str) -> None:
    assert defused(text) == text == restored(text)


@given(st.text("'=+-@\t\r\n ＝a1", max_size=6))
def test_there_is_one_way_back(text: str) -> None:
    assert restored(defused(text)) == text


def test_csv_is_what_chinese_excel_reads(tmp_path: Path) -> None:
    path = tmp_path / "evening.csv"
    with SheetWriter(path, "zh") as sheet:
        sheet.write([ROW])
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\r\n") == content.count(b"\n") == 2
    first, second = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert first == [heading_of(column, "zh") for column in COLUMNS]
    cells = dict(zip([column.name for column in COLUMNS], second, strict=True))
    assert cells["match_id"] == '\'=WEBSERVICE("http://x")'
    assert cells["player0"] == "'-x"
    # Numbers stay numbers, also below 0.
    assert [cells[name] for name in ("claimed0", "base", "balance0", "balance1")] == [
        "-2", "1.5", "-0.001", "123456789012.345",
    ]  # fmt: skip
    assert [cells[name] for name in ("half", "variant", "end", "claimed_outcome")] == ["上", "四人", "逃跑", "双夹"]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_what_was_written_is_read_back(suffix: str, lang: Lang, tmp_path: Path) -> None:
    path = tmp_path / f"evening{suffix}"
    with SheetWriter(path, lang, as_given=True) as sheet:
        sheet.write([ROW, {"match_id": "b"}])
    expected = {name: str(value) for name, value in ROW.items() if value is not None}
    assert rows_of(path) == [expected, {"match_id": "b"}]


def test_a_text_in_xlsx_is_neither_formula_nor_link_nor_number(tmp_path: Path) -> None:
    path = tmp_path / "evening.xlsx"
    with SheetWriter(path, "en", COLUMNS, ["=evil"]) as sheet:
        sheet.write([{**ROW, "=evil": "=1"}])
    found = parts(path)
    sheet_part = found["xl/worksheets/sheet1.xml"]
    assert "<f>" not in sheet_part
    assert "hyperlink" not in "".join(found).lower() + sheet_part.lower()
    cells = dict(re.findall(r'<c r="([A-Z]+)2"[^>]*?(?: t="(\w+)")?>', sheet_part))
    names = [column.name for column in COLUMNS]
    kinds = {name: cells.get(_letters(place)) for place, name in enumerate(names)}
    assert kinds["player1"] == "inlineStr"
    assert kinds["captured0"] == "" == kinds["base"]
    # A double would lose digits of it.
    assert kinds["balance2"] == "inlineStr"
    assert "&apos;=evil" in sheet_part or "'=evil" in sheet_part


def _letters(place: int) -> str:
    return chr(65 + place) if place < 26 else chr(64 + place // 26) + chr(65 + place % 26)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_a_sheet_appears_whole_or_not_at_all(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"evening{suffix}"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(AttributeError), SheetWriter(path, "en") as sheet:
        sheet.write([ROW, None])  # type: ignore[list-item]
    monkeypatch.setattr(sheet_writer, "MOST_ROWS", 2)
    with pytest.raises(TooManyRows), SheetWriter(path, "en") as sheet:
        sheet.write([ROW, ROW, ROW])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text(encoding="utf-8") == "before"
    with pytest.raises(FileNotFoundError) as missing, SheetWriter(tmp_path / "no" / path.name, "en"):
        pass
    assert missing.value.filename == str(tmp_path / "no" / path.name)


def test_a_name_that_is_no_sheet_s_is_the_caller_s_mistake(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="ends in"):
        SheetWriter(tmp_path / "evening.ods", "en")


@pytest.mark.parametrize(
    ("column", "text", "cell"),
    [
        ("captured0", "95", 95), ("balance0", "-2.50", Decimal("-2.50")), ("captured0", "x", "x"),
        ("base", "1e3", "1e3"), ("player0", "7", "7"), ("captured0", "007", "007"), ("finish", "2", "2"),
        ("half", "2", 2),
    ],
)  # fmt: skip
def test_a_number_is_written_as_one_where_the_column_has_numbers(column: str, text: str, cell: object) -> None:
    found = typed(column_of(column), text)
    assert (found, type(found)) == (cell, type(cell))


def test_rows_to_be_copied_are_read_as_a_sheet() -> None:
    shown = as_text([ROW], COLUMNS, "en")
    found = read_rows(shown.encode(), "x.csv")
    assert isinstance(found, list)
    assert isinstance(found[0], SheetRow)
    tabs = read_rows(as_text([ROW], COLUMNS, "en", tabs=True).encode(), "x.csv")
    assert found == tabs


# The template


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_template_reads_as_empty_and_explains_itself(variant: Variant, lang: Lang, tmp_path: Path) -> None:
    path = tmp_path / "template.xlsx"
    write_template(path, variant, Rulesets(), lang)
    assert rows_of(path) == []
    found = parts(path)
    sheet = found["xl/worksheets/sheet1.xml"]
    columns = columns_of(variant)
    # A note on each heading, each under the name of its column.
    assert found["xl/comments1.xml"].count("<comment ") == len(columns)
    assert 'state="frozen"' in sheet
    offered = [column for column in columns if choices(column, variant, Rulesets(), lang)]
    assert sheet.count("<dataValidation ") == len(offered)
    wanted = {"variant", "ruleset", "end", "escaped", "claimed_outcome"} | (
        {"half"} if variant == "four" else {"dealer"}
    )
    assert {column.name for column in offered} == wanted
    # Text cells of the second sheet: each heading is explained there.
    texts = found["xl/sharedStrings.xml"]
    for column in columns:
        assert f">{heading_of(column, lang)}<" in texts


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_a_drop_down_offers_is_read(variant: Variant, lang: Lang) -> None:
    read: dict[str, Callable[[str], object]] = {
        "variant": game_of, "half": half_of, "end": end_of, "claimed_outcome": outcome_of, "ruleset": str,
        "escaped": lambda cell: seats_of(cell, variant), "dealer": lambda cell: seats_of(cell, variant),
    }  # fmt: skip
    seats = [[seat] for seat in range(4 if variant == "four" else 5)]
    expected: dict[str, list[Any]] = {
        "variant": [variant], "escaped": seats,
        **({"half": [0, 1], "end": ["out", "escape"], "claimed_outcome": ["double", "normal", "escape", "unfinished"],
            "ruleset": ["four-classic"]} if variant == "four" else
           {"dealer": seats, "end": ["out", "points", "escape"], "claimed_outcome": ["normal", "low", "zero", "escape"],
            "ruleset": ["five-classic", "five-atomic"]}),
    }  # fmt: skip
    offered = {column.name: choices(column, variant, Rulesets(), lang) for column in columns_of(variant)}
    for name, some in offered.items():
        assert [read[name](form_of(column_of(name))(choice)) for choice in some] == expected.get(name, []), name


@pytest.mark.parametrize("lang", LANGS)
def test_F5_the_template_says_what_counts_as_an_atom_and_where_it_matters(lang: Lang) -> None:
    doubling, upstream = {"en": ("atom-doubling", "upstream"), "zh": ("原子加倍桌", "上游")}[lang]
    columns = {column.name: column for column in COLUMNS}
    for name, variant in (("four-classic", "four"), ("five-atomic", "five")):
        said = {column: note(columns[column], Rulesets()[name], lang) for column in ("atoms", "balance0")}
        assert upstream in said["atoms"]
        assert text("terms.kind.big_hbomb", lang).lower() in said["atoms"].lower()
        assert [doubling in one for one in said.values()] == [variant == "five"] * 2


# Worked out by hand from the rulings. Four: upper half D1, 125 + 105 = 230 against 70, no double clamp (E1); lower half
# a double out, 30 unplayed points to east and west (D2), 110 against 190; 340 against 260 (E2). Five: 80 unplayed
# points to the dealer's two (D3), 320 of 200 needed (F1); 3 for each of two winners, 2 for each of three losers (F2);
# two atoms, 3 and 2 more (F4); times the base of 2. Both winners held enough (F6).
@pytest.mark.parametrize(("variant", "scores"), [("four", [1, -1, 1, -1]), ("five", [12, -8, 12, -8, -8])])
def test_the_example_is_settled_as_by_hand(variant: Variant, scores: list[int]) -> None:
    result = calculate(example(variant), Rulesets(), "en")
    assert json.loads(json.dumps(result.answer["scores"])) == scores
    assert result.answer["discrepancies"] == []
    last: Any = example(variant).rows()[-1]
    assert [last[f"claimed{seat}"] for seat in range(len(scores))] == scores
