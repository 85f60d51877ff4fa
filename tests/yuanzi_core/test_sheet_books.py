"""XLSX files as spreadsheet programs make them: looks without content, merged cells, hidden sheets, long numbers."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from datetime import date, time
from typing import Any

import pytest
import xlsxwriter

from tests.yuanzi_core.score_sheets import THREE_OUT, as_xlsx, four, headings, judge_records, records_in
from tests.yuanzi_core.test_sheet_files import SHEET, changed, damage_of, limited, rows_in
from yuanzi_core.sheet_columns import FORMAT

UPPER, LOWER = four(**THREE_OUT), four(**THREE_OUT, half=2)


def book(fill: Callable[[Any, Any], object]) -> bytes:
    """A book that ``fill`` fills: the book and its first sheet."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as made:
        fill(made, made.add_worksheet())
    return out.getvalue()


def write(sheet: Any, *rows: Sequence[object]) -> None:
    """Write rows from the first on."""
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)


def test_cells_that_only_look_like_something_do_not_count() -> None:
    def fill(made: Any, sheet: Any) -> None:
        write(sheet, ["match_id", "club"], ["m1", "a"])
        bordered = made.add_format({"border": 1})
        sheet.write_blank(1_048_575, 0, None, bordered)
        sheet.write_blank(2, 16_383, None, bordered)

    assert rows_in(book(fill)) == [(2, {"match_id": "m1", "club": "a"})]


def test_a_match_id_over_several_rows_is_that_of_each() -> None:
    names = headings([UPPER, LOWER])

    def fill(made: Any, sheet: Any) -> None:
        write(sheet, names, *[[row.get(name) for name in names] for row in (UPPER, LOWER)])
        sheet.merge_range(1, 0, 2, 0, "m1")
        # Beyond what stands in the sheet there are no rows.
        sheet.merge_range(3, 0, 9, 0, "m2")

    found = judge_records(records_in(book(fill)))
    assert [(one["line"], one["match_id"], one["status"]) for one in found] == [
        (2, "m1", "settled"),
        (4, "m2", "rejected"),
    ]
    assert len(found[0]["deals"]) == 2


def test_merged_cells_are_filled_no_further_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(_: Any, sheet: Any) -> None:
        write(sheet, ["match_id", "club"], *[["m", "a"]] * 50)
        sheet.merge_range(60, 0, 110, 0, "x")

    content = book(fill)
    assert len(rows_in(content)) == 51
    many = b"".join(b'<mergeCell ref="A1:A51"/>' for _ in range(20))
    content = changed(content, SHEET, lambda part: part.replace(b'<mergeCell ref="A61:A111"/>', many))
    assert len(rows_in(content)) == 51
    limited(monkeypatch, MOST_CELLS=900)
    assert damage_of(content).key == "too_many_cells"


def test_the_first_sheet_of_cells_that_is_not_hidden_is_read() -> None:
    def fill(made: Any, sheet: Any) -> None:
        write(sheet, ["match_id"], ["hidden"])
        shown = made.add_worksheet()
        write(shown, ["match_id"], ["shown"])
        made.add_worksheet().write(0, 0, "more")
        sheet.hide()
        shown.activate()

    assert rows_in(book(fill)) == [(2, {"match_id": "shown"})]


def test_a_chart_is_no_sheet() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as made:
        chart_sheet = made.add_chartsheet()
        sheet = made.add_worksheet("points")
        write(sheet, ["match_id"], ["m1"])
        chart = made.add_chart({"type": "line"})
        chart.add_series({"values": "=points!$A$1:$A$2"})
        chart_sheet.set_chart(chart)
    assert rows_in(out.getvalue()) == [(2, {"match_id": "m1"})]


def test_a_book_of_hidden_sheets_is_read_from_its_first() -> None:
    content = as_xlsx([UPPER])
    hidden = changed(
        content, "xl/workbook.xml", lambda part: part.replace(b"<sheet name", b'<sheet state="hidden" name')
    )
    assert records_in(hidden) == records_in(content)


def test_a_number_that_lost_its_digits_is_not_taken_for_an_id() -> None:
    def fill(_: Any, sheet: Any) -> None:
        names = headings([UPPER])
        rows: list[list[object]] = [[row.get(name) for name in names] for row in (UPPER, LOWER, four())]
        for row, match_id in zip(rows, (202603010001, 1234567890123456, "1234567890123456"), strict=True):
            row[names.index("match_id")] = match_id
        rows[1][names.index("half")] = 1
        write(sheet, names, *rows)

    found = judge_records(records_in(book(fill)))
    assert [(one["match_id"], one["status"]) for one in found] == [
        ("202603010001", "unfinished"), ("1234567890123456", "rejected"), ("1234567890123456", "settled"),
    ]  # fmt: skip
    assert found[1]["message"] == (
        "Row 3, column match_id, “1234567890123456”: a number of more than 15 digits: the spreadsheet has lost digits"
        " of it; write it as text."
    )


def test_day_and_hour_may_be_cells_of_a_spreadsheet() -> None:
    def fill(made: Any, sheet: Any) -> None:
        day, hour = (made.add_format({"num_format": form}) for form in ("yyyy-mm-dd", "hh:mm"))
        write(sheet, ["match_id", "日期", "时间"], ["m1"], ["m2"], ["m3"])
        for row in (1, 2):
            sheet.write_datetime(row, 1, date(2026, 3, 1), day)
        sheet.write_datetime(1, 2, time(20, 15), hour)

    assert rows_in(book(fill)) == [
        (2, {"match_id": "m1", "played_at": "2026-03-01T20:15:00"}),
        (3, {"match_id": "m2", "played_at": "2026-03-01T00:00:00"}),
        (4, {"match_id": "m3"}),
    ]


def test_a_character_of_code_0_is_no_text() -> None:
    content = as_xlsx([four(club="a~b"), four(match_id="m2")])
    content = changed(content, "xl/sharedStrings.xml", lambda part: part.replace(b"a~b", b"a_x0000_b"))
    found = judge_records(records_in(content))
    assert [one["code"] for one in found] == ["SHEET", None]
    assert "column club" in found[0]["message"]
    assert "code 0" in found[0]["message"]
    assert FORMAT.encode() in records_in(content)[0].raw
