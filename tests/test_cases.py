"""The handed cases, judged as ``yuanzi settle`` judges them and compared by the script that came with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from yuanzi_core.answers import answers, encode
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import judge_files

CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize(
    ("name", "count"), [("logs", 500), ("pairs", 1500), ("edges", 514), ("rare", 282), ("claims", 60), ("dirty", 146)]
)
def test_all_answers_agree(name: str, count: int, tmp_path: Path) -> None:
    given = tmp_path / "answers.jsonl"
    with given.open("wb") as file:
        for judged in judge_files([str(CASES / f"{name}.jsonl")], Rulesets()):
            for answer in answers(judged):
                file.write(encode(answer) + b"\n")
    run = subprocess.run(
        [sys.executable, str(CASES / "compare.py"), str(CASES / f"{name}.expected.jsonl"), str(given)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout.strip()) == (0, f"{count} of {count} agree"), run.stdout + run.stderr
