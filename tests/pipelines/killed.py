"""Runs that are killed or run out of room, as children of a process that has everything loaded.

``python -m tests.pipelines.killed`` reads orders from standard input, a line of JSON each: the home and what is to
happen (``before`` or ``after`` the replacement of that number it dies, or after so many ``seconds``; the disk is
``full`` from the replacement of that number on; no file may have more than ``file_size`` bytes). It answers each with
the child's end (a signal is negative), how many replacements it made, and whether all was well or the disk full.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from pipelines.disk import DiskFull
from pipelines.run import run


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _run(home: str, order: dict[str, Any], told: int) -> None:
    """The child: a run that ends as it was ordered to."""
    # Whatever may go wrong in a forked process, it does not go on for ever.
    signal.alarm(120)
    replace, fsync, count = Path.replace, os.fsync, 0

    def synced(number: int) -> None:
        if order.get("full", count + 1) <= count:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(number)

    def counted(self: Path, target: Any) -> Path:
        nonlocal count
        if order.get("before") == count:
            _die()
        done = replace(self, target)
        if order.get("after") == count:
            _die()
        count += 1
        return done

    setattr(Path, "replace", counted)  # noqa: B010
    setattr(os, "fsync", synced)  # noqa: B010
    if "file_size" in order:
        # The signal that comes with it would end the process; without it the write fails.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["file_size"], order["file_size"]))
    if "seconds" in order:
        timer = threading.Timer(order["seconds"], _die)
        timer.daemon = True
        timer.start()
    try:
        found = {"ok": run(Path(home)).ok, "full": False}
    except DiskFull:
        found = {"ok": False, "full": True}
    os.write(told, json.dumps({"replacements": count, **found}).encode())


def main() -> None:
    """Serve orders until there are no more."""
    # What a first run loads and works out is there for all that follow, so that a child costs no more than its work.
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder))

    for line in sys.stdin:
        order = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                _run(order["home"], order, writing)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            told = json.loads(pipe.read() or b"{}")
        _, status = os.waitpid(child, 0)
        sys.stdout.write(json.dumps({"end": os.waitstatus_to_exitcode(status), **told}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
