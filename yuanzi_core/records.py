"""Lines to records, many at a time: each is a match with its ruleset and cards, or rejected with a place.

A :class:`Chunk` holds the records of some lines and, for each game, their deals as one batch (``deals.Deals``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from yuanzi_core import deals as d
from yuanzi_core.cards import CARD_NUMBER, CARDS, RANKS, VARIANTS, Variant
from yuanzi_core.claims import Claim, read_claims
from yuanzi_core.deals import ENDS, HEAD, Deals, Ints
from yuanzi_core.files import Damage
from yuanzi_core.log import LONGEST_LINE, Match, NoteRow, Problem, parse, read_match
from yuanzi_core.notation import (
    NotationError,
    canonical_hand,
    canonical_plays,
    read_card,
    read_hands,
    read_plays,
    read_rank,
)
from yuanzi_core.reasons import Reject
from yuanzi_core.ruleset import RuleSet, RulesetError, Rulesets

_ENDS = {None: 0} | {name: number for number, name in enumerate(ENDS)}
_RANKS = {rank: number for number, rank in enumerate(RANKS)}
_NOT_CANONICAL = -2
#: Records read in one go: few enough to stay in the processor's cache.
PART_RECORDS = 512
_REMEMBERED = 4096  # different (ruleset, overrides) pairs, and the longest overrides kept as a key


class _OnlyId(Struct):
    match_id: Any = None


_only_id = msgspec.json.Decoder(_OnlyId)


class Record(Struct, gc=False):
    """One line: a match that can be read, or a problem. ``row`` is its place in the chunk."""

    row: int
    line: int
    raw: bytes
    match_id: str | None = None
    match: Match | None = None
    ruleset: RuleSet | None = None
    claims: list[Claim] = []
    notes: list[NoteRow] = []
    problem: Problem | None = None

    def reject(self, problem: Problem) -> None:
        """Make this a rejected record."""
        self.problem, self.match, self.claims, self.notes = problem, None, [], []


@dataclass
class Chunk:
    """Some records and their deals; ``rows[variant][m]`` is the record of the batch's match *m*."""

    records: list[Record]
    deals: dict[Variant, Deals] = field(default_factory=dict)
    rows: dict[Variant, list[int]] = field(default_factory=dict)

    def forget_texts(self) -> None:
        """Let go of the texts of hands and plays, which the batches hold."""
        for record in self.records:
            if record.match is not None:
                for deal in record.match.deals:
                    deal.hands, deal.plays = [], ""


def join(parts: list[Chunk]) -> Chunk:
    """One chunk of several that follow each other; its records are numbered through."""
    if len(parts) == 1:
        return parts[0]
    records: list[Record] = []
    starts = []
    for part in parts:
        starts.append(len(records))
        for record in part.records:
            record.row += starts[-1]
        records += part.records
    chunk = Chunk(records)
    for variant in VARIANTS:
        rows = [part.rows[variant] for part in parts]
        firsts = list(accumulate([len(of_part) for of_part in rows], initial=0))[:-1]
        chunk.deals[variant] = d.concatenate([part.deals[variant] for part in parts], firsts)
        chunk.rows[variant] = [
            start + row for start, of_part in zip(starts, rows, strict=True) for row in of_part
        ]  # fmt: skip
    return chunk


class _Resolver:
    """The ruleset in force for a match, remembered by name and overrides."""

    def __init__(self, rulesets: Rulesets) -> None:
        self.rulesets = rulesets
        self.known: dict[tuple[str, bytes, str], RuleSet | RulesetError] = {}

    def __call__(self, match: Match) -> RuleSet:
        key = (match.ruleset, bytes(match.rules) if match.rules else b"", match.variant)
        found = self.known.get(key)
        if found is None:
            try:
                found = self._resolve(match)
            except RulesetError as error:
                found = error
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            if len(key[0]) + len(key[1]) <= _REMEMBERED:
                self.known[key] = found
        if isinstance(found, RulesetError):
            raise Problem(Reject.RULESET, found.key, found.path, detail=str(found), **found.fields)
        return found

    def _resolve(self, match: Match) -> RuleSet:
        ruleset = self.rulesets[match.ruleset]
        if ruleset.variant != match.variant:
            raise RulesetError(f"{match.ruleset} belongs to the other game", "ruleset", "ruleset_of_other_game",
                               ruleset=match.ruleset)  # fmt: skip
        changes = parse_rules(bytes(match.rules))
        return ruleset.with_options(changes) if changes else ruleset


def parse_rules(raw: bytes) -> dict[str, Any]:
    """The overrides of a match (``rules``). :raises Problem: JSON."""
    return (parse(raw) if raw else None) or {}


def _notation(error: NotationError, path: str) -> Problem:
    if error.place is not None:
        return Problem(Reject.NOTATION, "play", path, place=error.place, at=error.at + 1, found=error.found)
    return Problem(Reject.NOTATION, "cards", path, at=error.at + 1, found=error.found)


class _Batch:
    """The deals of one game in a chunk, read column by column: a loop a field is much cheaper than one a match."""

    def __init__(self, variant: Variant, records: list[Record]) -> None:
        matches = [record.match for record in records if record.match is not None]
        deals = [deal for match in matches for deal in match.deals]
        seats, five = (4, False) if variant == "four" else (5, True)
        self.rows = [record.row for record in records]
        rulesets: dict[str, RuleSet] = {}
        for record in records:
            if record.ruleset is not None:
                rulesets.setdefault(record.ruleset.hash, record.ruleset)
        place = {key: number for number, key in enumerate(rulesets)}
        rules = np.array([place[record.ruleset.hash] for record in records if record.ruleset is not None], np.int32)
        counts = np.array([len(match.deals) for match in matches], dtype=np.int64)
        match_of = np.repeat(np.arange(len(matches), dtype=np.int32), counts)
        head: Ints = np.full((len(HEAD), len(deals)), -1, dtype=np.int32)
        head[d.MATCH] = match_of
        head[d.DEAL, 1:] = match_of[1:] == match_of[:-1]
        head[d.DEAL, :1] = 0
        head[d.RULES] = rules[match_of]
        head[d.DRAWN] = [CARD_NUMBER.get(deal.drawn, _NOT_CANONICAL) for deal in deals]
        head[d.KNIFE_CLAIMED] = [-1 if deal.knife is None else _RANKS.get(deal.knife, _NOT_CANONICAL) for deal in deals]
        head[d.LEADER] = [deal.leader for deal in deals]
        head[d.END] = [_ENDS[deal.end] for deal in deals]
        head[d.ESCAPED] = [-1 if deal.escaped is None else deal.escaped for deal in deals]
        if five:
            head[d.DEALER] = [deal.dealer for deal in deals]
            head[d.CALLED] = [CARD_NUMBER.get(deal.called or "", _NOT_CANONICAL) for deal in deals]
        else:
            head[d.FIRST_DRAW] = [-1 if deal.first_draw is None else deal.first_draw for deal in deals]
        hands, bad_hands = read_hands([hand for deal in deals for hand in deal.hands])
        plays, offsets, bad, odd_plays, odd_cards = read_plays([deal.plays for deal in deals], seats)
        bad |= bad_hands.reshape(-1, seats).any(axis=1)
        bad |= (head[[d.DRAWN, d.KNIFE_CLAIMED, d.CALLED]] == _NOT_CANONICAL).any(axis=0)
        #: Rows with a text that is not canonical; their deals mean nothing.
        self.refused = sorted({self.rows[match] for match in match_of[bad].tolist()})
        self.deals = Deals(
            variant, list(rulesets.values()), head, hands.reshape(-1, seats, hands.shape[1]), offsets, plays,
            odd_plays, odd_cards,
        )  # fmt: skip


def _canonical(text: str, path: str, read: Callable[[str], str]) -> str:
    """The canonical form of a text. :raises Problem: NOTATION."""
    try:
        return read(text)
    except NotationError as error:
        raise _notation(error, path) from None


def _make_canonical(match: Match) -> None:
    """Rewrite the texts of a match in canonical notation. :raises Problem: NOTATION, at the first that has none."""
    seats = len(match.players)
    for place, deal in enumerate(match.deals):
        path = f"deals[{place}]"
        deal.drawn = _canonical(deal.drawn, f"{path}.drawn", lambda text: CARDS[read_card(text)])
        if deal.knife is not None:
            deal.knife = _canonical(deal.knife, f"{path}.knife", lambda text: RANKS[read_rank(text)])
        if seats == 5 and deal.called is not None:
            deal.called = _canonical(deal.called, f"{path}.called", lambda text: CARDS[read_card(text)])
        deal.hands = [_canonical(hand, f"{path}.hands[{seat}]", canonical_hand) for seat, hand in enumerate(deal.hands)]
        deal.plays = _canonical(deal.plays, f"{path}.plays", lambda text: canonical_plays(text, seats))


class Reader:
    """Reads lines as records; keeps what is worth remembering between chunks."""

    def __init__(self, rulesets: Rulesets) -> None:
        self._resolve = _Resolver(rulesets)

    def read(self, lines: Iterable[tuple[int, bytes]]) -> Chunk:
        """Records of (line number, bytes), in order. A line of more than 4 MiB may come cut off behind them."""
        chunk = Chunk([self._record(row, line, raw) for row, (line, raw) in enumerate(lines)])
        for variant in VARIANTS:
            batch = self._batch(chunk, variant)
            if batch.refused:
                for row in batch.refused:
                    record = chunk.records[row]
                    assert record.match is not None
                    try:
                        _make_canonical(record.match)
                    except Problem as problem:
                        record.reject(problem)
                # All texts are canonical now, or their records are rejects.
                batch = self._batch(chunk, variant)
            chunk.deals[variant], chunk.rows[variant] = batch.deals, batch.rows
        return chunk

    def read_parts(self, lines: list[tuple[int, bytes]]) -> Chunk:
        """The same for many lines: read in parts of ``PART_RECORDS``, whose texts of hands and plays are let go."""
        parts = []
        for first in range(0, max(len(lines), 1), PART_RECORDS):
            parts.append(self.read(lines[first : first + PART_RECORDS]))
            parts[-1].forget_texts()
        return join(parts)

    def damaged(self, line: int, damage: Damage) -> Chunk:
        """What stands for the rest of a file that cannot be read on: a reject behind its last line."""
        chunk = self.read([])
        problem = Problem(Reject.JSON, damage.key, kind=damage.kind)
        chunk.records.append(Record(0, line, b"", problem=problem))
        return chunk

    def _batch(self, chunk: Chunk, variant: Variant) -> _Batch:
        kept = [record for record in chunk.records if record.match is not None and record.match.variant == variant]
        return _Batch(variant, kept)

    def _record(self, row: int, line: int, raw: bytes) -> Record:
        if len(raw) > LONGEST_LINE:
            return Record(row, line, raw, problem=Problem(Reject.JSON, "too_long", limit=LONGEST_LINE >> 20))
        try:
            match, notes = read_match(raw)
            ruleset = self._resolve(match)
            claims, more = read_claims(match)
        except Problem as problem:
            return Record(row, line, raw, _id_of(raw), problem=problem)
        return Record(row, line, raw, match.match_id, match, ruleset, claims, notes + more if more else notes)


def _id_of(raw: bytes) -> str | None:
    """The match_id of a record that cannot be read, if that much can."""
    try:
        found = _only_id.decode(raw).match_id
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if isinstance(found, str) else None
