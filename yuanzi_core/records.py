"""Lines to records, many at a time: each is a match with its ruleset and cards, or rejected with a place.

A :class:`Chunk` holds the records of some lines and, for each game, their deals as one batch (``deals.Deals``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from yuanzi_core.cards import CARD_NUMBER, RANKS, VARIANTS, Variant
from yuanzi_core.claims import Claim, read_claims
from yuanzi_core.deals import ENDS, HEAD, Deals
from yuanzi_core.log import LONGEST_LINE, Deal, Match, NoteRow, Problem, read_match
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

_END_NUMBER = {None: 0} | {name: number for number, name in enumerate(ENDS)}
_RANK_NUMBER = {rank: number for number, rank in enumerate(RANKS)}
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


class _Resolver:
    """The ruleset in force for a match, remembered by name and overrides."""

    def __init__(self, rulesets: Rulesets) -> None:
        self.rulesets = rulesets
        self.known: dict[tuple[str, bytes, str], RuleSet | RulesetError] = {}

    def __call__(self, match: Match) -> RuleSet:
        key = (match.ruleset, bytes(match.rules), match.variant)
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
    from yuanzi_core.log import parse

    return (parse(raw) if raw else None) or {}


def _number(text: str, path: str, read: Callable[[str], int]) -> int:
    """A card or rank field that is not canonical. :raises Problem: NOTATION."""
    try:
        return read(text)
    except NotationError as error:
        raise _notation(error, path) from None


def _notation(error: NotationError, path: str) -> Problem:
    if error.place is not None:
        return Problem(Reject.NOTATION, "play", path, place=error.place, at=error.at + 1, found=error.found)
    return Problem(Reject.NOTATION, "cards", path, at=error.at + 1, found=error.found)


class _Batch:
    """The deals of one game while a chunk is read."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.seats = 4 if variant == "four" else 5
        self.head: list[tuple[int, ...]] = []
        self.hands: list[str] = []
        self.plays: list[str] = []
        self.rows: list[int] = []
        self.rulesets: dict[str, int] = {}
        self.kept: list[RuleSet] = []

    def add(self, record: Record, match: Match, ruleset: RuleSet) -> None:
        """Take in the deals of a match, whose texts may still not be canonical. :raises Problem: NOTATION."""
        rules = self.rulesets.setdefault(ruleset.hash, len(self.kept))
        if rules == len(self.kept):
            self.kept.append(ruleset)
        number, head, hands, plays = len(self.rows), [], [], []
        five = self.seats == 5
        for place, deal in enumerate(match.deals):
            drawn, knife, called = CARD_NUMBER.get(deal.drawn), -1, -1
            if drawn is None:
                drawn = _number(deal.drawn, f"deals[{place}].drawn", read_card)
            if deal.knife is not None:
                known = _RANK_NUMBER.get(deal.knife)
                knife = _number(deal.knife, f"deals[{place}].knife", read_rank) if known is None else known
            if five and deal.called is not None:
                known = CARD_NUMBER.get(deal.called)
                called = _number(deal.called, f"deals[{place}].called", read_card) if known is None else known
            head.append((
                number, place, rules, drawn, knife,
                -1 if five or deal.first_draw is None else deal.first_draw,
                deal.dealer if five else -1, called, deal.leader, _END_NUMBER[deal.end],
                -1 if deal.escaped is None else deal.escaped,
            ))  # fmt: skip
            if not all(map(str.isascii, deal.hands)) or not deal.plays.isascii():
                _make_canonical(deal, place, self.seats)
            hands += deal.hands
            plays.append(deal.plays)
        self.rows.append(record.row)
        self.head += head  # type: ignore[arg-type]
        self.hands += hands
        self.plays += plays

    def finish(self) -> tuple[Deals, set[int]]:
        """The batch, and the rows whose texts the fast reader refused (their deals mean nothing)."""
        hands, bad_hands = read_hands(self.hands)
        plays, offsets, bad_plays, odd_plays, odd_cards = read_plays(self.plays, self.seats)
        head = np.ascontiguousarray(np.array(self.head, dtype=np.int32).reshape(-1, len(HEAD)).T)
        bad = bad_hands.reshape(-1, self.seats).any(axis=1) | bad_plays
        refused = {self.rows[match] for match in head[0, bad]} if bad.any() else set()
        deals = Deals(
            self.variant, self.kept, head, hands.reshape(-1, self.seats, hands.shape[1]), offsets, plays, odd_plays,
            odd_cards,
        )  # fmt: skip
        return deals, refused


def _canonical(text: str, path: str, seats: int) -> str:
    """Canonical text of a hand (``seats`` 0) or of plays. :raises Problem: NOTATION."""
    try:
        return canonical_plays(text, seats) if seats else canonical_hand(text)
    except NotationError as error:
        raise _notation(error, path) from None


def _make_canonical(deal: Deal, place: int, seats: int) -> None:
    """Rewrite the texts of a deal in canonical notation. :raises Problem: NOTATION."""
    deal.hands = [_canonical(hand, f"deals[{place}].hands[{seat}]", 0) for seat, hand in enumerate(deal.hands)]
    deal.plays = _canonical(deal.plays, f"deals[{place}].plays", seats)


class Reader:
    """Reads lines as records; keeps what is worth remembering between chunks."""

    def __init__(self, rulesets: Rulesets) -> None:
        self._resolve = _Resolver(rulesets)

    def start(self, lines: Iterable[tuple[int, bytes]]) -> Chunk:
        """Records of (line number, bytes), in order, their notation not yet read.

        A line of more than 4 MiB may come cut off behind them.
        """
        return Chunk([self._record(row, line, raw) for row, (line, raw) in enumerate(lines)])

    def finish(self, chunk: Chunk) -> None:
        """Read the notation of a chunk and batch its deals; a record that it cannot read becomes a reject."""
        # Texts that are not canonical are so afterwards, or their records are rejects: a second pass has them all.
        if not self._batch(chunk):
            self._batch(chunk)

    def read(self, lines: Iterable[tuple[int, bytes]]) -> Chunk:
        """Both at once."""
        chunk = self.start(lines)
        self.finish(chunk)
        return chunk

    def _batch(self, chunk: Chunk) -> bool:
        batches = {variant: _Batch(variant) for variant in VARIANTS}
        for record in chunk.records:
            if record.match is not None and record.ruleset is not None:
                try:
                    batches[record.match.variant].add(record, record.match, record.ruleset)
                except Problem as problem:
                    record.reject(problem)
        refused: set[int] = set()
        for variant, batch in batches.items():
            chunk.deals[variant], rows = batch.finish()
            chunk.rows[variant] = batch.rows
            refused |= rows
        for row in refused:
            record = chunk.records[row]
            assert record.match is not None
            try:
                for place, deal in enumerate(record.match.deals):
                    _make_canonical(deal, place, len(record.match.players))
            except Problem as problem:
                record.reject(problem)
        return not refused

    def _record(self, row: int, line: int, raw: bytes) -> Record:
        record = Record(row, line, raw)
        if len(raw) > LONGEST_LINE:
            record.problem = Problem(Reject.JSON, "too_long", limit=LONGEST_LINE >> 20)
            return record
        try:
            match, notes = read_match(raw)
            record.match_id = match.match_id
            ruleset = self._resolve(match)
            claims, more = read_claims(match)
        except Problem as problem:
            record.match_id = record.match_id or _id_of(raw)
            record.problem = problem
            return record
        record.match, record.ruleset, record.claims = match, ruleset, claims
        record.notes = notes + more
        return record


def _id_of(raw: bytes) -> str | None:
    """The match_id of a record that cannot be read, if that much can."""
    try:
        found = _only_id.decode(raw).match_id
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if isinstance(found, str) else None
