"""One record in words: how every point moved, from tricks over transfers to scores, with the clauses; for a violation
the table, the hand, the play and the rule; for a reject what cannot be read and where.

``explain`` takes a line of a log, ``explain_records`` some records of a chunk that was judged already, of logs or of
score sheets; what a sheet cannot know is not said. What is said about plays comes from ``replay``, what is said about
points from the judged tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.claims import MATCH_LEVEL
from yuanzi_core.explain_deal import end_section, sides_section, table_section, tricks_section
from yuanzi_core.explain_settlement import clamp_lines, points_section, result_section, scores_section
from yuanzi_core.explain_verdict import stop_section, verdict_section
from yuanzi_core.explanation import Explanation, Line, Section, Speaker, cleaned, render_markdown, render_text
from yuanzi_core.judge import Judge
from yuanzi_core.log import Match
from yuanzi_core.messages import message_of_discrepancy, message_of_note, message_of_problem
from yuanzi_core.reasons import Discrepancy, Note, Violation
from yuanzi_core.records import BALANCES, Chunk, Reader, Record
from yuanzi_core.replay import Replay
from yuanzi_core.ruleset import RuleSet, Rulesets
from yuanzi_core.texts import Lang, text
from yuanzi_core.words import signed

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
_TABLES = {
    "deals": "select * from core_settlement__deal where list_contains($lines, line) order by line, deal",
    "workings": "select * from match_workings where list_contains($lines, line)",
    "settled": "select * from settled_match where list_contains($lines, line)",
    "claims": "select * from discrepancy where list_contains($lines, line) order by line",
}


class Told(NamedTuple):
    """A record explained, and what its replay and the picture of its settlement are made from.

    ``deals``: rows of ``core_settlement__deal``; ``workings`` and ``settled``: those of ``match_workings`` and
    ``settled_match``. A reject has an explanation only, a score sheet no replay.
    """

    explanation: Explanation
    say: Speaker | None = None
    replay: Replay | None = None
    deals: tuple[Row, ...] = ()
    workings: Row | None = None
    settled: Row | None = None


def explain(
    raw: bytes, rulesets: Rulesets, lang: Lang, standings: Sequence[Decimal | int | None] | None = None
) -> Explanation:
    """One line of a log, judged and explained (about a tenth of a second).

    ``standings`` are those of the ledger before the match, by seat: F6 takes them where the log gives no balance.
    """
    chunk = Reader(rulesets).read([(1, raw)])
    for seat, standing in enumerate(standings or ()):
        if standing is not None and chunk.amounts[0, BALANCES + seat] == UNKNOWN:
            chunk.amounts[0, BALANCES + seat] = int(standing * SCALE)
    judge = Judge()
    judge.judge(chunk)
    return next(explain_records(chunk, [0], judge, lang))


def explain_records(
    chunk: Chunk, rows: Sequence[int], judge: Judge, lang: Lang, names: Sequence[str] | None = None
) -> Iterator[Explanation]:  # fmt: skip
    """Records of the chunk that a judge judged last; ``rows`` are their places in the chunk.

    ``names`` by seat stand for those of the records; where one is empty the seat stands alone.

    Asking the judged tables costs the same for one record as for all of them, most of it for making the plan.
    """
    for told in tell(chunk, rows, judge, lang, names):
        yield told.explanation


def tell(
    chunk: Chunk, rows: Sequence[int], judge: Judge, lang: Lang, names: Sequence[str] | None = None
) -> Iterator[Told]:  # fmt: skip
    """The same with the judged rows behind each explanation."""
    records = [chunk.records[row] for row in rows]
    lines = [record.line for record in records if record.problem is None]
    judge.make_workings()
    judge.make_discrepancies()
    tables = {name: _by_line(judge.con, query, lines) if lines else {} for name, query in _TABLES.items()}
    places = {
        row: (variant, place) for variant, of_game in chunk.rows.items() for place, row in enumerate(of_game)
    }  # fmt: skip
    for row, record in zip(rows, records, strict=True):
        if record.problem is not None:
            yield Told(_reject(record, lang))
        else:
            variant, place = places[row]
            found = {name: table.get(record.line, []) for name, table in tables.items()}
            # A score sheet has no plays to be stepped through.
            replay = Replay(chunk.deals[variant], place) if chunk.facts is None else None
            assert record.match is not None
            shown = [player.name or player.id for player in record.match.players] if names is None else names
            say = Speaker(record.match.variant, lang, [cleaned(name, 24) for name in shown])
            said = _explain(say, record, replay, found)
            yield Told(said, say, replay, tuple(found["deals"]), found["workings"][0], found["settled"][0])


def _explain(say: Speaker, record: Record, replay: Replay | None, found: dict[str, list[Row]]) -> Explanation:
    match, ruleset = record.match, record.ruleset
    assert match is not None
    assert ruleset is not None
    deals, workings, settled = found["deals"], found["workings"][0], found["settled"][0]
    stopped = settled["violation_deal"]
    sections = []
    if stopped is not None:
        # A sheet holds no violation: what cannot be is a reject.
        assert replay is not None
        sections += _violation(say, replay, settled)
    else:
        sections.append(_summary(say, settled, workings, found["claims"]))
    for deal in deals:
        if stopped is None or deal["deal"] < stopped:
            sections += _finished_deal(say, replay, deal, settled)
    if stopped is None:
        sections.append(result_section(say, deals, workings, settled, ruleset))
        if settled["scores"] is not None:
            sections.append(scores_section(say, settled))
        sections += _claims(say, found["claims"])
    else:
        assert replay is not None
        sections += _stopped_deal(say, replay, deals, workings, settled, ruleset)
    sections += _notes(say, record, settled, found["claims"])
    return Explanation(say.lang, settled["status"], _title(say, match, ruleset), tuple(sections), match.match_id)


def _by_line(con: duckdb.DuckDBPyConnection, query: str, lines: list[int]) -> dict[int, list[Row]]:
    found = con.execute(query, {"lines": lines})
    names = [column[0] for column in found.description or ()]
    rows: dict[int, list[Row]] = {}
    for values in found.fetchall():
        row = dict(zip(names, values, strict=True))
        rows.setdefault(row["line"], []).append(row)
    return rows


def _title(say: Speaker, match: Match, ruleset: RuleSet) -> str:
    return say.text(
        "title",
        match=cleaned(match.match_id, 128),
        ruleset=cleaned(ruleset.names.get(say.lang, ruleset.name)),
        played_at=match.played_at.strftime("%Y-%m-%d %H:%M"),
    )


def _summary(say: Speaker, settled: Row, workings: Row, claims: Sequence[Row]) -> Section:
    outcome = text(f"terms.outcome.{settled['outcome']}", say.lang)
    lines = []
    if settled["outcome"] == "escape":
        seat = say.person(workings["escaper"])
        if settled["winner"] is None:
            lines.append(say.line("summary.escape", seat=seat))
        else:
            lines.append(say.line("summary.escape_won", seat=seat, side=say.side(settled["winner"])))
    elif settled["winner"] is None:
        lines.append(say.line("summary.outcome", outcome=outcome))
    else:
        lines.append(say.line("summary.winner", outcome=outcome, side=say.side(settled["winner"])))
    if settled["scores"] is not None:
        lines.append(say.line("summary.scores", scores=say.by_seat([signed(score) for score in settled["scores"]])))
    if differing := sum(not claim["is_note"] for claim in claims):
        lines.append(say.line("summary.claims", count=differing))
    return say.section("summary", lines)


def _finished_deal(say: Speaker, replay: Replay | None, deal: Row, settled: Row) -> list[Section]:
    number = deal["deal"]
    sections = [
        table_section(say, replay, number) if replay is not None else sides_section(say, deal),
        tricks_section(say, replay, number) if replay is not None else None,
        end_section(say, deal, settled["targets"]),
        points_section(say, deal) if deal["points"] is not None else None,
    ]
    return [section for section in sections if section is not None]


def _violation(say: Speaker, replay: Replay, settled: Row) -> list[Section]:
    code, deal, play = settled["violation"], settled["violation_deal"], settled["violation_play"]
    sections = [verdict_section(say, replay, code, deal, play)]
    if play is not None:
        sections.append(stop_section(say, replay, code, deal, play))
    return sections


def _stopped_deal(
    say: Speaker, replay: Replay, deals: Sequence[Row], workings: Row, settled: Row, ruleset: RuleSet
) -> list[Section]:
    """What there is to say of the deal that holds a violation: the table and its tricks, or why there was no such
    half."""
    deal = settled["violation_deal"]
    if settled["violation"] == Violation.AFTER_END and settled["violation_play"] is None:
        if deals[0]["side_points"] is None:
            return []
        return [say.section("result", clamp_lines(say, deals[0], workings, ruleset))]
    sections = [table_section(say, replay, deal), tricks_section(say, replay, deal)]
    return [section for section in sections if section is not None]


def _claims(say: Speaker, claims: Sequence[Row]) -> list[Section]:
    lines = []
    for claim in claims:
        if claim["is_note"]:
            continue
        reason = Discrepancy(claim["code"])
        message = message_of_discrepancy(reason, claim["claimed"], claim["recomputed"], say.variant, say.lang)
        if claim["deal"] != MATCH_LEVEL and say.variant == "four":
            message = say.text("claim.of_half", half=say.half(claim["deal"]), message=message)
        lines.append(Line(cleaned(message, 400), reason.clause))
    return [say.section("claims", lines)] if lines else []


def _notes(say: Speaker, record: Record, settled: Row, claims: Sequence[Row]) -> list[Section]:
    found = [(note.code, message_of_note(note.code, say.variant, say.lang, note)) for note in record.notes]
    if any(claim["is_note"] for claim in claims):
        found.append((Note.ESCAPE_CLAIM, message_of_note(Note.ESCAPE_CLAIM, say.variant, say.lang)))
    for code, seats in ((Note.NO_CAP_UNKNOWN_STANDING, "uncapped_seats"), (Note.CAP_ZERO, "cap_zero_seats")):
        if settled[seats]:
            found.append((code, message_of_note(code, say.variant, say.lang, seats=settled[seats])))
    lines = [Line(message, tuple(c for c in code.clause if c[1:].isdigit())) for code, message in found]
    return [say.section("notes", lines)] if lines else []


def _reject(record: Record, lang: Lang) -> Explanation:
    problem = record.problem
    assert problem is not None
    say = Speaker("four", lang, ())
    lines = [Line(cleaned(message_of_problem(problem, lang), 400))]
    # Of a sheet the message names row and column.
    if problem.path and not record.rows:
        lines.append(say.line("verdict.path", path=problem.path))
    lines += [
        say.line("verdict.rule", rule=text(f"{problem.code.key}.rule", lang)),
        say.line("verdict.rejected"),
    ]
    section = say.section("reject", lines, name=text(f"{problem.code.key}.name", lang))
    shown = cleaned(record.match_id, 128) if record.match_id else say.text("no_id")
    title = say.text("title_reject", match=shown, line=record.line)
    return Explanation(lang, "rejected", title, (section,), record.match_id)


__all__ = ["Explanation", "Line", "Section", "explain", "explain_records", "render_markdown", "render_text"]
