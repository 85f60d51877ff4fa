"""Records of score sheets as a chunk: what ``records`` makes of lines, with facts in the place of cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from yuanzi_core import deals as d
from yuanzi_core.cards import SEATS, VARIANTS, Variant
from yuanzi_core.clubs import ClubDefaults
from yuanzi_core.deals import HEAD, Deals, Ints
from yuanzi_core.files import SheetRecord
from yuanzi_core.log import Problem
from yuanzi_core.records import Chunk, Record, no_amounts, take_amounts
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.sheet_deal import DealFacts
from yuanzi_core.sheet_file import match_id_of
from yuanzi_core.sheets import Resolve, read_sheet_match


def read_sheets(found: Sequence[SheetRecord], resolve: Resolve, clubs: Mapping[str, ClubDefaults]) -> Chunk:
    """Records of a sheet, in order: matches with their facts, or rejects."""
    records: list[Record] = []
    deals: list[list[DealFacts]] = []
    for row, (line, raw, rows) in enumerate(found):
        record = Record(row, line, raw, match_id_of(raw), rows=rows)
        records.append(record)
        deals.append([])
        try:
            read = read_sheet_match(raw, rows, resolve, clubs)
        except Problem as problem:
            record.reject(problem)
            continue
        record.parsed, record.ruleset, deals[-1], record.claims, record.notes = read
        record.revision = read.match.revision or 1
    chunk = Chunk(records, no_amounts(len(records)), facts={})
    for variant in VARIANTS:
        _put(chunk, variant, deals)
    take_amounts(chunk, records)
    return chunk


def _without_cards(variant: Variant, rulesets: Sequence[RuleSet], head: Ints) -> Deals:
    """Deals of which no hand and no play is known."""
    count = head.shape[1]
    hands = np.zeros((count, SEATS[variant], d.HAND_WORDS), dtype=np.uint16)
    return Deals(variant, rulesets, head, hands, np.zeros(count + 1, np.int64), np.zeros(0, np.uint32))


def _put(chunk: Chunk, variant: Variant, deals: list[list[DealFacts]]) -> None:
    """Make the deals of a game in records of a sheet (those of each record in ``deals``) a batch of their chunk."""
    of_game = [record for record in chunk.records if record.parsed is not None and record.parsed.variant == variant]
    rulesets = {record.ruleset.hash: record.ruleset for record in of_game if record.ruleset is not None}
    places = {key: place for place, key in enumerate(rulesets)}
    heads: list[list[int]] = []
    facts: list[list[int]] = []
    for place, record in enumerate(of_game):
        assert record.ruleset is not None
        for number, deal in enumerate(deals[record.row]):
            head = [-1] * len(HEAD)
            head[d.MATCH], head[d.DEAL], head[d.RULES] = place, number, places[record.ruleset.hash]
            head[d.DEALER], head[d.END], head[d.ESCAPED] = deal.dealer, deal.end, deal.escaped
            heads.append(head)
            facts.append(deal.facts)
    columns = np.ascontiguousarray(np.array(heads, dtype=np.int32).reshape(-1, len(HEAD)).T)
    chunk.deals[variant] = _without_cards(variant, list(rulesets.values()), columns)
    chunk.rows[variant] = [record.row for record in of_game]
    assert chunk.facts is not None
    chunk.facts[variant] = np.ascontiguousarray(np.array(facts, dtype=np.int32).reshape(-1, len(d.FACTS)).T)


def drop_rejects(chunk: Chunk) -> None:
    """Take the deals of records that were rejected meanwhile out of the batches of a sheet."""
    assert chunk.facts is not None
    for variant, deals in chunk.deals.items():
        kept = np.array([chunk.records[row].problem is None for row in chunk.rows[variant]], dtype=np.bool_)
        places = np.cumsum(kept, dtype=np.int32) - np.int32(1)
        of_deals = kept[deals.head[d.MATCH]]
        head = np.ascontiguousarray(deals.head[:, of_deals])
        head[d.MATCH] = places[head[d.MATCH]]
        chunk.deals[variant] = _without_cards(variant, deals.rulesets, head)
        chunk.rows[variant] = [row for row, is_kept in zip(chunk.rows[variant], kept, strict=True) if is_kept]
        chunk.facts[variant] = np.ascontiguousarray(chunk.facts[variant][:, of_deals])
