"""What the benchmarks print: figures for orientation, and ratios that must hold."""

from __future__ import annotations

import time
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def best_in_turn(rounds: int, *works: Callable[[], object]) -> list[float]:
    """The best time of each piece of work, all taken in turn ``rounds`` times after one round that does not count."""
    best = [float("inf")] * len(works)
    for turn in range(rounds + 1):
        for place, work in enumerate(works):
            taken = seconds(work)
            if turn:
                best[place] = min(best[place], taken)
    return best


class Report:
    """Collects what was measured; ``finish`` says whether all limits hold."""

    def __init__(self) -> None:
        self.broken: list[str] = []

    def figure(self, name: str, value: str) -> None:
        """A figure for orientation."""
        print(f"  {name:<62} {value:>22}", flush=True)

    def limit(self, name: str, value: float, most: float, unit: str = "×") -> None:
        """A figure that has a limit."""
        holds = value <= most
        if not holds:
            self.broken.append(name)
        mark = "ok" if holds else "ABOVE"
        print(f"  {name:<62} {value:>9.2f} {unit:<3} ≤ {most:g} {mark}", flush=True)

    def heading(self, text: str) -> None:
        """The title of a group of figures."""
        print(f"\n{text}", flush=True)

    def finish(self) -> int:
        """The exit status: 0 if all limits hold."""
        print(f"\n{'All limits hold.' if not self.broken else 'Above the limit: ' + '; '.join(self.broken)}")
        return int(bool(self.broken))
