"""Match logs as Parquet: the columns, and the sink that fills them.

The matches of a batch become columns straight from the buffers in which their cards are written; nothing in between is
an object a deal. What comes in otherwise (read from elsewhere) is turned row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any, cast

import msgspec
import numpy as np
from msgspec import Raw
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.canonical import hand_buffer, play_buffer, refuse_uncounted
from yuanzi_core.cards import CARDS, RANKS
from yuanzi_core.claims import canonical_number
from yuanzi_core.deals import ENDS, Deals
from yuanzi_core.log import BALANCE_BELOW, BALANCE_DECIMALS, BASE_BELOW, BASE_DECIMALS, Match

if TYPE_CHECKING:
    import pyarrow as pa

#: Matches of a row group of a Parquet file.
ROW_GROUP = 4096
_LONG_TEXTS = {"deals.list.element.plays", "deals.list.element.hands.list.element"}


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


class ParquetSink:
    """Matches into row groups of a Parquet file, of one size whatever the size of what comes in."""

    def __init__(self, file: IO[bytes]) -> None:
        import pyarrow.parquet as pq

        self._schema = parquet_schema()
        leaves = {column.path for column in _leaves(self._schema)}
        # A dictionary of texts that are all different, and the least of them, are made for nobody.
        short: Any = sorted(leaves - _LONG_TEXTS)
        self._writer = pq.ParquetWriter(
            cast("Any", file), self._schema, compression="zstd", use_dictionary=short, write_statistics=short
        )  # fmt: skip
        self._rows: list[dict[str, Any]] = []
        self._tables: list[pa.Table] = []
        self._held = 0

    def write_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        """Take in some rows of :func:`parquet_schema`."""
        for row in rows:
            self._rows.append(row)
            if self._held + len(self._rows) >= ROW_GROUP:
                self._flush(ROW_GROUP)

    def write_batch(self, headers: Sequence[Match], deals: Deals) -> None:
        """Take in a batch of deals and the matches that they belong to.

        :raises ValueError: more copies of a card than a batch can count.
        """
        self._gather()
        self._tables.append(_table(headers, deals, self._schema))
        self._held += len(headers)
        self._flush(ROW_GROUP)

    def _gather(self) -> None:
        """Make a table of the rows held."""
        import pyarrow as pa

        if self._rows:
            self._tables.append(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._held += len(self._rows)
            self._rows = []

    def _flush(self, least: int) -> None:
        """Write whole row groups; with ``least`` 1 also the rest."""
        import pyarrow as pa

        self._gather()
        if self._held < least:
            return
        held = pa.concat_tables(self._tables)
        whole = held.num_rows if least == 1 else held.num_rows // ROW_GROUP * ROW_GROUP
        for begin in range(0, whole, ROW_GROUP):
            # In one piece: pages end where pieces do, and the same matches shall give the same bytes.
            group = held.slice(begin, min(ROW_GROUP, whole - begin)).combine_chunks()
            self._writer.write_table(group, row_group_size=ROW_GROUP)
        rest = held.slice(whole)
        # A copy: a slice would hold on to all that it was cut from.
        self._tables = [rest.take(pa.array(range(rest.num_rows), pa.int64()))] if rest.num_rows else []
        self._held = rest.num_rows

    def close(self) -> None:
        """Write the rest and the end of the file."""
        try:
            self._flush(1)
        finally:
            self._writer.close()


def _leaves(schema: pa.Schema) -> list[Any]:
    """The columns of numbers and texts that a file of this schema has, as Parquet counts them."""
    import io

    import pyarrow.parquet as pq

    empty = io.BytesIO()
    pq.ParquetWriter(empty, schema).close()
    described = pq.ParquetFile(io.BytesIO(empty.getvalue())).schema
    return [described.column(place) for place in range(len(described))]


def raw_text(text: Raw) -> str | None:
    """Raw JSON of a match as a text, made compact; None where there is none."""
    content = bytes(text) if text else b"null"
    return None if content == b"null" else msgspec.json.format(content, indent=-1).decode()


def parquet_number(value: Any) -> Any:
    """A number as its column takes it."""
    return value if value is None or type(value) is int else Decimal(canonical_number(value))


def _table(headers: Sequence[Match], deals: Deals, schema: pa.Schema) -> pa.Table:
    """A batch as columns; its deals have to be those of the headers, in order."""
    import pyarrow as pa

    refuse_uncounted(deals)
    players = [player for header in headers for player in header.players]
    player = schema.field("players").type.value_type
    seated = pa.StructArray.from_arrays(
        [
            pa.array([one.id for one in players], pa.string()),
            pa.array([one.name for one in players], pa.string()),
            pa.array([parquet_number(one.balance) for one in players], player.field("balance").type),
        ],
        fields=list(player),
    )
    counts = np.bincount(deals.head[d.MATCH], minlength=len(headers))
    columns: dict[str, Any] = {
        "rules": [raw_text(header.rules) for header in headers],
        "played_at": [header.played_at.isoformat().replace("+00:00", "Z") for header in headers],
        "base": [parquet_number(header.base) for header in headers],
        "players": _lists([len(header.players) for header in headers], seated),
        "deals": _lists(counts, _deals(headers, deals, schema.field("deals").type.value_type)),
        "claimed": [raw_text(header.claimed) for header in headers],
    }
    arrays = []
    for field in schema:
        column = columns.get(field.name)
        if column is None:
            column = [getattr(header, field.name) for header in headers]
        arrays.append(pa.array(column, field.type) if isinstance(column, list) else column)
    return pa.Table.from_arrays(arrays, schema=schema)


def _lists(counts: Any, values: Any) -> pa.Array[Any]:
    """Values cut into lists of so many each."""
    import pyarrow as pa

    offsets = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=offsets[1:])
    return cast("pa.Array[Any]", pa.ListArray.from_arrays(cast("Any", pa.array(offsets)), values))


def _deals(headers: Sequence[Match], deals: Deals, kind: Any) -> pa.Array[Any]:
    """The deals of a batch as structs of ``kind``."""
    import pyarrow as pa

    head, count, seats = deals.head, len(deals), deals.hands.shape[1]
    hands = _texts(*hand_buffer(np.ascontiguousarray(deals.hands.reshape(-1, d.HAND_WORDS))))
    claimed: list[str | None] = [None] * count
    if any(deal.claimed for header in headers for deal in header.deals):
        of_headers = [dict(enumerate(header.deals)) for header in headers]
        for place, (match, number) in enumerate(zip(head[d.MATCH].tolist(), head[d.DEAL].tolist(), strict=True)):
            claimed[place] = raw_text(of_headers[match][number].claimed) if number in of_headers[match] else None
    columns: dict[str, Any] = {
        "drawn": _named(head[d.DRAWN], CARDS),
        "knife": _named(head[d.KNIFE_CLAIMED], RANKS),
        "first_draw": _seats(head[d.FIRST_DRAW]),
        "dealer": _seats(head[d.DEALER]),
        "called": _named(head[d.CALLED], CARDS),
        "leader": _seats(head[d.LEADER]),
        "hands": _lists(np.full(count, seats), hands),
        "plays": _texts(*play_buffer(deals.plays, deals.offsets, deals.odd_cards)),
        "end": _named(head[d.END], ENDS),
        "escaped": _seats(head[d.ESCAPED]),
        "claimed": pa.array(claimed, pa.string()),
    }
    return pa.StructArray.from_arrays([columns[field.name] for field in kind], fields=list(kind))


def _texts(text: NDArray[np.uint8], bounds: NDArray[np.int64]) -> pa.Array[Any]:
    """The pieces of an ASCII text between bounds."""
    import pyarrow as pa

    # Offsets of 32 bits: a batch of two gigabytes of text would not fit in memory several times over anyhow.
    if bounds[-1] > np.iinfo(np.int32).max:
        raise ValueError("the texts of a batch are too long for a column")
    offsets: Any = bounds.astype(np.int32)
    return pa.StringArray.from_buffers(len(bounds) - 1, pa.py_buffer(offsets), pa.py_buffer(cast("Any", text)))


def _named(numbers: NDArray[np.int32], names: Sequence[str]) -> pa.Array[Any]:
    """Numbers as the names that they stand for; −1 is null."""
    import pyarrow as pa

    return pa.array([*names, None], pa.string()).take(numbers % (len(names) + 1))


def _seats(numbers: NDArray[np.int32]) -> pa.Array[Any]:
    """Seats; −1 is null."""
    import pyarrow as pa

    return pa.array(numbers.astype(np.int8), mask=numbers < 0)
