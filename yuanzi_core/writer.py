"""Match logs written: a canonical JSON line a match, or Parquet columns, in files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Raw, Struct

from yuanzi_core.canonical import canonical, fill_in
from yuanzi_core.claims import canonical_number
from yuanzi_core.deals import Deals
from yuanzi_core.files import SUFFIXES
from yuanzi_core.log import BALANCE_BELOW, BALANCE_DECIMALS, BASE_BELOW, BASE_DECIMALS, Match

if TYPE_CHECKING:
    import pyarrow as pa

#: Matches of a row group of a Parquet file.
ROW_GROUP = 4096
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


def parquet_schema() -> pa.Schema:
    """Columns of a log as Parquet: the same fields; ``rules`` and ``claimed`` are JSON texts, times RFC 3339 texts."""
    import pyarrow as pa

    text: pa.DataType = pa.string()
    seat: pa.DataType = pa.int8()

    def number(below: int, decimals: int) -> pa.DataType:
        return pa.decimal128(len(str(below - 1)) + decimals, decimals)

    player = pa.struct([("id", text), ("name", text), ("balance", number(BALANCE_BELOW, BALANCE_DECIMALS))])
    deal = pa.struct([
        ("drawn", text), ("knife", text), ("first_draw", seat), ("dealer", seat), ("called", text), ("leader", seat),
        ("hands", pa.list_(text)), ("plays", text), ("end", text), ("escaped", seat), ("claimed", text),
    ])  # fmt: skip
    return pa.schema([
        ("format", text), ("match_id", text), ("variant", text), ("ruleset", text), ("rules", text),
        ("played_at", text), ("club", text), ("table", text), ("source", text), ("revision", pa.int32()),
        ("base", number(BASE_BELOW, BASE_DECIMALS)), ("players", pa.list_(player)), ("deals", pa.list_(deal)),
        ("claimed", text),
    ])  # fmt: skip


class _Parquet:
    """Rows into row groups of a Parquet file, of one size whatever the size of what comes in."""

    def __init__(self, file: IO[bytes]) -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(cast("Any", file), parquet_schema(), compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def write(self, matches: Sequence[Match]) -> None:
        """Take in some matches."""
        for match in matches:
            row = _arranged(match, lambda value: Decimal(canonical_number(value)), bytes.decode)
            self._rows.append(msgspec.to_builtins(row, builtin_types=(Decimal,)))
            if len(self._rows) == ROW_GROUP:
                self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        rows, self._rows = self._rows, []
        self._writer.write_table(pa.Table.from_pylist(rows, schema=parquet_schema()))

    def close(self) -> None:
        """Write the rest and the end of the file."""
        try:
            if self._rows:
                self._flush()
        finally:
            self._writer.close()


class _Lines:
    """JSON lines into a stream."""

    def __init__(self, stream: IO[bytes], packed: bool) -> None:
        self._stream, self._packed = stream, packed

    def write(self, matches: Sequence[Match]) -> None:
        """Take in some matches."""
        if matches:
            self._stream.write(b"\n".join([*map(encode_match, matches), b""]))

    def close(self) -> None:
        """Write the end of a packed stream."""
        if self._packed:
            self._stream.close()


def _sink(suffix: str, file: IO[bytes]) -> _Lines | _Parquet:
    if suffix == ".parquet":
        return _Parquet(file)
    if suffix == ".jsonl.gz":
        # Neither name nor time inside: the same matches give the same bytes.
        return _Lines(cast("IO[bytes]", gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0)), True)
    if suffix == ".jsonl.zst":
        import zstandard

        return _Lines(zstandard.ZstdCompressor(level=ZSTD_LEVEL).stream_writer(file, closefd=False), True)
    return _Lines(file, False)


class LogWriter:
    """A log file to be written within ``with``: complete under its name when that ends well, else not there at all.

    The suffix says what kind of file it is: one of ``files.SUFFIXES``. A file of that name that was there before stays
    as it was until the new one is complete.

    :raises ValueError: another suffix.
    :raises OSError: the file cannot be written (from any method).
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        found = [suffix for suffix in SUFFIXES if self.path.name.endswith(suffix)]
        if not found:
            raise ValueError(f"{self.path.name}: the name of a log ends in {', '.join(SUFFIXES)}")
        self._suffix = found[0]
        self._begun = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.part")

    def __enter__(self) -> LogWriter:
        self._file = self._begun.open("xb")
        try:
            self._sink = _sink(self._suffix, self._file)
        except BaseException:
            self._give_up(self._file)
            raise
        return self

    def write(self, matches: Iterable[Match]) -> None:
        """Write matches, whatever accepted notation they are in.

        :raises notation.NotationError: a text that no reader can read.
        """
        left = iter(matches)
        while block := list(islice(left, ROW_GROUP)):
            self._sink.write(canonical(block))

    def write_batch(self, headers: Sequence[Match], deals: Deals) -> None:
        """Write a batch of deals and the matches that they belong to (``canonical.fill_in``)."""
        self._sink.write(fill_in(headers, deals))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._give_up(self._sink, self._file)
            return
        try:
            self._sink.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._begun.replace(self.path)
        except BaseException:
            self._give_up(self._sink, self._file)
            raise

    def _give_up(self, *opened: _Lines | _Parquet | IO[bytes]) -> None:
        """Close what is open, as far as a full disk lets it, and leave nothing behind."""
        for one in opened:
            with contextlib.suppress(OSError, ValueError):
                one.close()
        self._begun.unlink(missing_ok=True)


def write_log(path: Path | str, matches: Iterable[Match]) -> None:
    """Write matches as a log file; errors as :class:`LogWriter`."""
    with LogWriter(path) as log:
        log.write(matches)
