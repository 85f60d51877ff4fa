"""The fast lane never judges: what it accepts, the slow way accepts with the same values, and the rest it leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yuanzi_core import deals as d
from yuanzi_core import records, scan
from yuanzi_core.cards import VARIANTS
from yuanzi_core.records import Chunk, Reader
from yuanzi_core.ruleset import Rulesets

CASES = Path(__file__).parents[1] / "cases"
LINES = (CASES / "logs.jsonl").read_bytes().splitlines()[:40]


def by_row(chunk: Chunk) -> list[Any]:
    """What a chunk says of each record, in an order that does not depend on the lane."""
    deals: dict[int, list[Any]] = {}
    for variant in VARIANTS:
        batch, rows = chunk.deals[variant], chunk.rows[variant]
        for deal in range(len(batch)):
            plays = batch.plays[batch.offsets[deal] : batch.offsets[deal + 1]].tolist()
            head = batch.head[:, deal].tolist()
            row = rows[head[d.MATCH]]
            ruleset = batch.rulesets[head[d.RULES]].hash
            deals.setdefault(row, []).append(
                (variant, ruleset, head[d.DEAL], head[d.DRAWN :], batch.hands[deal].tolist(), plays)
            )
    return [
        (
            record.row, record.line, record.match_id, record.revision, record.ruleset and record.ruleset.hash,
            record.problem and (record.problem.code, record.problem.path), record.notes, record.claims,
            None if record.problem else chunk.amounts[record.row].tolist(), deals.get(record.row),
        )
        for record in chunk.records
    ]  # fmt: skip


def both_lanes(block: bytes) -> tuple[list[Any], list[Any]]:
    """The records of a block by the slow way and by the fast lane."""
    reader = Reader(Rulesets())
    whole, records._WORTH_SCANNING = records._WORTH_SCANNING, 0
    try:
        fast = reader.read_block(1, block)
        records._WORTH_SCANNING = len(block) + 1
        return by_row(reader.read_block(1, block)), by_row(fast)
    finally:
        records._WORTH_SCANNING = whole


@pytest.mark.parametrize("name", ["logs", "pairs", "edges", "rare", "claims", "dirty"])
def test_both_lanes_read_the_cases_alike(name: str) -> None:
    slow, fast = both_lanes((CASES / f"{name}.jsonl").read_bytes().removeprefix(b"\xef\xbb\xbf"))
    assert slow == fast


def test_the_fast_lane_takes_what_is_usual() -> None:
    block = (CASES / "edges.jsonl").read_bytes()
    assert np.isin(scan.scan(block).fate, (scan.FOUR, scan.FIVE)).mean() > 0.99


def changed(number: int, **fields: object) -> bytes:
    match = json.loads(LINES[number])
    match.update(fields)
    return json.dumps(match, ensure_ascii=False, separators=(",", ":")).encode()


def with_text(old: bytes, new: bytes) -> bytes:
    assert old in LINES[0]
    return LINES[0].replace(old, new, 1)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(with_text(b'"format":', b'"match_id":"x","format":'), id="a key twice"),
        pytest.param(with_text(b'"format":', b'"extra":1,"format":'), id="an unknown field"),
        pytest.param(with_text(b'"leader":1', b'"leader":1.0'), id="a seat with a point"),
        pytest.param(with_text(b'"leader":1', b'"leader":01'), id="a leading zero"),
        pytest.param(with_text(b'"leader":1', b'"leader":5'), id="no such seat"),
        pytest.param(with_text(b'"leader":1', b'"leader":true'), id="a truth value"),
        pytest.param(with_text(b'"leader":1', b'"leader":null'), id="a required field that is null"),
        pytest.param(with_text(b'"match_id":"', b'"match_id":"\\u0041'), id="an escape"),
        pytest.param(with_text(b'"match_id":"', b'"match_id":"\xff'), id="not UTF-8"),
        pytest.param(with_text(b'"match_id":"', b'"match_id":"\xed\xa0\x80'), id="a surrogate"),
        pytest.param(with_text(b'"match_id":"', b'"match_id":"\xc0\x80'), id="an overlong form"),
        pytest.param(with_text(b'"match_id":"', b'"match_id":"\t'), id="a control character"),
        pytest.param(with_text(b'"end":"points"', b'"end":"escape"'), id="an escape without a seat"),
        pytest.param(with_text(b'"end":"points"', b'"end":"draw"'), id="no such end"),
        pytest.param(with_text(b'"drawn":"7d"', b'"drawn":"7D"'), id="tolerant notation"),
        pytest.param(with_text(b'"plays":"1:2sXS', b'"plays":"1:2s3s'), id="a play of two ranks"),
        pytest.param(with_text(b'"plays":"1:', b'"plays":"7:'), id="no such seat in a play"),
        pytest.param(LINES[0] + b"}", id="something behind"),
        pytest.param(LINES[0][:-1], id="something missing"),
        pytest.param(changed(0, base=0), id="base 0"),
        pytest.param(changed(0, base=1.125), id="base of three decimals"),
        pytest.param(changed(0, revision=0), id="revision 0"),
        pytest.param(changed(0, played_at="2026-02-30T20:00:00+08:00"), id="no such day"),
        pytest.param(changed(0, played_at="2026-02-28T20:00:00"), id="no offset"),
        pytest.param(changed(0, claimed={"winner": 0}), id="a claim"),
        pytest.param(changed(0, players=[{"id": "p"}] * 5), id="a player twice"),
        pytest.param(changed(0, match_id=""), id="no match_id"),
        pytest.param(changed(0, match_id="x" * 129), id="a long match_id"),
        pytest.param(changed(0, deals=[]), id="no deal"),
    ],
)
def test_the_fast_lane_leaves_what_is_not_usual(line: bytes) -> None:
    assert scan.scan(line + b"\n").fate.tolist() == [scan.REFUSED]
    slow, fast = both_lanes(line)
    assert slow == fast


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(changed(0, base=2.25), id="a base with decimals"),
        pytest.param(changed(0, base=0.5), id="a base below 1"),
        pytest.param(changed(0, club="嘉兴南湖棋牌社", table="一号桌"), id="Chinese names"),
        pytest.param(changed(0, club=None, revision=3, rules={"cap": "none"}), id="null, revision, overrides"),
        pytest.param(changed(0, played_at="2024-02-29T23:59:59.5Z"), id="a leap day, a fraction, Z"),
        pytest.param(json.dumps(json.loads(LINES[1])).encode() + b" \r", id="white space between all signs"),
        pytest.param(
            changed(0, players=[{"id": f"p{seat}", "name": "阿明", "balance": -12.125} for seat in range(5)]),
            id="balances below 0 with decimals",
        ),
    ],
)
def test_the_fast_lane_takes_what_clubs_write(line: bytes) -> None:
    assert scan.scan(line + b"\n").fate.tolist() in ([scan.FOUR], [scan.FIVE])
    slow, fast = both_lanes(line)
    assert slow == fast


def test_lines_are_numbered_with_blank_ones_between() -> None:
    slow, fast = both_lanes(b"\n".join([b"", LINES[0], b"  \r", b"{", LINES[1], b"", b""]))
    assert slow == fast
    assert [record[1] for record in fast] == [2, 4, 5]


def test_a_ruleset_that_does_not_exist_is_told_of() -> None:
    slow, fast = both_lanes(changed(0, ruleset="none") + b"\n" + LINES[1])
    assert slow == fast
    assert fast[0][5] == ("RULESET", "ruleset")


@given(
    st.sampled_from(LINES),
    st.lists(
        st.tuples(st.integers(0, 10_000), st.sampled_from([b"", *map(bytes, zip(range(256)))]), st.booleans()),
        min_size=1, max_size=3,
    ),
)  # fmt: skip
def test_a_spoilt_line_is_read_alike_in_both_lanes(line: bytes, faults: list[tuple[int, bytes, bool]]) -> None:
    for place, sign, replaces in faults:
        # Faults in the hands are rare otherwise: they take most of the line.
        at = place % len(line) if place % 2 else place % min(len(line), 600)
        line = line[:at] + sign + line[at + replaces :]
    slow, fast = both_lanes(line.replace(b"\n", b" "))
    assert slow == fast
