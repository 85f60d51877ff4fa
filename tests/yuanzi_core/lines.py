"""Good matches, spoilt ones, and what becomes of their lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.yuanzi_core.layouts import FIVE_0_OUT, FIVE_1_OUT, FOUR_DOUBLE_OUT, five, four
from tests.yuanzi_core.tables import Answer, Match, judge_file, match


def good(variant: str = "four", match_id: str = "m1") -> Match:
    """A match that is settled."""
    made = four(FOUR_DOUBLE_OUT) if variant == "four" else five(f"{FIVE_0_OUT} {FIVE_1_OUT}")
    return match(variant, made, match_id=match_id)


def changed(path: str, value: Any, variant: str = "four") -> Match:
    """A good match with the value at a path replaced, or (``...``) removed."""
    made: Any = json.loads(json.dumps(good(variant)))
    inner = made
    *steps, last = [
        int(step) if step.isdigit() else step for step in path.replace("[", ".").replace("]", "").split(".")
    ]
    for step in steps:
        inner = inner[step]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    assert isinstance(made, dict)
    return made


def is_rejected(answer: Answer, code: str, path: str = "") -> None:
    """Check a reject: no settlement, and a message that names the path."""
    assert (answer["status"], answer["code"], answer["deal"], answer["play"]) == ("rejected", code, None, None), answer
    assert (answer["deals"], answer["outcome"], answer["winner"], answer["scores"]) == ([], None, None, None)
    assert path in answer["message"], answer["message"]


def in_file(tmp_path: Path, data: bytes, name: str = "log.jsonl") -> list[Answer]:
    """The answers to a file of these bytes, with the records that came before in mind."""
    path = tmp_path / name
    path.write_bytes(data)
    return judge_file(path)


def statuses(found: list[Answer]) -> list[tuple[int, str, str | None]]:
    """Line, status and code of answers."""
    return [(answer["line"], answer["status"], answer.get("code")) for answer in found]
