"""One settlement in words: how card points moved between players and sides (D), and what each clause of E and F made
of them.

Every figure comes from the judged tables: ``core_settlement__deal``, ``match_workings`` (each figure on the way) and
``settled_match``. A difference of two figures is taken here, a rule never.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from yuanzi_core.explanation import Line, Section, Speaker
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.transfers import given_to_side, hand_clause, transfers
from yuanzi_core.words import number, signed

Row = dict[str, Any]


def points_section(say: Speaker, row: Row) -> Section:
    """D0–D4: every transfer of a finished deal, then the points of players and sides."""
    lines = [say.line("points.captured", "C2", points=say.by_seat(row["captured"]))]
    if row["unplayed"]:
        lines.append(say.line("points.hand", points=say.by_seat(row["hand"])))
    lines += _hand_transfers(say, row)
    lines += _downstream_transfers(say, row)
    if row["points"] != row["captured"]:
        lines.append(say.line("points.after", points=say.by_seat(row["points"])))
    for side in range(2):
        parts = [
            say.text("points.part", seat=say.seat(seat), points=points)
            for seat, points in enumerate(row["points"])
            if row["sides"][seat] == side
        ]
        if given := given_to_side(row, side):
            parts.append(say.text("points.part_unplayed", points=given))
        lines.append(
            say.line("points.side", "D0", side=say.side(side), parts=_sum(say, parts), total=row["side_points"][side])
        )
    lines.append(say.line("points.total", "D4", total=sum(row["side_points"])))
    return say.section("points", lines, row["deal"])


def _sum(say: Speaker, parts: Sequence[str]) -> str:
    shown = parts[0]
    for part in parts[1:]:
        shown = say.text("points.plus", before=shown, part=part)
    return shown


def _hand_transfers(say: Speaker, row: Row) -> list[Line]:
    """Unplayed points: to a player (D1) or to a side as a whole (D2, D3)."""
    lines = []
    for move in transfers(say.variant, row):
        if not move.unplayed:
            continue
        fields: Row = {"holders": say.seats(move.sources), "points": move.points}
        if move.seat is not None:
            lines.append(say.line("points.hand_to_player", move.clause, seat=say.seat(move.seat), **fields))
        elif move.side is not None:
            lines.append(say.line("points.hand_to_side", move.clause, side=say.side(move.side), **fields))
    return lines or [say.line("points.no_hand", hand_clause(say.variant, row))]


def _downstream_transfers(say: Speaker, row: Row) -> list[Line]:
    """D1–D3: what downstream players captured goes to the upstream player."""
    if not row["downstream_players"]:
        key = "points.no_downstream_stopped" if row["end"] == "points" else "points.no_downstream"
        return [say.line(key, hand_clause(say.variant, row))]
    return [
        say.line("points.downstream" if move.points else "points.downstream_nothing", move.clause,
                 seat=say.seat(move.sources[0]), points=move.points, upstream=say.seat(row["upstream"]))
        for move in transfers(say.variant, row) if not move.unplayed
    ]  # fmt: skip


def clamp_lines(say: Speaker, upper: Row, workings: Row, ruleset: RuleSet) -> list[Line]:
    """E1: whether the upper half ended the match by double clamp, and why."""
    options = ruleset.options
    fields: Row = {
        "limit": options["clamp_points"],
        "points": say.by_side(upper["side_points"]),
        "reading": say.text(f"reading.{options['clamp']}"),
    }
    loser = workings["clamped_side"]
    if loser is None:
        return [say.line("result.no_clamp", "E1", **fields)]
    if workings["clamped_by"] == "double_out":
        return [say.line("result.clamp_out", "E1", winner=say.side(1 - loser), loser=say.side(loser))]
    return [say.line("result.clamp_points", "E1", loser=say.side(loser), winner=say.side(1 - loser),
                     own=upper["side_points"][loser], **fields)]  # fmt: skip


def result_section(say: Speaker, deals: Sequence[Row], workings: Row, settled: Row, ruleset: RuleSet) -> Section:
    """E and F: who won, by what, and what each player won or lost."""
    outcome = settled["outcome"]
    if outcome == "escape":
        lines = (_escape_four if say.variant == "four" else _escape_five)(say, deals, workings, settled, ruleset)
    elif say.variant == "four":
        lines = _result_four(say, deals, workings, settled, ruleset)
    else:
        lines = _result_five(say, workings, settled, ruleset)
    return say.section("result", lines)


def scores_section(say: Speaker, settled: Row) -> Section:
    """The scores, a line a player."""
    lines = [
        say.line("scores.of", seat=say.person(seat), score=signed(score))
        for seat, score in enumerate(settled["scores"])
    ]
    return say.section("scores", lines)


def _result_four(say: Speaker, deals: Sequence[Row], workings: Row, settled: Row, ruleset: RuleSet) -> list[Line]:
    lines = clamp_lines(say, deals[0], workings, ruleset)
    if settled["outcome"] == "unfinished":
        return [*lines, say.line("result.unfinished", "E4")]
    winner = settled["winner"]
    if settled["outcome"] == "normal":
        totals = settled["totals"]
        for side in range(2):
            halves = [
                say.text("points.part", seat=say.half(row["deal"]), points=row["side_points"][side]) for row in deals
            ]
            lines.append(
                say.line("result.total", "E2", side=say.side(side), parts=_sum(say, halves), total=totals[side])
            )
        if totals[0] == totals[1]:
            lines.append(say.line("result.equal", "E2", side=say.side(winner), upstream=say.seat(deals[0]["upstream"])))
        else:
            lines.append(say.line("result.more", "E2", side=say.side(winner)))
    clause = "E1" if settled["outcome"] == "double" else "E2"
    multiple, base = [workings["stake0"], workings["stake1"]][winner], workings["base"]
    figures = {"multiple": number(multiple), "base": number(base), "score": number(multiple * base)}
    return [*lines, say.line("result.stake", clause, "E5", **figures)]


def _result_five(say: Speaker, workings: Row, settled: Row, ruleset: RuleSet) -> list[Line]:
    winner, totals, targets = settled["winner"], settled["totals"], settled["targets"]
    loser = 1 - winner
    sizes = [workings["size0"], workings["size1"]]
    wins, atoms = [workings["win0"], workings["win1"]], [workings["atoms0"], workings["atoms1"]]
    multiples, factor = [workings["stake0"], workings["stake1"]], settled["factor"]
    lines = []
    for side in range(2):
        has_upstream = "upstream" if workings["upstream_side"] == side else "no_upstream"
        lines.append(say.line(f"result.target_{has_upstream}", "F1", side=say.side(side), size=sizes[side],
                              target=targets[side], total=totals[side]))  # fmt: skip
    lines.append(say.line("result.wins", "F1", side=say.side(winner)))
    lines.append(say.line("result.stakes", "F2", winners=sizes[winner], losers=sizes[loser], win=number(wins[winner]),
                          loss=number(wins[loser])))  # fmt: skip
    atomic = bool(ruleset.options["atom_doubling"])
    if atomic:
        figures = {"count": workings["atoms"], "more": number(atoms[winner]), "loss": number(atoms[loser])}
        lines.append(say.line("result.atoms", "F4", "F5", winner=say.side(winner), loser=say.side(loser), **figures))
    lines.append(say.line(f"result.{settled['outcome']}", "F3", side=say.side(loser), points=totals[loser],
                          limit=number(workings["low_limit"]), factor=number(factor)))  # fmt: skip
    if atomic and factor != 1 and workings["atoms"]:
        lines.append(say.line(f"result.low_{ruleset.options['low_applies']}", "F4"))
    for side in (winner, loser):
        formula = _formula(say, wins[side], atoms[side] if atomic else 0, factor, multiples[side], workings["atom_low"])
        score = {"base": number(workings["base"]), "score": number(multiples[side] * workings["base"])}
        key = "result.winner_each" if side == winner else "result.loser_each"
        lines.append(say.line(key, "F2", side=say.side(side), formula=formula, **score))
    return lines + _cap_lines(say, workings, settled, ruleset)


def _formula(say: Speaker, win: Any, atoms: Any, factor: Any, multiple: Any, atom_low: Any) -> str:
    """How a multiple of the base came about; ``atom_low`` is what the atoms were multiplied by."""
    shape = "plain"
    if atoms:
        shape = "atoms" if factor == 1 else "atoms_total" if atom_low == factor else "atoms_base_only"
    elif factor != 1:
        shape = "low"
    figures = {"win": win, "atoms": atoms, "factor": factor, "multiple": multiple}
    return say.text(f"formula.{shape}", **{name: number(value) for name, value in figures.items()})


def _cap_lines(say: Speaker, workings: Row, settled: Row, ruleset: RuleSet) -> list[Line]:
    """F6: what each winner held before the match, and whether that capped the gain."""
    if not ruleset.options["atom_doubling"]:
        return []
    if not settled["has_cap"]:
        return [say.line("cap.none", "F6")]
    lines = []
    for seat, capped in enumerate(settled["capped"]):
        if not capped:
            continue
        won, held, due = settled["scores"][seat], settled["standings_before"][seat], settled["scores_before_cap"][seat]
        key = "unknown" if held is None else "zero" if held <= 0 else "capped" if won < due else "enough"
        lines.append(say.line(f"cap.{key}", "F6", seat=say.person(seat), due=signed(due), won=signed(won),
                              held=number(Decimal(0) if held is None else held)))  # fmt: skip
    return lines


def _escape_four(say: Speaker, deals: Sequence[Row], workings: Row, settled: Row, ruleset: RuleSet) -> list[Line]:
    escaper, lower = workings["escaper"], bool(workings["escaped_lower"])
    lines = clamp_lines(say, deals[0], workings, ruleset) if lower else []
    lines.append(say.line("escape.four", "E3", half=say.half(int(lower)), seat=say.person(escaper),
                          penalty=number(workings["paid"])))  # fmt: skip
    fields: Row = {"tricks": deals[-1]["tricks"], "least": ruleset.options["escape_min_tricks"],
              "each": number(workings["received"])}  # fmt: skip
    key = "lower" if lower else "due" if workings["compensation_due"] else "not_due"
    lines.append(say.line(f"escape.four_{key}", "E3", **fields))
    return [*lines, _base_line(say, workings, "E5")]


def _escape_five(say: Speaker, deals: Sequence[Row], workings: Row, settled: Row, ruleset: RuleSet) -> list[Line]:
    w, row = workings, deals[0]
    lines = [say.line("escape.start", "F7", seat=say.person(w["escaper"]), points=number(w["escape_penalty"]))]
    if w["penalty_head_out"]:
        lines.append(say.line("escape.head_out", "F7", points=number(w["penalty_head_out"])))
        lines.append(say.line("escape.each_out", "F7", out=row["players_out"], points=number(w["penalty_each_out"])))
    else:
        lines.append(say.line("escape.nobody_out", "F7"))
    lines.append(say.line("escape.captured", "F7", captured=w["captured_in_tricks"],
                          each=number(w["escape_penalty_points"]), points=number(w["penalty_captured"])))  # fmt: skip
    lines.append(say.line("escape.penalty", "F7", penalty=number(w["penalty"])))
    fields: Row = {"tricks": row["tricks"], "least": ruleset.options["escape_min_tricks"], "count": w["compensated"]}
    if w["compensation_due"]:
        parts = {"first": "escape_compensation", "head_out": "compensation_head_out", "two_out": "compensation_two_out"}
        figures = {name: number(w[column]) for name, column in {**parts, "each": "compensation"}.items()}
        lines.append(say.line("escape.due", "F7", **fields, **figures))
        if w["escape_atoms"]:
            lines.append(say.line("escape.atoms", "F7", atoms=w["escape_atoms"], count=w["compensated"],
                                  more=number(w["escape_atoms"] * w["compensated"])))  # fmt: skip
    else:
        lines.append(say.line("escape.not_due", "F7", **fields))
    lines.append(say.line("escape.in_all", "F7", paid=number(w["paid"]), received=number(w["received"])))
    lines.append(_base_line(say, workings, "F7"))
    if ruleset.options["atom_doubling"]:
        lines.append(say.line("escape.no_cap", "F6"))
    return lines


def _base_line(say: Speaker, workings: Row, clause: str) -> Line:
    return say.line("escape.base", clause, base=number(workings["base"]), paid=signed(workings["escaper_score"]),
                    received=signed(workings["received_score"]))  # fmt: skip
