"""One deal in words: who sat where, each trick with its plays, and how the deal ended. Points move in
``explain_settlement``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from yuanzi_core import deals as d
from yuanzi_core.cards import RANKS
from yuanzi_core.explanation import Line, Section, Speaker
from yuanzi_core.replay import Replay, Step
from yuanzi_core.shapes import ATOM3, KIND, KIND_NAMES, shapes
from yuanzi_core.texts import text
from yuanzi_core.words import cards_word

Row = dict[str, Any]


def table_section(say: Speaker, replay: Replay, deal: int) -> Section:
    """Who sits where and with whom, the knife, the cards dealt and who leads (A1–A6)."""
    head = {name: int(value) for name, value in zip(d.HEAD, replay.deals.head[:, deal], strict=True)}
    state = replay.state(deal, 0)
    lines = []
    if say.variant == "five":
        lines.append(say.line("table.dealer", "A6", seat=say.person(head["dealer"]),
                              called=cards_word([head["called"]], say.lang)))  # fmt: skip
        partners = [seat for seat, side in enumerate(state.sides) if side == 0 and seat != head["dealer"]]
        key = "partner" if len(partners) == 1 else "partners" if partners else "no_partner"
        lines.append(say.line(f"table.{key}", "A6", seats=say.seats(partners)))
    lines += _side_lines(say, state.sides)
    drawn = cards_word([head["drawn"]], say.lang)
    if state.knife >= 0:
        knife = text(f"terms.rank.{RANKS[state.knife]}", say.lang)
        lines.append(say.line("table.knife", "A3", drawn=drawn, knife=knife))
    else:
        lines.append(say.line("table.no_knife", "A3", drawn=drawn))
    if len(set(state.cards)) == 1:
        lines.append(say.line("table.cards_each", "A4", cards=state.cards[0]))
    else:
        lines.append(say.line("table.cards", "A4", cards=say.by_seat(state.cards)))
    lines.append(say.line("table.leader", "A5", seat=say.seat(head["leader"])))
    return say.section("table", lines, deal)


def sides_section(say: Speaker, row: Row) -> Section:
    """The same of a deal that a score sheet gives, of which no card is known: who plays with whom."""
    return say.section("table", _side_lines(say, row["sides"]), row["deal"])


def _side_lines(say: Speaker, sides: Sequence[int]) -> list[Line]:
    lines = []
    for side in range(2):
        people = [say.person(seat) for seat, own in enumerate(sides) if own == side]
        lines.append(say.line("table.side", "A1" if say.variant == "four" else "A6", side=say.side(side),
                              people=say.listed(people)))  # fmt: skip
    return lines


def tricks_section(say: Speaker, replay: Replay, deal: int) -> Section | None:
    """One line a trick: who led, the plays, what was special about them, who took it and for how much (C2)."""
    lines = [say.line("trick.intro", "C2")]
    held: list[Step] = []
    taker: int | None = None
    for step in replay.steps(deal):
        held.append(step)
        if step.ends_trick:
            lines.append(_trick(say, held, taker))
            taker, held = step.taker, []
    if held:
        lines.append(_trick(say, held, taker))
    return say.section("tricks", lines, deal) if len(lines) > 1 else None


def _trick(say: Speaker, steps: list[Step], taker_before: int | None) -> Line:
    first, last = steps[0], steps[-1]
    plays, clauses = plays_in_words(say, steps)
    leader = first.play.seat
    wind = taker_before not in (None, leader)
    if wind:
        clauses = ["C3", *clauses]
    # C4: the deal ends with the play that closes its last trick; every other trick is closed by a pass.
    if not last.play.is_pass and last.ends_trick:
        clauses.append("C4")
    ending = "open"
    if last.ends_trick:
        ending = "takes" if last.points else "takes_nothing"
    end = say.text(f"trick.{ending}", seat=say.seat(last.taker), points=last.points)
    return say.line(
        "trick.wind" if wind else "trick.lead", *dict.fromkeys(clauses),
        number=first.before.tricks + 1, seat=say.seat(leader), plays=plays, end=end,
    )  # fmt: skip


def plays_in_words(say: Speaker, steps: Iterable[Step]) -> tuple[str, list[str]]:
    """The plays of a trick without its passes, each with what is special about it, and the clauses behind that."""
    shown: list[str] = []
    clauses: list[str] = []
    for step in steps:
        if step.play.is_pass:
            continue
        marks, behind = special(say, step)
        marks = kind_marks(say, step) + marks
        clauses += behind
        cards = cards_word(step.play.cards, say.lang)
        play = cards if not shown else say.text("trick.answer", seat=say.seat(step.play.seat), cards=cards)
        shown.append(say.text("trick.marked", play=play, marks=say.listed(marks)) if marks else play)
    return reduce(lambda before, play: say.text("trick.next", before=before, play=play), shown), clauses


def kind_marks(say: Speaker, step: Step) -> list[str]:
    """The name of a play that is an atom or higher, for lines that show no other name of a play."""
    kind = int(shapes(say.variant).table[shapes(say.variant).shape_of[step.play.code], KIND])
    if kind < ATOM3:
        return []
    # The four-player game has one atom only and calls it just that.
    short = kind == ATOM3 and say.variant == "four"
    return [text("terms.term.atom" if short else f"terms.kind.{KIND_NAMES[kind]}", say.lang)]


def special(say: Speaker, step: Step) -> tuple[list[str], list[str]]:
    """What a play brought about beside the trick (an atom counted, a partner revealed, a player out), and the clauses
    behind it."""
    before, after = step.before, step.after
    marks, clauses = [], []
    if after.atoms > before.atoms and say.variant == "five":
        marks.append(say.text("trick.counted", count=after.atoms))
        clauses.append("F5")
    if len(after.revealed) > len(before.revealed):
        marks.append(say.text("trick.revealed"))
        clauses.append("A6")
    if len(after.finish) > len(before.finish):
        marks.append(say.text("trick.out_first" if not before.finish else "trick.out", place=len(after.finish)))
    return marks, clauses


def end_section(say: Speaker, row: Row, targets: list[int] | None) -> Section:
    """How a deal ended (C4, C5, an escape), who was out, and where an escape left the card points.

    ``row`` is the deal's in ``core_settlement__deal``, ``targets`` are those of F1.
    """
    lines = [why_it_ended(say, row)]
    finish = row["finish"]
    if finish:
        lines.append(say.line("end.finish", "C4", seats=say.seats(finish), upstream=say.seat(finish[0])))
    else:
        lines.append(say.line("end.nobody_out"))
    if row["end"] == "points":
        captured = [_of_side(row, "captured", side) for side in range(2)]
        lines.append(
            say.line("end.enough", "C5", "F1", captured=say.by_side(captured), targets=say.by_side(targets or []))
        )
    if row["points"] is None:
        # An escape: no transfer follows that would name these.
        lines.append(say.line("end.captured", "C2", points=say.by_seat(row["captured"])))
    if row["open_points"]:
        lines.append(say.line("end.open", points=row["open_points"]))
    lines += _counts(say, row)
    return say.section("end", lines, row["deal"])


def _counts(say: Speaker, row: Row) -> list[Line]:
    """Tricks and atoms, as far as they are known (F5)."""
    known = [name for name in ("tricks", "atoms") if row[name] is not None]
    if len(known) == 2:
        return [say.line("end.counts", "F5", tricks=row["tricks"], atoms=row["atoms"])]
    return [say.line(f"end.{name}", *["F5"] * (name == "atoms"), count=row[name]) for name in known]


def why_it_ended(say: Speaker, row: Row) -> Line:
    """Why a deal was over (C4, C5, E3, F7): one sentence. ``row`` as in :func:`end_section`."""
    finish, holders = row["finish"], row["holders"]
    if row["end"] == "escape":
        clause = "E3" if say.variant == "four" else "F7"
        return say.line("end.escape", clause, seat=say.person(row["escaped"]), tricks=row["tricks"])
    if row["end"] == "points":
        return say.line("end.points", "C5")
    if say.variant == "four":
        if len(holders) == 1:
            return say.line("end.three_out", "C4", seat=say.seat(holders[0]))
        return say.line("end.double_out", "C4", out=say.seats(sorted(finish)), left=say.seats(holders))
    return say.line("end.side_out", "C4", side=say.side(row["sides"][finish[-1]]), left=say.seats(holders))


def _of_side(row: Row, column: str, side: int) -> int:
    """The card points of a column that belong to the players of a side."""
    return sum(points for points, own in zip(row[column], row["sides"], strict=True) if own == side)
