"""Lines to records, many at a time: each is a match with its ruleset and cards, or rejected with a place; and so the
records of score sheets, which have facts in the place of cards.

A :class:`Chunk` holds the records of some lines and, for each game, their deals as one batch (``deals.Deals``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.cards import CARD_NUMBER, CARDS, RANKS, VARIANTS, Variant
from yuanzi_core.claims import Claim, read_claims
from yuanzi_core.deals import ENDS, HEAD, Deals, Ints
from yuanzi_core.files import Damage, SheetRecord
from yuanzi_core.log import BASE_DECIMALS, LONGEST_LINE, Match, NoteRow, Problem, parse, read_match
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

if TYPE_CHECKING:
    from yuanzi_core.clubs import ClubDefaults
    from yuanzi_core.scan import Scanned

_ENDS = {None: 0} | {name: number for number, name in enumerate(ENDS)}
_RANKS = {rank: number for number, rank in enumerate(RANKS)}
_NOT_CANONICAL = -2
#: Bytes of a block from which the fast lane pays: it has to be loaded, and a small file is read before that.
_WORTH_SCANNING = 1 << 17
_SHORTEST_MATCH = 256
_REMEMBERED = 4096  # different (ruleset, overrides) pairs, and the longest overrides kept as a key


class _OnlyId(Struct):
    match_id: Any = None


_only_id = msgspec.json.Decoder(_OnlyId)


class Record(Struct, gc=False):
    """One line: a match that can be read, or a problem. ``row`` is its place in the chunk.

    ``rows`` are the rows of a score sheet that it stands in, upper half first; a line of a log has none.
    """

    row: int
    line: int
    raw: bytes
    match_id: str | None = None
    revision: int = 1
    ruleset: RuleSet | None = None
    claims: list[Claim] = []
    notes: list[NoteRow] = []
    problem: Problem | None = None
    parsed: Match | None = None
    rows: tuple[int, ...] = ()

    @property
    def match(self) -> Match | None:
        """The match, read again where it was not kept (that of a sheet always is); None for a reject."""
        if self.problem is not None or self.parsed is not None:
            return self.parsed
        return read_match(self.raw)[0]

    def reject(self, problem: Problem) -> None:
        """Make this a rejected record."""
        self.problem, self.parsed, self.claims, self.notes = problem.bare(), None, [], []


#: Columns of ``Chunk.amounts``: the base in hundredths, then the logged balances by seat as in ``ledger``.
BASE, BALANCES = 0, 1


def no_amounts(records: int) -> NDArray[np.int64]:
    """The amounts of records that log none: base 1, no balance."""
    amounts = np.full((records, BALANCES + 5), UNKNOWN, dtype=np.int64)
    amounts[:, BASE] = 10**BASE_DECIMALS
    return amounts


@dataclass
class Chunk:
    """Some records and their deals.

    ``rows[variant][m]`` is the record of the batch's match *m*; ``amounts`` int64 (records, 6), columns as ``BASE``
    and ``BALANCES``, rows of rejects mean nothing. A chunk is of logs or of score sheets: the deals of these have no
    cards, but their ``facts`` are there already, by game, int32 (36, deals), rows as ``deals.FACTS``, −1 for unknown.
    """

    records: list[Record]
    amounts: NDArray[np.int64]
    deals: dict[Variant, Deals] = field(default_factory=dict)
    rows: dict[Variant, list[int]] = field(default_factory=dict)
    facts: dict[Variant, Ints] | None = None

    def forget_matches(self) -> None:
        """Let go of the parsed matches; what nearly everybody needs of them stands in the batches."""
        for record in self.records:
            record.parsed = None


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
    chunk = Chunk(records, np.concatenate([part.amounts for part in parts]))
    for variant in VARIANTS:
        rows = [[start + row for row in part.rows[variant]] for start, part in zip(starts, parts, strict=True)]
        _put(chunk, variant, [part.deals[variant] for part in parts], rows)
    with_facts = [part.facts for part in parts if part.facts is not None]
    if with_facts:
        # What stands for the rest of a damaged file has no deals, and so no facts.
        chunk.facts = {v: np.concatenate([facts[v] for facts in with_facts], axis=1) for v in VARIANTS}
    return chunk


def _put(chunk: Chunk, variant: Variant, batches: list[Deals], rows: list[list[int]]) -> None:
    """Make some batches, each with the records of its matches, the batch of a chunk."""
    firsts = list(accumulate([len(of_batch) for of_batch in rows], initial=0))[:-1]
    chunk.deals[variant] = d.concatenate(batches, firsts)
    chunk.rows[variant] = list(chain.from_iterable(rows))


class _Resolver:
    """The ruleset in force for a match, remembered by name and overrides."""

    def __init__(self, rulesets: Rulesets) -> None:
        self.rulesets = rulesets
        self.known: dict[tuple[str, bytes, str], RuleSet | RulesetError] = {}

    def __call__(self, name: str, overrides: bytes, variant: Variant) -> RuleSet:
        """The ruleset of a name with the overrides of a match (raw JSON, or nothing).

        :raises Problem: RULESET, or JSON where the overrides are not.
        """
        key = (name, overrides, variant)
        found = self.known.get(key)
        if found is None:
            try:
                found = self._resolve(name, overrides, variant)
            except RulesetError as error:
                found = error
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            if len(name) + len(overrides) <= _REMEMBERED:
                self.known[key] = found
        if isinstance(found, RulesetError):
            raise Problem(Reject.RULESET, found.key, found.path, **found.fields)
        return found

    def called(self, name: str, overrides: bytes, variant: Variant) -> RuleSet:
        """The same of a ruleset that people may call otherwise than by its name. :raises Problem: RULESET."""
        return self(self.rulesets.called(name, variant), overrides, variant)

    def _resolve(self, name: str, overrides: bytes, variant: Variant) -> RuleSet:
        ruleset = self.rulesets[name]
        if ruleset.variant != variant:
            raise RulesetError(
                f"{name} belongs to the other game", "ruleset", "ruleset_of_other_game", ruleset=name
            )  # fmt: skip
        changes = parse_rules(overrides)
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
        matches = [record.parsed for record in records if record.parsed is not None]
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
            head[d.DEALER] = [-1 if deal.dealer is None else deal.dealer for deal in deals]
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

    def __init__(self, rulesets: Rulesets, clubs: Mapping[str, ClubDefaults] | None = None) -> None:
        self._resolve = _Resolver(rulesets)
        self._clubs = clubs or {}

    def read(self, lines: Iterable[tuple[int, bytes]]) -> Chunk:
        """Records of (line number, bytes), in order. A line of more than 4 MiB may come cut off behind them."""
        records = [self._record(row, line, raw) for row, (line, raw) in enumerate(lines)]
        chunk = Chunk(records, no_amounts(len(records)))
        for variant in VARIANTS:
            chunk.deals[variant], chunk.rows[variant] = self._batch(chunk, variant)
        take_amounts(chunk, records)
        return chunk

    def read_block(self, first: int, block: bytes) -> Chunk:
        """Records of whole lines, the first of which has that number; blank lines are passed over.

        The parsed matches are not kept. A large block goes through the fast lane (``scan``), line by line where the
        line allows.
        """
        # Lines that are too short to be matches get no arrays: a small file may unpack to millions of them.
        if len(block) < _WORTH_SCANNING or block.count(b"\n") > len(block) // _SHORTEST_MATCH:
            lines = [(first + place, raw) for place, raw in enumerate(block.split(b"\n")) if raw and not raw.isspace()]
            chunk = self.read(lines)
            chunk.forget_matches()
            return chunk
        from yuanzi_core import scan

        scanned = scan.scan(block)
        rulesets = self._rulesets_of(scanned, block)
        if rulesets is None:
            # Some lines name a ruleset that does not exist: they go the slow way to be told so.
            scanned = scan.scan(block, scanned.fate)
            rulesets = self._rulesets_of(scanned, block)
        assert rulesets is not None
        return self._gather(scanned, block, first, rulesets)

    def _rulesets_of(self, scanned: Scanned, block: bytes) -> tuple[list[RuleSet], list[RuleSet]] | None:
        """The ruleset of each match by game; None (and their fate refused) if some have none."""
        from yuanzi_core import scan

        found: tuple[list[RuleSet], list[RuleSet]] = ([], [])
        for variant, matches, of_game in zip(VARIANTS, scanned.matches, found, strict=True):
            remembered: dict[tuple[bytes, bytes], RuleSet | None] = {}
            for line, start, stop, rules, rules_end in matches[:, list(scan.NAMING)].tolist():
                key = block[start:stop], block[rules:rules_end] if rules >= 0 else b""
                if key not in remembered:
                    try:
                        remembered[key] = self._resolve(key[0].decode(), key[1], variant)
                    except Problem:
                        remembered[key] = None
                ruleset = remembered[key]
                if ruleset is None:
                    scanned.fate[line] = scan.REFUSED
                else:
                    of_game.append(ruleset)
        return None if sum(map(len, found)) < sum(map(len, scanned.matches)) else found

    def _gather(
        self, scanned: Scanned, block: bytes, first: int, rulesets: tuple[list[RuleSet], list[RuleSet]]
    ) -> Chunk:  # fmt: skip
        """The records of a scanned block: those of the fast lane, and the others the slow way."""
        from yuanzi_core import scan

        raws = [block[start:stop] for start, stop in scanned.lines.tolist()]
        kept = np.flatnonzero(scanned.fate != scan.BLANK)
        row_of = np.full(len(raws), -1, dtype=np.int64)
        row_of[kept] = np.arange(len(kept))
        records: list[Record | None] = [None] * len(kept)
        chunk = Chunk([], no_amounts(len(kept)))
        fast: dict[Variant, tuple[Deals, list[int]]] = {}
        for variant, matches, deals, of_game in zip(VARIANTS, scanned.matches, scanned.deals, rulesets, strict=True):
            rows = row_of[matches[:, scan.LINE]]
            chunk.amounts[rows] = matches[:, scan.BASE :]
            places = {
                ruleset.hash: (place, ruleset) for place, ruleset in enumerate({r.hash: r for r in of_game}.values())
            }
            numbers = np.array([places[ruleset.hash][0] for ruleset in of_game], dtype=np.int32)
            deals.rulesets = [ruleset for _, ruleset in places.values()]
            deals.head[d.RULES] = numbers[deals.head[d.MATCH]]
            fast[variant] = deals, rows.tolist()
            for row, ruleset, (line, start, stop, revision) in zip(
                fast[variant][1], of_game, matches[:, list(scan.IDENTIFYING)].tolist(), strict=True
            ):
                records[row] = Record(row, first + line, raws[line], block[start:stop].decode(), revision, ruleset)
        slow = []
        for line in np.flatnonzero(scanned.fate == scan.REFUSED).tolist():
            row = int(row_of[line])
            slow.append(self._record(row, first + line, raws[line]))
            records[row] = slow[-1]
        chunk.records = [record for record in records if record is not None]
        if slow:
            take_amounts(chunk, slow)
        for variant in VARIANTS:
            deals, rows_of = fast[variant]
            if not slow:
                chunk.deals[variant], chunk.rows[variant] = deals, rows_of
                continue
            more, more_rows = self._batch(chunk, variant)
            _put(chunk, variant, [deals, more], [rows_of, more_rows])
        chunk.forget_matches()
        return chunk

    def read_sheets(self, found: Sequence[SheetRecord]) -> Chunk:
        """Records of a score sheet, in order: matches with their facts, or rejects."""
        # Loaded only now: a log needs nothing of it.
        from yuanzi_core.sheet_records import read_sheets

        return read_sheets(found, self._resolve.called, self._clubs)

    def damaged(self, line: int, damage: Damage) -> Chunk:
        """What stands for the rest of a file that cannot be read on: a reject behind its last line."""
        chunk = self.read([])
        fields: dict[str, object] = {"kind": damage.kind, **damage.fields}
        problem = Problem(damage.code, damage.key, "", **fields)
        chunk.records.append(Record(0, line, b"", problem=problem))
        chunk.amounts = no_amounts(1)
        return chunk

    def _batch(self, chunk: Chunk, variant: Variant) -> tuple[Deals, list[int]]:
        """The deals of one game of the records that are parsed; a record whose notation cannot be read is rejected."""
        batch = _Batch(variant, _parsed(chunk, variant))
        if batch.refused:
            for row in batch.refused:
                record = chunk.records[row]
                assert record.parsed is not None
                try:
                    _make_canonical(record.parsed)
                except Problem as problem:
                    record.reject(problem)
            # All texts are canonical now, or their records are rejects.
            batch = _Batch(variant, _parsed(chunk, variant))
        return batch.deals, batch.rows

    def _record(self, row: int, line: int, raw: bytes) -> Record:
        if len(raw) > LONGEST_LINE:
            return Record(row, line, raw, problem=Problem(Reject.JSON, "too_long", limit=LONGEST_LINE >> 20))
        try:
            match, notes = read_match(raw)
            ruleset = self._resolve(match.ruleset, bytes(match.rules) if match.rules else b"", match.variant)
            claims, more = read_claims(match)
        except Problem as problem:
            return Record(row, line, raw, _id_of(raw), problem=problem.bare())
        return Record(
            row, line, raw, match.match_id, match.revision or 1, ruleset, claims, notes + more if more else notes,
            parsed=match,
        )  # fmt: skip


def take_amounts(chunk: Chunk, records: list[Record]) -> None:
    """Take base and balances of parsed records into the amounts of their chunk."""
    for record in records:
        match = record.parsed
        if match is None:
            continue
        amounts = chunk.amounts[record.row]
        if match.base is not None:
            amounts[BASE] = int(match.base * 10**BASE_DECIMALS)
        for seat, player in enumerate(match.players):
            if player.balance is not None:
                amounts[BALANCES + seat] = int(player.balance * SCALE)


def _parsed(chunk: Chunk, variant: Variant) -> list[Record]:
    return [record for record in chunk.records if record.parsed is not None and record.parsed.variant == variant]


def _id_of(raw: bytes) -> str | None:
    """The match_id of a record that cannot be read, if that much can."""
    try:
        found = _only_id.decode(raw).match_id
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if isinstance(found, str) else None
