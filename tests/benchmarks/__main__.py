"""``make bench``: how fast the main job is, as ratios to yardsticks measured in the same run.

Machines are shared and noisy: each measurement is taken in turn with its yardstick, several times, and the best of
each counts. The exit status is 1 if a ratio is above its limit.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.benchmarks import incremental, memory, simulation, startup, strength, throughput
from tests.benchmarks.report import Report


def main() -> int:
    """Run every benchmark, or those named on the command line."""
    wanted = set(sys.argv[1:]) or {"throughput", "incremental", "startup", "memory", "simulate", "strength"}
    report = Report()
    with tempfile.TemporaryDirectory(prefix="yuanzi-bench-") as folder:
        if "throughput" in wanted:
            throughput.measure(report, Path(folder))
        if "incremental" in wanted:
            incremental.measure(report, Path(folder))
        if "startup" in wanted:
            startup.measure(report, Path(folder))
        if "memory" in wanted:
            memory.measure(report, Path(folder))
        if "simulate" in wanted:
            simulation.measure(report, Path(folder))
        if "strength" in wanted:
            strength.measure(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
