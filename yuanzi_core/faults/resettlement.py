"""A batch of matches settled once truly and once for each mistake of a scorer, all in one run of the settlement."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.claims import MATCH_LEVEL, Claim, canonical_numbers
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.faults.claims import OUTCOME, SCORES, SLIPS, WINNER, Claims, Settled, differing
from yuanzi_core.faults.draws import Draw
from yuanzi_core.faults.kinds import Fault
from yuanzi_core.faults.mistakes import TRUTH, Mistake, Seen, mistakes
from yuanzi_core.judge import Judge, deal_columns, judge_deals
from yuanzi_core.reasons import Discrepancy
from yuanzi_core.records import BALANCES, Chunk, Record, no_amounts
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.settlement import sql

#: The claims that a score sheet has a place for; what else a scorer gets wrong does not show in it.
_IN_SHEETS = (OUTCOME, SCORES)
Wanted = Mapping[Fault, NDArray[np.bool_]]
"""The rows of a batch in which a fault may be injected."""


class Results:
    """What is true of the matches of a batch, and what mistaken scorers would claim. Matches by their row."""

    def __init__(
        self, chunk: Chunk, known: dict[Variant, list[Mistake]], settled: dict[int, Settled], every: int,
        wanted: Wanted, draws: tuple[int, int], sheets: bool,
    ) -> None:  # fmt: skip
        # Each match is settled ``every`` times under lines of its own, first truly, then by each of ``known``.
        self._known, self._settled, self._every = known, settled, every
        self._wanted, (self._seed, self._first), self._sheets = wanted, draws, sheets
        self._variants = {row: variant for variant in VARIANTS for row in chunk.rows[variant]}
        self._noted: set[tuple[int, Fault]] = set()

    def true(self, row: int) -> Settled:
        """The true result of a match."""
        return self._settled[row * self._every]

    def draw(self, row: int, fault: Fault) -> Draw:
        """Chance for a fault in a match."""
        return Draw(self._seed, self._first + row, fault)

    def mistaken(self, row: int, fault: Fault) -> tuple[Claims, str | None] | None:
        """What a scorer who makes a mistake claims of a match, and the form of the mistake.

        ``None`` where it changes nothing that can be found out (no claim, or only one on which F7 leaves room), and
        where nobody wanted to know.
        """
        if not self._wanted[fault][row] or (row, fault) in self._noted:
            return None
        own = self.true(row).claims()
        for claims, detail in self._forms(row, fault, own):
            if self._sheets:
                claims = {key: (claims if key in _IN_SHEETS else own)[key] for key in own if key in claims}
            if differing(own, claims):
                return claims, detail
        return None

    def _forms(self, row: int, fault: Fault, own: Claims) -> Iterator[tuple[Claims, str | None]]:
        """The claims to which a mistake may lead, in a drawn order."""
        true, draw = self.true(row), self.draw(row, fault)
        if fault in SLIPS:
            slip = SLIPS[fault](true, own, draw)
            if slip is not None:
                yield slip, None
        ways = [(place, one) for place, one in enumerate(self._known[self._variants[row]]) if one.fault is fault]
        for place, mistake in draw.order(ways):
            found = self._settled.get(row * self._every + place)
            claims = None if found is None else _written(mistake, own, true, found)
            if claims is not None:
                yield claims, mistake.detail

    def rule_out(self, noted: Collection[tuple[int, Fault]]) -> None:
        """Mistakes that a checker would only note in a match."""
        self._noted.update(noted)


def _written(mistake: Mistake, own: Claims, true: Settled, found: Settled) -> Claims | None:
    """What the scorer writes who settled a match by mistake."""
    outcome = mistake.outcomes.get(found.outcome or "", found.outcome)
    if found.status not in ("settled", "unfinished"):
        return None
    if (mistake.of and true.outcome not in mistake.of) or (mistake.into and outcome not in mistake.into):
        return None
    claims = own | {OUTCOME: outcome, WINNER: found.winner, SCORES: found.scores}
    if mistake.of_deals:
        claims |= {(deal, "side_points"): points for deal, (_, _, points) in found.deals.items()}
    return {key: value for key, value in claims.items() if value is not None}


@dataclass
class _Game:
    """The deals of one game in a batch with what the referee found; ``rows`` has the record of each match."""

    deals: Deals
    facts: Ints
    rows: NDArray[np.int64]

    def rules_of_matches(self) -> NDArray[np.int64]:
        """The place of each match's ruleset in the batch."""
        found = np.zeros(len(self.rows), dtype=np.int64)
        found[self.deals.head[d.MATCH]] = self.deals.head[d.RULES]
        return found

    def columns(
        self, head: Ints, facts: Ints, kept: NDArray[np.bool_], every: int, place: int
    ) -> dict[str, NDArray[Any]]:  # fmt: skip
        """Deals as ``Judge.load_facts`` takes them, under the lines of one of the settlements."""
        lines = self.rows[self.deals.head[d.MATCH, kept]] * every + place
        return deal_columns(head[:, kept], facts[:, kept], lines)


def _changed(
    mistake: Mistake, seen: Seen, rules: list[RuleSet | None], amounts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Make a mistake in what is seen: the amounts that the scorer takes, and the matches that he sees otherwise.

    The truth concerns every match. A match whose ruleset leaves no room for the mistake is none of them.
    """
    changed = mistake.facts(seen)
    taken = mistake.amounts(amounts, seen)
    if mistake is TRUTH:
        return taken, np.ones_like(changed)
    changed |= (taken != amounts).any(axis=1)
    deals = seen.deals
    for number, (own, other) in enumerate(zip(deals.rulesets, rules, strict=True)):
        of_ruleset = seen.matches(deals.head[d.RULES] == number)
        if other is None:
            changed &= ~of_ruleset
        elif other.hash != own.hash:
            changed |= of_ruleset
    return taken, changed


class Resettlement:
    """Settles batches for some faults. ``seed`` decides on the form of a mistake where there are several.

    ``sheets``: whether the claims are for score sheets.
    """

    def __init__(self, faults: Collection[Fault], seed: int, sheets: bool = False) -> None:
        self._faults, self._seed = [fault for fault in faults if fault.kind == "claims"], seed
        self._sheets = sheets
        self._known: dict[Variant, list[Mistake]] = {variant: mistakes(variant, faults) for variant in VARIANTS}
        self._judge = Judge()
        #: The balance with which each player was logged last, by game; in units as in ``Chunk.amounts``.
        self._balances: dict[tuple[Variant, str], int] = {}
        self._rules: dict[tuple[str, int], RuleSet | None] = {}

    def settle(self, chunk: Chunk, first: int, wanted: Wanted) -> Results:
        """The results of a batch whose matches are numbered from ``first``; mistakes only where they are ``wanted``.

        :raises ValueError: a record that is no legal match.
        """
        stale = self._stale_balances(chunk)
        every = max(len(known) for known in self._known.values())
        records: list[Record] = []
        amounts: list[NDArray[np.int64]] = [no_amounts(0)]
        columns: list[tuple[Variant, dict[str, NDArray[Any]]]] = []
        games: dict[Variant, _Game] = {}
        for variant in VARIANTS:
            deals = chunk.deals[variant]
            game = games[variant] = _Game(deals, judge_deals(deals), np.array(chunk.rows[variant], dtype=np.int64))
            if (game.facts[d.VIOLATION] != 0).any():
                raise ValueError("faults are put into legal matches only: one breaks a rule")
            for place, mistake in enumerate(self._known[variant] if len(deals) else [TRUTH]):
                seen = Seen(deals, deals.head.copy(), game.facts.copy(), stale[game.rows])
                rules = [self._rules_in_mind(mistake, ruleset, place) for ruleset in deals.rulesets]
                own_amounts, changed = _changed(mistake, seen, rules, chunk.amounts[game.rows])
                if mistake.fault is not None:
                    changed &= wanted[mistake.fault][game.rows]
                kept = changed[deals.head[d.MATCH]] & (seen.head[d.DEAL] >= 0)
                columns.append((variant, game.columns(seen.head, seen.facts, kept, every, place)))
                amounts.append(own_amounts[changed])
                rules_of = game.rules_of_matches()
                for match in np.flatnonzero(changed).tolist():
                    line = int(game.rows[match]) * every + place
                    records.append(Record(len(records), line, b"", ruleset=rules[rules_of[match]]))
        self._judge.load_records(Chunk([], np.concatenate(amounts)), records, "")
        self._judge.load_facts(columns, "")
        self._judge.settle("")
        results = Results(chunk, self._known, self._fetch(), every, wanted, (self._seed, first), self._sheets)
        for row in range(len(chunk.records)):
            if results.true(row).status == "violation":
                raise ValueError("faults are put into legal matches only: one goes on after its end")
        results.rule_out(self._noted(chunk, results, games["five"]))
        return results

    def _rules_in_mind(self, mistake: Mistake, ruleset: RuleSet, place: int) -> RuleSet | None:
        key = (ruleset.hash, place)
        if key not in self._rules:
            self._rules[key] = mistake.rules(ruleset)
        return self._rules[key]

    def _stale_balances(self, chunk: Chunk) -> NDArray[np.int64]:
        """The balances of each match as they stood when its players were last logged."""
        stale = chunk.amounts[:, BALANCES:].copy()
        for record in chunk.records if Fault.STALE_BALANCE in self._faults else []:
            assert record.parsed is not None
            for seat, player in enumerate(record.parsed.players):
                now = int(stale[record.row, seat])
                if now != UNKNOWN:
                    key = (record.parsed.variant, player.id)
                    stale[record.row, seat] = self._balances.get(key, now)
                    self._balances[key] = now
        return stale

    def _fetch(self) -> dict[int, Settled]:
        settled: dict[int, Settled] = {}
        con = self._judge.con
        for line, *result in con.execute(sql("resettled_match"), {"scale": SCALE}).fetchall():
            settled[line] = Settled(*result)
        for line, deal, *result in con.execute(sql("resettled_deal")).fetchall():
            settled[line].deals[deal] = (result[0], result[1], result[2])
        return settled

    def _noted(self, chunk: Chunk, results: Results, five: _Game) -> set[tuple[int, Fault]]:
        """F7: which mistaken claims on an escape are within the bounds of the text, so that a checker only notes them.

        The discrepancies are asked, with each mistaken claim put to the true settlement of its match.
        """
        every, order = len(Fault), list(Fault)
        tried: dict[int, tuple[int, Fault]] = {}
        records: list[Record] = []
        places: list[int] = []
        for match, row in enumerate(five.rows.tolist()):
            if results.true(row).outcome != "escape":
                continue
            for fault in self._faults:
                found = results.mistaken(row, fault)
                if found is None or found[0].get(SCORES) == results.true(row).scores:
                    continue
                line = row * every + order.index(fault)
                tried[line] = (row, fault)
                claim = Claim(MATCH_LEVEL, Discrepancy.CLAIM_SCORES, canonical_numbers(found[0][SCORES]))
                ruleset = chunk.records[row].ruleset
                records.append(Record(len(records), line, b"", ruleset=ruleset, claims=[claim]))
                places.append(match)
        if not tried:
            return set()
        # One deal a match: the place of a match is that of its deal.
        columns = deal_columns(five.deals.head[:, places], five.facts[:, places], np.array(list(tried), np.int64))
        self._judge.load_records(Chunk([], chunk.amounts[five.rows[places]]), records, "")
        self._judge.load_facts([("five", columns)], "")
        self._judge.load_claims(records, "")
        self._judge.settle("")
        self._judge.make_discrepancies()
        return {tried[line] for (line,) in self._judge.con.execute(sql("noted_claim")).fetchall()}
