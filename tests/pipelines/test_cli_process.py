"""The command as a process: pipes, signals, and what it loads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.pipelines.homes import CASES

YUANZI = [sys.executable, "-m", "pipelines.cli"]
ROOT = Path(__file__).parents[2]
HEAVY = {"polars", "dagster", "streamlit", "pandas", "pyarrow", "altair", "zstandard", "pydantic", "rich"}

LOADED = """
import sys
from pipelines.cli import build, main
import typer
typer.main.get_command(build("zh")).main(sys.argv[1:], standalone_mode=False)
print(*sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """The packages that a call loads."""
    run = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(run.stderr.split())


def test_check_loads_nothing_heavy() -> None:
    found = loaded("check", str(CASES / "claims.jsonl"))
    assert {"numba", "duckdb"} <= found
    assert not found & HEAVY


@pytest.mark.parametrize("call", [["--help"], ["levels"], ["rules", "five-atomic"], ["schema"], ["check", "--help"]])
def test_what_needs_no_matches_loads_no_compiler(call: list[str]) -> None:
    assert not loaded(*call) & (HEAVY | {"numba", "duckdb", "numpy"})


def test_standard_input_is_read() -> None:
    given = (CASES / "claims.jsonl").read_bytes()
    run = subprocess.run([*YUANZI, "settle", "-"], cwd=ROOT, input=given, capture_output=True, check=False)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert (run.returncode, run.stderr) == (1, b"")
    assert len(answers) == 60
    assert {answer["file"] for answer in answers} == {"-"}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="pipes break in other ways there")
@pytest.mark.parametrize("call", [["settle", "--format", "jsonl"], ["check"]])
def test_a_reader_that_leaves_ends_the_command_quietly(call: list[str], tmp_path: Path) -> None:
    long = tmp_path / "long.jsonl"
    long.write_bytes(b"{}\n" * 50_000)
    with subprocess.Popen(
        [*YUANZI, *call, str(long)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:  # fmt: skip
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.read(10)
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait(60) == 141


@pytest.mark.skipif(os.name == "nt", reason="the keyboard interrupts in other ways there")
def test_the_keyboard_ends_the_command_quietly(tmp_path: Path) -> None:
    # It waits for an input that does not come; when it has opened it, it is at work.
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    call = [*YUANZI, "check", str(pipe)]
    run = subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with run, pipe.open("wb"):
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        shown, said = run.communicate(timeout=60)
    assert (run.returncode, shown, said) == (130, b"", b"")
