"""Which files of the inbox were read as they now stand, so that a file that nobody touched is not read again.

A file is the same as long as its name, size, times of change and place on the disk are. Any other, and any that was
changed only just before it was read (a later change could bear the same time), is read, and its content decides.
"""

from __future__ import annotations

import json
from pathlib import Path

from pipelines.warehouse import Received, Warehouse, write_json

#: No clock of a file system is coarser (FAT counts in steps of two seconds).
_SETTLED_NS = 3_000_000_000

Mark = tuple[int, int, int, int]


def mark_of(path: Path) -> Mark:
    """What tells whether a file was changed. :raises OSError: it is gone."""
    about = path.stat()
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino


class Remembered:
    """``lake/inbox.json``: for each name in the inbox its mark and the file_id of the content read under it."""

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self._path = warehouse.lake / "inbox.json"
        try:
            known = json.loads(self._path.read_bytes())
        except (FileNotFoundError, ValueError):
            known = {}
        self._before: dict[str, object] = known if isinstance(known, dict) else {}
        self._now: dict[str, object] = {}

    def file(self, name: str, mark: Mark) -> Received | None:
        """The received file that the file of that name is known to hold."""
        entry = self._before.get(name)
        if not isinstance(entry, list) or len(entry) != len(mark) + 1 or tuple(entry[:-1]) != mark:
            return None
        found = self.warehouse.received(str(entry[-1]))
        if found is not None:
            self._now[name] = entry
        return found

    def note(self, name: str, path: Path, mark: Mark, begun: int, file: Received) -> None:
        """A file was read whole; ``mark`` and ``begun`` (time in ns) are of just before."""
        if mark_of(path) == mark and max(mark[1:3]) < begun - _SETTLED_NS:
            self._now[name] = [*mark, file.file_id]

    def keep(self) -> None:
        """Write down what is known now; names that are gone are forgotten."""
        if self._now != self._before:
            write_json(self._path, self._now)
