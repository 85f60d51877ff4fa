"""Readers of the snapshot while runs publish: always one whole state, and never in the way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.run import run
from tests.pipelines.homes import changed, hand_in, lines_of

ROOT = Path(__file__).parents[2]
STATES = 3

#: Opens what the pointer names, looks whether it is whole, keeps it open, and goes on until standard input is closed.
_READER = """
import json, pathlib, select, sys
import duckdb

home, seen, opened, looks = pathlib.Path(sys.argv[1]), set(), [], 0
print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0.02)[0]:
    try:
        name = json.loads((home / "published" / "current.json").read_bytes())["name"]
    except FileNotFoundError:
        continue
    con = duckdb.connect(str(home / "published" / name), read_only=True)
    said, files, matches = con.execute("select name, files, matches from out_snapshot").fetchall()[0]
    assert said == name
    assert con.execute("select count(*), sum(read) from out_audit__files").fetchall() == [(files, files)]
    for table in ("out_matches", "out_audit__records", "raw_record", "core_record", "core_settlement__scores"):
        assert con.execute(f"select count(distinct file_id) from {table}").fetchall() == [(files,)], table
    assert matches == files
    looks += 1
    if name not in seen:
        seen.add(name)
        opened.append(con)
print(json.dumps([looks, len(seen)]))
"""


@pytest.mark.slow
def test_a_reader_never_sees_half_a_state_and_never_blocks_a_run(tmp_path: Path) -> None:
    line = lines_of("logs", 0, 1)[0]
    with subprocess.Popen(
        [sys.executable, "-c", _READER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        for number in range(STATES):
            hand_in(tmp_path, f"{number}.jsonl", [changed(line, match_id=f"m{number}")])
            report = run(tmp_path)
            assert report.ok
            assert report.files == number + 1
        answer, _ = reader.communicate(b"\n", timeout=60)
    assert reader.returncode == 0
    looks, seen = json.loads(answer)
    assert looks >= STATES
    assert seen >= STATES - 1
