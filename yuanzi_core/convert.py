"""Files of matches turned into another kind: logs into JSON lines, Parquet and sheets, sheets into sheets.

A conversion judges nothing that it need not judge: JSON lines go into JSON lines as they stand, good or bad; into
Parquet goes what can be read as a match; into a sheet what was judged and found without a violation. What was left out
is told one by one, what was lost of the rest is counted (:class:`yuanzi_core.conversion_report.Report`).
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from yuanzi_core.conversion_report import LeftOut, Report, Tell
from yuanzi_core.files import PARQUET, SHEET_SUFFIXES, SUFFIXES, Damage, Source, is_sheet, lines_of, read_blocks
from yuanzi_core.log import LONGEST_LINE, Match, Problem, read_match
from yuanzi_core.messages import message_of_problem
from yuanzi_core.parquet_row import parquet_row
from yuanzi_core.reasons import Reject
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.sheet_of_log import rows_of
from yuanzi_core.sheet_writer import SheetWriter
from yuanzi_core.texts import Lang

Kind = Literal["lines", "Parquet", "sheet"]


class SheetIsNoLog(Exception):
    """A sheet does not hold the cards: no log can be made of it."""


def _kind_of_name(name: str) -> Kind | None:
    """What a file is by its name; None for a name that says nothing."""
    low = name.lower()
    if not low.endswith(SUFFIXES):
        return None
    return "sheet" if low.endswith(SHEET_SUFFIXES) else "Parquet" if low.endswith(".parquet") else "lines"


def _kind_of_file(path: str) -> Kind:
    """What a file is: by its first bytes, CSV by its name. :raises OSError: it cannot be read."""
    head = b""
    if Path(path).is_file():
        with Path(path).open("rb") as file:
            head = file.read(4)
    return "sheet" if is_sheet(head, path) else "Parquet" if head == PARQUET else "lines"


def convert(path: str, out: Path, rulesets: Rulesets, lang: Lang, tell: Tell) -> Report:
    """Convert a file; the name of ``out`` says into what. Records that are left out are told in ``lang``.

    What was there under that name is replaced when the new file is complete.

    :raises ValueError: a name that says nothing.
    :raises SheetIsNoLog: a sheet into a log.
    :raises sheet_writer.TooManyRows: more than a sheet may have.
    :raises OSError: a file cannot be read or written.
    """
    target = _kind_of_name(out.name)
    if target is None:
        raise ValueError(f"{out.name}: the name of a file of matches ends in {', '.join(SUFFIXES)}")
    source = _kind_of_file(path)
    if source == "sheet":
        if target != "sheet":
            raise SheetIsNoLog
        from yuanzi_core.sheet_copy import copy_sheet

        return copy_sheet(path, out, lang, tell)
    if target == "sheet":
        return _into_sheet(path, out, rulesets, lang, tell)
    return _into_log(path, out, source, target, lang, tell)


def _into_sheet(path: str, out: Path, rulesets: Rulesets, lang: Lang, tell: Tell) -> Report:
    from yuanzi_core.stream import judge_files

    report = Report()
    with SheetWriter(out, lang) as sheet:
        for judged in judge_files([path], rulesets):
            for rows in rows_of(judged, lang, report, tell):
                sheet.write(rows)
    _note_columns(path, report)
    return report


def _into_log(path: str, out: Path, source: Kind, target: Kind, lang: Lang, tell: Tell) -> Report:
    from yuanzi_core.writer import LogWriter

    report, into_rows = Report(), target == "Parquet"

    def leave_out(line: int, problem: Problem) -> None:
        report.left_out[problem.code] += 1
        tell(LeftOut(line, None, problem.code, message_of_problem(problem, lang)))

    def carried(number: int, line: bytes) -> bytes | dict[str, Any]:
        """:raises Problem: the line cannot be carried."""
        if len(line) > LONGEST_LINE:
            raise Problem(Reject.JSON, "too_long", limit=LONGEST_LINE >> 20)
        if not into_rows:
            if source == "Parquet" and not line.startswith(b"{"):
                raise Problem(Reject.JSON, "not_an_object")
            return line.rstrip(b"\r")
        read_match(line)
        met: list[tuple[str, str]] = []
        row = parquet_row(line, lambda kind, where: met.append((kind, where)))
        for kind, where in met:
            report.lose(number, kind)
            if kind == "unknown_field":
                report.fields[where] += 1
        return row

    last = 0
    with closing(Source(path)) as stream, LogWriter(out) as log:
        for block in read_blocks(stream, path):
            if isinstance(block, list) or (isinstance(block, Damage) and block.code is Reject.SHEET):
                # On standard input only its content tells that it is one.
                raise SheetIsNoLog
            if isinstance(block, Damage):
                report.read += 1
                fields: dict[str, object] = {"kind": block.kind, **block.fields}
                leave_out(last + 1, Problem(block.code, block.key, "", **fields))
                break
            content: list[Any] = []
            lines = lines_of(block)
            for last, line in lines:
                try:
                    content.append(carried(last, line))
                except Problem as problem:
                    leave_out(last, problem)
            log.write_raw(content)
            report.read += len(lines)
            report.written += len(content)
        stream.forget()
    _note_columns(path, report)
    return report


def _note_columns(path: str, report: Report) -> None:
    """Note the columns of a Parquet file that are no fields of a log: nobody reads them."""
    if path == "-" or _kind_of_file(path) != "Parquet":
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            unknown = [name for name in file.schema_arrow.names if name not in Match.__struct_fields__]
    except (pa.ArrowException, OSError):
        return
    for name in unknown:
        report.lose(1, "unknown_column")
        report.fields[name] += 1
