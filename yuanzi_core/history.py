"""What happened to each file: when it came and under which names, when it was judged and how fast, what failed.

None of this is a function of the file's content, so it stands in no table: ``lake/history/<file_id>.json``, one file
each, beside the lake. To lose it loses no result. Written by the holder of the lock alone, read by reports and pages.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from pathlib import Path
from typing import Any

#: So many names of one content are kept, the first of them.
_NAMES = 20


@dataclass(frozen=True)
class Judging:
    """A judging of a file: under which tag and engine, when it began (ISO 8601), seconds, and what came of it.

    ``seconds`` are those of reading and judging; ``failed`` says why nothing came of it.
    """

    tag: str
    engine: str
    at: str
    seconds: float = 0.0
    records: int = 0
    failed: str | None = None


@dataclass(frozen=True)
class History:
    """When a file was received (ISO 8601; None: before this was kept), the names it came under, its last judging."""

    received: str | None = None
    names: tuple[str, ...] = field(default=())
    judging: Judging | None = None

    @property
    def received_at(self) -> datetime | None:
        """When it was received; None where that is not known, or is no time that a clock of every zone can show."""
        try:
            at = datetime.fromisoformat(str(self.received))
        except ValueError:
            return None
        return at if at.tzinfo is not None and MINYEAR < at.year < MAXYEAR else None


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Histories:
    """The histories of the files of a lake."""

    def __init__(self, lake: Path) -> None:
        self._folder = lake / "history"

    def of(self, file_id: str) -> History:
        """What is known of a file; nothing, if nothing can be read."""
        try:
            known: dict[str, Any] = json.loads((self._folder / f"{file_id}.json").read_bytes())
            judging = known["judging"]
            return History(
                known["received"], tuple(map(str, known["names"])), None if judging is None else Judging(**judging)
            )
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            return History()

    def came(self, file_id: str, name: str) -> None:
        """A file's content was found in the inbox under a name."""
        known = self.of(file_id)
        if name not in known.names and len(known.names) < _NAMES:
            self._keep(file_id, replace(known, received=known.received or now(), names=(*known.names, name)))

    def was_judged(self, file_id: str, judging: Judging) -> None:
        """A file was judged, or failed."""
        self._keep(file_id, replace(self.of(file_id), judging=judging))

    def failed_before(self, tag: str, file_ids: Iterable[str]) -> set[str]:
        """Those of some files whose judging failed under a tag, so that under it it would only fail again."""
        failed = set()
        for file_id in file_ids:
            judging = self.of(file_id).judging
            if judging is not None and judging.failed is not None and judging.tag == tag:
                failed.add(file_id)
        return failed

    def _keep(self, file_id: str, history: History) -> None:
        # Not waiting for the disk, as the lake's own files do: what is lost here is not missed.
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / f".{file_id}.json.{os.getpid()}.tmp"
        try:
            temporary.write_text(json.dumps(asdict(history), ensure_ascii=False), encoding="utf-8")
            temporary.replace(self._folder / f"{file_id}.json")
        finally:
            temporary.unlink(missing_ok=True)
