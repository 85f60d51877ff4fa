"""Verdicts in words: the sentences of rejects, violations, discrepancies and notes, each with what it speaks of.

The sentences stand in the texts (topic ``reasons``); this module finds what they need. Where a sentence names what
would have been right (who draws or leads first), the referee is asked about each possibility; no rule is repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec

from yuanzi_core import deals as d
from yuanzi_core import referee as r
from yuanzi_core.cards import PASS, RANKS, SMALL_JOKER, Variant, cards_of, deck
from yuanzi_core.compiled import plain
from yuanzi_core.deals import Deals
from yuanzi_core.explanation import cleaned
from yuanzi_core.log import NoteRow, Problem, parse
from yuanzi_core.reasons import Discrepancy, Note, Reject, Violation
from yuanzi_core.replay import Play, Replay, State, hand_cards
from yuanzi_core.shapes import is_of_knife, shapes
from yuanzi_core.texts import Lang, has, text
from yuanzi_core.words import (
    by_seat,
    by_side,
    cards_word,
    counted_cards,
    number,
    seat_named,
    seat_word,
    seats_word,
    shape_word,
    side_word,
    signed,
)

Fields = dict[str, object]
#: The case of a sentence (the part behind ``text_``, empty for the plain one) and its fields.
Case = tuple[str, Fields]
#: Fields of a sheet's sentences that can be large: their digits are grouped.
_LARGE = ("limit", "most", "below")


def message_of_problem(problem: Problem, lang: Lang) -> str:
    """Why a record is rejected, in words."""
    if problem.code is Reject.SHEET:
        return _sheet_message(problem, lang)
    if "row" in problem.fields:
        return _at_cell(problem.fields, _plain_message(problem, lang), lang)
    return _plain_message(problem, lang)


def _plain_message(problem: Problem, lang: Lang) -> str:
    key = f"{problem.code.key}.text_{problem.key}"
    # A text that breaks off has no byte that could be named.
    if not has(key, lang) or problem.fields.get("detail") == "?":
        key = f"{problem.code.key}.text"
    fields = {"path": problem.path, **problem.fields}
    if problem.key == "expected":
        for name in ("expected", "found"):
            term = f"terms.type.{fields[name]}"
            fields[name] = text(term, lang) if has(term, lang) else fields[name]
    return text(key, lang, **fields)


def _sheet_message(problem: Problem, lang: Lang) -> str:
    """Why a score sheet, or a match in it, cannot be right: row, column and cell, then the reason."""
    fields = dict(problem.fields)
    variant: Any = fields.get("variant")
    if "seat" in fields:
        fields["seat"] = seat_named(variant, cast("int", fields["seat"]), lang)
    for name in _LARGE:
        if isinstance(fields.get(name), int):
            fields[name] = f"{fields[name]:,}"
    for name in ("captured", "targets"):
        if name in fields:
            fields[name] = by_side(variant, cast("list[int]", fields[name]), lang)
    if "end" in fields:
        fields["end"] = text(f"terms.end.{fields['end']}", lang)
    fields |= _place(fields, lang)
    reason = text(f"sheets.reason.{problem.key}", lang, **fields)
    return _at_cell(problem.fields, reason, lang) if "row" in fields else reason


def _place(fields: Fields, lang: Lang) -> Fields:
    """Heading and text of a cell of a score sheet, as a sentence has them."""
    # Loaded only now: a log needs nothing of it.
    from yuanzi_core.sheet_columns import BY_NAME, heading_of

    column = str(fields.get("column") or "")
    shown = heading_of(BY_NAME[column], lang) if column in BY_NAME else column
    return {"column": shown, "cell": cleaned(str(fields.get("cell") or ""))}


def _at_cell(fields: Fields, reason: str, lang: Lang) -> str:
    """A reason with the row, and the cell in it, of a score sheet that it speaks of."""
    place = _place(fields, lang)
    where = "row" if not place["column"] else "cell" if place["cell"] else "blank"
    return text(f"sheets.where.{where}", lang, row=fields["row"], **place, reason=reason)


def message_of_violation(deals: Deals, match: int, code: str, deal: int, play: int | None, lang: Lang) -> str:
    """What is wrong with a deal or a play, in words. ``match`` is the match's place in the batch."""
    return violation_text(Replay(deals, match), code, deal, play, lang)


def violation_text(replay: Replay, code: str, deal: int, play: int | None, lang: Lang) -> str:
    """The same for a match that is being replayed anyway."""
    violation = Violation[code]
    case, fields = (
        _half_after_the_end(replay)
        if violation is Violation.AFTER_END and play is None
        else _OF_DEAL[violation](replay, deal, lang)
        if violation in _OF_DEAL
        else _OF_PLAY[violation](_Stop(replay, deal, play or 0), lang)
    )
    return text(f"{violation.key}.text{case and '_' + case}", lang, **fields)


class _Stop:
    """Where the referee stopped: the play that is wrong and the table before it."""

    def __init__(self, replay: Replay, deal: int, place: int) -> None:
        self.replay, self.deal = replay, deal
        self.play: Play | None = replay.play(deal, place)
        self.state: State = replay.state(deal, place)
        self.end = int(replay.deals.head[d.END, deal])

    def seat(self, lang: Lang) -> str:
        """Who played."""
        assert self.play is not None
        return seat_word(self.replay.variant, self.play.seat, lang)

    def turn(self, lang: Lang) -> str:
        """Whose turn it was."""
        return seat_word(self.replay.variant, self.state.turn, lang)

    def cards(self, lang: Lang) -> str:
        """What was played, cards alone."""
        assert self.play is not None
        return text("words.list.pass", lang) if self.play.is_pass else cards_word(self.play.cards, lang)


def _half_after_the_end(replay: Replay) -> Case:
    # E1, E2, E3: of the three ways in which a match ends with its upper half, two stand in the log itself.
    if replay.deals.head[d.END, 0] == d.ESCAPE_END:
        return "half_escape", {}
    options = replay.deals.rulesets[int(replay.deals.head[d.RULES, 0])].options
    return ("half", {}) if options["halves"] == 1 else ("half_clamp", {})


def _deck(replay: Replay, deal: int, lang: Lang) -> Case:
    held = Counter(card for words in replay.deals.hands[deal] for card in hand_cards(words))
    whole = Counter(deck(replay.deals.rulesets[0].decks))
    return "", {"expected": counted_cards(whole - held, lang), "found": counted_cards(held - whole, lang)}


def _knife(replay: Replay, deal: int, lang: Lang) -> Case:
    drawn, claimed = (int(replay.deals.head[row, deal]) for row in (d.DRAWN, d.KNIFE_CLAIMED))
    knife = replay.state(deal, 0).knife
    if knife < 0:
        return "joker", {"cards": cards_word([drawn], lang)}
    return "", {
        "cards": cards_word([drawn], lang),
        "expected": text(f"terms.rank.{RANKS[knife]}", lang),
        "found": text(f"terms.rank.{RANKS[claimed]}", lang),
    }


def _seats_without(replay: Replay, deal: int, row: int, violation: Violation) -> list[int]:
    """The seats that could stand in a row of ``head`` without this violation: the referee is asked about each."""
    return [seat for seat in range(replay.deals.hands.shape[1]) if replay.trial(deal, row, seat) != violation]


def _first_draw(replay: Replay, deal: int, lang: Lang) -> Case:
    right = _seats_without(replay, deal, d.FIRST_DRAW, Violation.FIRST_DRAW)
    found = seat_word(replay.variant, int(replay.deals.head[d.FIRST_DRAW, deal]), lang)
    return "", {"expected": seats_word(replay.variant, right, lang), "found": found}


def _hand_size(replay: Replay, deal: int, lang: Lang) -> Case:
    first = _seats_without(replay, deal, d.FIRST_DRAW, Violation.FIRST_DRAW)[0]
    cards = replay.state(deal, 0).cards
    n, total = len(cards), sum(cards)
    for step in range(n):
        seat, expected = (first + step) % n, plain(r.hand_size)(total, n, step)
        if cards[seat] != expected:
            return "", {"seat": seat_word(replay.variant, seat, lang), "expected": expected, "found": cards[seat]}
    raise AssertionError("no hand has a wrong size")


def _call(replay: Replay, deal: int, lang: Lang) -> Case:
    called, dealer = (int(replay.deals.head[row, deal]) for row in (d.CALLED, d.DEALER))
    case = "held"
    if called >= SMALL_JOKER:
        case = "joker"
    elif called // 4 == replay.state(deal, 0).knife:
        case = "knife"
    return case, {"seat": seat_word(replay.variant, dealer, lang), "cards": cards_word([called], lang)}


def _leader(replay: Replay, deal: int, lang: Lang) -> Case:
    right = _seats_without(replay, deal, d.LEADER, Violation.LEADER)
    found = seat_word(replay.variant, int(replay.deals.head[d.LEADER, deal]), lang)
    return "", {"expected": seats_word(replay.variant, right, lang), "found": found}


def _after_end(stop: _Stop, lang: Lang) -> Case:
    return "", {"seat": stop.seat(lang), "cards": stop.cards(lang)}


def _turn(stop: _Stop, lang: Lang) -> Case:
    return "", {"seat": stop.seat(lang), "expected": stop.turn(lang)}


def _lead_pass(stop: _Stop, lang: Lang) -> Case:
    return "", {"seat": stop.seat(lang)}


def _not_held(stop: _Stop, lang: Lang) -> Case:
    assert stop.play is not None
    lacking = Counter(stop.play.cards) - Counter(stop.state.hand(stop.play.seat))
    return "", {"seat": stop.seat(lang), "cards": stop.cards(lang), "found": counted_cards(lacking, lang)}


def _not_a_combo(stop: _Stop, lang: Lang) -> Case:
    assert stop.play is not None
    # Jokers beside knife cards do have a shape, but the ruleset may forbid it (B3).
    case = "knife" if shapes(stop.replay.variant).shape_of[stop.play.code] else "ranks"
    return case, {"seat": stop.seat(lang), "cards": stop.cards(lang)}


def _cannot_beat(stop: _Stop, lang: Lang) -> Case:
    return "", {
        "seat": stop.seat(lang),
        "cards": stop.cards(lang),
        "table": table_in_words(stop.replay, stop.state, lang),
    }


def table_in_words(replay: Replay, state: State, lang: Lang) -> str:
    """The play to beat: what it is, its cards and whose it is."""
    if state.by is None:
        return text("words.list.none", lang)
    shape, cards = int(shapes(replay.variant).shape_of[state.on_table]), cards_of(state.on_table)
    name = shape_word(replay.variant, shape, plain(is_of_knife)(state.on_table, state.knife), lang)
    seat = seat_word(replay.variant, state.by, lang)
    return text("words.list.play_of", lang, cards=cards_word(cards, lang), name=name, seat=seat)


def _truncated(stop: _Stop, lang: Lang) -> Case:
    if stop.end != d.POINTS_END:
        return "", {"expected": stop.turn(lang)}
    if stop.state.on_table != PASS:
        return "open", {"expected": stop.turn(lang)}
    variant, state = stop.replay.variant, stop.state
    ruleset = stop.replay.deals.rulesets[int(stop.replay.deals.head[d.RULES, stop.deal])]
    captured, targets = [], []
    for side in range(2):
        seats = [seat for seat, own in enumerate(state.sides) if own == side]
        captured.append(sum(state.captured[seat] for seat in seats))
        targets.append(ruleset.target(len(seats), bool(state.finish) and state.finish[0] in seats))
    return "points", {"expected": by_side(variant, targets, lang), "found": by_side(variant, captured, lang)}


def _end(stop: _Stop, lang: Lang) -> Case:
    found = text(f"terms.end.{d.ENDS[stop.end]}", lang)
    if stop.state.ended == 0:
        # Nothing had ended the deal: the stop on points itself is what the ruleset does not know.
        return "never", {"found": found}
    expected = d.ENDS[d.POINTS_END if stop.state.ended == r.BY_C5 else d.OUT_END]
    return "", {"expected": text(f"terms.end.{expected}", lang), "found": found}


_OF_DEAL: dict[Violation, Callable[[Replay, int, Lang], Case]] = {
    Violation.DECK: _deck,
    Violation.KNIFE: _knife,
    Violation.FIRST_DRAW: _first_draw,
    Violation.HAND_SIZE: _hand_size,
    Violation.CALL: _call,
    Violation.LEADER: _leader,
}
_OF_PLAY: dict[Violation, Callable[[_Stop, Lang], Case]] = {
    Violation.AFTER_END: _after_end,
    Violation.TURN: _turn,
    Violation.LEAD_PASS: _lead_pass,
    Violation.NOT_HELD: _not_held,
    Violation.NOT_A_COMBO: _not_a_combo,
    Violation.CANNOT_BEAT: _cannot_beat,
    Violation.TRUNCATED: _truncated,
    Violation.END: _end,
}


def message_of_discrepancy(code: str, claimed: str, recomputed: str, variant: Variant, lang: Lang) -> str:
    """What a claim says and what the recomputation says, in words; both come as their canonical JSON texts."""
    reason = Discrepancy(code)
    values = {"claimed": claimed, "recomputed": recomputed}
    return text(f"{reason.key}.text", lang, **{k: _claim(reason, v, variant, lang) for k, v in values.items()})


def _claim(reason: Discrepancy, raw: str, variant: Variant, lang: Lang) -> str:
    value: Any = parse(raw.encode())
    seats = 4 if variant == "four" else 5
    if reason is Discrepancy.CLAIM_FINISH:
        if all(0 <= seat < seats for seat in value):
            return seats_word(variant, value, lang)
    elif reason in (Discrepancy.CLAIM_CAPTURED, Discrepancy.CLAIM_BALANCE) and isinstance(value, list):
        return by_seat(variant, [None if item is None else number(item) for item in value], lang)
    elif reason is Discrepancy.CLAIM_SIDE_POINTS:
        return by_side(variant, [number(item) for item in value], lang)
    elif reason is Discrepancy.CLAIM_SCORES:
        return by_seat(variant, [signed(item) for item in value], lang)
    elif reason is Discrepancy.CLAIM_OUTCOME:
        return text(f"terms.outcome.{value}", lang) if has(f"terms.outcome.{value}", lang) else raw
    elif reason is Discrepancy.CLAIM_WINNER and value in (0, 1):
        return side_word(variant, value, lang)
    return raw


def message_of_note(
    note: Note | str, variant: Variant, lang: Lang, row: NoteRow | None = None, seats: Sequence[int] = ()
) -> str:
    """A note in words: one about the record (``row``), or one of the settlement, with the seats that it names."""
    fields: Fields = {"seats": seats_word(variant, seats, lang)}
    if row is not None:
        fields |= msgspec.structs.asdict(row)
    return text(f"{Note(note).key}.text", lang, **fields)
