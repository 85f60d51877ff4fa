"""Simulated records into files: logs or score sheets, one after the other, and what is true of them beside each.

A file is there whole or not at all (``whole_file``): whoever stops in the middle leaves the files that are complete,
and the truths about these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING

from yuanzi_core.conversion_report import LeftOut, Report
from yuanzi_core.faults.injection import Record
from yuanzi_core.faults.truth import Truth, encode_truth
from yuanzi_core.files import LOG_SUFFIXES, SHEET_SUFFIXES
from yuanzi_core.judge import Judge
from yuanzi_core.log import Match
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.sheet_of_log import Row, rows_of
from yuanzi_core.sheet_writer import SheetWriter
from yuanzi_core.stream import Judged
from yuanzi_core.texts import Lang
from yuanzi_core.whole_file import whole_file
from yuanzi_core.writer import LogWriter, encode_match

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

#: Kinds of files that can be written, by the ending of a name without the dot.
KINDS = tuple(suffix[1:] for suffix in (*LOG_SUFFIXES, *SHEET_SUFFIXES))
#: Records written at a time: settling as many for a sheet costs hardly more than planning it.
_AT_ONCE = 2048
#: The first row of a sheet holds the headings.
_FIRST_ROW = 2


class SheetRows:
    """Matches as rows of score sheets, settled with what the logs of them say."""

    def __init__(self, lang: Lang) -> None:
        self._lang, self._judge, self._reader = lang, Judge(), Reader(Rulesets())

    def of(self, matches: Iterable[Match]) -> list[list[Row]]:
        """The rows of each match.

        :raises ValueError: a match that no sheet can hold.
        """

        def refuse(left: LeftOut) -> None:
            raise ValueError(left.message)

        chunk = self._reader.read(enumerate(map(encode_match, matches), 1))
        self._judge.judge(chunk)
        return list(rows_of(Judged("", chunk, set(), self._judge), self._lang, Report(), refuse))


class MatchFiles:
    """Files of matches, written within ``with`` in the order in which records are put into them.

    ``truth_of`` names the file of truths for a file of matches; None: none is kept. Neighbouring files may share one.

    :raises OSError: a file cannot be written (from any method).
    :raises ValueError: a name that no file of matches has, or a match that no sheet can hold.
    :raises sheet_writer.TooManyRows: more than a sheet may have.
    """

    def __init__(self, lang: Lang, truth_of: Callable[[Path], Path] | None = None) -> None:
        self._lang, self._truth_of = lang, truth_of
        self._sheets: SheetRows | None = None
        self._path: Path | None = None
        self._file: LogWriter | SheetWriter | None = None
        self._held: list[Record] = []
        self._lines = 0
        self._truth_path: Path | None = None
        self._truth: AbstractContextManager[IO[bytes]] | None = None
        self._truth_stream: IO[bytes] | None = None
        # How much of the truths is about complete files.
        self._truth_end = 0
        self.files = self.records = 0

    def __enter__(self) -> MatchFiles:
        return self

    def put(self, path: Path, record: Record) -> None:
        """Write a record into a file, which ends the one before if that is another."""
        if path != self._path:
            self._end_file()
            self.begin(path)
        self._held.append(record)
        self.records += 1
        if len(self._held) == _AT_ONCE:
            self._flush()

    def begin(self, path: Path) -> None:
        """Begin a file, which may stay without records."""
        truth_path = None if self._truth_of is None else self._truth_of(path)
        if truth_path != self._truth_path:
            self._end_truth()
        if truth_path is not None and self._truth is None:
            truth = whole_file(truth_path)
            self._truth_stream = truth.__enter__()
            self._truth, self._truth_path, self._truth_end = truth, truth_path, 0
        file = SheetWriter(path, self._lang) if path.name.lower().endswith(SHEET_SUFFIXES) else LogWriter(path)
        file.__enter__()
        self._path, self._file = path, file
        self._lines = _FIRST_ROW - 1 if isinstance(file, SheetWriter) else 0
        self.files += 1

    def _flush(self) -> None:
        held, self._held = self._held, []
        if isinstance(self._file, SheetWriter):
            self._sheets = self._sheets or SheetRows(self._lang)
            for (_, truths), rows in zip(held, self._sheets.of(match for match, _ in held), strict=True):
                self._tell(truths, self._lines + 1)
                self._lines += len(rows)
                self._file.write(rows)
        elif self._file is not None:
            self._file.write(match for match, _ in held)
            for _, truths in held:
                self._lines += 1
                self._tell(truths, self._lines)

    def _tell(self, truths: Iterable[Truth], line: int) -> None:
        for truth in truths:
            if self._truth_stream is not None and self._path is not None:
                truth.file, truth.line = self._path.name, line
                self._truth_stream.write(encode_truth(truth) + b"\n")

    def _end_file(self) -> None:
        self._flush()
        file, self._file = self._file, None
        if file is not None:
            file.__exit__(None, None, None)
            if self._truth_stream is not None:
                self._truth_end = self._truth_stream.tell()

    def _end_truth(self) -> None:
        truth, self._truth = self._truth, None
        if truth is not None:
            truth.__exit__(None, None, None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            try:
                self._end_file()
            except BaseException as trouble:
                self._let_go(type(trouble), trouble, trouble.__traceback__)
                raise
            self._end_truth()
            return
        self._let_go(kind, error, trace)

    def _let_go(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what was begun: nobody gets the file, and of the truths only those about complete files."""
        file, self._file = self._file, None
        truth, self._truth = self._truth, None
        for begun in (file, None if self._truth_end else truth):
            if begun is not None:
                try:
                    begun.__exit__(kind, error, trace)
                except BaseException as again:
                    if again is not error:
                        raise
        if truth is not None and self._truth_stream is not None and self._truth_end:
            self._truth_stream.truncate(self._truth_end)
            truth.__exit__(None, None, None)
