"""What has newly come into the inbox, and whether it is finished being written.

Nobody says when a file is complete. One is taken for complete when it has not been changed for some seconds and is the
same at two looks. A file that is written on later is another content, and is received then.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.defs.intake.inbox import logs_in
from pipelines.defs.intake.remembered import Mark, Remembered, mark_of, touched
from pipelines.warehouse import Warehouse

#: Seconds for which nobody has touched a file that is complete. Writers that pause longer than this (and than the time
#: between two looks) are rare, and lose nothing: what they add comes in as another content.
QUIET = 5.0
#: So many files are taken in one run; the others wait for the next. What is asked for is written into the run's record.
MOST = 2000
#: Some browsers and transfer programs write beside the name that a file will have, and keep the name for it.
_UNFINISHED = (".part", ".partial", ".crdownload", ".filepart", ".tmp")


@dataclass(frozen=True)
class Arrivals:
    """What a look at the inbox found: ``seen`` are the files not received yet, by name, ``ready`` the complete ones."""

    seen: Mapping[str, Mark]
    ready: Mapping[str, Mark]

    @property
    def waiting(self) -> int:
        """How many are still being written, as it seems."""
        return len(self.seen) - len(self.ready)


def look(warehouse: Warehouse, before: Mapping[str, Mark]) -> Arrivals:
    """Look at the inbox. ``before`` is ``seen`` of the look before: a file must look the same twice to be ready."""
    seen: dict[str, Mark] = {}
    ready: dict[str, Mark] = {}
    remembered = Remembered(warehouse)
    now = time.time_ns()
    for name, path, _ in logs_in(warehouse.inbox):
        mark = _mark(path)
        if mark is None or remembered.knows(name, mark):
            continue
        seen[name] = mark
        rests = touched(mark, now) < now - int(QUIET * 1e9) and not _is_downloaded(path)
        if rests and before.get(name) == mark and len(ready) < MOST:
            ready[name] = mark
    return Arrivals(seen, ready)


def _is_downloaded(path: Path) -> bool:
    """Whether a file stands for one that is still coming in beside it, under a name of its own."""
    return any(path.with_name(path.name + ending).exists() for ending in _UNFINISHED)


def _mark(path: Path) -> Mark | None:
    try:
        return mark_of(path)
    except OSError:
        # Taken away meanwhile.
        return None
