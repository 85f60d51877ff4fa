"""Self-play: whole matches of both games by simulated players, as the batches that the referee and the writer take.

The simulator deals, asks a policy for plays and writes down what happens; what is allowed it asks the referee, whether
a lower half follows it asks the settlement. Everything random follows from (seed, match number, deal): the same
matches come out whatever the size of the blocks, on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.cards import COUNT_BITS, PASS, SEAT_SHIFT, SMALL_JOKER
from yuanzi_core.chance import STATE_WORDS, WORD_BITS, below, draw, start
from yuanzi_core.compiled import compiled
from yuanzi_core.deals import HEAD, Deals, Ints
from yuanzi_core.judge import Judge
from yuanzi_core.log import Match
from yuanzi_core.policies import PASS_OUT_OF, PASS_TIMES, STOP_ONE_IN, TRIES, propose
from yuanzi_core.records import Reader, Record, no_amounts
from yuanzi_core.referee import (
    CALL,
    ENDED,
    ON_TABLE,
    ON_TURN,
    TABLE_SHAPE,
    TABLE_SIZE,
    call_and_leader,
    do_play,
    first_to_draw,
    hand_size,
    how_it_ended,
    knife_of,
    may_play,
    set_table,
)
from yuanzi_core.ruleset import RuleSet, Rulesets
from yuanzi_core.seating import Seating
from yuanzi_core.settlement import sql
from yuanzi_core.shapes import SIZE, shapes
from yuanzi_core.writer import LogWriter

#: Matches played at a time; memory is a few dozen megabytes, however many matches there are.
BLOCK = 4096


@compiled(
    "i8(i8, i8, i8[::1], i8[::1], u2[::1], i4[:, ::1], i8, i8[::1], i8[::1], i8, i4[:, ::1], u2[:, :, ::1], i8[::1],"
    " u4[::1], i8[::1], u2[:, ::1], i8[::1], i8[::1])"
)
def _play(
    n: int, decks: int, rank_points: Any, rules: Any, shape_of: Any, shape_table: Any, seed: int, numbers: Any,
    upstreams: Any, escape_odds: int, head: Any, hands: Any, offsets: Any, plays: Any, table: Any, hand: Any,
    deck: Any, state: Any,
) -> int:  # fmt: skip
    """Deal and play one half of each match; returns the number of plays written."""
    cards = len(deck)
    at = 0
    for deal in range(len(numbers)):
        start(state, seed, numbers[deal], head[d.DEAL, deal])
        lower, upstream = head[d.DEAL, deal] > 0, upstreams[deal]
        # A3: any card of the deck may be drawn, but those that cannot be.
        drawn, knife = 0, -1
        while knife < 0:
            drawn = below(state, SMALL_JOKER + 2)
            knife = knife_of(drawn, lower, rules)
        first = first_to_draw(knife, lower, upstream, n)
        head[d.DRAWN, deal], head[d.KNIFE_CLAIMED, deal] = drawn, knife
        if n == 4:
            head[d.FIRST_DRAW, deal] = first
        else:
            head[d.DEALER, deal] = below(state, n)
        # A fair shuffle; then each seat takes as many cards as it draws (A4).
        for place in range(cards):
            deck[place] = place // decks
        for seat in range(n):
            for word in range(d.HAND_WORDS):
                hands[deal, seat, word] = 0
        left = cards
        for step in range(n):
            seat = (first + step) % n
            for _ in range(hand_size(cards, n, step)):
                chosen = below(state, left)
                card = deck[chosen]
                left -= 1
                deck[chosen] = deck[left]
                place = card & 3 if card < SMALL_JOKER else card - SMALL_JOKER
                hands[deal, seat, card >> 2] += np.uint16(1 << COUNT_BITS * place)
        # A5, A6: any call and any leader that the referee accepts. (That a dealer holds every card that could be called
        # does not happen: the chance is below 10⁻¹².)
        wrong = CALL
        while wrong != 0:
            if n != 4 and wrong == CALL:
                head[d.CALLED, deal] = below(state, SMALL_JOKER)
            head[d.LEADER, deal] = below(state, n)
            wrong = call_and_leader(head, deal, hands, rules, knife, upstream, n)
        set_table(head, deal, hands, rules, n, decks, upstream, table)
        for seat in range(n):
            for word in range(d.HAND_WORDS):
                hand[seat, word] = hands[deal, seat, word]
        offsets[deal] = at
        called = head[d.CALLED, deal]
        playing = True
        while playing:
            seat = table[ON_TURN]
            leads = table[ON_TABLE] == PASS
            size = 0 if leads else shape_table[table[TABLE_SHAPE], SIZE]
            tries = TRIES if leads or below(state, PASS_OUT_OF) >= PASS_TIMES else 0
            wrong, code = -1, PASS
            while wrong != 0:
                code = PASS
                if leads or tries > 0:
                    code = propose(state, hand, seat, size)
                tries -= 1
                wrong = may_play(table, hand, shape_of, shape_table, rules, seat, code, False)
            do_play(table, hand, shape_of, shape_table, rules, rank_points, n, called, at - offsets[deal], seat, code)
            plays[at] = np.uint32(seat << SEAT_SHIFT | code)
            at += 1
            if table[ENDED] != 0:
                playing = False
                # C5: with "must" a deal may end by points.
                by_points = how_it_ended(table, rules, d.OUT_END, n) != 0
                head[d.END, deal] = d.POINTS_END if by_points else d.OUT_END
            elif table[ON_TABLE] == PASS and below(state, STOP_ONE_IN) == 0:
                # C5: with "may" play may stop between two tricks.
                if how_it_ended(table, rules, d.POINTS_END, n) == 0:
                    playing = False
                    head[d.END, deal] = d.POINTS_END
        # E3, F7: somebody left at some moment before the end.
        if draw(state) < escape_odds:
            at = offsets[deal] + below(state, at - offsets[deal])
            head[d.END, deal], head[d.ESCAPED, deal] = d.ESCAPE_END, below(state, n)
    offsets[len(numbers)] = at
    return at


class _Simulation:
    """Plays blocks of matches. ``escape_odds``: how many of 2³² deals end in an escape."""

    def __init__(self, ruleset: RuleSet, seed: int, escape_odds: int) -> None:
        self.ruleset, self.seed, self.escape_odds = ruleset, seed, escape_odds
        self._settlement = _Settlement(ruleset) if ruleset.variant == "four" else None

    def play(self, numbers: NDArray[np.int64]) -> Deals:
        """The deals of some matches, each match's next to each other."""
        upper = self._halves(numbers, 0, np.full(len(numbers), -1, dtype=np.int64))
        if self._settlement is None:
            return upper
        rows, upstreams = self._settlement.unfinished(upper)
        lower = self._halves(numbers[rows], 1, upstreams)
        lower.head[d.MATCH] = rows
        return _interleaved(upper, lower)

    def _halves(self, numbers: NDArray[np.int64], half: int, upstreams: NDArray[np.int64]) -> Deals:
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
            known.shape_of, known.table, self.seed, numbers, upstreams, self.escape_odds, head, hands, offsets, plays,
            np.zeros(TABLE_SIZE, np.int64), np.zeros((seats, d.HAND_WORDS), np.uint16), np.zeros(cards, np.int64),
            np.zeros(STATE_WORDS, np.int64),
        )  # fmt: skip
        return Deals(rules.variant, [rules], head, hands, offsets, plays[:played].copy())


class _Settlement:
    """Which matches a lower half follows is for the settlement to say (E1, E3)."""

    def __init__(self, ruleset: RuleSet) -> None:
        self._ruleset = ruleset
        self._judge, self._reader = Judge(), Reader(Rulesets())

    def unfinished(self, upper: Deals) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The matches that are not over after these upper halves, and their upstream players."""
        rows = range(len(upper))
        chunk = self._reader.read([])
        chunk.records = [Record(row, row, b"", ruleset=self._ruleset) for row in rows]
        chunk.amounts = no_amounts(len(upper))
        chunk.deals[upper.variant], chunk.rows[upper.variant] = upper, list(rows)
        self._judge.judge(chunk)
        found = self._judge.con.execute(sql("unfinished_half")).fetchnumpy()
        return found["line"].astype(np.int64), found["upstream"].astype(np.int64)


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


def play_matches(
    ruleset: RuleSet, matches: int, seed: int, first: int = 0, escape_rate: float = 0.0, balances: bool | None = None,
    block: int = BLOCK,
) -> Iterator[tuple[list[Match], Deals]]:  # fmt: skip
    """Matches number ``first`` to ``first + matches`` − 1 of a seed, played by random players, in blocks.

    Each block is the matches without their deals, and the deals as one batch (``MATCH`` counts within the block). A
    deal ends in an escape (E3, F7) with probability ``escape_rate``. ``balances``: whether standings are logged (F6);
    by default where the ruleset has atom doubling. They are drawn at random, not kept from match to match.

    :raises ValueError: a number out of range.
    """
    if not 0 <= seed < 2**63 or first < 0 or matches < 0 or block < 1 or not 0 <= escape_rate <= 1:
        raise ValueError("seed, first and matches count from 0, a block from 1, escape_rate is a share")
    if balances is None:
        balances = ruleset.options.get("atom_doubling") is True
    escape_odds = round(escape_rate * (1 << WORD_BITS))
    simulation, seating = _Simulation(ruleset, seed, escape_odds), Seating(ruleset, seed, escape_odds, balances)

    def blocks() -> Iterator[tuple[list[Match], Deals]]:
        for begin in range(first, first + matches, block):
            numbers = np.arange(begin, min(begin + block, first + matches), dtype=np.int64)
            yield seating.headers(numbers), simulation.play(numbers)

    return blocks()


@dataclass
class Played:
    """How much a simulation has written."""

    matches: int = 0
    deals: int = 0
    plays: int = 0


def simulate(
    path: Path | str, ruleset: RuleSet, matches: int, seed: int, first: int = 0, escape_rate: float = 0.0,
    balances: bool | None = None, progress: Callable[[int], None] | None = None,
) -> Played:  # fmt: skip
    """Play matches into a log file, whose kind its suffix says; ``progress`` is told the matches of each block written.

    One thread plays while another writes. The other arguments are those of :func:`play_matches`.

    :raises ValueError: a number out of range, or a suffix that no log has.
    :raises OSError: the file cannot be written; then there is none.
    """
    blocks = play_matches(ruleset, matches, seed, first, escape_rate, balances)
    done = Played()
    with LogWriter(path) as log, ThreadPoolExecutor(1) as pool:
        pending = pool.submit(next, blocks, None)
        while (played := pending.result()) is not None:
            pending = pool.submit(next, blocks, None)
            headers, deals = played
            log.write_batch(headers, deals)
            done.matches += len(headers)
            done.deals += len(deals)
            done.plays += len(deals.plays)
            if progress is not None:
                progress(len(headers))
    return done
