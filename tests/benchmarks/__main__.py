"""``make bench``: how fast the main job is, as ratios to yardsticks measured in the same run.

Machines are shared and noisy: each measurement is taken in turn with its yardstick, several times, and the best of
each counts. The exit status is 1 if a ratio is above its limit.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import incremental, memory, pages, ratings, simulation, standings, startup, strength, throughput
from tests.benchmarks.report import Report

#: What there is to measure, by name, in the order of measuring.
PARTS: dict[str, Callable[[Report, Path], None]] = {
    "throughput": throughput.measure,
    "incremental": incremental.measure,
    "startup": startup.measure,
    "memory": memory.measure,
    "simulate": simulation.measure,
    "strength": lambda report, folder: strength.measure(report),
    "ratings": lambda report, folder: ratings.measure(report),
    "standings": standings.measure,
    "pages": pages.measure,
}


def main() -> int:
    """Run every benchmark, or those named on the command line."""
    wanted = sys.argv[1:] or [*PARTS]
    report = Report()
    with tempfile.TemporaryDirectory(prefix="yuanzi-bench-") as folder:
        for name in (name for name in PARTS if name in wanted):
            PARTS[name](report, Path(folder))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
