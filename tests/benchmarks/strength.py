"""How strong the policies are against each other, on 20,000 mirrored deals of each game."""

from __future__ import annotations

from tests.benchmarks.report import Report
from yuanzi_core.duel import duel
from yuanzi_core.ruleset import PRESETS, Rulesets

DEALS, SEED = 20_000, 7
#: The better policy, the worse one, and the most that the worse one may win.
PAIRS = (("partner", "random", 0.03), ("partner", "greedy", 0.30), ("greedy", "random", 0.15))


def measure(report: Report) -> None:
    """Share of mirrored deals that each policy loses to a weaker one."""
    report.heading(f"Strength, {DEALS:,} mirrored deals of each game, intervals of 95 %")
    for name in PRESETS:
        for better, worse, most in PAIRS:
            found = duel(Rulesets()[name], better, worse, DEALS, SEED)
            lowest, highest = found.interval
            single = found.single_won / (2 * DEALS)
            report.figure(
                f"{name}: {better} beats {worse} (single matches {single:.1%})",
                f"{found.share:.2%} [{lowest:.2%}, {highest:.2%}]",
            )
            report.limit(f"{name}: {better} loses to {worse}", 1 - found.share, most, "")
