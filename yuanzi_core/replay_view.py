"""A match as a page steps through it: for each play what it was and what the referee's table held after it.

Plain values that JSON can carry, sentences in one language. Where hands are sorted (G4) and who sits where (A1) is
decided here, so that a page has nothing to decide. How points move after the last play: ``settlement_flow``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from yuanzi_core import deals as d
from yuanzi_core.cards import CARDS, PASS, RANKS, display_order, write_cards
from yuanzi_core.compiled import plain
from yuanzi_core.explain_deal import special, why_it_ended
from yuanzi_core.explanation import Speaker
from yuanzi_core.messages import violation_text
from yuanzi_core.reasons import Violation
from yuanzi_core.replay import Play, Replay, State, Step
from yuanzi_core.shapes import is_of_knife, shapes
from yuanzi_core.texts import text
from yuanzi_core.words import cards_word, seat_named, shape_word

Row = dict[str, Any]

#: A1: the places at a table seen from above, the viewer's first, then in the order of play: counter-clockwise.
PLACES: dict[int, tuple[str, ...]] = {
    4: ("bottom", "right", "top", "left"),
    5: ("bottom", "right", "top-right", "top-left", "left"),
}
#: Of a play that no hand can hold, no more cards than this are drawn.
_MOST_DRAWN = 54


def place_at_table(seats: int, viewer: int, seat: int) -> str:
    """Where a seat lies for a viewer at the bottom; the next seat to play is at a player's right hand (A1)."""
    return PLACES[seats][(seat - viewer) % seats]


def sorted_hand(cards: Sequence[int], knife: int) -> list[str]:
    """A hand in both orders of G4, by rank and by count, as card texts."""
    return [write_cards(display_order(cards, knife, by_count)) for by_count in (False, True)]


def replay_view(say: Speaker, replay: Replay, settled: Row, deals: Sequence[Row]) -> Row:
    """The whole match.

    ``settled`` is its row of ``settled_match``, ``deals`` are those of ``core_settlement__deal``. Keys of the result:
    ``variant``, ``seats`` (their names), ``sides`` (theirs), ``places`` (by viewer, then seat) and ``deals``: each deal
    up to the first violation, or none of a half that the settlement rules out.
    """
    stopped = settled["violation_deal"]
    count = replay.deals.hands.shape[1]
    seats = range(count)
    shown = range(len(replay) if stopped is None else stopped + 1)
    rows = {row["deal"]: row for row in deals}
    return {
        "variant": say.variant,
        "seats": [say.seat(seat) for seat in seats],
        "sides": [say.side(side) for side in range(2)],
        "places": [[place_at_table(count, viewer, seat) for seat in seats] for viewer in seats],
        # East's seat, from which the rulings describe the table, and the dealer's.
        "viewer": 1 if say.variant == "four" else int(replay.deals.head[d.DEALER, 0]),
        "deals": [_deal(say, replay, deal, settled, rows.get(deal)) for deal in shown],
    }


def _deal(say: Speaker, replay: Replay, deal: int, settled: Row, row: Row | None) -> Row:
    head = {name: int(value) for name, value in zip(d.HEAD, replay.deals.head[:, deal], strict=True)}
    five = say.variant == "five"
    about: Row = {
        "name": say.half(deal) if say.variant == "four" else None,
        "drawn": CARDS[head["drawn"]],
        "called": CARDS[head["called"]] if five else None,
        "dealer": head["dealer"] if five else None,
        "stop": None,
        "end": None,
    }
    stopped = settled["violation_deal"] == deal
    if stopped:
        about["stop"] = _stop(say, replay, settled)
    # A half after the end of the match was never played for the referee (H2).
    if stopped and settled["violation"] == Violation.AFTER_END and settled["violation_play"] is None:
        return {**about, "knife": None, "sides": [], "state": None, "plays": []}
    first = replay.state(deal, 0)
    plays, state, taker = [], _values(first), None
    for step in replay.steps(deal):
        after = _values(step.after)
        play = _play(say, step, taker)
        play["changed"] = {name: value for name, value in after.items() if value != state[name]}
        plays.append(play)
        state = after
        if step.ends_trick:
            taker = step.taker
    if row is not None and not stopped:
        about["end"] = why_it_ended(say, row).text
    return {
        **about,
        "knife": RANKS[first.knife] if first.knife >= 0 else None,
        "sides": list(first.sides),
        "most_partners": _most_partners(replay) if five else None,
        "hands": [sorted_hand(first.hand(seat), first.knife) for seat in range(len(first.cards))],
        "state": _values(first),
        "plays": plays,
    }


def _most_partners(replay: Replay) -> int:
    """A6: how many partners the copies of a called card suffice for. As long as fewer are revealed, nobody at the table
    knows that there is not another."""
    (ruleset,) = replay.deals.rulesets
    return ruleset.decks // int(ruleset.constants["partner_copies"])


def _values(state: State) -> Row:
    """What a page shows of a state; lists are by seat, ``turn`` is null when the deal is over."""
    return {
        "turn": None if state.ended else state.turn,
        "points": state.trick_points,
        "atoms": state.atoms,
        "finish": list(state.finish),
        "captured": list(state.captured),
        "by_side": [
            sum(points for points, own in zip(state.captured, state.sides, strict=True) if own == side)
            for side in range(2)
        ],
        "cards": list(state.cards),
        "revealed": [seat for seat, _ in state.revealed],
    }


def _play(say: Speaker, step: Step, taker: int | None) -> Row:
    """A play: what it was, in which trick (from 1), what it brought about, and the hand that is left."""
    made = step.play
    seat = seat_named(say.variant, made.seat, say.lang)
    found: Row = {"seat": made.seat, "cards": write_cards(made.cards), "trick": step.before.tricks + 1}
    if made.is_pass:
        said = _say(say, "pass", seat=seat)
    else:
        shown, what = cards_word(made.cards, say.lang), _what(say, made, step.before)
        # C3: whoever leads without having taken the trick before has the wind.
        wind = step.leads and taker not in (None, made.seat)
        key = "wind" if wind else "lead" if step.leads else "answer"
        said = _say(say, key, seat=seat, cards=shown, what=what)
        marks, _ = special(say, step)
        found |= {"text": shown, "what": what, "marks": marks}
        found["hand"] = sorted_hand(step.after.hand(made.seat), step.after.knife)
        if marks:
            said = _say(say, "and", before=said, after=say.listed(marks))
    if step.ends_trick:
        by = seat_named(say.variant, step.taker, say.lang)
        takes = _say(say, "takes" if step.points else "takes_nothing", seat=by, points=step.points)
        found["taken"] = {"seat": step.taker, "points": step.points, "said": takes}
        said = _say(say, "and", before=said, after=takes)
    return {**found, "said": said}


def _what(say: Speaker, made: Play, before: State) -> str:
    shape = int(shapes(say.variant).shape_of[made.code])
    return shape_word(say.variant, shape, plain(is_of_knife)(made.code, before.knife), say.lang)


def _stop(say: Speaker, replay: Replay, settled: Row) -> Row:
    """The violation: its name, sentence, rule and clauses, and the play that broke it where there is one."""
    deal, place = settled["violation_deal"], settled["violation_play"]
    violation = Violation[settled["violation"]]
    made = None if place is None else replay.play(deal, place)
    found: Row = {
        "name": text(f"{violation.key}.name", say.lang),
        "message": violation_text(replay, violation, deal, place, say.lang),
        "rule": text(f"{violation.key}.rule", say.lang),
        "clauses": list(violation.clause),
        "play": None,
    }
    if made is not None:
        shown = text("words.list.pass", say.lang) if made.code == PASS else cards_word(made.cards, say.lang)
        found["play"] = {"seat": made.seat, "cards": write_cards(made.cards[:_MOST_DRAWN]), "text": shown}
    return found


def _say(say: Speaker, key: str, **fields: object) -> str:
    return text(f"replay.said.{key}", say.lang, **fields)
