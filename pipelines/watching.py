"""What there is to do for a home whose inbox is watched: receive, judge, publish, one after the other.

Nothing is remembered of what was done but what stands in the home itself: what is received and not judged is to be
judged, what is judged and not published to be published. So a watcher that was stopped, or a run that was killed, is
made up for at the next look. Work that was asked for and left undone is asked for again, each time after a longer
pause; a file that failed is not, until it or the engine changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipelines.defs.intake.arrivals import Arrivals, look
from pipelines.defs.intake.remembered import Mark
from pipelines.defs.partitions import stretch
from pipelines.defs.publish.snapshot import pointer
from pipelines.warehouse import Warehouse
from yuanzi_core.history import Histories

#: Seconds before work that was left undone is asked for again; doubled each time, up to an hour.
AGAIN, LONGEST_PAUSE = 60.0, 3600.0


@dataclass(frozen=True)
class Step:
    """Something to do: the job, a key that names the work (contents and engine), and what the job is told.

    ``only`` are the files to receive, with their marks; ``keys`` the range of files to judge.
    """

    job: str
    key: str
    only: Mapping[str, Mark] = field(default_factory=dict)
    keys: Sequence[str] = ()


@dataclass(frozen=True)
class Asked:
    """A step that was asked for: how often, and when last (seconds since 1970)."""

    key: str = ""
    times: int = 0
    at: float = 0.0

    def may_again(self, step: Step, now: float) -> bool:
        """Whether a step may be asked for now: another one at once, the same one after a pause."""
        return step.key != self.key or now >= self.at + min(AGAIN * 2 ** (self.times - 1), LONGEST_PAUSE)

    def again(self, step: Step, now: float) -> Asked:
        """The step as asked for now."""
        return Asked(step.key, self.times + 1 if step.key == self.key else 1, now)


@dataclass(frozen=True)
class Memory:
    """What a watcher keeps between two looks: the files seen in the inbox and not received yet, and what was asked."""

    seen: Mapping[str, Mark] = field(default_factory=dict)
    asked: Asked = field(default_factory=Asked)

    @classmethod
    def read(cls, written: str | None) -> Memory:
        """Of what :meth:`written` gave; of anything else nothing is known, and a look more is needed."""
        try:
            known: Any = json.loads(written or "{}")
            seen = {str(name): _mark(mark) for name, mark in known["seen"].items()}
            key, times, at = known["asked"]
            return cls(seen, Asked(str(key), int(times), float(at)))
        except (ValueError, LookupError, TypeError, AttributeError):
            return cls()

    def written(self) -> str:
        """As a text."""
        asked = [self.asked.key, self.asked.times, self.asked.at]
        return json.dumps({"seen": {name: [*mark] for name, mark in self.seen.items()}, "asked": asked})


def _mark(numbers: Any) -> Mark:
    size, content, entry, place = map(int, numbers)
    return size, content, entry, place


def _key(job: str, *what: object) -> str:
    return f"{job}-{hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]}"


def next_step(warehouse: Warehouse, arrivals: Arrivals, keys: Sequence[str]) -> Step | None:
    """What is to be done next. ``keys`` are the partitions that Dagster knows, in its order.

    What is received is judged and published before more is received: files that keep coming keep nobody waiting.
    """
    state = warehouse.judged_state()
    received = {file.file_id for file in warehouse.all_received()}
    missing = received.difference(file.file_id for file in state.files)
    failed = Histories(warehouse.lake).failed_before(warehouse.tag, missing)
    if received != set(keys):
        # The record of runs does not know the files of the lake, or others.
        return Step("receive", _key("receive", sorted(received), warehouse.tag), only=arrivals.ready)
    if part := stretch(keys, missing - failed, failed):
        wanted = [key for key in part if key in missing]
        return Step("judge", _key("judge", sorted(wanted), warehouse.tag), keys=part)
    if state.files and pointer(warehouse) != state.snapshot:
        return Step("publish", _key("publish", state.id))
    if arrivals.ready:
        return Step("receive", _key("receive", sorted(arrivals.ready.items()), warehouse.tag), only=arrivals.ready)
    return None


def due(warehouse: Warehouse, arrivals: Arrivals) -> Step | None:
    """What a run of everything would begin with; None if it had nothing to do."""
    return next_step(warehouse, arrivals, [file.file_id for file in warehouse.all_received()])


__all__ = ["AGAIN", "LONGEST_PAUSE", "Arrivals", "Asked", "Memory", "Step", "due", "look", "next_step"]
