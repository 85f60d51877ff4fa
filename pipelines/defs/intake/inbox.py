"""The inbox: which files in it are logs, and how a content gets into the lake, once and for good."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from pipelines.warehouse import Received, Warehouse, replacing
from yuanzi_core.files import SUFFIXES, is_of_matches

_BLOCK = 1 << 20


class StillWritten(OSError):
    """A file that changed while it was read: it is taken the next time."""


def logs_in(inbox: Path) -> list[tuple[str, Path, int]]:
    """The logs in an inbox and its folders, as (name within the inbox, path without links, bytes), by name.

    Not taken: hidden files and folders, unfinished ones (any other suffix, a leading ``~``), links that lead out.
    """
    found = []
    top = inbox.resolve()
    for folder, folders, names in os.walk(inbox):
        folders[:] = [name for name in folders if not name.startswith((".", "~"))]
        for name in names:
            path = Path(folder, name)
            if name.startswith((".", "~")) or not is_of_matches(name):
                continue
            try:
                real = path.resolve(strict=True)
                about = real.stat()
            except (OSError, RuntimeError):
                # Taken away meanwhile, or a link that leads nowhere or round in a circle.
                continue
            if not real.is_relative_to(top) or not stat.S_ISREG(about.st_mode):
                continue
            # A name that is not Unicode is written as it can be.
            shown = path.relative_to(inbox).as_posix().encode("utf-8", "backslashreplace").decode()
            found.append((shown, real, about.st_size))
    return sorted(found)


def _opened(path: str, flags: int) -> int:
    # What was a file a moment ago may be a link out of the inbox by now, or a pipe that nobody ever writes to.
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _blocks(path: Path) -> Iterator[bytes]:
    """A file block by block. :raises StillWritten: it changed meanwhile. :raises OSError: it cannot be read."""
    with open(path, "rb", opener=_opened) as stream:
        before = os.fstat(stream.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise OSError(f"{path.name} is not a file")
        while block := stream.read(_BLOCK):
            yield block
        after = os.fstat(stream.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise StillWritten(f"{path.name} is still being written")


def receive(warehouse: Warehouse, name: str, path: Path, tell: Callable[[int], None]) -> tuple[Received, bool]:
    """Take a file in, unless its content is known; returns what is on record of it, and whether it is new.

    :raises OSError: it cannot be read, or it changes while it is read.
    """
    seen, size = hashlib.sha256(), 0
    for block in _blocks(path):
        seen.update(block)
        size += len(block)
        tell(size)
    sha256 = seen.hexdigest()
    known = warehouse.received(sha256[:16])
    if known is not None:
        return known, False
    suffix = next(suffix for suffix in sorted(SUFFIXES, key=len, reverse=True) if name.lower().endswith(suffix))
    file = Received(sha256[:16], name, size, suffix)
    copied = hashlib.sha256()
    with replacing(warehouse.content_of(file)) as temporary:
        with temporary.open("wb") as target:
            for block in _blocks(path):
                copied.update(block)
                target.write(block)
        if copied.hexdigest() != sha256:
            raise StillWritten(f"{path.name} is still being written")
    warehouse.remember(file, sha256)
    return file, True
