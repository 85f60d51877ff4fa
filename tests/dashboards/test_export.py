"""Lists as CSV files: what a spreadsheet would run is defused, numbers stay numbers, Excel knows the encoding."""

from __future__ import annotations

import csv
import datetime
import io
from decimal import Decimal

import pytest

from dashboards.components.export import as_csv


def cells(rows: list[dict[str, object]]) -> list[list[str]]:
    """What a reader of CSV finds."""
    data = as_csv(rows)
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "'=1"])
def test_texts_that_would_run_are_defused(text: str) -> None:
    assert cells([{"name": text}]) == [["name"], [f"'{text}"]]


def test_numbers_lists_and_what_is_missing() -> None:
    row = {"score": Decimal("-19.5"), "seats": [1, -2], "none": None, "at": datetime.date(2026, 3, 1), "是": True}
    assert cells([row]) == [["score", "seats", "none", "at", "是"], ["-19.5", "[1, -2]", "", "2026-03-01", "True"]]
    assert cells([]) == []
    assert cells([{"name": 'a"b,c\nd\ud800'}]) == [["name"], ['a"b,c\nd\\ud800']]
