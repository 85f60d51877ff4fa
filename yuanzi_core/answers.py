"""Machine-readable answers (``yuanzi settle``): one record, one JSON object, as LOG_FORMAT describes it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec

from yuanzi_core.messages import message_of_problem, message_of_violation
from yuanzi_core.reasons import Note
from yuanzi_core.stream import Judged
from yuanzi_core.texts import Lang

Answer = dict[str, Any]

#: The columns of a deal in an answer, under the names of the tables.
_DEAL_FIELDS = (
    "knife", "leader", "sides", "finish", "captured", "points", "side_points", "downstream", "atoms", "tricks", "end",
    "revealed",
)  # fmt: skip
_MATCH_FIELDS = (
    "status", "violation", "violation_deal", "violation_play", "outcome", "winner", "scores", "scores_before_cap",
    "totals", "targets", "factor", "uncapped_seats", "cap_zero_seats",
)  # fmt: skip

_encoder = msgspec.json.Encoder(decimal_format="number")


def exact_number(value: Decimal | int) -> int | Decimal:
    """A number as answers write it: an int where it is whole, else without trailing zeros."""
    if isinstance(value, int):
        return value
    return int(value) if value == value.to_integral_value() else value.normalize()


def _numbers(values: list[Decimal] | None) -> list[int | Decimal] | None:
    return None if values is None else [exact_number(value) for value in values]


def encode(answer: Answer) -> bytes:
    """One line of JSON, decimals exact."""
    return _encoder.encode(answer)


def _rows(judged: Judged, table: str, fields: tuple[str, ...], order: str) -> dict[int, list[dict[str, Any]]]:
    columns = ", ".join(f'"{field}"' for field in fields)
    found: dict[int, list[dict[str, Any]]] = {}
    # Names from this module's own lists; data never gets into the statement.
    for line, *values in judged.judge.con.execute(f"select line, {columns} from {table} order by {order}").fetchall():  # noqa: S608
        found.setdefault(line, []).append(dict(zip(fields, values, strict=True)))
    return found


def answers(judged: Judged, lang: Lang = "en") -> Iterator[Answer]:
    """The answers to the records of a chunk, in input order."""
    matches = _rows(judged, "settled_match", _MATCH_FIELDS, "line")
    deals = _rows(judged, "core_settlement__deal", ("deal", *_DEAL_FIELDS), "line, deal")
    claims: dict[int, list[dict[str, Any]]] = {}
    if any(record.claims for record in judged.chunk.records):
        judged.judge.make_discrepancies()
        fields = ("code", "deal", "claimed", "recomputed", "is_note")
        claims = _rows(judged, "discrepancy", fields, "line, deal < 0, deal, place")
    places = {
        row: (variant, number) for variant, rows in judged.chunk.rows.items() for number, row in enumerate(rows)
    }  # fmt: skip
    for record in judged.chunk.records:
        answer: Answer = {"file": judged.path, "line": record.line, "match_id": record.match_id}
        if record.row in judged.duplicates:
            yield answer | {"status": "duplicate"}
            continue
        answer |= {"status": "rejected", "code": None, "deal": None, "play": None, "message": None, "deals": []}
        answer |= {"outcome": None, "winner": None, "scores": None, "discrepancies": [], "notes": []}
        if record.problem is not None:
            answer["code"] = record.problem.code
            answer["message"] = message_of_problem(record.problem, lang)
            yield answer
            continue
        match = matches[record.line][0]
        assert record.ruleset is not None
        answer["status"] = match["status"]
        if match["status"] == "violation":
            answer |= {"code": match["violation"], "deal": match["violation_deal"], "play": match["violation_play"]}
            variant, number = places[record.row]
            answer["message"] = message_of_violation(
                judged.chunk.deals[variant], number, match["violation"], match["violation_deal"],
                match["violation_play"], lang,
            )  # fmt: skip
        answer["deals"] = [
            {name: deal[name] for name in _DEAL_FIELDS}
            for deal in deals[record.line]
            if answer["deal"] is None or deal["deal"] < answer["deal"]
        ]
        answer |= {"outcome": match["outcome"], "winner": match["winner"], "scores": _numbers(match["scores"])}
        found = claims.get(record.line, [])
        answer["discrepancies"] = [_discrepancy(claim) for claim in found if not claim["is_note"]]
        notes: list[dict[str, Any]] = [
            {name: value for name, value in msgspec.to_builtins(note).items() if value is not None}
            for note in record.notes
        ]
        notes += [{"code": Note.ESCAPE_CLAIM, **_values(claim)} for claim in found if claim["is_note"]]
        for code, seats in ((Note.NO_CAP_UNKNOWN_STANDING, "uncapped_seats"), (Note.CAP_ZERO, "cap_zero_seats")):
            if match[seats]:
                notes.append({"code": code, "seats": match[seats]})
        answer["notes"] = notes
        answer["scores_before_cap"] = _numbers(match["scores_before_cap"])
        answer["ruleset_hash"] = record.ruleset.hash
        yield answer


def _values(claim: dict[str, Any]) -> dict[str, Any]:
    # Both are canonical JSON texts already.
    return {name: msgspec.Raw(claim[name].encode()) for name in ("claimed", "recomputed")}


def _discrepancy(claim: dict[str, Any]) -> dict[str, Any]:
    return {"code": claim["code"], "deal": None if claim["deal"] < 0 else claim["deal"], **_values(claim)}
