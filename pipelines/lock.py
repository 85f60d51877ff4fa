"""One run at a time on a home folder: a lock of the operating system, so that a killed process gives it back."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

#: Seconds between two tries to get the lock.
_TRY_EVERY = 0.1
#: Seconds for which everybody waits: who only looks whether the lock is held has it for a moment.
_AT_LEAST = 0.3
# Windows locks bytes, and a locked one cannot be read: one far behind what the holder writes about itself.
_LOCKED_BYTE = 1 << 20


class Busy(Exception):
    """Another process works on this home: its ``pid`` and ``host``, and ``since`` when (ISO 8601)."""

    def __init__(self, home: Path, pid: int | None, host: str | None, since: str | None) -> None:
        super().__init__(f"{home} is in use by process {pid} on {host} since {since}")
        self.home, self.pid, self.host, self.since = home, pid, host, since


def _take(file: IO[bytes]) -> None:
    """:raises OSError: another process holds it."""
    if sys.platform == "win32":
        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _give_back(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_UN)


class Lock:
    """The lock of a home. Whoever holds it may take it again (steps of a run do); the last one out gives it back.

    A process that ends in whatever way gives it back too, so nothing is ever left locked. Whoever comes second waits
    for ``wait`` seconds before it is told that the home is busy; ``waiting`` is told so at the beginning of the wait.
    """

    def __init__(self, path: Path, wait: float = 0.0, waiting: Callable[[Busy], None] | None = None) -> None:
        self.path, self.wait, self.waiting = path, wait, waiting
        self._file: IO[bytes] | None = None
        self._depth = 0

    def __enter__(self) -> Lock:
        """:raises Busy: another process holds the lock."""
        if self._file is None:
            self._file = self._patiently()
        self._depth += 1
        return self

    def busy(self) -> Busy | None:
        """Who holds the lock now, if another process does."""
        if self._file is None:
            try:
                file = self._taken()
            except Busy as busy:
                return busy
            _give_back(file)
            file.close()
        return None

    def _patiently(self) -> IO[bytes]:
        """:raises Busy: another process holds the lock, and did so all the time."""
        until, told = time.monotonic() + max(self.wait, _AT_LEAST), False
        while True:
            try:
                file = self._taken()
                break
            except Busy as busy:
                if time.monotonic() >= until:
                    raise
                if self.waiting is not None and not told and self.wait > 0:
                    self.waiting(busy)
                told = True
            time.sleep(_TRY_EVERY)
        about = {"pid": os.getpid(), "host": socket.gethostname(), "since": datetime.now().astimezone().isoformat()}
        # On a full disk nobody learns who holds it; it is held all the same.
        with suppress(OSError):
            file.truncate(0)
            file.write(json.dumps(about).encode())
        return file

    def _taken(self) -> IO[bytes]:
        """:raises Busy: another process holds the lock."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("a+b", buffering=0)
        try:
            _take(file)
        except OSError:
            file.seek(0)
            holder = _holder(file.read(_LOCKED_BYTE))
            file.close()
            raise Busy(self.path.parent, holder.get("pid"), holder.get("host"), holder.get("since")) from None
        return file

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0 and self._file is not None:
            with suppress(OSError):
                self._file.truncate(0)
            _give_back(self._file)
            self._file.close()
            self._file = None


def _holder(written: bytes) -> dict[str, Any]:
    """What the holder wrote about itself; nothing if it has not come to that yet."""
    try:
        found = json.loads(written)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
