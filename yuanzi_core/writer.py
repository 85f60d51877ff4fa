"""Match logs written: a canonical JSON line a match, or Parquet columns, in files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

import msgspec
from msgspec import Raw, Struct

from yuanzi_core.canonical import canonical, fill_in
from yuanzi_core.claims import canonical_number
from yuanzi_core.deals import Deals
from yuanzi_core.files import LOG_SUFFIXES
from yuanzi_core.log import Match
from yuanzi_core.parquet_log import ROW_GROUP, ParquetSink, parquet_number
from yuanzi_core.whole_file import whole_file

GZIP_LEVEL, ZSTD_LEVEL = 6, 3


# What a log has, in the order of LOG_FORMAT; what is absent is left out. Numbers and raw JSON as the format takes them.
class _Player(Struct, omit_defaults=True, kw_only=True, gc=False):
    id: str
    name: str | None = None
    balance: Any = None


class _Deal(Struct, omit_defaults=True, kw_only=True, gc=False):
    drawn: str
    knife: str | None = None
    first_draw: int | None = None
    dealer: int | None = None
    called: str | None = None
    leader: int
    hands: list[str]
    plays: str
    end: str | None = None
    escaped: int | None = None
    claimed: Any = None


class _Match(Struct, omit_defaults=True, kw_only=True, gc=False):
    format: str
    match_id: str
    variant: str
    ruleset: str
    rules: Any = None
    played_at: str
    club: str | None = None
    table: str | None = None
    source: str | None = None
    revision: int | None = None
    base: Any = None
    players: list[_Player]
    deals: list[_Deal]
    claimed: Any = None


def _arranged(match: Match, number: Callable[[int | Decimal], Any], raw: Callable[[bytes], Any]) -> _Match:
    """A match as it is written, its numbers and its raw JSON (made compact) turned into what the format takes."""

    def given(text: Raw) -> Any:
        content = bytes(text) if text else b"null"
        return None if content == b"null" else raw(msgspec.json.format(content, indent=-1))

    return _Match(
        format=match.format,
        match_id=match.match_id,
        variant=match.variant,
        ruleset=match.ruleset,
        rules=given(match.rules),
        played_at=match.played_at.isoformat().replace("+00:00", "Z"),
        club=match.club,
        table=match.table,
        source=match.source,
        revision=match.revision,
        base=None if match.base is None else number(match.base),
        players=[
            _Player(id=one.id, name=one.name, balance=None if one.balance is None else number(one.balance))
            for one in match.players
        ],
        deals=[
            _Deal(
                drawn=deal.drawn,
                knife=deal.knife,
                first_draw=deal.first_draw,
                dealer=deal.dealer,
                called=deal.called,
                leader=deal.leader,
                hands=deal.hands,
                plays=deal.plays,
                end=deal.end,
                escaped=deal.escaped,
                claimed=given(deal.claimed),
            )
            for deal in match.deals
        ],
        claimed=given(match.claimed),
    )


_encoder = msgspec.json.Encoder()


def _json_number(value: int | Decimal) -> Raw:
    return Raw(canonical_number(value).encode())


def encode_match(match: Match) -> bytes:
    """One line of a log without its line end; notation as it stands in the match (``canonical`` makes it so)."""
    return _encoder.encode(_arranged(match, _json_number, Raw))


class _Rows:
    """Matches into a Parquet file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._sink = ParquetSink(file)
        self.close = self._sink.close
        self.write_batch = self._sink.write_batch

    def write(self, matches: Sequence[Match]) -> None:
        """Take in some matches."""
        rows = [_arranged(match, parquet_number, bytes.decode) for match in matches]
        self._sink.write_rows([msgspec.to_builtins(row, builtin_types=(Decimal,)) for row in rows])

    def write_raw(self, rows: Sequence[Any]) -> None:
        """Take in some rows as they stand."""
        self._sink.write_rows(rows)


class _Lines:
    """JSON lines into a stream."""

    def __init__(self, stream: IO[bytes], packed: bool) -> None:
        self._stream, self._packed = stream, packed

    def write(self, matches: Sequence[Match]) -> None:
        """Take in some matches."""
        if matches:
            self._stream.write(b"\n".join([*map(encode_match, matches), b""]))

    def write_batch(self, headers: Sequence[Match], deals: Deals) -> None:
        """Take in a batch of deals and the matches that they belong to."""
        self.write(fill_in(headers, deals))

    def write_raw(self, lines: Sequence[Any]) -> None:
        """Take in some lines as they stand."""
        if lines:
            self._stream.write(b"\n".join([*lines, b""]))

    def close(self) -> None:
        """Write the end of a packed stream."""
        if self._packed:
            self._stream.close()


def _sink(suffix: str, file: IO[bytes]) -> _Lines | _Rows:
    if suffix == ".parquet":
        return _Rows(file)
    if suffix == ".jsonl.gz":
        # Neither name nor time inside: the same matches give the same bytes.
        return _Lines(cast("IO[bytes]", gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0)), True)
    if suffix == ".jsonl.zst":
        import zstandard

        return _Lines(zstandard.ZstdCompressor(level=ZSTD_LEVEL).stream_writer(file, closefd=False), True)
    return _Lines(file, False)


class LogWriter:
    """A log file to be written within ``with``: complete under its name when that ends well, else not there at all.

    The suffix says what kind of file it is: one of ``files.LOG_SUFFIXES``. A file of that name that was there before
    stays as it was until the new one is complete.

    :raises ValueError: another suffix.
    :raises OSError: the file cannot be written (from any method).
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        found = [suffix for suffix in LOG_SUFFIXES if self.path.name.endswith(suffix)]
        if not found:
            raise ValueError(f"{self.path.name}: the name of a log ends in {', '.join(LOG_SUFFIXES)}")
        self._suffix = found[0]
        self._whole = whole_file(self.path)

    def __enter__(self) -> LogWriter:
        file = self._whole.__enter__()
        try:
            self._sink = _sink(self._suffix, file)
        except BaseException as error:
            self._whole.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def write(self, matches: Iterable[Match]) -> None:
        """Write matches, whatever accepted notation they are in.

        :raises notation.NotationError: a text that no reader can read.
        """
        left = iter(matches)
        while block := list(islice(left, ROW_GROUP)):
            self._sink.write(canonical(block))

    def write_raw(self, content: Sequence[bytes] | Sequence[dict[str, Any]]) -> None:
        """Write as it stands what somebody else arranged: lines of JSON, for Parquet rows of ``parquet_schema``."""
        self._sink.write_raw(content)

    def write_batch(self, headers: Sequence[Match], deals: Deals) -> None:
        """Write a batch of deals and the matches that they belong to (``canonical.fill_in``)."""
        self._sink.write_batch(headers, deals)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # Nobody gets this file; what is open has to be let go of all the same.
            with contextlib.suppress(OSError, ValueError):
                self._sink.close()
            self._whole.__exit__(kind, error, trace)
            return
        try:
            self._sink.close()
        except BaseException as trouble:
            self._whole.__exit__(type(trouble), trouble, trouble.__traceback__)
            raise
        self._whole.__exit__(None, None, None)


def write_log(path: Path | str, matches: Iterable[Match]) -> None:
    """Write matches as a log file; errors as :class:`LogWriter`."""
    with LogWriter(path) as log:
        log.write(matches)
