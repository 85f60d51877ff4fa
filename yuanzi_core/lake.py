"""Deals of the lake judged again: from the warehouse's Parquet to settled rows, without reading a log.

Reads ``core_deal``, ``core_record`` and ``core_ruleset`` of one file as the warehouse writes them: the numbers of
``deals.HEAD``, ``hands``, ``plays`` and ``odd_*`` as in :class:`~yuanzi_core.deals.Deals`, one list a deal. The
pipeline itself goes back to the logs when the engine changes; this is for studies of stored deals, and is measured.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.cards import VARIANTS
from yuanzi_core.database import THREADS
from yuanzi_core.deals import HAND_WORDS, HEAD, Deals, Ints
from yuanzi_core.judge import Judge
from yuanzi_core.ruleset import RuleSet, Rulesets, options
from yuanzi_core.settlement import add_rulesets, sql

#: Deals taken at once.
BATCH = 32_768


def _rulesets(judge: Judge, path: Path) -> dict[str, RuleSet]:
    """The rulesets in force in a file, by hash: their presets' constants with the options of the table.

    :raises ValueError: the constants have changed since; the file has to be judged from its logs.
    """
    cursor = judge.con.execute("select * from read_parquet($path)", {"path": str(path)})
    names = [column[0] for column in cursor.description or ()]
    found = {}
    for row in cursor.fetchall():
        values = dict(zip(names, row, strict=True))
        preset = Rulesets()[f"{values['variant']}-classic"]
        changes = {name: values[name] for name in preset.options}
        whole = {name for name in changes if options()[name].range.get(preset.variant, {}).get("decimals") == 0}
        changes |= {name: int(changes[name]) for name in whole}
        rebuilt = preset.with_options(changes)
        if rebuilt.hash != values["ruleset"]:
            raise ValueError(
                f"{path.name}: the ruleset {values['ruleset']} has other constants than its preset has now"
            )
        found[rebuilt.hash] = rebuilt
    return found


def _lists(column: Any, kind: Any) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Offsets (from 0) and values of a list column."""
    offsets = column.offsets.to_numpy().astype(np.int64)
    values = column.values.to_numpy(zero_copy_only=False)[offsets[0] : offsets[-1]]
    return offsets - offsets[0], np.ascontiguousarray(values, dtype=kind)


def _deals(
    batch: pa.RecordBatch, places: NDArray[np.int64], rulesets: list[RuleSet]
) -> Iterator[tuple[Deals, NDArray[np.int64]]]:
    """The deals of a batch by game, with their lines. ``places`` numbers each deal's ruleset."""
    lines = batch.column("line").to_numpy()
    hand_offsets, hands = _lists(batch.column("hands"), np.uint16)
    play_offsets, plays = _lists(batch.column("plays"), np.uint32)
    odd_offsets, odd_places = _lists(batch.column("odd_plays"), np.int64)
    odd_cards = _lists(batch.column("odd_cards"), np.uint8)[1].reshape(-1, 54)
    seats = np.diff(hand_offsets) // HAND_WORDS
    for variant in VARIANTS:
        count = 4 if variant == "four" else 5
        chosen = np.flatnonzero(seats == count)
        head: Ints = np.full((len(HEAD), len(chosen)), -1, dtype=np.int32)
        of_variant = lines[chosen]
        head[d.DEAL] = batch.column("deal").to_numpy()[chosen]
        head[d.MATCH] = np.cumsum(head[d.DEAL] == 0) - 1
        head[d.RULES] = places[chosen]
        for name in ("drawn", "knife_claimed", "first_draw", "dealer", "called", "leader", "end", "escaped"):
            head[HEAD.index(name)] = batch.column(name).to_numpy()[chosen]
        lengths = np.diff(play_offsets)[chosen]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        mine = np.repeat(seats == count, np.diff(play_offsets))
        odd = np.repeat(seats == count, np.diff(odd_offsets))
        new_start = np.zeros(len(lines), np.int64)
        new_start[chosen] = offsets[:-1]
        yield (
            Deals(
                variant,
                rulesets,
                head,
                hands[np.repeat(seats == count, np.diff(hand_offsets))].reshape(-1, count, HAND_WORDS),
                offsets,
                plays if mine.all() else plays[mine],
                (odd_places + np.repeat(new_start, np.diff(odd_offsets)))[odd],
                odd_cards[odd],
            ),
            of_variant,
        )


def judge_lake(core_deal: Path, core_record: Path, core_ruleset: Path) -> Iterator[Judge]:
    """Judge and settle the deals of a file again, some tens of thousands at a time, in order.

    Gives a judge whose tables (``settled_match`` and the others, without claims) hold some matches until the next one
    is asked for. Two judges work at the same time.

    :raises ValueError: the rulesets' constants have changed since; the file has to be judged from its logs.
    """
    judges = [Judge() for _ in range(THREADS)]
    rulesets = _rulesets(judges[0], core_ruleset)
    for judge in judges:
        _prepare(judge, rulesets, core_record)
    found = judges[0].con.execute("select line, ruleset from lake_record order by line").fetchnumpy()
    numbers = {key: place for place, key in enumerate(rulesets)}
    ruleset_of = np.array([numbers[key] for key in found["ruleset"]], dtype=np.int64)
    every = list(rulesets.values())
    reading = judges[0].con.cursor()
    deals = reading.sql(sql("lake_deal"), params={"path": str(core_deal), "ends": list(d.ENDS)})

    def work(judge: Judge, batch: pa.RecordBatch) -> Judge:
        lines = batch.column("line").to_numpy()
        judge.con.execute(
            "create or replace temp table core_record as "
            "select * replace ('' as file_id) from lake_record where line between $first and $last",
            {"first": int(lines[0]), "last": int(lines[-1])},
        )
        judge.load_deals(_deals(batch, ruleset_of[np.searchsorted(found["line"], lines)], every), "")
        judge.settle("")
        return judge

    with ThreadPoolExecutor(THREADS) as pool:
        pending: deque[Future[Judge]] = deque()
        for number, batch in enumerate(_whole_matches(deals)):
            # A judge gets new deals only when whoever asked for its last ones comes back.
            if len(pending) == THREADS:
                yield pending.popleft().result()
            pending.append(pool.submit(work, judges[number % THREADS], batch))
        while pending:
            yield pending.popleft().result()
    reading.close()


def _prepare(judge: Judge, rulesets: dict[str, RuleSet], core_record: Path) -> None:
    """Put what settling needs of a file's records on a judge's connection, and no claims."""
    add_rulesets(judge.con, list(rulesets.values()))
    judge.known |= rulesets.keys()
    judge.con.execute(
        "create or replace temp table lake_record as "
        "select file_id, line, variant, ruleset, base, balance from read_parquet($path) where ruleset is not null",
        {"path": str(core_record)},
    )
    judge.con.execute(
        "create or replace temp table core_claim as "
        "select '' as file_id, 0::bigint as line, 0 as deal, '' as code, 0 as place, '' as claimed limit 0"
    )


def _whole_matches(deals: Any) -> Iterator[pa.RecordBatch]:
    """The deals of the lake some tens of thousands at a time, those of a match together."""
    held: list[pa.RecordBatch] = []
    for batch in deals.to_arrow_reader(BATCH):
        held.append(batch)
        if sum(part.num_rows for part in held) < BATCH:
            continue
        table = _one(held)
        lines = table.column("line").to_numpy()
        # The deals of the last line wait for what may follow.
        whole = int(np.searchsorted(lines, lines[-1]))
        held = [table.slice(whole)]
        if whole:
            yield table.slice(0, whole)
    if held and (table := _one(held)).num_rows:
        yield table


def _one(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.Table.from_batches(batches).combine_chunks().to_batches()[0]
