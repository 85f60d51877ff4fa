"""Engine and oracle asked about the same matches: where their answers differ, and how often each verdict came."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from tests.oracle.match import settle
from tests.oracle.test_oracle_cases import differences
from tests.yuanzi_core.tables import Match, judge_block

FIELDS = ("status", "code", "deal", "play", "deals", "outcome", "winner", "scores", "discrepancies")
#: The oracle's sentences behind those notes that depend on the settlement (F6, F7).
_SENTENCES = {
    "ESCAPE_CLAIM": re.compile("F7: the claimed scores are off the schedule"),
    "NO_CAP_UNKNOWN_STANDING": re.compile(r"F6: no standing known for seat (\d)"),
    "CAP_ZERO": re.compile(r"F6: seat (\d) has a cap of 0"),
}
Notes = dict[str, list[int]]


def _notes_of_the_oracle(sentences: Sequence[str]) -> Notes:
    """Codes of notes, each with the seats that it is about."""
    found: Notes = {}
    for sentence in sentences:
        for code, pattern in _SENTENCES.items():
            if said := pattern.match(sentence):
                found.setdefault(code, []).extend(int(seat) for seat in said.groups())
    return found


def _notes_of_the_engine(notes: Sequence[Mapping[str, Any]]) -> Notes:
    return {note["code"]: note.get("seats", []) for note in notes if note["code"] in _SENTENCES}


def disagreements(matches: Sequence[Match]) -> Counter[str]:
    """Check that the engine answers as the oracle does; returns how often each verdict and note came.

    The lines are read as a block, without white space, so that most of them take the fast lane.
    """
    seen: Counter[str] = Counter()
    lines = [json.dumps(made, separators=(",", ":")).encode() for made in matches]
    for made, got in zip(matches, judge_block(lines), strict=True):
        answer = settle(made)
        want = json.loads(json.dumps({field: answer[field] for field in FIELDS}), parse_float=Decimal)
        found = list(differences(want, got)) + list(differences({f: got[f] for f in FIELDS}, want))
        notes = _notes_of_the_oracle(answer["notes"])
        found += differences(notes, _notes_of_the_engine(got["notes"]), ".notes")
        found += differences(_notes_of_the_engine(got["notes"]), notes, ".notes")
        assert not found, f"{found[:3]}\n{json.dumps(made)}"
        seen[answer["code"] or answer["outcome"]] += 1
        seen.update(notes.keys())
    return seen
