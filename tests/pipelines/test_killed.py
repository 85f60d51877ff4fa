"""A run killed at any moment or out of room anywhere, then repeated, ends with the rows of an undisturbed one."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from tests.fuzz import seeds
from tests.pipelines.homes import hand_in, hashes, lines_of, snapshot

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the runs to be killed are forked")

ROOT = Path(__file__).parents[2]
#: Of the moments around each replacement so many are tried, and so many at some time or other.
MOMENTS, TIMES = 3, 1
#: Moments from which on the disk is full, and shares of the snapshot's size that no file may be larger than.
FULL_MOMENTS, FILE_SIZES = 1, (0.01, 0.5)


class Runs:
    """Runs of other processes, which may be killed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def __call__(self, home: Path, **order: Any) -> dict[str, Any]:
        """Run on a home; how it ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"home": str(home), **order}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.pipelines.killed"], cwd=ROOT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield Runs(process)
        process.kill()


def fill(home: Path) -> None:
    """An inbox of two logs, one with duplicates, conflicts and rejects, a score sheet, and registries."""
    hand_in(home, "a.jsonl", lines_of("logs", 155, 162))
    hand_in(home, "b.jsonl", lines_of("dirty", 100, 146))
    hand_in(home, "c.csv", seeds.as_file(".csv"))
    (home / "players.csv").write_text(seeds.PLAYERS, encoding="utf-8")
    (home / "clubs.toml").write_text(seeds.CLUBS, encoding="utf-8")


def fill_with_small_files(home: Path) -> None:
    """An inbox of as many small files as are judged together and packed, some damaged."""
    for number, line in enumerate(lines_of("dirty", 110, 120)):
        hand_in(home, f"{number}.jsonl", [line, *lines_of("logs", number, number + 1)])
    hand_in(home, "cut.jsonl.gz", b"no gzip")


def leftovers(home: Path) -> list[Path]:
    """What lies about under temporary names."""
    return [path for folder in ("lake", "published") for path in (home / folder).rglob(".*.tmp*")]


def snapshot_is_whole(home: Path) -> bool:
    """Whether readers see either nothing yet or a snapshot that adds up."""
    pointer = home / "published" / "current.json"
    if not pointer.exists():
        return True
    with duckdb.connect(str(home / "published" / json.loads(pointer.read_bytes())["name"]), read_only=True) as con:
        read = con.execute("select (select sum(read) from out_audit__files), count(*) from raw_record").fetchall()
    return bool(read[0][0] == read[0][1])


@pytest.mark.parametrize("fill", [fill, fill_with_small_files])
@pytest.mark.slow
def test_a_killed_run_repeated_ends_as_an_undisturbed_one(
    runs: Runs, tmp_path: Path, fill: Callable[[Path], None]
) -> None:
    fill(tmp_path / "undisturbed")
    undisturbed = runs(tmp_path / "undisturbed")
    assert (undisturbed["end"], undisturbed["ok"]) == (0, True)
    wanted = hashes(tmp_path / "undisturbed")
    rng = Random(20)
    replacements = range(undisturbed["replacements"])
    assert len(replacements) > 25
    # The last replacement is that of the pointer.
    orders: list[dict[str, Any]] = [{"before": replacements[-1]}, {"after": replacements[-1]}]
    orders += [{rng.choice(["before", "after"]): at} for at in rng.sample(replacements, MOMENTS)]
    orders += [{"seconds": rng.uniform(0.05, 1.0)} for _ in range(TIMES)]
    home = tmp_path / "killed"
    for number, order in enumerate(orders):
        # Some are killed once from the beginning, some again and again on the way.
        if number % 3 == 0:
            home = tmp_path / f"killed{number}"
            fill(home)
        ended = runs(home, **order)
        assert ended["end"] in (-signal.SIGKILL, 0)
        assert snapshot_is_whole(home)
        if number % 3 == 2 or number == len(orders) - 1:
            again = runs(home)
            assert (again["end"], again["ok"]) == (0, True), order
            assert hashes(home) == wanted, order
            assert leftovers(home) == [], order


@pytest.mark.slow
def test_a_run_on_a_full_disk_says_so_and_the_next_goes_on(runs: Runs, tmp_path: Path) -> None:
    # A home with something published, and more in its inbox.
    begun = tmp_path / "begun"
    hand_in(begun, "first.jsonl", lines_of("logs", 0, 20))
    assert runs(begun)["ok"]
    before = snapshot(begun).name
    fill(begun)
    undisturbed = shutil.copytree(begun, tmp_path / "undisturbed")
    replacements = runs(undisturbed)["replacements"]
    wanted, rng = hashes(undisturbed), Random(21)
    orders: list[dict[str, int]] = [{"full": 0}, {"full": replacements - 1}]
    orders += [{"full": at} for at in rng.sample(range(1, replacements - 1), FULL_MOMENTS)]
    orders += [{"file_size": int(share * snapshot(undisturbed).stat().st_size)} for share in FILE_SIZES]
    for number, order in enumerate(orders):
        home = shutil.copytree(begun, tmp_path / f"full{number}")
        ended = runs(home, **order)
        assert (ended["end"], ended["ok"], ended["full"]) == (0, False, True), order
        # What was published before is as it was, and nothing half-written is left.
        assert snapshot(home).name == before, order
        assert snapshot_is_whole(home)
        assert leftovers(home) == [], order
        if number % 3 == 0:
            again = runs(home)
            assert (again["end"], again["ok"]) == (0, True), order
            assert hashes(home) == wanted, order
