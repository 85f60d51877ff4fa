"""A table as a file that others open: CSV, XLSX or Parquet. Pages and the command write all their tables here.

Rows stream through in batches, so that memory does not grow with the table. What is written where:

* CSV: UTF-8 with a byte order mark (Chinese Excel knows it by that), lines end in CR LF; decimals as they stand; times
  ISO 8601 with their offset; lists and what they hold as JSON; nothing where a value is missing.
* XLSX: texts stay texts (an id of digits keeps its zeros), dates and times are dates. A number is a number if it has at
  most 15 significant digits, which is what a spreadsheet keeps exactly; a longer one is written as text, and so nothing
  is rounded. Times have no offset there: they are those of the zone asked for. A cell holds 32,767 signs at most.
* Parquet: the types and values as they are.

In CSV and XLSX a text that a spreadsheet would run is defused (``spreadsheet_safety``), headings included.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from zoneinfo import ZoneInfo

import msgspec

from yuanzi_core.spreadsheet_safety import defused

if TYPE_CHECKING:
    import duckdb
    import polars as pl
    import pyarrow as pa

    #: A table to write: an open reader of batches, a DuckDB relation, a frame, or rows, each a dict with the same keys.
    Table = pa.RecordBatchReader | pa.Table | duckdb.DuckDBPyRelation | pl.DataFrame | Sequence[Mapping[str, Any]]

Kind = Literal["csv", "xlsx", "parquet"]
#: The kinds of files and what a browser calls them.
KINDS: Mapping[Kind, str] = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
#: Rows that a sheet has room for below its headings.
ROWS_OF_A_SHEET = 1_048_575
#: Digits that a spreadsheet keeps of a number, and signs of a text.
DIGITS, SIGNS = 15, 32_767
#: The first year of a spreadsheet's calendar that is right: to it 1900 was a leap year. Earlier times are texts there.
EARLIEST = 1901
_BATCH = 8192
_WIDEST, _LOOKED_AT = 60, 200

_json = msgspec.json.Encoder(decimal_format="number", enc_hook=str)


@dataclass(frozen=True)
class Written:
    """How many rows were written, and whether there were more."""

    rows: int
    cut: bool


def write_table(table: Table, path: Path, kind: Kind, most: int | None = None, zone: str = "UTC") -> Written:
    """Write a table, its first ``most`` rows if it has more; a sheet has an end of its own.

    The file is replaced; it is written in place, so a caller who must not leave half a file gives a temporary path.

    :param zone: the IANA zone of whose clock the times in CSV and XLSX are.
    :raises OSError: the file cannot be written.
    """
    batches = _Batches(table, min(most or ROWS_OF_A_SHEET, ROWS_OF_A_SHEET) if kind == "xlsx" else most)
    {"csv": _write_csv, "xlsx": _write_xlsx, "parquet": _write_parquet}[kind](batches, path, ZoneInfo(zone))
    return Written(batches.rows, batches.cut)


class _Batches:
    """The batches of a table up to a number of rows; ``rows`` and ``cut`` are known when they have been walked."""

    def __init__(self, table: Table, most: int | None) -> None:
        self.reader, self.most = _reader(table), most
        self.schema = self.reader.schema
        self.rows, self.cut = 0, False

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self.reader:
            left = batch.num_rows if self.most is None else self.most - self.rows
            self.cut = self.cut or left < batch.num_rows
            if batch.num_rows and left > 0:
                taken = batch.slice(0, min(left, batch.num_rows))
                self.rows += taken.num_rows
                yield taken
            if self.cut:
                return


def _reader(table: Table) -> pa.RecordBatchReader:
    import pyarrow as pa

    if isinstance(table, pa.RecordBatchReader):
        return table
    if isinstance(table, Sequence):
        table = pa.Table.from_pylist([dict(row) for row in table])
    if isinstance(table, pa.Table):
        return table.to_reader(_BATCH)
    # Neither library need be loaded to be told from the other.
    reads = getattr(table, "to_arrow_reader", None)
    return cast(
        "pa.RecordBatchReader", reads(_BATCH) if reads else cast("pl.DataFrame", table).to_arrow().to_reader(_BATCH)
    )


def _rows(batch: pa.RecordBatch, cells: Sequence[Callable[[Any], Any]]) -> Iterator[tuple[Any, ...]]:
    columns = [map(cell, _values(column)) for cell, column in zip(cells, batch.columns, strict=True)]
    return zip(*columns, strict=True)


def _values(column: pa.Array[Any]) -> list[Any]:
    """The values of a column; times and dates beyond the years 1 to 9999, which Python has not, as text."""
    import pyarrow as pa

    def value(one: pa.Scalar[Any]) -> Any:
        try:
            return one.as_py()
        except (OverflowError, ValueError):
            return one.cast(pa.string()).as_py()

    try:
        return column.to_pylist()
    except (OverflowError, ValueError):
        return list(map(value, column))


def _same(value: Any) -> Any:
    return value


def _cells(schema: pa.Schema, zone: ZoneInfo, number: Callable[[Any], Any], instant: Callable[[datetime], Any]) -> list[
    Callable[[Any], Any]
]:  # fmt: skip
    """For each column what becomes of a value: texts and JSON defused, numbers and times as given."""
    from pyarrow import types

    def text(value: Any) -> Any:
        return None if value is None else defused(value)

    def in_zone(value: Any) -> Any:
        if value is None or isinstance(value, str):
            return value
        try:
            return instant(value.astimezone(zone) if value.tzinfo else value)
        except OverflowError:
            return value.isoformat()

    def numeric(value: Any) -> Any:
        return None if value is None else number(value)

    def as_json(value: Any) -> Any:
        return None if value is None else defused(_json.encode(value).decode())

    def other(value: Any) -> Any:
        return None if value is None else defused(value.hex() if isinstance(value, bytes) else str(value))

    def cell(of: pa.DataType) -> Callable[[Any], Any]:
        if types.is_string(of) or types.is_large_string(of) or types.is_string_view(of):
            return text
        if types.is_integer(of) or types.is_decimal(of) or types.is_floating(of):
            return numeric
        if types.is_timestamp(of):
            return in_zone
        if types.is_nested(of):
            return as_json
        return _same if types.is_boolean(of) or types.is_date(of) or types.is_null(of) else other

    return [cell(field.type) for field in schema]


def _write_csv(batches: _Batches, path: Path, zone: ZoneInfo) -> None:
    cells = _cells(batches.schema, zone, _same, datetime.isoformat)
    flags = [place for place, field in enumerate(batches.schema) if str(field.type) == "bool"]
    for place in flags:
        cells[place] = lambda value: None if value is None else "true" if value else "false"
    with path.open("w", encoding="utf-8-sig", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n")
        if batches.schema.names:
            writer.writerow([defused(name) for name in batches.schema.names])
        for batch in batches:
            writer.writerows(_rows(batch, cells))


def _of_a_sheet(number: Any) -> Any:
    """A number as it is where a spreadsheet keeps all of its digits, else as text."""
    if isinstance(number, float):
        return number if number - number == 0 else str(number)
    digits = str(abs(number)).replace(".", "").lstrip("0")
    return number if len(digits) <= DIGITS else str(number)


def _write_xlsx(batches: _Batches, path: Path, zone: ZoneInfo) -> None:
    import xlsxwriter

    cells = _cells(batches.schema, zone, _of_a_sheet, lambda instant: instant.replace(tzinfo=None))
    # Rows go to the disk as they come. Nothing in a text is read: no formula, no address, no number.
    book = xlsxwriter.Workbook(
        str(path),
        {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    try:
        sheet = book.add_worksheet("yuanzi")
        heading = book.add_format({"bold": True, "bottom": 1})
        formats = {
            datetime: book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
            date: book.add_format({"num_format": "yyyy-mm-dd"}),
        }
        names = batches.schema.names
        widths = [len(name) for name in names]
        sheet.freeze_panes(1, 0)
        for place, name in enumerate(names):
            sheet.write_string(0, place, defused(name), heading)
        rows = chain.from_iterable(_rows(batch, cells) for batch in batches)
        for number, row in enumerate(rows, 1):
            for place, value in enumerate(row):
                if value is None:
                    continue
                if isinstance(value, bool):
                    sheet.write_boolean(number, place, value)
                elif isinstance(value, str):
                    sheet.write_string(number, place, value if len(value) <= SIGNS else value[: SIGNS - 1] + "…")
                elif isinstance(value, date) and value.year < EARLIEST:
                    sheet.write_string(number, place, value.isoformat())
                elif isinstance(value, date):
                    sheet.write_datetime(number, place, value, formats[type(value)])
                else:
                    sheet.write_number(number, place, value)
                if number <= _LOOKED_AT:
                    shown = 19 if isinstance(value, datetime) else len(str(value))
                    widths[place] = max(widths[place], min(shown, _WIDEST))
        for place, width in enumerate(widths):
            sheet.set_column(place, place, width + 2)
    finally:
        book.close()


def _write_parquet(batches: _Batches, path: Path, zone: ZoneInfo) -> None:
    from pyarrow import parquet

    # The library takes no name that is not UTF-8.
    with path.open("wb") as file, parquet.ParquetWriter(file, batches.schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
