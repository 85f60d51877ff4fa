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

#: Size, time of change of the content and of the entry (ns), inode.
Mark = tuple[int, int, int, int]


def mark_of(path: Path) -> Mark:
    """What tells whether a file was changed. :raises OSError: it is gone."""
    about = path.stat()
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino


def touched(mark: Mark, now: int) -> int:
    """When a file was last changed (ns). A time of the content that lies ahead was set by somebody and tells nothing;
    that of the entry nobody can set."""
    _, content, entry, _ = mark
    return entry if content > now else max(content, entry)


class Remembered:
    """``lake/inbox.json``: for each name in the inbox its mark and the file_id of the content read under it.

    A file that could not be read has no file_id: who only looks for new files leaves it alone until it changes.
    """

    def __init__(self, warehouse: Warehouse) -> None:
        self.warehouse = warehouse
        self._path = warehouse.lake / "inbox.json"
        try:
            known = json.loads(self._path.read_bytes())
        except (FileNotFoundError, ValueError):
            known = {}
        self._before: dict[str, object] = known if isinstance(known, dict) else {}
        self._now: dict[str, object] = {}

    def _entry(self, name: str, mark: Mark) -> list[object] | None:
        entry = self._before.get(name)
        if not isinstance(entry, list) or len(entry) != len(mark) + 1 or tuple(entry[:-1]) != mark:
            return None
        return entry

    def file(self, name: str, mark: Mark) -> Received | None:
        """The received file that the file of that name is known to hold."""
        entry = self._entry(name, mark)
        if entry is None or entry[-1] is None:
            return None
        found = self.warehouse.received(str(entry[-1]))
        if found is not None:
            self._now[name] = entry
        return found

    def knows(self, name: str, mark: Mark) -> bool:
        """Whether a file was read as it now stands, or could not be."""
        entry = self._entry(name, mark)
        return entry is not None and (entry[-1] is None or self.warehouse.received(str(entry[-1])) is not None)

    def note(self, name: str, path: Path, mark: Mark, begun: int, file: Received | None) -> None:
        """A file was read whole, or could not be (None); ``mark`` and ``begun`` (time in ns) are of just before."""
        if mark_of(path) == mark and touched(mark, begun) < begun - _SETTLED_NS:
            self._now[name] = [*mark, None if file is None else file.file_id]

    def leave(self, name: str) -> None:
        """A file was not looked at: what is known of it stays."""
        if name in self._before:
            self._now[name] = self._before[name]

    def keep(self) -> None:
        """Write down what is known now; names that are gone are forgotten."""
        if self._now != self._before:
            write_json(self._path, self._now)
