"""The oracle agrees with every case handed in, in the fields that the expected answer carries."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.match import settle

CASES = Path(__file__).parent.parent / "cases"


def read_lines(path: Path) -> list[tuple[int, Any]]:
    """The records of a file with their line numbers."""
    with path.open(encoding="utf-8-sig") as file:
        return [(number, json.loads(line)) for number, line in enumerate(file, 1) if line.strip()]


def differences(want: Any, got: Any, path: str = "") -> Iterator[str]:
    """Where an answer differs from the expected one, field by field."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            yield from differences(value, got.get(key), f"{path}.{key}")
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for place, (one, other) in enumerate(zip(want, got, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif want != got or isinstance(want, bool) != isinstance(got, bool):
        yield f"{path}: expected {want!r}, got {got!r}"


@pytest.mark.parametrize("name", ["logs", "pairs", "edges", "rare", "claims"])
def test_the_oracle_agrees_with_the_cases(name: str) -> None:
    answers: dict[Any, Any] = {}
    for number, match in read_lines(CASES / f"{name}.jsonl"):
        answer = {"line": number, **settle(match)}
        answers[number] = answers[match["match_id"]] = json.loads(json.dumps(answer))
    wrong = []
    expected = read_lines(CASES / f"{name}.expected.jsonl")
    for _, want in expected:
        found = list(differences(want, answers[want.get("line", want["match_id"])]))
        if found:
            wrong.append(f"{want['match_id']}{found[0]}")
    assert not wrong, f"{len(expected) - len(wrong)} of {len(expected)} agree:\n" + "\n".join(wrong[:20])
    assert expected
