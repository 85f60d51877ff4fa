"""``yuanzi simulate``: matches of random players, written as a log."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence

from pipelines.commands.inputs import ruleset_of, rulesets_of
from pipelines.commands.terminal import CallFailed, clean, complain, progress
from yuanzi_core.texts import Lang, text


def simulate(
    ruleset: str, changes: Sequence[str], matches: int, seed: int, escape_rate: float, out: str, folder: str | None,
    lang: Lang,
) -> None:  # fmt: skip
    """Play matches into a file and say how many.

    :raises CallFailed: an unknown ruleset, option, value or ending, a number out of range.
    :raises OSError: the file cannot be written.
    """
    rules = ruleset_of(ruleset, changes, rulesets_of(folder, lang), lang)
    gc.enable()
    from yuanzi_core.files import SUFFIXES
    from yuanzi_core.selfplay import simulate as play

    if not out.endswith(SUFFIXES):
        raise CallFailed(text("cli.simulate.suffix", lang, file=clean(out), suffixes=" ".join(SUFFIXES)))
    begun = time.monotonic()
    with progress(text("cli.doing.playing", lang), matches, lang, "matches", quiet=True) as advance:
        try:
            played = play(out, rules, matches, seed, escape_rate=escape_rate, progress=advance)
        except ValueError:
            raise CallFailed(text("cli.simulate.bad_number", lang)) from None
        except OSError as error:
            # It is about a temporary file beside the one that the caller knows.
            raise OSError(error.errno, error.strerror, out) from None
    seconds = time.monotonic() - begun
    counts = {"matches": played.matches, "deals": played.deals, "plays": played.plays}
    fields = {name: f"{count:,}" for name, count in counts.items()}
    rate = f"{played.plays / max(seconds, 0.001):,.0f}"
    complain(text("cli.simulate.done", lang, file=clean(out), seconds=f"{seconds:.1f}", rate=rate, **fields))
