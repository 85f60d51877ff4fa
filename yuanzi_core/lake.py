"""Deals of the lake judged again: from the warehouse's Parquet to settled rows, without reading a log.

Reads ``core_deal``, ``core_record`` and ``core_ruleset`` of one file as the warehouse writes them: the numbers of
``deals.HEAD``, ``hands``, ``plays`` and ``odd_*`` as in :class:`~yuanzi_core.deals.Deals`, one list a deal. The
pipeline itself goes back to the logs when the engine changes; this is for studies of stored deals, and is measured.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from yuanzi_core import deals as d
from yuanzi_core.cards import SEATS, VARIANTS
from yuanzi_core.database import THREADS, connect
from yuanzi_core.deals import HAND_WORDS, HEAD, Deals, Ints
from yuanzi_core.judge import Judge, deal_columns
from yuanzi_core.referee import referee
from yuanzi_core.ruleset import USUAL, RuleSet, Rulesets, options
from yuanzi_core.settlement import add_rulesets, sql

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray

#: Deals settled at once, about: planning the settlement costs as much as settling thousands.
PIECE = 65_536
#: Deals from which two judges are worth it.
WORTH_TWO = 4096
_COPIED = ("deal", "drawn", "knife_claimed", "first_draw", "dealer", "called", "leader", "escaped")
#: The columns of ``core_deal`` that a deal is judged from.
JUDGED_FROM = (*_COPIED, "end", "hands", "plays", "odd_plays", "odd_cards")


def rulesets_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, RuleSet]:
    """The rulesets of some rows of ``core_ruleset``, by hash: their presets' constants with the options of the table.

    :raises ValueError: the constants have changed since; the files have to be judged from their logs.
    """
    found, presets = {}, Rulesets()
    for values in rows:
        preset = presets[USUAL[values["variant"]]]
        changes = {name: values[name] for name in preset.options}
        whole = {name for name in changes if options()[name].range.get(preset.variant, {}).get("decimals") == 0}
        changes |= {name: int(changes[name]) for name in whole}
        rebuilt = preset.with_options(changes)
        if rebuilt.hash != values["ruleset"]:
            raise ValueError(f"the ruleset {values['ruleset']} has other constants than its preset has now")
        found[rebuilt.hash] = rebuilt
    return found


def _rules_of_lines(path: Path, rulesets: dict[str, RuleSet]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The lines of a file that were judged, ascending, and the place of each one's ruleset in ``rulesets``."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["line", "ruleset"])
    places = pc.index_in(table.column("ruleset"), value_set=pa.array(rulesets, pa.string())).fill_null(-1).to_numpy()
    lines = table.column("line").to_numpy()[places >= 0]
    order = np.argsort(lines, kind="stable")
    return lines[order], places[places >= 0][order].astype(np.int64)


def _lists(column: Any, kind: type[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Offsets (from 0) and values of a list column, the values where Arrow has them."""
    offsets = column.offsets.to_numpy().astype(np.int64)
    values = column.values.to_numpy(zero_copy_only=False)[offsets[0] : offsets[-1]]
    return offsets - offsets[0], np.ascontiguousarray(values, dtype=kind)


def deals_of_batch(
    batch: pa.RecordBatch, lines: NDArray[np.int64], places: NDArray[np.int64], rulesets: list[RuleSet]
) -> Iterator[tuple[Deals, NDArray[np.int64]]]:
    """The deals of a batch of ``core_deal`` by game, with their ``lines`` (one number a deal, whatever it says).

    ``places`` numbers each deal's ruleset.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    hand_offsets, hands = _lists(batch.column("hands"), np.uint16)
    play_offsets, plays = _lists(batch.column("plays"), np.uint32)
    odd_offsets, odd_plays = _lists(batch.column("odd_plays"), np.int64)
    odd_cards = _lists(batch.column("odd_cards"), np.uint8)[1].reshape(-1, 54)
    head: Ints = np.full((len(HEAD), len(lines)), -1, dtype=np.int32)
    head[d.RULES] = places
    for name in _COPIED:
        head[HEAD.index(name)] = batch.column(name).fill_null(-1).to_numpy()
    head[d.END] = pc.index_in(batch.column("end"), value_set=pa.array(d.ENDS)).to_numpy()
    of_deal = np.diff(hand_offsets) // HAND_WORDS
    for variant in VARIANTS:
        seats = SEATS[variant]
        chosen = of_deal == seats

        def mine(values: NDArray[Any], offsets: NDArray[np.int64], chosen: NDArray[np.bool_] = chosen) -> NDArray[Any]:
            # Most batches are of one game, and stay where they are.
            if not chosen.any():
                return values[:0]
            return values if chosen.all() else values[np.repeat(chosen, np.diff(offsets))]

        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(play_offsets) * chosen)])
        of_variant = np.ascontiguousarray(head[:, chosen])
        of_variant[d.MATCH] = np.cumsum(of_variant[d.DEAL] == 0) - 1
        yield (
            Deals(
                variant,
                rulesets,
                of_variant,
                mine(hands, hand_offsets).reshape(-1, seats, HAND_WORDS),
                np.append(starts[:-1][chosen], starts[-1]),
                mine(plays, play_offsets),
                mine(odd_plays + np.repeat(starts[:-1], np.diff(odd_offsets)), odd_offsets),
                mine(odd_cards, odd_offsets),
            ),
            lines[chosen],
        )


def _pieces(lines: NDArray[np.int64], starts: NDArray[np.int64]) -> list[list[list[int]]]:
    """Row groups to pieces that are settled at once, in order and of about equal size, as many for each judge.

    ``lines`` are those of all deals, ``starts`` the first deal of each row group and the number of deals. A piece is
    read some row groups at a time (one, where no match lies in two), so that a match is always read whole.
    """
    count = -(-len(lines) // PIECE)
    if len(lines) >= WORTH_TWO:
        count = -(-count // THREADS) * THREADS
    pieces: list[list[list[int]]] = []
    for group, (first, end) in enumerate(pairwise(starts.tolist())):
        if first == end:
            continue
        if first and lines[first - 1] == lines[first]:
            pieces[-1][-1].append(group)
        # The piece in which the middle of the row group lies.
        elif not pieces or (first + end) * count >= 2 * len(lines) * len(pieces):
            pieces.append([[group]])
        else:
            pieces[-1].append([group])
    return pieces


def judge_lake(core_deal: Path, core_record: Path, core_ruleset: Path) -> Iterator[Judge]:
    """Judge and settle the deals of a file again, some tens of thousands at a time, in order.

    Gives a judge whose tables (``settled_match`` and the others, without claims) hold some matches until the next one
    is asked for. Two judges work at the same time, each on one thread, from reading to settling.

    :raises ValueError: the rulesets' constants have changed since; the file has to be judged from its logs.
    """
    import pyarrow.parquet as pq

    rulesets = rulesets_of(pq.read_table(core_ruleset).to_pylist())
    judged_lines, rules = _rules_of_lines(core_record, rulesets)
    with pq.ParquetFile(core_deal) as file:
        lines = file.read(["line"]).column("line").to_numpy()
        sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])

    def read(piece: list[list[int]]) -> Iterator[tuple[Deals, NDArray[np.int64]]]:
        with pq.ParquetFile(core_deal) as file:
            for groups in piece:
                table = file.read_row_groups(groups, list(JUDGED_FROM), use_threads=False).combine_chunks()
                of_groups = lines[starts[groups[0]] : starts[groups[-1] + 1]]
                places = rules[np.searchsorted(judged_lines, of_groups)]
                for batch in table.to_batches():
                    yield from deals_of_batch(batch, of_groups, places, list(rulesets.values()))

    def work(starting: Future[Judge], piece: list[list[int]]) -> Judge:
        found = [(deals.variant, deal_columns(deals.head, referee(deals), of)) for deals, of in read(piece)]
        judge = starting.result()
        ends = {"first": int(lines[starts[piece[0][0]]]), "last": int(lines[starts[piece[-1][-1] + 1] - 1])}
        judge.con.execute(
            f"create or replace temp table core_record as {sql('lake_record')}", {"path": str(core_record), **ends}
        )
        judge.load_facts(found, "")
        judge.settle("")
        return judge

    with ThreadPoolExecutor(THREADS) as pool, ThreadPoolExecutor(1) as opening:
        # Opened while the first deals are read.
        database = opening.submit(connect, 1)
        judges = [opening.submit(lambda: _judge(database.result(), rulesets)) for _ in range(THREADS)]
        pending: deque[Future[Judge]] = deque()
        for number, piece in enumerate(_pieces(lines, starts)):
            # A judge gets new deals only when whoever asked for its last ones comes back.
            if len(pending) == THREADS:
                yield pending.popleft().result()
            pending.append(pool.submit(work, judges[number % THREADS], piece))
        while pending:
            yield pending.popleft().result()


def _judge(database: duckdb.DuckDBPyConnection, rulesets: dict[str, RuleSet]) -> Judge:
    """A judge on a connection of its own that knows the rulesets, and no claims."""
    judge = Judge(database.cursor())
    add_rulesets(judge.con, list(rulesets.values()))
    judge.known |= rulesets.keys()
    judge.load_claims([], "")
    return judge
