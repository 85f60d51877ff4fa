"""Faults put into a stream of true matches: which match gets which, with the truth about each."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from functools import cached_property
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from yuanzi_core.faults.claims import Settled, differing, with_claims
from yuanzi_core.faults.draws import Draw
from yuanzi_core.faults.kinds import Fault, Plan, check_plan, possible_faults
from yuanzi_core.faults.plays import Spoiled, spoil
from yuanzi_core.faults.resettlement import Resettlement, Results
from yuanzi_core.faults.truth import Truth
from yuanzi_core.judge import Judge
from yuanzi_core.log import LARGEST_REVISION, Match
from yuanzi_core.reasons import Reject, Violation
from yuanzi_core.records import Chunk, Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.settlement import sql
from yuanzi_core.writer import encode_match

#: Matches settled at a time: memory is that of a batch, however many there are.
BATCH = 2048
#: A mistake is tried on so many matches from the one at which it falls due; then on all of the next batches.
_TRIED = 24
#: A second record of a match follows the first within so many matches.
_DELAY = 64
#: What somebody wrote down otherwise who writes a match down again.
_LATER = timedelta(minutes=1)

Record = tuple[Match, list[Truth]]


class _Batch:
    """Matches read together; ``first`` is the number of the first. ``places``: of each in the batch of its game."""

    def __init__(self, chunk: Chunk, first: int, judge: Judge) -> None:
        self.chunk, self.first, self._judge = chunk, first, judge
        self.places = {row: place for rows in chunk.rows.values() for place, row in enumerate(rows)}

    def __len__(self) -> int:
        return len(self.chunk.records)

    def match(self, row: int) -> Match:
        """A match as it came."""
        match = self.chunk.records[row].parsed
        assert match is not None
        return match

    @cached_property
    def unfinished(self) -> set[int]:
        """E4: the rows of matches that a lower half must follow."""
        self._judge.judge(self.chunk)
        return {line for line, _ in self._judge.con.execute(sql("unfinished_half")).fetchall()}


class Injection:
    """Puts faults into matches at the rates of a plan.

    A match takes one fault. Where the fault that is due cannot occur, it stays due, and the next match in which it can
    gets it: ``owed`` counts what is due at the end, ``made`` what was injected. What comes out hangs on the matches in
    their order, the plan and the seed alone; the form of a fault in a match on the seed and the match's number.

    Faults by which a match counts for nothing come first, and hang on no standing: whoever carries standings on from
    match to match may ask for them ahead (:meth:`void`), so that what is logged later agrees with what counts.

    ``first`` is the number of the first match. ``sheets``: the matches are to become score sheets, which have no plays
    and no claims but outcome and scores.

    :raises PlanError: rates that are no shares.
    """

    def __init__(
        self, plan: Plan, seed: int, rulesets: Rulesets | None = None, first: int = 0, sheets: bool = False
    ) -> None:
        check_plan(plan)
        self._plan = [(fault, plan[fault]) for fault in Fault if plan.get(fault)]
        self._possible = set(possible_faults(sheets=sheets))
        self._seed, self._number = seed, first
        self._reader, self._judge = Reader(rulesets or Rulesets()), Judge()
        self._resettlement = Resettlement([fault for fault, _ in self._plan], seed, sheets)
        self.made: Counter[Fault] = Counter()
        self.owed: Counter[Fault] = Counter()
        #: The first match of which is not decided yet whether it counts, and those that do not, by number.
        self._undecided = first
        self._void: dict[int, tuple[Fault, Spoiled | None]] = {}
        self._line = 0

    def void(self, matches: Sequence[Match]) -> list[bool]:
        """Decide ahead of :meth:`run`, to which they come later, which of the next matches will count for nothing.

        A warehouse counts neither a match with a violation nor one of two records in conflict. Base and balances of the
        matches, which have to be legal, do not matter yet.
        """
        first = self._undecided
        for begin in range(0, len(matches), BATCH):
            self._decide(self._read([encode_match(match) for match in matches[begin : begin + BATCH]], first + begin))
        return [first + row in self._void for row in range(len(matches))]

    def run(self, records: Iterable[Match | bytes]) -> Iterator[Record]:
        """The records to be written, in order, each with the truths about it.

        Every match gets full and true claims first, in place of its own; unknown fields of a line are lost. The lines
        of the truths count the records from 1.

        :raises ValueError: a record that is no legal match.
        """
        left = iter(records)
        # Second records, by the match behind which they come; each match has one at most.
        later: list[tuple[int, int, Record]] = []
        while lines := [one if isinstance(one, bytes) else encode_match(one) for one in islice(left, BATCH)]:
            batch = self._read(lines, self._number)
            self._number += len(batch)
            due = [self._due(batch.first + row, voids=False) for row in range(len(batch))]
            results = self._resettlement.settle(batch.chunk, batch.first, self._wanted(due))
            self._decide(batch)
            for row in range(len(batch)):
                self.owed.update(due[row])
                now, *others = self._one(batch, results, row)
                yield self._numbered(now)
                number = batch.first + row
                for other in others:
                    delay = Draw(self._seed, number, "delay").below(_DELAY)
                    heapq.heappush(later, (number + delay, number, other))
                while later and later[0][0] <= number:
                    yield self._numbered(heapq.heappop(later)[2])
        while later:
            yield self._numbered(heapq.heappop(later)[2])

    def _read(self, lines: Sequence[bytes], first: int) -> _Batch:
        chunk = self._reader.read(enumerate(lines))
        for record in chunk.records:
            if record.problem is not None:
                raise ValueError(f"match {first + record.row} cannot be read") from record.problem
        return _Batch(chunk, first, self._judge)

    def _numbered(self, record: Record) -> Record:
        self._line += 1
        for truth in record[1]:
            truth.line = self._line
        return record

    def _due(self, number: int, voids: bool) -> Collection[Fault]:
        """The fault that falls due with a match, if it is one that ``voids`` a match, or one that does not."""
        share = Draw(self._seed, number).share()
        for fault, rate in self._plan:
            if share < rate:
                return (fault,) if fault.voids == voids else ()
            share -= rate
        return ()

    def _owed(self, match: Match, voids: bool) -> list[Fault]:
        """What a match could take. What is due most comes first: what seldom can occur must not miss its matches."""
        due = [(fault, count) for fault, count in self.owed.items() if count > 0 and fault.voids == voids]
        possible = [item for item in due if item[0] in self._possible and match.variant in item[0].games]
        return [fault for fault, _ in sorted(possible, key=lambda item: -item[1])]

    def _count(self, fault: Fault) -> None:
        self.owed[fault] -= 1
        self.made[fault] += 1

    def _decide(self, batch: _Batch) -> None:
        """Which matches of a batch count for nothing, as far as that is not decided yet."""
        for row in range(self._undecided - batch.first, len(batch)):
            number, match = batch.first + row, batch.match(row)
            self._undecided += 1
            self.owed.update(self._due(number, voids=True))
            for fault in self._owed(match, voids=True):
                spoiled = None
                if fault.kind == "plays":
                    deals, draw = batch.chunk.deals[match.variant], Draw(self._seed, number, fault)
                    over = row not in batch.unfinished if fault is Fault.AFTER_END else True
                    spoiled = spoil(fault, match, deals, batch.places[row], over, draw, self._reader)
                    if spoiled is None:
                        continue
                self._void[number] = fault, spoiled
                self._count(fault)
                break

    def _wanted(self, due: list[Collection[Fault]]) -> dict[Fault, NDArray[np.bool_]]:
        """In which matches of a batch each fault is tried."""
        wanted = {fault: np.full(len(due), self.owed[fault] > 0) for fault, _ in self._plan}
        for row, faults in enumerate(due):
            for fault in faults:
                wanted[fault][row : row + _TRIED] = True
        return wanted

    def _one(self, batch: _Batch, results: Results, row: int) -> list[Record]:
        """A match with a fault, if one is due that can occur in it; and further records of it."""
        match, true = batch.match(row), results.true(row)
        honest = with_claims(match, true.claims())
        if decided := self._void.pop(batch.first + row, None):
            fault, spoiled = decided
            truth = _truth(fault, honest, true)
            if spoiled is None:
                return _with_second_record(fault, honest, truth)
            truth.status = truth.stored = "violation"
            truth.code, truth.deal, truth.play = Violation[fault.name], spoiled.deal, spoiled.play
            return [(with_claims(msgspec.structs.replace(match, deals=spoiled.deals), true.claims()), [truth])]
        for fault in self._owed(match, voids=False):
            truth = _truth(fault, honest, true)
            if fault.kind == "claims":
                found = results.mistaken(row, fault)
                if found is None:
                    continue
                claims, truth.detail = found
                truth.discrepancies = differing(true.claims(), claims)
                made = [(with_claims(honest, claims), [truth])]
            else:
                made = _with_second_record(fault, honest, truth)
            if made:
                self._count(fault)
                return made
        return [(honest, [])]


def _truth(fault: Fault, match: Match, true: Settled) -> Truth:
    """The truth about a record as it would be without its fault."""
    revision = match.revision or 1
    return Truth(match_id=match.match_id, revision=revision, fault=fault, status=true.status, stored=true.status)


def _with_second_record(fault: Fault, match: Match, truth: Truth) -> list[Record]:
    """A match that is handed in twice."""
    second = msgspec.structs.replace(truth)
    if fault is Fault.DUPLICATE:
        second.status = second.stored = "duplicate"
        return [(match, []), (match, [second])]
    other = msgspec.structs.replace(match, played_at=match.played_at + _LATER)
    if fault is Fault.CONFLICT:
        # A checker that reads one record after the other keeps the first; a warehouse, neither.
        truth.stored = second.status = second.stored = "rejected"
        second.code = Reject.DUPLICATE
        return [(match, [truth]), (other, [second])]
    revision = (match.revision or 1) + 1
    if revision > LARGEST_REVISION:
        return []
    truth.stored = "superseded"
    return [(match, [truth]), (msgspec.structs.replace(other, revision=revision), [])]
