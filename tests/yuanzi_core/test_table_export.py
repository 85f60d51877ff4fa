"""Tables as files: what a spreadsheet would run is defused, texts stay texts, and no digit is lost."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import fastexcel
import polars as pl
import pyarrow as pa
import pytest

from yuanzi_core.spreadsheet_safety import restored
from yuanzi_core.table_export import KINDS, write_table

DANGEROUS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "'=1"]
HARMLESS = ["007", "12/05", "1e5", "TRUE", "很长", "a, \"b\"\nc", "http://x", "_x0041_", "#N/A", ""]  # fmt: skip


def as_csv(rows: Sequence[dict[str, Any]], folder: Path) -> list[list[str]]:
    """What a reader of CSV finds."""
    path = folder / "table.csv"
    write_table(rows, path, "csv")
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") or not rows
    assert data.endswith(b"\r\n") or not rows
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def as_xlsx(rows: Sequence[dict[str, Any]], folder: Path) -> pl.DataFrame:
    """What a reader of XLSX finds, every cell of the type that it has there."""
    path = folder / "table.xlsx"
    write_table(rows, path, "xlsx", zone="Asia/Shanghai")
    return fastexcel.read_excel(path).load_sheet(0).to_polars()


@pytest.mark.parametrize("said", DANGEROUS)
def test_texts_that_would_run_are_defused(said: str, tmp_path: Path) -> None:
    assert as_csv([{said: said}], tmp_path) == [[f"'{said}"], [f"'{said}"]]
    sheet = as_xlsx([{"name": said}], tmp_path)
    assert restored(sheet["name"].item()) == said
    # Parquet runs nothing.
    write_table([{"name": said}], tmp_path / "t.parquet", "parquet")
    assert pl.read_parquet(tmp_path / "t.parquet")["name"].to_list() == [said]


@pytest.mark.parametrize("said", HARMLESS)
def test_other_texts_come_back_as_they_were(said: str, tmp_path: Path) -> None:
    assert as_csv([{"name": said, "more": "x"}], tmp_path)[1][0] == said
    sheet = as_xlsx([{"name": said, "more": "x"}], tmp_path)
    assert (sheet["name"].item() or "") == said
    assert sheet.schema["name"] == pl.String


def test_numbers_lists_times_and_what_is_missing_in_csv(tmp_path: Path) -> None:
    row = {
        "score": Decimal("-19.5000"), "seats": [1, -2], "scores": [Decimal("1.5"), None], "none": None,
        "at": datetime(2026, 3, 1, 12, tzinfo=UTC), "day": date(2026, 3, 1), "是": True,
    }  # fmt: skip
    path = tmp_path / "t.csv"
    assert write_table([row], path, "csv", zone="Asia/Shanghai").rows == 1
    (found,) = csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline=""))
    assert found == {
        "score": "-19.5000", "seats": "[1,-2]", "scores": "[1.5,null]", "none": "", "at": "2026-03-01T20:00:00+08:00",
        "day": "2026-03-01", "是": "true",
    }  # fmt: skip
    assert as_csv([], tmp_path) == []


def test_in_a_sheet_numbers_are_numbers_and_dates_are_dates(tmp_path: Path) -> None:
    row = {
        "score": Decimal("-19.5000"), "cent": Decimal("0.1"), "count": 12, "none": None, "scores": [Decimal("1.5")],
        "at": datetime(2026, 3, 1, 12, tzinfo=UTC), "day": date(2026, 3, 1), "yes": True,
    }  # fmt: skip
    sheet = as_xlsx([row], tmp_path).row(0, named=True)
    # Excel has one type for days and times.
    assert (sheet.pop("at"), sheet.pop("day")) == (datetime(2026, 3, 1, 20), datetime(2026, 3, 1))  # noqa: DTZ001
    assert sheet == {"score": -19.5, "cent": 0.1, "count": 12, "none": None, "scores": "[1.5]", "yes": True}


@pytest.mark.parametrize(
    ("number", "kept"),
    [
        (Decimal("12345678901.2345"), 12345678901.2345),
        (Decimal("-99999999999.9999"), -99999999999.9999),
        # More than the 15 digits that a spreadsheet keeps: as text, so that none is lost.
        (Decimal("99999999999999.9999"), "99999999999999.9999"),
        (123456789012345, 123456789012345),
        (1234567890123456, "1234567890123456"),
    ],
)
def test_no_digit_is_lost_in_a_sheet(number: Decimal | int, kept: float | str, tmp_path: Path) -> None:
    assert as_xlsx([{"n": number}], tmp_path)["n"].item() == kept


def test_a_text_too_long_for_a_cell_is_cut_and_shows_it(tmp_path: Path) -> None:
    found = as_xlsx([{"name": "x" * 40_000, "next": 1}], tmp_path)["name"].item()
    assert len(found) == 32_767
    assert found.endswith("…")


@pytest.mark.parametrize("kind", KINDS)
def test_a_relation_a_frame_and_rows_become_the_same_file(kind: Any, tmp_path: Path) -> None:
    with duckdb.connect() as con:
        relation = con.sql("select i::bigint as i, 'x' || i as name from range(20000) as r(i)")
        frame = relation.pl()
        paths = [tmp_path / f"{number}.{kind}" for number in range(3)]
        for table, path in zip((relation, frame, frame.head(20_000).to_dicts()), paths, strict=True):
            written = write_table(table, path, kind, 19_000)
            assert (written.rows, written.cut) == (19_000, True)
    read: Any = {"csv": pl.read_csv, "xlsx": pl.read_excel, "parquet": pl.read_parquet}[kind]
    for path in paths:
        assert read(path).equals(frame.head(19_000))


def test_a_table_that_fits_is_not_cut(tmp_path: Path) -> None:
    rows = [{"i": number} for number in range(5)]
    for most in (None, 5, 6):
        written = write_table(rows, tmp_path / "t.parquet", "parquet", most)
        assert (written.rows, written.cut) == (5, False)


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Kiritimati"])
def test_times_that_no_calendar_has_are_texts(zone: str, tmp_path: Path) -> None:
    # 1 BC, the year 1, 1582, and 10000, in microseconds and days since 1970.
    seconds = [-62_135_640_000, -62_135_596_800, -12_219_292_800, 253_402_340_000, 0]
    instants = pa.array([second * 1_000_000 for second in seconds], pa.int64()).cast(pa.timestamp("us", "UTC"))
    days = pa.array([second // 86_400 for second in seconds], pa.int32()).cast(pa.date32())
    table = pa.table({"at": instants, "day": days})
    for kind in ("csv", "xlsx", "parquet"):
        path = tmp_path / f"table.{kind}"
        assert write_table(table, path, kind, zone=zone).rows == len(seconds)
    with (tmp_path / "table.csv").open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    assert found[2]["day"] == "1582-10-15"
    assert all("10000-01-01" in cell for cell in found[3].values())
    assert found[4]["day"] == "1970-01-01"
    sheet = pl.read_excel(tmp_path / "table.xlsx", infer_schema_length=None)
    assert sheet["day"].to_list()[2] == "1582-10-15"
