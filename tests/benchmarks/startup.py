"""How long ``yuanzi check`` takes on a small file, against importing its two largest libraries."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.report import Report, seconds
from tests.benchmarks.throughput import write_matches

ROUNDS, LIMIT = 11, 1.4


def measure(report: Report, folder: Path) -> None:
    """Start-up time; medians of runs taken in turn, compiled code cached."""
    report.heading(f"Start-up, medians of {ROUNDS} in turn")
    log = folder / "small.jsonl"
    write_matches(log, 6)
    check = [sys.executable, "-m", "pipelines.cli", "check", str(log)]
    imports = [sys.executable, "-c", "import numba, duckdb"]
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(ROUNDS + 1):
        for place, command in enumerate((imports, check)):
            taken = seconds(lambda command=command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))  # type: ignore[misc]
            if turn:
                times[place].append(taken)
    base, ours = (statistics.median(taken) for taken in times)
    report.figure("python -c 'import numba, duckdb'", f"{base:.2f} s")
    report.figure("yuanzi check on a small file", f"{ours:.2f} s")
    report.limit("yuanzi check / import numba, duckdb", ours / base, LIMIT)
