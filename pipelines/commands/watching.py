"""``yuanzi watch``: the inbox of a home looked at again and again, without a server; what comes in is judged."""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.commands.pages import home_folder
from pipelines.commands.report import Report
from pipelines.commands.terminal import CallFailed, clean, complain, say
from pipelines.disk import DiskFull
from pipelines.lock import Busy
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from pipelines.watching import Memory

_SHORTEST = 1.0
#: Of what is wrong so many of each sort are shown.
_SHOWN = 5


def watch(home: str | None, every: float, lang: Lang) -> int:
    """Look every so many seconds, and run where there is something to do. Ends by the keyboard, with 0.

    :raises CallFailed: the seconds are too few.
    """
    if not every >= _SHORTEST:
        raise CallFailed(text("cli.watch.seconds", lang, least=f"{_SHORTEST:g}"))
    # Starting Dagster makes much garbage.
    gc.enable()
    folder = home_folder(home)
    (folder / "inbox").mkdir(parents=True, exist_ok=True)
    try:
        # Loaded before the first look, so that who ends it then ends a wait.
        from pipelines.watching import Memory

        memory = Memory()
        complain(text("cli.watch.where", lang, inbox=clean(folder / "inbox"), seconds=f"{every:g}"))
        while True:
            memory = _look(folder, memory, lang)
            time.sleep(every)
    except KeyboardInterrupt:
        return 0


def _look(folder: Path, memory: Memory, lang: Lang) -> Memory:
    """One look, and a run if one is due; returns what is to be kept for the next look."""
    from pipelines.run import run
    from pipelines.warehouse import Warehouse
    from pipelines.watching import Memory, due, look

    warehouse, now = Warehouse(folder), time.time()
    arrivals = look(warehouse, memory.seen)
    step = due(warehouse, arrivals)
    if step is None or not memory.asked.may_again(step, now):
        return Memory(arrivals.seen, memory.asked)
    try:
        report = run(folder, only=arrivals.ready)
    except Busy:
        # The other run may do it all.
        return Memory(arrivals.seen, memory.asked)
    except DiskFull:
        complain(text("cli.report.disk_full", lang, home=clean(folder)))
        return Memory(arrivals.seen, memory.asked.again(step, now))
    fields = {"at": time.strftime("%H:%M:%S"), "seconds": f"{time.time() - now:.1f}"}
    say(text("cli.watch.done", lang, new=len(report.new), files=report.files, **fields))
    with Report(report.snapshot, lang) as published:
        new = [file.file_id for file in report.new]
        if new:
            published.tell_files(new)
            published.tell_findings(_SHOWN, new)
        published.tell_registries(_SHOWN)
    for name, why in report.failures.items():
        complain(text("cli.report.failed", lang, name=clean(name), why=clean(why)))
    return Memory(arrivals.seen, memory.asked.again(step, now))
