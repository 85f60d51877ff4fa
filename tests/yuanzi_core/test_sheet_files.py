"""Score sheets as files: encodings, delimiters, headings, cells of spreadsheets, and files that are no table."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest
import xlsxwriter

from tests.yuanzi_core.score_sheets import (
    SIDE_OUT,
    THREE_OUT,
    Row,
    as_csv,
    as_xlsx,
    five,
    four,
    judge_records,
    records_in,
)
from tests.yuanzi_core.tables import judge_file
from yuanzi_core import sheet_file, sheet_limits, sheet_xlsx
from yuanzi_core.answers import answers
from yuanzi_core.files import Damage
from yuanzi_core.reasons import Reject
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.sheet_columns import COLUMNS, column_of, heading_of
from yuanzi_core.sheet_file import read_rows
from yuanzi_core.spreadsheet_safety import defused
from yuanzi_core.stream import judge_files

UPPER, LOWER = four(**THREE_OUT), four(**THREE_OUT, half=2)


def rows_in(content: bytes, name: str = "a.csv") -> list[tuple[int, dict[str, str]]]:
    """Rows of a file that is a table."""
    found = read_rows(content, name)
    assert not isinstance(found, Damage), found
    return [(row.number, row.cells) for row in found]


def damage_of(content: bytes, name: str = "a.csv") -> Damage:
    """Why a file is no table."""
    found = read_rows(content, name)
    assert isinstance(found, Damage), found
    assert found.code is Reject.SHEET
    return found


# Encodings, delimiters, headings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_encoding_and_delimiter_gives_the_same_records(encoding: str, delimiter: str) -> None:
    rows = [{**UPPER, "club": "北山，棋牌;社"}, LOWER]
    assert records_in(as_csv(rows, delimiter, encoding)) == records_in(as_csv(rows))


def test_a_sheet_of_a_spreadsheet_gives_the_records_of_the_same_as_text() -> None:
    as_text = {
        **UPPER,
        "played_at": "2026/03/01 20:15",
        "base": "0.50",
        "balance0": "+12.5",
        "balance1": "−3",
        "note": "1",
    }
    typed = {
        **as_text,
        "played_at": datetime(2026, 3, 1, 20, 15),  # noqa: DTZ001
        "base": 0.5,
        "balance0": 12.5,
        "balance1": -3,
        "note": 1,
    }
    assert records_in(as_xlsx([typed, LOWER])) == records_in(as_csv([as_text, LOWER]))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_headings_of_each_language_are_known(lang: str) -> None:
    for column in COLUMNS:
        assert column_of(heading_of(column, lang)) is column
        for heading in (column.name.upper(), f" {column.name} ", f"{heading_of(column, lang)}：", *column.headings_zh):
            assert column_of(heading) is column, heading


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("player E", "player1"), ("player_n", "player0"), ("Player North", "player0"), ("captured-west", "captured3"),
        ("牌手东", "player1"), ("东选手", "player1"), ("南家得分", "captured2"), ("得分２", "captured2"),
        ("Match ID", "match_id"), ("场次", "match_id"), ("hand S", "hand2"),
    ],
)  # fmt: skip
def test_headings_may_be_written_in_other_ways(heading: str, name: str) -> None:
    column = column_of(heading)
    assert column is not None
    assert column.name == name


@pytest.mark.parametrize("heading", ["", "备注", "player", "player5", "hands", "weather E", "1"])
def test_other_headings_name_no_column(heading: str) -> None:
    assert column_of(heading) is None


def test_a_sheet_in_chinese_is_judged() -> None:
    names = {name: heading_of(column, "zh") for name in UPPER if (column := column_of(name)) is not None}
    chinese = [{names[name]: cell for name, cell in row.items()} for row in (UPPER, LOWER)]
    (found,) = judge_records(records_in(as_csv(chinese, ";", "gb18030")))
    (same,) = judge_records(records_in(as_csv([UPPER, LOWER])))
    assert found == same
    assert found["status"] == "settled"


# Rows and cells


def test_rows_are_numbered_as_a_spreadsheet_numbers_them() -> None:
    content = b'\nmatch_id,club\n\nm1,"a\nb"\n,\nm2,\n,left over\n'
    assert rows_in(content) == [
        (4, {"match_id": "m1", "club": "a\nb"}), (6, {"match_id": "m2"}), (7, {"club": "left over"})
    ]  # fmt: skip


def test_rows_of_a_spreadsheet_keep_their_numbers() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet()
        # Neither the first row nor the first column is in use.
        sheet.write_row(2, 1, ["match_id", "club"])
        sheet.write_row(6, 1, ["m1", "a"])
    assert rows_in(out.getvalue()) == [(7, {"match_id": "m1", "club": "a"})]


def test_cells_of_a_spreadsheet_are_what_it_shows() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        sheet = book.add_worksheet()
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, ["match_id", "played_at", "captured0", "base", "balance0", "table", "captured1", "club"])
        sheet.write_number(1, 0, 20260301)
        sheet.write_datetime(1, 1, datetime(2026, 3, 1), day)  # noqa: DTZ001
        sheet.write_formula(1, 2, "=50+50", None, 100)
        sheet.write_number(1, 3, 0.1 + 0.2)
        sheet.write_number(1, 4, 1e-5)
        sheet.write_boolean(1, 5, True)
        sheet.write_formula(1, 6, "=1/0", None, "#DIV/0!")
        sheet.write_string(1, 7, " '=x ")
    cells = {
        "match_id": "20260301", "played_at": "2026-03-01T00:00:00", "captured0": "100", "base": "0.3",
        "balance0": "0.00001", "table": "true", "captured1": "#DIV/0!", "club": "'=x",
    }  # fmt: skip
    assert rows_in(out.getvalue()) == [(2, cells)]


@pytest.mark.parametrize("text", ["=1+1", "+1", "@x", "'=1", "＝1", "plain", "'tis"])
def test_an_apostrophe_of_an_export_is_taken_off(text: str) -> None:
    # White space before it is taken off like any other.
    for make in (as_csv, as_xlsx):
        assert rows_in(make([{"match_id": "m", "club": defused(text)}]))[0][1]["club"] == text


def test_columns_without_a_heading_are_columns_that_sheets_do_not_have() -> None:
    assert rows_in(b"match_id,,note,note,,\nm1,x,y,z,,w\n") == [
        (2, {"match_id": "m1", "#2": "x", "note": "y", "note#4": "z", "#6": "w"})
    ]


def test_a_cell_beyond_the_headings_is_kept_apart() -> None:
    assert rows_in(b"match_id,club\nm1,a,b\n") == [(2, {"match_id": "m1", "club": "a", sheet_file.SURPLUS: "b"})]


# Records


def order(*rows: Row) -> list[tuple[int, tuple[int, ...]]]:
    """Line and rows of the records of some rows."""
    return [(record.line, record.rows) for record in records_in(as_csv(rows))]


def test_the_rows_of_a_match_are_one_record_wherever_they_stand() -> None:
    other = four(match_id="m2")
    assert order(LOWER, other, UPPER) == [(2, (4, 2)), (3, (3,))]
    assert records_in(as_csv([LOWER, UPPER]))[0].raw == records_in(as_csv([UPPER, LOWER]))[0].raw


def test_a_repeated_half_is_a_second_record() -> None:
    assert order(UPPER, LOWER, UPPER, LOWER) == [(2, (2, 3)), (4, (4, 5))]
    assert order(UPPER, UPPER, LOWER) == [(2, (2, 4)), (3, (3,))]


def test_revisions_are_records_of_their_own() -> None:
    again, lower = {**UPPER, "revision": 2}, {**LOWER, "revision": 2}
    assert order(UPPER, LOWER, again, lower) == [(2, (2, 3)), (4, (4, 5))]
    assert order(UPPER, again, lower, LOWER) == [(2, (2,)), (3, (3, 4)), (5, (5,))]
    # A lower half that names none belongs to the row before it, else to the one behind.
    assert order(again, LOWER) == [(2, (2, 3))]
    assert order(LOWER, again) == [(2, (3, 2))]
    assert order({**UPPER, "revision": 1}, {**UPPER, "revision": "１"}) == [(2, (2,)), (3, (3,))]


def test_a_row_without_a_match_is_a_record_of_its_own() -> None:
    nameless = {**UPPER, "match_id": ""}
    assert order(nameless, UPPER, nameless) == [(2, (2,)), (3, (3,)), (4, (4,))]


# Duplicates, and all kinds of file in one call


def write(folder: Path, name: str, content: bytes) -> str:
    """A file in a folder."""
    (folder / name).write_bytes(content)
    return str(folder / name)


def test_repeated_and_conflicting_matches_across_sheets_and_logs(tmp_path: Path) -> None:
    log = (Path(__file__).parents[1] / "cases" / "logs.jsonl").read_bytes().splitlines()[0]
    own = four(match_id=json.loads(log)["match_id"])
    paths = [
        write(tmp_path, "a.csv", as_csv([UPPER, LOWER, UPPER, LOWER, four(match_id="m3")])),
        write(tmp_path, "b.xlsx", as_xlsx([LOWER, UPPER, {**four(match_id="m3"), "club": "other"}])),
        write(tmp_path, "c.jsonl", log + b"\n"),
        write(tmp_path, "d.csv", as_csv([own, {**own, "revision": 2}])),
    ]
    found = [answer for part in judge_files(paths, Rulesets()) for answer in answers(part)]
    shown = [(Path(one["file"]).name, one["line"], one["status"], one.get("code")) for one in found]
    assert shown == [
        ("a.csv", 2, "settled", None), ("a.csv", 4, "duplicate", None), ("a.csv", 6, "settled", None),
        ("b.xlsx", 2, "duplicate", None), ("b.xlsx", 4, "rejected", "DUPLICATE"),
        ("c.jsonl", 1, "settled", None), ("d.csv", 2, "rejected", "DUPLICATE"), ("d.csv", 3, "settled", None),
    ]  # fmt: skip


def test_a_match_that_goes_on_after_its_end_conflicts_with_none(tmp_path: Path) -> None:
    # The double clamp rules the lower half out; the same match without it stands.
    path = tmp_path / "a.csv"
    path.write_bytes(as_csv([four(), LOWER, four()]))
    assert [(one["line"], one["status"], one.get("code")) for one in judge_file(path)] == [
        (2, "rejected", "SHEET"), (4, "settled", None)
    ]  # fmt: skip


# Files that are no table


def zipped(**parts: bytes) -> bytes:
    """An archive of parts, well packed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


def changed(content: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """An archive with one of its parts changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    return zipped(**{**parts, name: change(parts[name])})


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("content", "name", "key", "line"),
    [
        (b"", "a.csv", "no_headings", 1),
        (b"", "a.xlsx", "not_of_kind", 0),
        (b"\n\n , ,\n", "a.csv", "no_headings", 4),
        (b"a,b\n1,2\n", "a.csv", "no_match_id", 2),
        (b"match_id,club,\xe4\xbf\xb1\xe4\xb9\x90\xe9\x83\xa8\nm,a,b\n", "a.csv", "same_column", 2),
        (b'"match_id,club\nm1,a\n', "a.csv", "quotes_in_headings", 1),
        (b"match_id,club\nm1,a\nm2" + b"," * 70_000, "a.csv", "too_many_columns", 3),
        (b"match_id,club\nm1,\xff\xff\xff\n", "a.csv", "encoding", 1),
        (b"match_id\0,club\nm1,a\n", "a.csv", "encoding", 1),
        (b"match_id,club\nm1," + b"x" * 33_000, "a.csv", "cell_too_long", 2),
        (b"match_id" + b",x" * 300 + b"\nm1\n", "a.csv", "too_many_columns", 1),
        (b"PK\x03\x04 and no more", "a.xlsx", "broken_xlsx", 0),
        (b"{}", "a.xlsx", "not_of_kind", 0),
        (zipped(a=b"x"), "a.xlsx", "broken_xlsx", 0),
        (as_xlsx([UPPER])[:-200], "a.xlsx", "broken_xlsx", 0),
        (changed(as_xlsx([UPPER]), SHEET, lambda part: part[:-100]), "a.xlsx", "broken_xlsx", 0),
        (changed(as_xlsx([UPPER]), SHEET, lambda part: part.replace(b'r="A2"', b'r="A0"')), "a.xlsx", "broken_xlsx", 0),
        (changed(as_xlsx([UPPER]), SHEET, lambda part: part.replace(b"<v>0</v>", b"<v>99</v>")), "a", "broken_xlsx", 0),
    ],
)  # fmt: skip
def test_what_is_no_table_is_one_damage(content: bytes, name: str, key: str, line: int) -> None:
    found = damage_of(content, name)
    assert (found.key, found.line) == (key, line)


@pytest.mark.parametrize(
    ("text", "rows", "broken"),
    [
        # Text behind the end of a cell.
        (b'm1,a\nm2,"a"b\nm3,c\n', [2, 4], [3]),
        # Never closed, in the middle and at the end.
        (b'm1,a\nm2,"a\nm3,c\n', [2, 4], [3]),
        (b'm1,a\nm2,"a', [2], [3]),
        # Closed by the mark of a cell two rows below: the rows between are rows.
        (b'm1,"a\nm2,b\nm3,"c"\nm4,d\n', [3, 4, 5], [2]),
        # A cell of two lines is no mistake, and a mark inside a cell is none.
        (b'm1,"a\nb"\nm2,b"c"\n', [2, 3], []),
        # Longer than any cell, and never closed.
        (b'm1,a\nm2,"' + b"x\n" * 100_000 + b"m3,c\n", [2, *range(4, 100_004)], [3]),
    ],
    ids=["text behind", "open", "open at the end", "closed by another", "none", "very long"],
)
def test_a_bad_quotation_mark_costs_its_own_row(text: bytes, rows: list[int], broken: list[int]) -> None:
    found = rows_in(b"match_id,club\n" + text)
    assert [number for number, cells in found if sheet_file.BROKEN not in cells] == rows
    assert [number for number, cells in found if sheet_file.BROKEN in cells] == broken


def test_a_row_that_cannot_be_taken_apart_is_a_reject_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    first, second, third = (as_csv([four(match_id=name)]).splitlines()[1] for name in ("x", "y", "z"))
    path.write_bytes(b"\n".join([as_csv([four()]).splitlines()[0], first, b'"' + second, third, b""]))
    found = judge_file(path)
    assert [(one["line"], one["status"], one["code"], one["match_id"]) for one in found] == [
        (2, "settled", None, "x"), (3, "rejected", "SHEET", None), (4, "settled", None, "z"),
    ]  # fmt: skip
    assert found[1]["message"].startswith("Row 3: a quotation mark is out of place or never closed")


def test_reading_breaks_off_where_quotation_marks_make_no_sense_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    # Each of these lines goes on to the end of the file for whoever begins with it.
    good = as_csv([four()])
    path.write_bytes(good + b'a",b,"c\n' * 4_000_000)
    found = judge_file(path)
    assert [(one["line"], one["status"]) for one in found] == [(2, "settled"), (3, "rejected"), (4, "rejected")]
    assert "the rest of the file was not read" in found[2]["message"]


def test_cells_and_the_names_of_their_columns_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"match_id," + b"x" * 1000 + b"\n" + b"m,1\n" * 10
    assert len(rows_in(content)) == 10
    limited(monkeypatch, MOST_HELD=5000)
    assert damage_of(content).key == "too_much_text"


@pytest.mark.parametrize(
    ("head", "number"),
    [
        (b"Jiaxing club, March,,\n\n", 4), (b"sep=;\n", 2), (b'"One" and two\n', 3), (b",,\n\xe7\x9b\xae,,\n", 4),
        (b"1\n2\n3\n4\n", 6),
    ],
)  # fmt: skip
def test_titles_may_stand_above_the_headings(head: bytes, number: int) -> None:
    delimiter = b";" if b";" in head else b","
    assert rows_in(head + b"match_id,club\nm1,a\n".replace(b",", delimiter)) == [
        (number, {"match_id": "m1", "club": "a"})
    ]


def test_headings_below_the_fifth_row_are_none() -> None:
    assert damage_of(b"1\n2\n3\n4\n5\nmatch_id,club\nm1,a\n").key == "no_match_id"


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.csv.gz", "A.CSV.GZ"])
def test_a_packed_sheet_is_one_reject(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(as_csv([UPPER, LOWER])))
    (found,) = judge_file(path)
    assert (found["line"], found["code"]) == (1, "SHEET")
    assert "packed" in found["message"]


def test_headings_alone_are_a_sheet_without_matches() -> None:
    for make in (as_csv, as_xlsx):
        assert rows_in(make([dict.fromkeys(UPPER)])) == []


def limited(monkeypatch: pytest.MonkeyPatch, **limits: int) -> None:
    """Set limits low, so that a test need not write half a gigabyte."""
    for name, value in limits.items():
        for module in (sheet_limits, sheet_file, sheet_xlsx):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)


@pytest.mark.parametrize("make", [as_csv, as_xlsx])
def test_more_rows_than_allowed_are_read_by_nobody(make: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = [{"match_id": f"m{number}"} for number in range(6)]
    limited(monkeypatch, MOST_ROWS=6)
    assert len(rows_in(make(rows))) == 6
    limited(monkeypatch, MOST_ROWS=5)
    assert damage_of(make(rows)).key == "too_many_rows"


def test_blank_rows_do_not_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"match_id,club\n" + b"\n" * 20 + b"m,a\n"
    assert rows_in(content) == [(22, {"match_id": "m", "club": "a"})]
    limited(monkeypatch, LAST_ROW=21)
    assert damage_of(content).key == "too_many_rows"


def test_what_an_archive_unpacks_to_is_counted_and_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = as_xlsx([UPPER])
    bomb = changed(sheet, SHEET, lambda part: part.replace(b"</worksheet>", b" " * (64 << 20) + b"</worksheet>"))
    assert len(bomb) < 200_000
    assert damage_of(bomb).key == "unpacks_to_too_much"
    # The archive says that the part is small.
    with zipfile.ZipFile(io.BytesIO(bomb)) as archive:
        size = archive.getinfo(SHEET).file_size
    lying = bomb.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    assert damage_of(lying).key in ("unpacks_to_too_much", "broken_xlsx")
    limited(monkeypatch, HARMLESS=1000, HIGHEST_RATIO=1)
    assert damage_of(sheet).key == "unpacks_to_too_much"


def test_an_archive_of_too_many_parts_is_not_looked_into() -> None:
    assert damage_of(zipped(**{f"{number}.txt": b"" for number in range(2001)})).key == "too_many_entries"


@pytest.mark.parametrize(
    ("place", "key"),
    [
        (b"XFD2", "too_many_columns"), (b"JA2", "too_many_columns"), (b"B1048576", "too_many_rows"),
        (b"IU240000", "too_many_cells"),
    ],
)  # fmt: skip
def test_cells_far_apart_do_not_fill_the_memory(place: bytes, key: str) -> None:
    cell = b'<c r="' + place + b'"><v>1</v></c></row></sheetData>'
    content = changed(as_xlsx([{"match_id": 1}]), SHEET, lambda part: part.replace(b"</row></sheetData>", cell))
    assert damage_of(content).key == key


def test_a_text_that_stands_in_many_cells_counts_in_each(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = [{"match_id": f"m{number}", "club": "x" * 30_000} for number in range(100)]
    content = as_xlsx(rows)
    assert len(rows_in(content)) == 100
    limited(monkeypatch, MOST_TEXT=1_000_000)
    assert damage_of(content).key == "too_much_text"


def test_entities_are_not_expanded() -> None:
    laughs = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    content = changed(
        as_xlsx([UPPER]), SHEET, lambda part: part.replace(b"<worksheet", laughs + b"<worksheet", 1)
    )  # fmt: skip
    assert damage_of(content).key == "broken_xlsx"


def test_five_players_in_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(as_xlsx([five(**SIDE_OUT, balance=(Decimal("12.5"),) * 5)]))
    (found,) = judge_file(path)
    assert (found["line"], found["status"], found["scores"]) == (2, "settled", [3, 3, -2, -2, -2])


def test_standard_input_may_be_a_spreadsheet() -> None:
    code = (
        "from yuanzi_core.stream import judge_files; from yuanzi_core.answers import answers;"
        "from yuanzi_core.ruleset import Rulesets;"
        "print([a['status'] for j in judge_files(['-'], Rulesets()) for a in answers(j)])"
    )
    run = subprocess.run([sys.executable, "-c", code], input=as_xlsx([UPPER, LOWER]), capture_output=True, check=True)
    assert run.stdout.decode().strip() == "['settled']"
