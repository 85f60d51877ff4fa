"""Any bytes as a file of matches: read and judged as the command does, and what must hold of the answers."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import Any

from yuanzi_core.answers import answers, encode
from yuanzi_core.database import connect
from yuanzi_core.files import Damage, lines_of, read_blocks
from yuanzi_core.judge import Judge
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import Judged, read_chunks

STATUSES = {"settled", "unfinished", "violation", "rejected"}
#: What no sentence for people has in it: a failure of our own, a field that was not filled in.
SLIPS = ("Traceback", 'File "', "Error(", "{path}", "{found}", "{detail}", "None None")

Answer = dict[str, Any]


@cache
def court() -> tuple[Reader, Judge]:
    """Who reads and judges, once for all inputs."""
    return Reader(Rulesets()), Judge(connect())


def judged(data: bytes, name: str) -> list[tuple[Answer, Answer]]:
    """The answers to the records of a file in English and in Chinese."""
    reader, judge = court()
    found: list[tuple[Answer, Answer]] = []
    for chunk, _ in read_chunks(io.BytesIO(data), name, reader):
        judge.judge(chunk, set())
        of_chunk = Judged(name, chunk, set(), judge)
        english, chinese = ([json.loads(encode(a)) for a in answers(of_chunk, lang)] for lang in ("en", "zh"))
        found += zip(english, chinese, strict=True)
    return found


def read(data: bytes, name: str) -> tuple[list[int], int]:
    """The lines of the records that a file holds, and how many damages it ends with."""
    lines: list[int] = []
    damages = 0
    for block in read_blocks(io.BytesIO(data), name):
        if isinstance(block, Damage):
            damages += 1
        else:
            lines += [line for line, _ in lines_of(block)]
    return lines, damages


def is_sound(message: str | None) -> bool:
    """Whether a message is a sentence of ours."""
    return bool(message) and not any(slip in str(message) for slip in SLIPS)


def check(data: bytes, name: str, lines: list[int] | None = None) -> list[Answer]:
    """What must hold of every file; returns the English answers. ``lines`` are those that are known to be settled."""
    found = judged(data, name)
    records, damages = read(data, name)
    assert damages <= 1
    # Each record has exactly one verdict, and so has what a damage stands for.
    given = [english["line"] for english, _ in found]
    assert len(given) == len(records) + damages
    assert sorted(given[: len(records)]) == sorted(records)
    if not name.endswith((".csv", ".xlsx")):
        assert given == sorted(set(given)), given
    for english, chinese in found:
        assert english["status"] in STATUSES, english
        assert {**english, "message": None} == {**chinese, "message": None}
        if english["status"] in ("rejected", "violation"):
            assert english["code"], english
            assert is_sound(english["message"]), english
            assert is_sound(chinese["message"]), chinese
        elif english["status"] == "settled":
            assert sum(map(float, english["scores"])) == 0, english
    status = {english["line"]: english["status"] for english, _ in found}
    for line in lines or ():
        assert status.get(line) == "settled", (line, status)
    return [english for english, _ in found]
