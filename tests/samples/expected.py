"""What is to be found in each line of ``data/samples``, written down by hand.

A line of the table: the line of the file, the match, the verdict (of a violation its code, deal and play), the outcome
and the winner, the scores, and the claims that do not hold (with their deals) or what is noted. Behind ``>`` stands
what becomes of a record in a warehouse that has all files, where that is something else (LOG_FORMAT, *Which record
counts*).
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

TABLE = """
huzhou-2026-03-07.jsonl
   1 | hz-20260307-t2-01 | settled                      | normal 0     | 3 -2 3 -2 -2
   2 | hz-20260307-t2-02 | settled                      | normal 1     | -2 3 -2 3 -2
   3 | hz-20260307-t2-03 | settled                      | normal 1     | 2 -3 2 -3 2
   4 | hz-20260307-t2-04 | settled                      | low 1        | 4 -6 4 -6 4
   5 | hz-20260307-t2-05 | settled                      | zero 1       | 6 -9 6 6 -9
   6 | hz-20260307-t2-06 | settled                      | low 0        | 2 2 2 -3 -3
   7 | hz-20260307-t2-07 | settled                      | escape -     | 0 -10 0 0 0
   8 | hz-20260307-t2-08 | settled                      | escape -     | 3 0 3 0 -18
   9 | hz-20260307-t2-09 | settled                      | normal 0     | 2 -3 2 -3 2

huzhou-2026-03-13-violations.jsonl
   1 | hz-20260313-t1-01 | violation DECK 0 -
   2 | hz-20260313-t1-02 | violation KNIFE 0 -
   3 | hz-20260313-t1-03 | violation KNIFE 1 -
   4 | hz-20260313-t1-04 | violation FIRST_DRAW 0 -
   5 | hz-20260313-t1-05 | violation HAND_SIZE 0 -
   6 | hz-20260313-t1-06 | violation LEADER 0 -
   7 | hz-20260313-t1-07 | violation AFTER_END 0 171
   8 | hz-20260313-t1-08 | violation AFTER_END 1 -
   9 | hz-20260313-t1-09 | violation TURN 0 20
  10 | hz-20260313-t1-10 | violation LEAD_PASS 1 30
  11 | hz-20260313-t1-11 | violation NOT_HELD 0 33
  12 | hz-20260313-t1-12 | violation NOT_A_COMBO 0 13
  13 | hz-20260313-t1-13 | violation NOT_A_COMBO 0 0
  14 | hz-20260313-t1-14 | violation CANNOT_BEAT 0 79
  15 | hz-20260313-t1-15 | violation CANNOT_BEAT 0 44
  16 | hz-20260313-t1-16 | violation TRUNCATED 0 60
  17 | hz-20260313-t2-01 | violation DECK 0 -
  18 | hz-20260313-t2-02 | violation KNIFE 0 -
  19 | hz-20260313-t2-03 | violation CALL 0 -
  20 | hz-20260313-t2-04 | violation LEADER 0 -
  21 | hz-20260313-t2-05 | violation CANNOT_BEAT 0 54
  22 | hz-20260313-t2-06 | violation TRUNCATED 0 30
  23 | hz-20260313-t2-07 | violation TRUNCATED 0 97
  24 | hz-20260313-t2-08 | violation END 0 245
  25 | hz-20260313-t2-09 | violation END 0 134

huzhou-2026-03-14-rejects.jsonl
   1 | hz-20260314-t1-01 | settled                      | escape 0     | 0 0 0 -4
   2 | -                 | rejected JSON
   3 | -                 | rejected JSON
   4 | hz-20260314-t1-03 | rejected JSON
   5 | -                 | rejected JSON
   6 | -                 | rejected JSON
   8 | hz-20260314-t1-05 | rejected VERSION
   9 | hz-20260314-t1-06 | rejected VERSION
  10 | hz-20260314-t1-07 | rejected SCHEMA
  11 | hz-20260314-t1-08 | rejected SCHEMA
  12 | hz-20260314-t1-09 | rejected SCHEMA
  13 | hz-20260314-t1-10 | rejected SCHEMA
  14 | hz-20260314-t1-11 | rejected SCHEMA
  15 | hz-20260314-t1-12 | rejected SCHEMA
  16 | hz-20260314-t1-13 | rejected RULESET
  17 | hz-20260314-t1-14 | rejected RULESET
  18 | hz-20260314-t1-15 | rejected RULESET
  19 | hz-20260314-t1-16 | rejected RULESET
  20 | hz-20260314-t1-17 | rejected NOTATION
  21 | hz-20260314-t1-18 | rejected NOTATION
  22 | hz-20260314-t1-19 | rejected NOTATION
  23 | hz-20260314-t1-20 | settled > rejected DUPLICATE | escape 0     | 0 0 0 -4
  24 | hz-20260314-t1-20 | rejected DUPLICATE
  25 | hz-20260314-t1-01 | duplicate

huzhou-2026-04-03.jsonl.gz
   1 | hz-20260403-t1-01 | settled                      | normal 0     | -2 3 -2 -2 3
   2 | hz-20260403-t1-02 | settled                      | normal 0     | 2 2 2 -3 -3
   3 | hz-20260403-t1-03 | settled                      | normal 1     | 2 2 -3 -3 2
   4 | hz-20260403-t1-04 | settled                      | low 0        | 6 -4 -4 -4 6

huzhou-2026-04-11-cut-off.jsonl.gz
   1 | hz-20260411-t1-01 | settled                      | double 0     | 2 -2 2 -2
   2 | hz-20260411-t1-02 | settled                      | double 0     | 2 -2 2 -2
   3 | -                 | rejected JSON

jiaxing-2026-03-06.jsonl
   1 | jx-20260306-t1-01 | settled                      | double 0     | 2 -2 2 -2
   2 | jx-20260306-t1-02 | settled                      | normal 0     | 1 -1 1 -1
   3 | jx-20260306-t1-03 | settled                      | double 1     | -2 2 -2 2
   4 | jx-20260306-t1-04 | settled                      | normal 1     | -1 1 -1 1
   5 | jx-20260306-t1-05 | settled                      | normal 1     | -1 1 -1 1
   6 | jx-20260306-t1-06 | settled                      | normal 1     | -2 2 -2 2
   7 | jx-20260306-t1-07 | settled                      | escape 1     | 0 0 -4 0
   8 | jx-20260306-t1-08 | settled                      | escape 0     | 1 0 1 -4
   9 | jx-20260306-t1-09 | settled                      | escape 1     | -2 1 0 1
  10 | jx-20260306-t1-10 | settled                      | normal 1     | -1 1 -1 1
  11 | jx-20260306-t1-11 | settled                      | normal 0     | 1 -1 1 -1
  12 | jx-20260306-t1-12 | unfinished                   | unfinished -

jiaxing-2026-03-20-claims.jsonl
   1 | jx-20260320-t1-01 | settled                      | double 0     | 2 -2 2 -2
   2 | jx-20260320-t1-02 | settled                      | double 0     | 2 -2 2 -2          | CLAIM_FINISH 0
   3 | jx-20260320-t1-03 | settled                      | double 0     | 2 -2 2 -2          | CLAIM_CAPTURED 0
   4 | jx-20260320-t1-04 | settled                      | double 1     | -2 2 -2 2          | CLAIM_SIDE_POINTS 0
   5 | jx-20260320-t1-05 | settled                      | double 1     | -2 2 -2 2          | CLAIM_OUTCOME; \
CLAIM_SCORES
   6 | jx-20260320-t1-06 | settled                      | normal 0     | 1 -1 1 -1          | CLAIM_WINNER; CLAIM_SCORES
   7 | jx-20260320-t1-07 | settled                      | normal 0     | 1 -1 1 -1          | CLAIM_OUTCOME
   8 | jx-20260320-t1-08 | unfinished                   | unfinished - |                    | CLAIM_OUTCOME
   9 | jx-20260320-t1-09 | settled                      | normal 1     | -1 1 -1 1          | CLAIM_FINISH 0; \
CLAIM_CAPTURED 0; CLAIM_SIDE_POINTS 0; CLAIM_FINISH 1; CLAIM_CAPTURED 1; CLAIM_SIDE_POINTS 1; CLAIM_OUTCOME; \
CLAIM_WINNER; CLAIM_SCORES
  10 | jx-20260320-t1-10 | settled                      | double 0     | 2 -2 2 -2          | CLAIM_UNREADABLE; \
CLAIM_UNREADABLE; CLAIM_UNREADABLE; CLAIM_UNREADABLE; CLAIM_UNREADABLE
  11 | jx-20260320-t2-01 | settled                      | normal 0     | -3 2 -3 -3 4.5     | CLAIM_SCORES
  12 | jx-20260320-t2-02 | settled                      | normal 0     | 3 -4.5 3 -4.5 3    | CLAIM_SCORES
  13 | jx-20260320-t2-03 | settled                      | normal 0     | 3 -2 -2 3 -2       | CLAIM_SIDE_POINTS 0
  14 | jx-20260320-t2-04 | settled                      | escape -     | 0 2 0 2 -16        | ESCAPE_CLAIM
  15 | jx-20260320-t2-05 | settled                      | escape -     | 1 1 0 -10 1        | CLAIM_SCORES

jiaxing-2026-03-27.jsonl
   1 | jx-20260327-t1-01 | violation TURN 0 40 > superseded
   2 | jx-20260327-t1-02 | settled                      | double 1     | -2 2 -2 2
   3 | jx-20260327-t1-03 | settled > rejected DUPLICATE | double 0     | 2 -2 2 -2
   4 | jx-20260327-t1-04 | settled > superseded         | double 0     | 2 -2 2 -2
   5 | jx-20260327-t1-05 | settled                      | double 0     | 2 -2 2 -2

jiaxing-2026-03-28-corrections.jsonl
   1 | jx-20260327-t1-01 | settled                      | double 0     | 2 -2 2 -2
   2 | jx-20260327-t1-02 | duplicate
   3 | jx-20260327-t1-03 | rejected DUPLICATE
   4 | jx-20260327-t1-04 | rejected DUPLICATE > superseded
   5 | jx-20260327-t1-04 | settled                      | double 0     | 2 -2 2 -2
   6 | jx-20260327-t1-05 | rejected SCHEMA

jiaxing-2026-04-10.parquet
   1 | jx-20260410-t1-01 | settled                      | double 1     | -2 2 -2 2
   2 | jx-20260410-t1-02 | settled                      | normal 1     | -1 1 -1 1
   3 | jx-20260410-t1-03 | settled                      | double 0     | 2 -2 2 -2
   4 | jx-20260410-t1-04 | settled                      | normal 1     | -1 1 -1 1
   5 | jx-20260410-t2-01 | settled                      | normal 0     | 3 -2 -2 3 -2
   6 | jx-20260410-t2-02 | settled                      | normal 1     | -3 2 2 -3 2

tongxiang-2026-03-08.jsonl
   1 | tx-20260308-t1-01 | settled                      | normal 1     | 4 6 -9 -9 6
   2 | tx-20260308-t1-02 | settled                      | normal 1     | 3 3 0 -4.5 -4.5    | CAP_ZERO
   3 | tx-20260308-t1-03 | settled                      | normal 1     | 7.5 -5 7.5 -5 -5
   4 | tx-20260308-t1-04 | settled                      | low 0        | -9 -9 6 6 0        | CAP_ZERO
   5 | tx-20260308-t1-05 | settled                      | normal 1     | 0 6 -9 -9 6        | CAP_ZERO
   6 | tx-20260308-t1-06 | settled                      | normal 1     | -6 4 0 4 -6        | \
NO_CAP_UNKNOWN_STANDING; CAP_ZERO
   7 | tx-20260308-t1-07 | settled                      | escape -     | 0 0 -22 5 5
   8 | tx-20260308-t1-08 | settled                      | low 1        | 5 5 -7.5 -7.5 0    | CAP_ZERO
   9 | tx-20260308-t1-09 | settled                      | normal 1     | 4 4 -6 -6 4

tongxiang-2026-03-21-notation.jsonl
   1 | tx-20260321-t1-01 | settled                      | double 0     | 2 -2 2 -2
   2 | tx-20260321-t1-02 | settled                      | double 1     | -2 2 -2 2
   3 | tx-20260321-t1-03 | settled                      | double 0     | 2 -2 2 -2
   4 | tx-20260321-t2-01 | settled                      | low 1        | -8 -8 0 12 -8      | CAP_ZERO
   5 | tx-20260321-t2-02 | settled                      | low 0        | 9 -6 -6 -6 0       | \
UNKNOWN_FIELDS; OTHER_VARIANT_FIELDS; CAP_ZERO

tongxiang-2026-04-04.jsonl.zst
   1 | tx-20260404-t1-01 | settled                      | normal 1     | -3 4.5 -3 4.5 -3
   2 | tx-20260404-t1-02 | settled                      | normal 0     | 5 -7.5 -7.5 5 5
   3 | tx-20260404-t1-03 | settled                      | normal 0     | 3 -4.5 0 -4.5 0    | CAP_ZERO
   4 | tx-20260404-t1-04 | settled                      | low 1        | 0 6 -4 -4 -4       | CAP_ZERO
"""


class Expected(NamedTuple):
    """A line of the table. ``found``: codes of discrepancies and notes in their order, each with its deal or None."""

    line: int
    match_id: str | None
    status: str
    code: str | None
    deal: int | None
    play: int | None
    outcome: str | None
    winner: int | None
    scores: list[Decimal] | None
    found: list[tuple[str, int | None]]
    in_warehouse: tuple[str, str | None]


def _number(text: str | None) -> int | None:
    return None if text is None or text == "-" else int(text)


def _padded(cell: str, words: int) -> list[str | None]:
    """So many words of a cell; None for those that it does not have."""
    return [*cell.split(), *[None] * words][:words]


def _row(text: str) -> Expected:
    line, match_id, verdict, result, scores, found = [*(cell.strip() for cell in text.split("|")), "", "", ""][:6]
    alone, _, kept = verdict.partition(" > ")
    status, code, deal, play = _padded(alone, 4)
    counted, why = _padded(kept or alone, 4)[:2]
    outcome, winner = _padded(result, 2)
    codes = [_padded(one, 2) for one in found.split(";") if one.strip()]
    return Expected(
        int(line), None if match_id == "-" else match_id, str(status), code, _number(deal), _number(play), outcome,
        _number(winner), [Decimal(score) for score in scores.split()] or None,
        [(str(name), _number(at)) for name, at in codes], (str(counted), why),
    )  # fmt: skip


def expected() -> dict[str, list[Expected]]:
    """The table by file."""
    files: dict[str, list[Expected]] = {}
    for part in TABLE.strip().split("\n\n"):
        name, *rows = part.splitlines()
        files[name] = [_row(row) for row in rows]
    return files
