"""One more evening in a large warehouse: what a run costs, against making the whole warehouse anew."""

from __future__ import annotations

import shutil
from pathlib import Path

from pipelines.run import run
from tests.benchmarks.report import Report, seconds
from tests.benchmarks.throughput import SEED
from yuanzi_core.ruleset import PRESETS, Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.writer import LogWriter

#: Matches in the warehouse, in so many files; matches of an evening; evenings that are measured.
MATCHES, FILES, NEW, ROUNDS = 200_000, 40, 1000, 3
LIMIT = 0.1


def _write(path: Path, matches: int, first: int) -> None:
    """Matches of all rulesets, from number ``first`` of each on: later numbers are later evenings."""
    with LogWriter(path) as writer:
        for name in PRESETS:
            for headers, deals in play_matches(Rulesets()[name], matches // len(PRESETS), SEED, first, balances=False):
                writer.write_batch(headers, deals)


def measure(report: Report, folder: Path) -> None:
    """A run with a new evening against a full rebuild; for orientation an evening that comes after all later ones."""
    report.heading(f"Incremental, {NEW:,} new matches into {MATCHES:,} in {FILES} files, best of {ROUNDS}")
    home = folder / "grown"
    (home / "inbox").mkdir(parents=True)
    # What a process loads once is no part of either.
    run(folder / "warm")
    part, evening = MATCHES // FILES // len(PRESETS), NEW // len(PRESETS)
    for number in range(FILES):
        # The first evening is left out, to come late.
        _write(home / "inbox" / f"{number:03}.jsonl", part * len(PRESETS), evening + number * part)

    def publish() -> None:
        done = run(home)
        if not done.ok or not done.new:
            raise RuntimeError(f"nothing new was published: {done.failures}")

    whole, times = seconds(publish), []
    for number in range(ROUNDS):
        _write(home / "inbox" / f"new{number}.jsonl", NEW, (number + 1) * evening + FILES * part)
        times.append(seconds(publish))
    _write(home / "inbox" / "late.jsonl", NEW, 0)
    late = seconds(publish)
    report.figure("a full rebuild", f"{whole:.2f} s")
    report.figure("a run with a new evening", f"{min(times):.2f} s")
    report.limit("a run with a new evening / a full rebuild", min(times) / whole, LIMIT)
    report.figure("a run with an evening before all others", f"{late:.2f} s, {late / whole:.2f} ×")
    shutil.rmtree(home)
