"""Runs that are killed, as children of a process that has everything loaded: ``python -m tests.pipelines.killed``.

Reads lines of JSON from standard input (home, and the number of the replacement before or after which to die, or the
seconds after which) and answers each with the child's end (a signal is negative) and how many replacements it made.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from pipelines.run import run


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _run(home: str, order: dict[str, Any], told: int) -> None:
    """The child: a run that ends as it was ordered to."""
    # Whatever may go wrong in a forked process, it does not go on for ever.
    signal.alarm(120)
    replace, count = Path.replace, 0

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
    if "seconds" in order:
        timer = threading.Timer(order["seconds"], _die)
        timer.daemon = True
        timer.start()
    report = run(Path(home))
    os.write(told, json.dumps({"replacements": count, "ok": report.ok}).encode())


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
