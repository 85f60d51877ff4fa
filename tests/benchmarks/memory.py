"""Resident memory of an audit of 200,000 matches, by the operating system's own account of the finished process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.benchmarks.report import Report
from tests.benchmarks.throughput import write_matches

MATCHES, LIMIT_GB = 200_000, 1.5


def measure(report: Report, folder: Path) -> None:
    """Memory stays flat in the number of matches."""
    report.heading(f"Memory, {MATCHES:,} matches in JSON lines")
    home = folder / "large"
    (home / "inbox").mkdir(parents=True)
    log = home / "inbox" / "matches.jsonl"
    write_matches(log, MATCHES)
    for name, command in (
        ("yuanzi check", ["check", "--quiet", str(log)]),
        ("yuanzi run", ["run", "--home", str(home)]),
    ):
        report.limit(f"{name}: peak resident memory", peak(command) / 1e9, LIMIT_GB, "GB")


def peak(command: list[str]) -> int:
    """Peak resident memory of a call of the ``yuanzi`` command, in bytes."""
    measured = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", measured, sys.executable, "-m", "pipelines.cli", *command],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    # Kilobytes on Linux, bytes on macOS.
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)
