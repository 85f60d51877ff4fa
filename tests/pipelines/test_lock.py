"""Two runs on one home do not run at once, and a dead one holds nothing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.lock import Busy, Lock
from pipelines.run import run

_HOLDER = """
import pathlib, sys
from pipelines.lock import Lock
with Lock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    input()
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lock until it is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_the_second_is_told_who_holds_it(tmp_path: Path) -> None:
    with held_elsewhere(tmp_path / ".lock") as holder:
        with pytest.raises(Busy) as busy:
            run(tmp_path)
        assert (busy.value.pid, busy.value.host) == (holder.pid, socket.gethostname())
        assert busy.value.since is not None
        assert not (tmp_path / "lake").exists()
    # Killed, it holds nothing any more.
    with Lock(tmp_path / ".lock"):
        assert json.loads((tmp_path / ".lock").read_bytes())["pid"] == os.getpid()
    assert (tmp_path / ".lock").read_bytes() == b""


def test_the_holder_may_take_it_again(tmp_path: Path) -> None:
    lock, other = Lock(tmp_path / ".lock"), Lock(tmp_path / ".lock")
    with lock:
        with lock:
            pass
        with pytest.raises(Busy), other:
            pass
    with other:
        pass


def test_a_holder_that_has_not_said_who_it_is_is_nobody_known(tmp_path: Path) -> None:
    lock = Lock(tmp_path / ".lock")
    with lock:
        (tmp_path / ".lock").write_bytes(b"{")
        with pytest.raises(Busy) as busy, Lock(tmp_path / ".lock"):
            pass
        assert busy.value.pid is None
