"""Judged records of a log as rows of a score sheet, and what a sheet cannot carry of them.

Who went out, what was captured and what was left in hand, tricks, atoms and partners are those that the referee found;
claims of them are not carried, and neither are the cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from yuanzi_core.claims import Claim
from yuanzi_core.conversion_report import LeftOut, Report, Tell
from yuanzi_core.log import Match, parse
from yuanzi_core.messages import message_of_problem, message_of_violation
from yuanzi_core.reasons import Discrepancy, Note
from yuanzi_core.records import Record
from yuanzi_core.sheet_cells import form_of
from yuanzi_core.sheet_limits import LONGEST_CELL
from yuanzi_core.sheet_writer import Cell
from yuanzi_core.spreadsheet_safety import defused
from yuanzi_core.stream import Judged
from yuanzi_core.texts import Lang, has, text

_DEALS = ("line", "deal", "end", "escaped", "sides", "finish", "captured", "hand", "tricks", "atoms")
_NOT_CARRIED = {
    Discrepancy.CLAIM_FINISH: "claimed_finish",
    Discrepancy.CLAIM_CAPTURED: "claimed_captured",
    Discrepancy.CLAIM_SIDE_POINTS: "claimed_side_points",
    Discrepancy.CLAIM_WINNER: "claimed_winner",
}


_as_read = form_of(None)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff]")

Row = dict[str, Cell]


def _fits(value: str) -> bool:
    """Whether a text comes back from a cell as it went in: not blank or too long, nothing invisible at its ends, no
    sign that a cell cannot hold."""
    return value == _as_read(defused(value)) != "" and len(value) < LONGEST_CELL and not _CONTROL.search(value)


def rows_of(judged: Judged, lang: Lang, report: Report, tell: Tell) -> Iterator[list[Row]]:
    """The rows of each record of a judged chunk that a sheet can carry, a list a record, in input order."""
    con = judged.judge.con
    deals: dict[int, list[dict[str, Any]]] = {}
    columns = ", ".join(f'"{name}"' for name in _DEALS)
    # Names of this module's own; data never gets into the statement.
    for values in con.execute(f"select {columns} from core_settlement__deal order by line, deal").fetchall():  # noqa: S608
        row = dict(zip(_DEALS, values, strict=True))
        deals.setdefault(row["line"], []).append(row)
    stops = {
        line: (code, deal, play)
        for line, code, deal, play in con.execute(
            "select line, violation, violation_deal, violation_play from core_settlement__match"
            " where violation is not null"
        ).fetchall()
    }
    places = {row: (variant, place) for variant, rows in judged.chunk.rows.items() for place, row in enumerate(rows)}

    def leave_out(record: Record, code: str, message: str) -> None:
        report.left_out[code] += 1
        tell(LeftOut(record.line, record.match_id, code, message))

    for record in judged.chunk.records:
        report.read += 1
        if record.row in judged.duplicates:
            report.duplicates += 1
        elif record.problem is not None:
            leave_out(record, record.problem.code, message_of_problem(record.problem, lang))
        elif record.line in stops:
            variant, place = places[record.row]
            code, deal, play = stops[record.line]
            message = message_of_violation(judged.chunk.deals[variant], place, code, deal, play, lang)
            leave_out(record, code, message)
        else:
            match = record.match
            assert match is not None
            if not all(map(_fits, (match.match_id, *[player.id for player in match.players]))):
                leave_out(record, "unfit", text("convert.unfit", lang))
                continue
            rows = _rows(record, match, deals[record.line], report)
            report.written += 1
            report.rows += len(rows)
            yield rows


def _rows(record: Record, match: Match, deals: list[dict[str, Any]], report: Report) -> list[Row]:
    _note_losses(record, match, report)
    of_match: Row = {
        "match_id": match.match_id,
        "revision": record.revision,
        "played_at": match.played_at.isoformat().replace("+00:00", "Z"),
        "variant": match.variant,
        "ruleset": match.ruleset,
        "rules": _written_rules(parse(bytes(match.rules)) if match.rules else None),
        "base": match.base,
    }
    for name, value in (("club", match.club), ("table", match.table)):
        if value is not None and _fits(value):
            of_match[name] = value
        elif value is not None:
            report.lose(record.line, name)
    for seat, player in enumerate(match.players):
        of_match[f"player{seat}"] = player.id
        of_match[f"balance{seat}"] = player.balance
    rows = [of_match | _of_deal(match, deal) for deal in deals]
    for claim in record.claims:
        rows[-1] |= _claimed(record.line, claim, report)
    return rows


def _of_deal(match: Match, deal: dict[str, Any]) -> Row:
    row: Row = {
        "finish": _seats(deal["finish"]), "end": deal["end"], "escaped": deal["escaped"],
        "tricks": deal["tricks"], "atoms": deal["atoms"],
    }  # fmt: skip
    if match.variant == "four":
        row["half"] = deal["deal"] + 1
    else:
        dealer = match.deals[0].dealer
        row["dealer"] = dealer
        row["partners"] = _seats([seat for seat, side in enumerate(deal["sides"]) if side == 0 and seat != dealer])
    for name in ("captured", "hand"):
        row |= {f"{name}{seat}": points for seat, points in enumerate(deal[name])}
    return row


def _seats(seats: list[int]) -> str | None:
    return " ".join(map(str, seats)) or None


def _written_rules(rules: dict[str, Any] | None) -> str | None:
    """Overrides of options as a sheet has them: ``wind=partner; halves=1``."""
    given = {name: value for name, value in (rules or {}).items() if value is not None}
    written = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in given.items()]
    return "; ".join(written) or None


def _claimed(line: int, claim: Claim, report: Report) -> Row:
    """The cells of a claim; none where a sheet has no column for it."""
    value: Any = parse(claim.text.encode())
    if claim.code is Discrepancy.CLAIM_SCORES:
        return {f"claimed{seat}": score for seat, score in enumerate(value)}
    if claim.code is Discrepancy.CLAIM_OUTCOME and has(f"terms.outcome.{value}", "en"):
        return {"claimed_outcome": value}
    report.lose(line, _NOT_CARRIED.get(claim.code, "claimed_outcome"))
    return {}


def _note_losses(record: Record, match: Match, report: Report) -> None:
    if not record.rows:
        # A sheet on standard input has none to lose.
        report.lose(record.line, "cards")
    if names := sum(player.name is not None for player in match.players):
        report.lose(record.line, "name", names)
    if match.source == "simulated":
        report.lose(record.line, "source")
    for note in record.notes:
        if note.code is Note.CLAIM_UNREADABLE:
            report.lose(record.line, "claim_unreadable")
        elif note.count:
            kind = "unknown_field" if note.code is Note.UNKNOWN_FIELDS else "other_game"
            report.lose(record.line, kind, note.count)
