"""Self-play: whole matches of both games by simulated players, as the batches that the referee and the writer take.

The simulator deals, asks a policy for plays and writes down what happens; what is allowed it asks the referee, whether
a lower half follows it asks the settlement. Everything random follows from (seed, match number, deal): the same
matches come out whatever the size of the blocks, on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.batch_settlement import BatchSettlement
from yuanzi_core.cards import NATURALS, PASS, RANK_SHIFT, SEAT_SHIFT
from yuanzi_core.chance import STATE_WORDS, WORD_BITS, below, draw, start
from yuanzi_core.compiled import compiled, inlined
from yuanzi_core.database import THREADS
from yuanzi_core.dealing import Study, draw_and_shuffle
from yuanzi_core.deals import HEAD, Deals, Ints, concatenate
from yuanzi_core.log import Match
from yuanzi_core.policies import GREEDY, RANDOM
from yuanzi_core.policies.at_random import play_at_random
from yuanzi_core.policies.calling import call, stops, who_stops
from yuanzi_core.policies.candidates import MOST_CANDIDATES
from yuanzi_core.policies.greedy import play_greedily
from yuanzi_core.policies.partner import WORK_SIZE, play_as_partner
from yuanzi_core.policies.players import Players
from yuanzi_core.policies.worth import worth_of
from yuanzi_core.referee import (
    CALL,
    ENDED,
    LEADER,
    ON_TABLE,
    ON_TURN,
    SIDE,
    TABLE_SIZE,
    call_and_leader,
    do_play,
    how_it_ended,
    set_table,
)
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.seating import Seating
from yuanzi_core.shapes import shapes
from yuanzi_core.writer import LogWriter

#: Matches played at a time; memory is a few dozen megabytes, however many matches there are.
BLOCK = 4096
#: Matches from which playing in threads pays.
_WORTH_THREADS = 256


@inlined
def _who_decides(state: Any, policies: Any, mistakes: Any, deal: int, column: int) -> int:
    """The policy that takes a decision: a player's own, or by mistake the random one."""
    policy = policies[deal, column]
    if policy != RANDOM and mistakes[deal, column] > 0 and draw(state) < mistakes[deal, column]:
        return RANDOM
    return int(policy)


@compiled(
    "i8(i8, i8, i8[::1], i8[::1], u2[::1], i4[:, ::1], i8[::1], i8, i8, i8, i8[::1], i8[::1],"
    " i8[:, ::1], i8[:, ::1], b1, i8, b1[::1], u2[:, ::1], i8, i4[:, ::1], u2[:, :, ::1], i8[::1], u4[::1], i8[::1],"
    " u2[:, ::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])"
)
def _play(
    n: int, decks: int, rank_points: Any, rules: Any, shape_of: Any, shape_table: Any, worth: Any, low_points: int,
    total: int, seed: int, numbers: Any, upstreams: Any, policies: Any, mistakes: Any, by_side: bool, escape_odds: int,
    drawable: Any, given: Any, first_leader: int, head: Any, hands: Any, offsets: Any, plays: Any, table: Any,
    hand: Any, seen: Any, deck: Any, state: Any, found: Any, work: Any,
) -> int:  # fmt: skip
    """Deal and play one half of each match; returns the number of plays written.

    ``policies`` and ``mistakes`` have a column a seat, or with ``by_side`` a column a side. Of a study are
    ``drawable``, the cards that may be drawn, ``given``, the hands (no rows: shuffled), and ``first_leader`` (−1: any).
    """
    at = 0
    for deal in range(len(numbers)):
        start(state, seed, numbers[deal], head[d.DEAL, deal])
        lower, upstream = head[d.DEAL, deal] > 0, upstreams[deal]
        # A study may name who leads the first deal; where only the dealer may, this is the dealer (A5).
        leader = -1 if lower else first_leader
        dealer = leader if rules[d.ANY_LEADER] == 0 else -1
        wrong = LEADER
        while wrong == LEADER:
            knife = draw_and_shuffle(
                state, rules, head, hands, deal, n, decks, lower, upstream, drawable, given, dealer, deck
            )
            # A5, A6: any call and any leader that the referee accepts. (That a dealer holds every card that could be
            # called does not happen: the chance is below 10⁻¹².)
            calls, wrong = RANDOM, CALL
            if n != 4:
                column = 0 if by_side else head[d.DEALER, deal]
                calls = _who_decides(state, policies, mistakes, deal, column)
            while wrong == CALL or (wrong == LEADER and leader < 0):
                if n != 4 and wrong == CALL:
                    head[d.CALLED, deal] = call(calls, state, hands[deal], head[d.DEALER, deal], knife)
                    calls = RANDOM
                head[d.LEADER, deal] = below(state, n) if leader < 0 else leader
                wrong = call_and_leader(head, deal, hands, rules, knife, upstream, n)
        set_table(head, deal, hands, rules, n, decks, upstream, table)
        for seat in range(n):
            for word in range(d.HAND_WORDS):
                hand[seat, word] = hands[deal, seat, word]
        for word in range(d.HAND_WORDS):
            seen[word] = 0
        offsets[deal] = at
        called = head[d.CALLED, deal]
        playing = True
        while playing:
            seat = table[ON_TURN]
            column = table[SIDE + seat] if by_side else seat
            policy = _who_decides(state, policies, mistakes, deal, column)
            if policy == RANDOM:
                code = play_at_random(state, table, hand, shape_of, shape_table, rules, seat)
            elif policy == GREEDY:
                code = play_greedily(table, hand, shape_of, shape_table, rules, seat, found)
            else:
                code = play_as_partner(
                    table, hand, shape_of, shape_table, rules, rank_points, worth, n, decks, seat,
                    head[d.DEALER, deal], called, seen, found, work,
                )  # fmt: skip
            do_play(table, hand, shape_of, shape_table, rules, rank_points, n, called, at - offsets[deal], seat, code)
            seen[code >> RANK_SHIFT] += code & NATURALS
            plays[at] = np.uint32(seat << SEAT_SHIFT | code)
            at += 1
            if table[ENDED] != 0:
                playing = False
                # C5: with "must" a deal may end by points.
                by_points = how_it_ended(table, rules, d.OUT_END, n) != 0
                head[d.END, deal] = d.POINTS_END if by_points else d.OUT_END
            elif table[ON_TABLE] == PASS:
                seat = who_stops(table, n)
                column = table[SIDE + seat] if by_side else seat
                policy = _who_decides(state, policies, mistakes, deal, column)
                # C5: with "may" play may stop between two tricks.
                if (
                    stops(policy, state, table, n, low_points, total, seat)
                    and how_it_ended(table, rules, d.POINTS_END, n) == 0
                ):
                    playing = False
                    head[d.END, deal] = d.POINTS_END
        # E3, F7: somebody left at some moment before the end.
        if draw(state) < escape_odds:
            at = offsets[deal] + below(state, at - offsets[deal])
            head[d.END, deal], head[d.ESCAPED, deal] = d.ESCAPE_END, below(state, n)
    offsets[len(numbers)] = at
    return at


@dataclass(frozen=True)
class _Table:
    """What playing takes of a ruleset."""

    ruleset: RuleSet
    study: Study
    seed: int
    escape_odds: int

    def play(
        self, numbers: NDArray[np.int64], half: int, upstreams: NDArray[np.int64], policies: NDArray[np.int64],
        mistakes: NDArray[np.int64], by_side: bool,
    ) -> Deals:  # fmt: skip
        """One half of each match, on this thread."""
        rules, known = self.ruleset, shapes(self.ruleset.variant)
        cards, seats, count = 54 * rules.decks, rules.players, len(numbers)
        head: Ints = np.full((len(HEAD), count), -1, dtype=np.int32)
        head[d.MATCH], head[d.DEAL], head[d.RULES] = np.arange(count), half, 0
        hands = np.empty((count, seats, d.HAND_WORDS), dtype=np.uint16)
        offsets = np.zeros(count + 1, dtype=np.int64)
        # At most every card is a play of its own and everybody else passes on it.
        plays = np.empty(count * cards * seats, dtype=np.uint32)
        played = _play(
            seats, rules.decks, np.array(rules.rank_points, dtype=np.int64), np.array(d.rules_row(rules), np.int64),
            known.shape_of, known.table, worth_of(rules.variant), int(rules.constants.get("low_points_a_player", 0)),
            rules.total_points, self.seed, numbers, upstreams, policies, mistakes, by_side, self.escape_odds,
            self.study.drawable, self.study.hands, self.study.leader, head, hands, offsets, plays,
            np.zeros(TABLE_SIZE, np.int64), np.zeros((seats, d.HAND_WORDS), np.uint16),
            np.zeros(d.HAND_WORDS, np.int64), np.zeros(cards, np.int64), np.zeros(STATE_WORDS, np.int64),
            np.zeros(MOST_CANDIDATES, np.int64), np.zeros(WORK_SIZE, np.int64),
        )  # fmt: skip
        return Deals(rules.variant, [rules], head, hands, offsets, plays[:played].copy())


class Simulation:
    """Plays matches of one ruleset in blocks, each on two threads.

    ``escape_odds``: how many of 2³² deals end in an escape. ``settlement`` may be shared, but not by threads.
    """

    def __init__(
        self, ruleset: RuleSet, seed: int, escape_odds: int = 0, study: Study | None = None,
        settlement: BatchSettlement | None = None,
    ) -> None:  # fmt: skip
        self.ruleset = ruleset
        self._table = _Table(ruleset, study or Study.of(ruleset), seed, escape_odds)
        self._settlement = (settlement or BatchSettlement()) if ruleset.variant == "four" else None

    def play(
        self, numbers: NDArray[np.int64], policies: NDArray[np.int64], mistakes: NDArray[np.int64],
        by_side: bool = False,
    ) -> Deals:  # fmt: skip
        """The deals of some matches, each match's next to each other.

        ``policies`` and ``mistakes``, int64 (matches, seats), are who plays, as in ``Players.rows``; with ``by_side``
        the first column is for all seats of side 0 (in the five-player game the dealer's), the second for the others.
        """
        upper = self._halves(numbers, 0, np.full(len(numbers), -1, dtype=np.int64), policies, mistakes, by_side)
        if self._settlement is None:
            return upper
        rows, upstreams = self._settlement.unfinished(upper)
        lower = self._halves(numbers[rows], 1, upstreams, policies[rows], mistakes[rows], by_side)
        lower.head[d.MATCH] = rows
        return _interleaved(upper, lower)

    def _halves(
        self, numbers: NDArray[np.int64], half: int, upstreams: NDArray[np.int64], policies: NDArray[np.int64],
        mistakes: NDArray[np.int64], by_side: bool,
    ) -> Deals:  # fmt: skip
        parts = THREADS if len(numbers) >= _WORTH_THREADS else 1
        bounds = [len(numbers) * part // parts for part in range(parts + 1)]
        slices = [slice(*pair) for pair in pairwise(bounds)]
        with ThreadPoolExecutor(parts) as pool:
            played = pool.map(
                lambda own: self._table.play(numbers[own], half, upstreams[own], policies[own], mistakes[own], by_side),
                slices,
            )
            return concatenate(list(played), bounds[:-1])


def _interleaved(upper: Deals, lower: Deals) -> Deals:
    """Upper halves, each followed by its lower half where it has one."""
    head = np.concatenate([upper.head, lower.head], axis=1)
    order = np.lexsort((head[d.DEAL], head[d.MATCH]))
    starts = np.concatenate([upper.offsets[:-1], lower.offsets[:-1] + len(upper.plays)])[order]
    lengths = np.concatenate([np.diff(upper.offsets), np.diff(lower.offsets)])[order]
    offsets = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    places = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
    return Deals(
        upper.variant, upper.rulesets, np.ascontiguousarray(head[:, order]),
        np.concatenate([upper.hands, lower.hands])[order], offsets, np.concatenate([upper.plays, lower.plays])[places],
    )  # fmt: skip


#: Matches without their deals, and the deals as one batch (``MATCH`` counts within the block).
Block = tuple[list[Match], Deals]


def play_matches(
    ruleset: RuleSet, matches: int, seed: int, first: int = 0, escape_rate: float = 0.0, balances: bool | None = None,
    block: int = BLOCK, players: Players | None = None, study: Study | None = None, cut: int | None = None,
) -> Iterator[Block]:  # fmt: skip
    """Matches number ``first`` to ``first + matches`` − 1 of a seed, in blocks.

    A deal ends in an escape (E3, F7) with probability ``escape_rate``. ``balances``: whether standings are logged (F6);
    by default where the ruleset has atom doubling. They are drawn at random, not kept from match to match. ``players``
    are random ones unless given, ``study`` says what of the deals is not left to chance. With ``cut`` no block holds
    matches of two files of so many each.

    :raises ValueError: a number out of range, or players for another number of seats.
    """
    in_range = 0 <= seed < 2**63 and first >= 0 and matches >= 0 and first + matches <= 2**63
    if not in_range or block < 1 or (cut is not None and cut < 1) or not 0 <= escape_rate <= 1:
        raise ValueError("seed, first and matches count from 0 to below 2⁶³, a block from 1, escape_rate is a share")
    players = players or Players.of(ruleset.players)
    if len(players.policies) != ruleset.players:
        raise ValueError(f"players for {ruleset.players} seats")
    if balances is None:
        balances = ruleset.options.get("atom_doubling") is True
    escape_odds = round(escape_rate * (1 << WORD_BITS))
    study = study or Study.of(ruleset)
    simulation = Simulation(ruleset, seed, escape_odds, study)
    seating = Seating(ruleset, seed, escape_odds, balances, players, study.key)

    def blocks() -> Iterator[Block]:
        begin, last = first, first + matches
        while begin < last:
            end = min(begin + block, last)
            if cut is not None:
                end = min(end, begin + cut - (begin - first) % cut)
            numbers = np.arange(begin, end, dtype=np.int64)
            yield seating.headers(numbers), simulation.play(numbers, *players.rows(len(numbers)))
            begin = end

    return blocks()


@dataclass
class Played:
    """How much a simulation has written."""

    matches: int = 0
    deals: int = 0
    plays: int = 0


def simulate(
    path: Path | str, ruleset: RuleSet, matches: int, seed: int, first: int = 0, escape_rate: float = 0.0,
    balances: bool | None = None, progress: Callable[[int], None] | None = None, players: Players | None = None,
    study: Study | None = None,
) -> Played:  # fmt: skip
    """Play matches into a log file, whose kind its suffix says; ``progress`` is told the matches of each block written.

    The other arguments are those of :func:`play_matches`.

    :raises ValueError: a number out of range, or a suffix that no log has.
    :raises OSError: the file cannot be written; then there is none.
    """
    blocks = play_matches(ruleset, matches, seed, first, escape_rate, balances, players=players, study=study)
    done = Played()
    write_blocks(blocks, lambda _: Path(path), done, progress)
    return done


def write_blocks(
    blocks: Iterator[Block], path_of: Callable[[int], Path], done: Played,
    progress: Callable[[int], None] | None = None,
) -> None:  # fmt: skip
    """Write blocks into log files as they are played: one thread plays while another writes.

    ``path_of`` names the file of a match, counted from 0; no block may hold matches of two files. Where there are no
    matches, there is an empty first file. ``done`` counts what has been written, ``progress`` is told the matches of
    each block written.

    :raises ValueError: a suffix that no log has.
    :raises OSError: a file cannot be written; then it is not there, those before it are.
    """
    with ThreadPoolExecutor(1) as pool:
        played = pool.submit(next, blocks, None).result()
        going = True
        while going:
            path = path_of(done.matches)
            with LogWriter(path) as log:
                while played is not None and path_of(done.matches) == path:
                    pending = pool.submit(next, blocks, None)
                    headers, deals = played
                    log.write_batch(headers, deals)
                    done.matches += len(headers)
                    done.deals += len(deals)
                    done.plays += len(deals.plays)
                    if progress is not None:
                        progress(len(headers))
                    played = pending.result()
            going = played is not None
