"""Faults put into a stream of true matches: which match gets which, with the truth about each."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice

import msgspec
import numpy as np
from numpy.typing import NDArray

from yuanzi_core.faults.claims import Settled, differing, with_claims
from yuanzi_core.faults.draws import Draw
from yuanzi_core.faults.kinds import Fault, Plan, check_plan
from yuanzi_core.faults.plays import spoil
from yuanzi_core.faults.resettlement import Resettlement, Results
from yuanzi_core.faults.truth import Truth
from yuanzi_core.log import LARGEST_REVISION, Match
from yuanzi_core.reasons import Reject, Violation
from yuanzi_core.records import Chunk, Reader
from yuanzi_core.ruleset import Rulesets
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


class Injection:
    """Puts faults into matches at the rates of a plan.

    A match takes one fault. Where the fault that is due cannot occur, it stays due, and the next match in which it can
    gets it: ``owed`` counts what is due at the end, ``made`` what was injected. What comes out hangs on the matches in
    their order, the plan and the seed alone; the form of a fault in a match on the seed and the match's number.

    ``first`` is the number of the first match, ``file`` what the truths say of the file. ``sheets``: the matches are to
    become score sheets, which have no plays and no claims but outcome and scores.

    :raises PlanError: rates that are no shares.
    """

    def __init__(
        self, plan: Plan, seed: int, rulesets: Rulesets | None = None, first: int = 0, file: str = "",
        sheets: bool = False,
    ) -> None:  # fmt: skip
        check_plan(plan)
        self._plan = [(fault, plan[fault]) for fault in Fault if plan.get(fault)]
        self._seed, self._first, self._file, self._sheets = seed, first, file, sheets
        self._reader = Reader(rulesets or Rulesets())
        self._resettlement = Resettlement([fault for fault, _ in self._plan], seed, sheets)
        self.made: Counter[Fault] = Counter()
        self.owed: Counter[Fault] = Counter()
        self._line = 0

    def run(self, records: Iterable[Match | bytes]) -> Iterator[Record]:
        """The records to be written, in order, each with the truths about it.

        Every match gets full and true claims first, in place of its own; unknown fields of a line are lost. The lines
        of the truths count the records from 1.

        :raises ValueError: a record that is no legal match.
        """
        left, number = iter(records), self._first
        # Second records, by the match behind which they come; each match has one at most.
        later: list[tuple[int, int, Record]] = []
        while lines := [one if isinstance(one, bytes) else encode_match(one) for one in islice(left, BATCH)]:
            chunk = self._reader.read(enumerate(lines))
            for record in chunk.records:
                if record.problem is not None:
                    raise ValueError(f"match {number + record.row} cannot be read") from record.problem
            due = [self._due(number + row) for row in range(len(lines))]
            results = self._resettlement.settle(chunk, number, self._wanted(due))
            places = {row: place for rows in chunk.rows.values() for place, row in enumerate(rows)}
            for row in range(len(lines)):
                self.owed.update(due[row])
                now, *others = self._one(chunk, results, row, places[row])
                yield self._numbered(now)
                for other in others:
                    delay = Draw(self._seed, number + row, "delay").below(_DELAY)
                    heapq.heappush(later, (number + row + delay, number + row, other))
                while later and later[0][0] <= number + row:
                    yield self._numbered(heapq.heappop(later)[2])
            number += len(lines)
        while later:
            yield self._numbered(heapq.heappop(later)[2])

    def _numbered(self, record: Record) -> Record:
        self._line += 1
        for truth in record[1]:
            truth.file, truth.line = self._file, self._line
        return record

    def _due(self, number: int) -> list[Fault]:
        """The fault that falls due with a match, if any."""
        share = Draw(self._seed, number).share()
        for fault, rate in self._plan:
            if share < rate:
                return [fault]
            share -= rate
        return []

    def _wanted(self, due: list[list[Fault]]) -> dict[Fault, NDArray[np.bool_]]:
        """In which matches of a batch each fault is tried."""
        wanted = {fault: np.full(len(due), self.owed[fault] > 0) for fault, _ in self._plan}
        for row, faults in enumerate(due):
            for fault in faults:
                wanted[fault][row : row + _TRIED] = True
        return wanted

    def _one(self, chunk: Chunk, results: Results, row: int, place: int) -> list[Record]:
        """A match with a fault, if one is due that can occur in it; and further records of it."""
        match = chunk.records[row].parsed
        assert match is not None
        true = results.true(row)
        honest = with_claims(match, true.claims())
        # What is due most comes first: a fault that seldom can occur must not miss its matches.
        for fault, due in sorted(self.owed.items(), key=lambda item: -item[1]):
            if due and match.variant in fault.games:
                made = self._with_fault(fault, honest, true, chunk, results, row, place)
                if made:
                    self.owed[fault] -= 1
                    self.made[fault] += 1
                    return made
        return [(honest, [])]

    def _with_fault(
        self, fault: Fault, honest: Match, true: Settled, chunk: Chunk, results: Results, row: int, place: int
    ) -> list[Record]:
        """The records of a match with a fault; none where it cannot occur."""
        truth = Truth(
            match_id=honest.match_id, revision=honest.revision or 1, fault=fault, status=true.status, stored=true.status
        )
        if fault.kind == "plays":
            if self._sheets:
                return []
            over, draw = true.status == "settled", results.draw(row, fault)
            spoiled = spoil(fault, honest, chunk.deals[honest.variant], place, over, draw, self._reader)
            if spoiled is None:
                return []
            truth.status = truth.stored = "violation"
            truth.code, truth.deal, truth.play = Violation[fault.name], spoiled.deal, spoiled.play
            return [(spoiled.match, [truth])]
        if fault.kind == "claims":
            found = results.mistaken(row, fault)
            if found is None:
                return []
            claims, truth.detail = found
            truth.discrepancies = differing(true.claims(), claims)
            return [(with_claims(honest, claims), [truth])]
        return _with_second_record(fault, honest, truth)


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


def inject(
    records: Iterable[Match | bytes], plan: Plan, seed: int, rulesets: Rulesets | None = None, first: int = 0,
    file: str = "", sheets: bool = False,
) -> Iterator[Record]:  # fmt: skip
    """Faults put into true matches, as :meth:`Injection.run` does it.

    :raises PlanError: rates that are no shares.
    :raises ValueError: a record that is no legal match.
    """
    return Injection(plan, seed, rulesets, first, file, sheets).run(records)
