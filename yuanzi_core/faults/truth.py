"""The truth about an injected fault: what a checker must find in the record, and what becomes of it in a warehouse."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from yuanzi_core.faults.kinds import Fault
from yuanzi_core.reasons import Discrepancy, Reject, Violation


class Claimed(Struct):
    """A claim that does not hold, as answers list it (LOG_FORMAT): ``deal`` is ``None`` for a claim of the match."""

    code: Discrepancy
    deal: int | None
    claimed: Any
    recomputed: Any


class Truth(Struct, kw_only=True):
    """One record that is not as it should be.

    ``line`` counts the records of the stream from 1. ``status``, ``code``, ``deal``, ``play`` and ``discrepancies`` are
    what a checker that judges each record alone must answer; ``stored`` is the status in a warehouse that has all
    records. In a league the standings that are logged go on by what counts there: no fault makes a later balance wrong.
    ``detail`` says which of several forms a fault took, for example ``clamp=any_side``.
    """

    match_id: str
    revision: int
    fault: Fault
    status: str
    stored: str
    file: str = ""
    line: int = 0
    code: Violation | Reject | None = None
    deal: int | None = None
    play: int | None = None
    discrepancies: list[Claimed] = []
    detail: str | None = None


_encoder = msgspec.json.Encoder(decimal_format="number")


def encode_truth(truth: Truth) -> bytes:
    """One line of JSON without its line end, decimals exact."""
    return _encoder.encode(truth)
