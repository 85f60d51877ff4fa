"""Self-play of the partner policy, against a bare shuffle-and-deal of the same number of deals on as many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.memory import peak
from tests.benchmarks.report import Report, best_in_turn, seconds
from yuanzi_core.chance import STATE_WORDS, below, start
from yuanzi_core.compiled import compiled
from yuanzi_core.database import THREADS
from yuanzi_core.policies.players import Players
from yuanzi_core.ruleset import RuleSet, Rulesets
from yuanzi_core.selfplay import Simulation, simulate

MATCHES, SEED, ROUNDS = 8_192, 7, 3
#: Playing a deal well takes some two hundred decisions; dealing it takes as many draws as there are cards.
LIMIT = 120.0
#: Matches written into one file for their memory, and how much more the larger file may take.
MEMORY_MATCHES, MEMORY_LIMIT = (20_000, 200_000), 1.15


@compiled("void(i8, i8, i8, i8, i8, i8[::1], u1[:, :, ::1], i8[::1])")
def _shuffle(n: int, decks: int, seed: int, first: int, deals: int, deck: Any, hands: Any, state: Any) -> None:
    for deal in range(deals):
        start(state, seed, first + deal, 0)
        for place in range(len(deck)):
            deck[place] = place // decks
        for seat in range(n):
            for card in range(54):
                hands[deal, seat, card] = 0
        for left in range(len(deck), 0, -1):
            chosen = below(state, left)
            card = deck[chosen]
            deck[chosen] = deck[left - 1]
            hands[deal, left % n, card] += np.uint8(1)


def _bare(ruleset: RuleSet, deals: int) -> None:
    """Shuffle and deal on threads."""
    seats, share = ruleset.players, deals // THREADS

    def part(number: int) -> None:
        _shuffle(
            seats, ruleset.decks, SEED, number * share, share, np.zeros(54 * ruleset.decks, np.int64),
            np.zeros((share, seats, 54), np.uint8), np.zeros(STATE_WORDS, np.int64),
        )  # fmt: skip

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(part, range(THREADS)))


def measure(report: Report, folder: Path) -> None:
    """Deals a second of good players: in memory, and into files."""
    report.heading(f"Self-play, {MATCHES:,} matches of the partner policy, best of {ROUNDS} in turn")
    for name in ("four-classic", "five-atomic"):
        ruleset = Rulesets()[name]
        players, simulation = Players.of(ruleset.players, ("partner",)), Simulation(ruleset, SEED)
        numbers, rows = np.arange(MATCHES // 2), players.rows(MATCHES // 2)
        deals = sum(len(simulation.play(numbers + begin, *rows)) for begin in (0, MATCHES // 2))

        def bare(ruleset: RuleSet = ruleset, deals: int = deals) -> None:
            _bare(ruleset, deals)

        def play(simulation: Simulation = simulation, numbers: Any = numbers, rows: Any = rows) -> None:
            for begin in (0, MATCHES // 2):
                simulation.play(numbers + begin, *rows)

        base, ours = best_in_turn(ROUNDS, bare, play)
        report.figure(f"{name}: bare shuffle-and-deal", f"{deals / base:,.0f} deals/s")
        report.figure(f"{name}: played", f"{deals / ours:,.0f} deals/s")
        report.limit(f"{name}: played / bare shuffle-and-deal", ours / base, LIMIT)
        for suffix in (".parquet", ".jsonl"):
            path = folder / f"{name}{suffix}"
            taken = seconds(lambda path=path, ruleset=ruleset, players=players: simulate(  # type: ignore[misc]
                path, ruleset, MATCHES, SEED, players=players))  # fmt: skip
            report.figure(f"{name}: played and written as {suffix}", f"{deals / taken:,.0f} deals/s")
    call = ["simulate", "--ruleset", "five-atomic", "--policy", "partner", "--out", str(folder / "memory.parquet")]
    few, many = (peak([*call, "--force", "--matches", str(matches)]) for matches in MEMORY_MATCHES)
    report.figure(f"peak memory, {MEMORY_MATCHES[1]:,} matches in Parquet", f"{many / 1e6:,.0f} MB")
    report.limit(f"peak memory, {MEMORY_MATCHES[1]:,} / {MEMORY_MATCHES[0]:,} matches", many / few, MEMORY_LIMIT)
