"""The rated matches of a game in blocks, each rated from the state that the block before left.

A block's key is a hash of its matches, of the model, and of the key before: so what is there under a key is right
whatever else was received. Matches that are newer than all others are rated from the last block on, a late one from the
block that it falls in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.groups import hash_of
from pipelines.parquet import is_whole
from pipelines.warehouse import State as Snapshot
from pipelines.warehouse import Warehouse, load, replacing, sql
from yuanzi_core.cards import SEATS, Variant
from yuanzi_core.ratings.display import HUNDREDTHS, rating
from yuanzi_core.ratings.fold import Rated, rate
from yuanzi_core.ratings.matches import Matches
from yuanzi_core.ratings.settings import MODELS
from yuanzi_core.ratings.state import State, empty_state
from yuanzi_core.ratings.unrated import why_unrated

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray

#: Matches of a block.
BLOCK = 16_384
MATCHES, CHECKPOINT = "out_ratings__match", "core_rating__checkpoint"


@dataclass(frozen=True)
class Block:
    """Matches of one game that follow each other in ledger order, with their ids, and the key of their ratings."""

    key: str
    match_ids: list[str]
    matches: Matches


def load_why_unrated(con: duckdb.DuckDBPyConnection) -> None:
    """Make the table ``why_unrated`` (status, outcome, twice): ``reason`` is null where a match is rated.

    Reads out_matches. ``twice``: somebody has two seats.
    """
    ways = con.execute(
        "select distinct status, outcome, twice from out_matches cross join (values (false), (true)) as t(twice)"
    ).fetchall()
    reasons = [why_unrated(status, outcome, ["one", "one" if twice else "other"]) for status, outcome, twice in ways]
    columns = [*zip(*ways, strict=True)] or [(), (), ()]
    types = {"status": "varchar", "outcome": "varchar", "twice": "boolean", "reason": "varchar"}
    values = [*columns, [None if reason is None else str(reason) for reason in reasons]]
    load(con, "why_unrated", dict(zip(types, values, strict=True)), types)


def _tables(con: duckdb.DuckDBPyConnection, game: Variant) -> Iterator[pa.Table]:
    """The rated matches of a game, in tables of ``BLOCK`` rows but for the last."""
    import pyarrow as pa

    held: list[Any] = []
    rows = 0
    for batch in con.sql(sql("ratings", "rated"), params={"game": game}).to_arrow_reader(BLOCK):
        held.append(batch)
        rows += batch.num_rows
        while rows >= BLOCK:
            table = pa.Table.from_batches(held)
            yield table.slice(0, BLOCK).combine_chunks()
            held, rows = table.slice(BLOCK).to_batches(), rows - BLOCK
    if rows:
        yield pa.Table.from_batches(held).combine_chunks()


def _flat(table: pa.Table, column: str) -> Any:
    lists: Any = table.column(column).combine_chunks()
    return lists.flatten()


def blocks(con: duckdb.DuckDBPyConnection, tag: str, game: Variant) -> Iterator[Block]:
    """The rated matches of a game. Reads out_matches and ``why_unrated``."""
    seats, key = SEATS[game], hash_of([tag, game, MODELS[game].code])
    for table in _tables(con, game):
        seated = _flat(table, "player_ids").dictionary_encode()
        match_ids: list[Any] = table.column("match_id").to_pylist()
        ids = seated.dictionary.to_pylist()
        matches = Matches(
            game,
            np.asarray(table.column("played_at")).astype(np.int64),
            np.asarray(seated.indices).astype(np.int64).reshape(-1, seats),
            np.asarray(_flat(table, "sides")).astype(np.int8).reshape(-1, seats),
            np.asarray(table.column("winner")).astype(np.int8),
            ids,
        )
        digest = hashlib.sha256(json.dumps([key, match_ids, ids]).encode())
        for column in (matches.played_at, matches.players, matches.sides, matches.winner):
            digest.update(column.tobytes())
        key = digest.hexdigest()[:16]
        yield Block(key, match_ids, matches)


def in_points(hundredths: NDArray[np.int64]) -> Any:
    """Hundredths of a point as points, exactly: an Arrow array of decimals."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole: Any = pa.array(hundredths).cast(pa.decimal128(19, 0))
    return pc.multiply(whole, pa.scalar(Decimal(1) / HUNDREDTHS)).cast(pa.decimal128(10, 2))


def _write_rows(block: Block, rated: Rated, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    matches = block.matches
    count, seats = matches.players.shape
    offsets: Any = pa.array(np.arange(0, count * seats + 1, seats, dtype=np.int32))

    def lists(values: Any) -> Any:
        return pa.ListArray.from_arrays(offsets, values)

    def numbers(values: NDArray[Any]) -> Any:
        return lists(pa.array(values.ravel()))

    def points(mu: NDArray[np.float64]) -> Any:
        return lists(in_points(rating(mu).ravel()))

    seated: Any = pa.array(matches.players.ravel())
    columns = {
        "match_id": pa.array(block.match_ids, pa.string()),
        "game": pa.array([matches.variant] * count, pa.string()),
        "played_at": pa.array(matches.played_at, pa.timestamp("us", tz="UTC")),
        "player_ids": lists(pa.array(matches.ids, pa.string()).take(seated)),
        "sides": numbers(matches.sides.astype(np.int32)),
        "winner": pa.array(matches.winner.astype(np.int32)),
        "rating_before": points(rated.mu_before),
        "sigma_before": numbers(rated.sigma_before),
        "rating_after": points(rated.mu_after),
        "sigma_after": numbers(rated.sigma_after),
        "expected": numbers(rated.expected),
        "role_offset": pa.array(rated.offset),
    }
    with replacing(path) as temporary:
        pq.write_table(pa.table(columns), temporary, compression="zstd")


def _write_state(state: State, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"id": pa.string()}
    columns = {name: pa.array(values, kinds.get(name)) for name, values in state.players().items()}
    columns["game"] = pa.array([state.variant] * len(state), pa.string())
    # What is common to all players goes into the file's description.
    about = {"common": json.dumps(state.common())}
    with replacing(path) as temporary:
        pq.write_table(pa.table(columns).replace_schema_metadata(about), temporary, compression="zstd")


def read_state(path: Path) -> State:
    """The state that a block left."""
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    common = json.loads((table.schema.metadata or {})[b"common"])
    return State.restored({name: table.column(name).to_numpy() for name in table.column_names}, common)


def rate_blocks(
    warehouse: Warehouse, snapshot: Snapshot, con: duckdb.DuckDBPyConnection, game: Variant,
    progress: Callable[[int], None],
) -> tuple[list[str], int]:  # fmt: skip
    """Rate what is not rated yet; returns the keys of all blocks of a game, and how many of them were made.

    ``progress`` is told how many matches were seen to since it was told last.
    """
    model, keys, made = MODELS[game], list[str](), 0
    state: State | None = None
    for block in blocks(con, snapshot.tag, game):
        rows, checkpoint = (
            warehouse.lake / table / snapshot.tag / f"{block.key}.parquet" for table in (MATCHES, CHECKPOINT)
        )
        if is_whole(rows) and is_whole(checkpoint):
            state = None
        else:
            if state is None:
                state = (
                    read_state(warehouse.lake / CHECKPOINT / snapshot.tag / f"{keys[-1]}.parquet")
                    if keys
                    else empty_state(game, model)
                )
            rated, state = rate(block.matches, state, model)
            _write_rows(block, rated, rows)
            _write_state(state, checkpoint)
            made += 1
        keys.append(block.key)
        progress(len(block.match_ids))
    return keys, made


def rate_nothing(warehouse: Warehouse, snapshot: Snapshot) -> str:
    """Make the tables of no match, so that a warehouse without any has their columns; returns their key."""
    game: Variant = "four"
    seats, key = SEATS[game], hash_of([snapshot.tag])
    none = np.zeros(0, np.int64)
    matches = Matches(
        game, none, np.zeros((0, seats), np.int64), np.zeros((0, seats), np.int8), none.astype(np.int8), []
    )
    rated, state = rate(matches, empty_state(game, MODELS[game]), MODELS[game])
    _write_rows(Block(key, [], matches), rated, warehouse.lake / MATCHES / snapshot.tag / f"{key}.parquet")
    _write_state(state, warehouse.lake / CHECKPOINT / snapshot.tag / f"{key}.parquet")
    return key
