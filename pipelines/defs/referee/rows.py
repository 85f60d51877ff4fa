"""A judged chunk as rows of core_record and core_deal: what the log says beside what judging found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pyarrow as pa

from yuanzi_core import deals as d
from yuanzi_core.deals import Deals
from yuanzi_core.log import NoteRow
from yuanzi_core.messages import message_of_problem, violation_text
from yuanzi_core.records import Chunk, Record, parse_rules
from yuanzi_core.replay import Replay
from yuanzi_core.texts import LANGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())

_RECORD: list[tuple[str, pa.DataType]] = [
    ("file_id", _TEXT), ("line", pa.int64()), ("record_hash", _TEXT), ("match_id", _TEXT),
    ("revision", pa.int32()), ("variant", _TEXT), ("ruleset_name", _TEXT), ("ruleset", _TEXT), ("rules", _TEXT),
    ("played_at", pa.timestamp("us", "UTC")), ("club", _TEXT), ("table", _TEXT), ("source", _TEXT),
    ("base", pa.decimal128(8, 2)), ("player_ids", _TEXTS), ("player_names", _TEXTS),
    ("balance", pa.list_(pa.decimal128(18, 4))), ("deals", pa.int32()), ("status", _TEXT), ("code", _TEXT),
    ("deal", pa.int32()), ("play", pa.int32()), ("message_en", _TEXT), ("message_zh", _TEXT), ("notes", _TEXT),
    ("damage", _TEXT),
]  # fmt: skip
#: core_record, one row a record judged alone, key file_id, line. Of a reject only file_id to match_id, code, messages
#: and damage are set. ``ruleset`` is the hash of what is in force, ``ruleset_name`` its name; ``balance`` by seat, null
#: where the log has none; ``notes`` a JSON list; ``status`` settled, unfinished, violation or rejected.
RECORD = pa.schema(_RECORD)
_FOUND = ("variant", "ruleset", "base", "balance", "deal", "play")

#: What core_deal has of the log beside the facts: numbers as in ``deals.HEAD`` (−1 for none), ``hands`` seat by seat
#: as in ``Deals.hands`` (empty where a score sheet gave the facts), ``plays`` as in ``Deals.plays``, ``odd_plays``
#: their places within the deal, ``odd_cards`` 54 counts for each of them.
HEAD = ("drawn", "knife_claimed", "first_draw", "dealer", "called")
_ROWS_OF_HEAD = (d.DRAWN, d.KNIFE_CLAIMED, d.FIRST_DRAW, d.DEALER, d.CALLED)


def _overrides(rules: bytes) -> str | None:
    """The overrides of a match as they stand; an object with nothing in it overrides nothing."""
    return rules.decode() if rules and parse_rules(rules) else None


def _note_text(notes: Sequence[NoteRow]) -> str:
    shown = [{name: value for name, value in msgspec.to_builtins(note).items() if value is not None} for note in notes]
    return msgspec.json.encode(shown).decode()


def _placed(found: pa.Table, records: Sequence[Record]) -> tuple[dict[str, pa.Array[Any]], list[int | None]]:
    """The columns of ``verdict.sql`` with a row for each record, nulls for rejects; and each record's row there."""
    at = {line: row for row, line in enumerate(found.column("line").to_pylist())}
    rows = [None if record.problem is not None else at[record.line] for record in records]
    places = pa.array(rows, pa.int64())
    return {name: found.column(name).combine_chunks().take(places) for name in _FOUND}, rows


def record_table(file_id: str, chunk: Chunk, hashes: Sequence[str], found: pa.Table) -> pa.Table:
    """core_record of a chunk. ``hashes`` are the record hashes, ``found`` the rows of ``verdict.sql``."""
    records = chunk.records
    columns, rows = _placed(found, records)
    status, code = found.column("status").to_pylist(), found.column("code").to_pylist()
    places = {
        row: (variant, number) for variant, batch in chunk.rows.items() for number, row in enumerate(batch)
    }  # fmt: skip
    codes: list[str | None] = []
    messages: dict[str, list[str | None]] = {lang: [] for lang in LANGS}
    for record, row in zip(records, rows, strict=True):
        if row is None:
            assert record.problem is not None
            codes.append(record.problem.code)
            for lang in LANGS:
                messages[lang].append(message_of_problem(record.problem, lang))
            continue
        violation = code[row]
        codes.append(violation)
        if violation is None:
            for lang in LANGS:
                messages[lang].append(None)
            continue
        variant, number = places[record.row]
        deal, play = columns["deal"][record.row].as_py(), columns["play"][record.row].as_py()
        replay = Replay(chunk.deals[variant], number)
        for lang in LANGS:
            messages[lang].append(violation_text(replay, violation, deal, play, lang))
    matches = [record.match for record in records]
    values: dict[str, Any] = {
        "file_id": [file_id] * len(records),
        "line": [record.line for record in records],
        "record_hash": hashes,
        "match_id": [record.match_id for record in records],
        "revision": [m and (m.revision or 1) for m in matches],
        "ruleset_name": [m and m.ruleset for m in matches],
        "rules": [m and _overrides(bytes(m.rules)) for m in matches],
        "played_at": [m and m.played_at for m in matches],
        "club": [m and m.club for m in matches],
        "table": [m and m.table for m in matches],
        "source": [m and (m.source or "real") for m in matches],
        "player_ids": [m and [player.id for player in m.players] for m in matches],
        "player_names": [m and [player.name for player in m.players] for m in matches],
        "deals": [m and len(m.deals) for m in matches],
        "status": ["rejected" if row is None else status[row] for row in rows],
        "code": codes,
        **{f"message_{lang}": texts for lang, texts in messages.items()},
        "notes": [m and _note_text(record.notes) for record, m in zip(records, matches, strict=True)],
        "damage": [record.problem.key if record.problem and not record.raw else None for record in records],
    }
    return pa.Table.from_arrays(
        [columns[name].cast(kind) if name in columns else pa.array(values[name], kind)
         for name, kind in zip(RECORD.names, RECORD.types, strict=True)],
        schema=RECORD,
    )  # fmt: skip


def _log_side(deals: Deals) -> tuple[NDArray[np.int64], pa.Table]:
    """(match, deal) in the batch as one number, and what the log says of each deal."""
    known = deals.head[d.DRAWN] >= 0
    hands_end = np.cumsum(known, dtype=np.int64) * deals.hands.shape[1] * deals.hands.shape[2]
    odd_offsets = np.searchsorted(deals.odd_plays, deals.offsets)
    within = deals.odd_plays - deals.offsets[:-1][np.searchsorted(deals.offsets, deals.odd_plays, side="right") - 1]

    def lists(offsets: NDArray[np.int64], values: NDArray[Any], kind: pa.DataType) -> pa.Array[Any]:
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values.reshape(-1), kind))

    columns: Mapping[str, pa.Array[Any]] = {
        **{name: pa.array(deals.head[row], pa.int16()) for name, row in zip(HEAD, _ROWS_OF_HEAD, strict=True)},
        "hands": lists(np.concatenate([np.zeros(1, np.int64), hands_end]), deals.hands[known], pa.uint16()),
        "plays": lists(deals.offsets, deals.plays, pa.uint32()),
        "odd_plays": lists(odd_offsets, within, pa.int32()),
        "odd_cards": lists(odd_offsets * 54, deals.odd_cards, pa.uint8()),
    }
    return deals.head[d.MATCH].astype(np.int64) * 2 + deals.head[d.DEAL], pa.table(dict(columns))


def deal_table(chunk: Chunk, facts: pa.Table) -> pa.Table:
    """core_deal of a chunk: ``facts`` are the rows of ``core_deal.sql``, in order of line and deal."""
    orders, sides = [], []
    for variant, deals in chunk.deals.items():
        number, side = _log_side(deals)
        # Records of a chunk stand in order of their lines.
        orders.append(np.array(chunk.rows[variant], dtype=np.int64)[number >> 1] * 2 + (number & 1))
        sides.append(side)
    order = np.argsort(np.concatenate(orders), kind="stable")
    log = pa.concat_tables(sides).combine_chunks().take(pa.array(order, pa.int64()))
    for name in log.column_names:
        facts = facts.append_column(name, log.column(name))
    return facts
