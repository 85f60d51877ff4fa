"""H1: a whole match, judged deal by deal and settled from its plays alone."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .claims import compare_deal, compare_match, printed
from .options import Options, exact, options_of
from .referee import Facts, Violation, judge_deal
from .settlement import (
    Result,
    card_points_after,
    clamped_side,
    escape_claim_is_possible,
    settle_five,
    settle_four,
)

Answer = dict[str, Any]


def settle(match: Mapping[str, Any], rulesets: Mapping[str, Mapping[str, Any]] | None = None) -> Answer:
    """H1, H2: the answer to one readable log in canonical notation, as in "Machine-readable answers".

    All clauses A1-F7 apply; the cap of F6 uses the log's `balance` only. The answer lacks `file` and `line`, its
    `message` is always null, and its notes are short sentences of its own.
    """
    variant = match["variant"]
    options = options_of(match["ruleset"], match.get("rules"), rulesets)
    base = Fraction(1) if match.get("base") is None else exact(match["base"])
    judged: list[Facts] = []
    for half, deal in enumerate(match["deals"]):
        # H2: a half after the match is over is AFTER_END, without a play, before anything else in it is checked.
        if half == 1 and _over_after_upper(judged[0], options):
            return _violation(match, options, judged, Violation("AFTER_END"))
        upper_upstream = judged[0].finish[0] if half == 1 else None
        found = judge_deal(deal, variant, half, options, upper_upstream)
        # H1: the referee stops at the first violation; nothing after it in that match is settled.
        if isinstance(found, Violation):
            return _violation(match, options, judged, found)
        judged.append(found)
    if variant == "four":
        result = settle_four(judged, options, base)
    else:
        balances = [None if player.get("balance") is None else exact(player["balance"]) for player in match["players"]]
        result = settle_five(judged[0], options, base, balances)
    return _settled(match, options, base, judged, result)


def _over_after_upper(upper: Facts, options: Options) -> bool:
    """H2: whether the match is over after the upper half: double clamp, escape, or `halves` = 1."""
    if upper.end == "escape" or options.halves == 1:
        return True
    return clamped_side(upper, card_points_after(upper, options), options) is not None


def _violation(match: Mapping[str, Any], options: Options, judged: list[Facts], found: Violation) -> Answer:
    """The answer of a match with a violation: the finished deals before it, and no result."""
    return {
        "match_id": match["match_id"],
        "status": "violation",
        "code": found.code,
        "deal": len(judged),
        "play": found.play,
        "message": None,
        "deals": [_deal_answer(facts, options) for facts in judged],
        "outcome": None,
        "winner": None,
        "scores": None,
        "discrepancies": [],
        "notes": [],
    }


def _settled(match: Mapping[str, Any], options: Options, base: Fraction, judged: list[Facts], result: Result) -> Answer:
    """The answer of a settled or unfinished match, with what its claims do not bear out."""
    last = judged[-1]

    def tolerates(claimed: list[Fraction]) -> bool:
        """F7: a 5p escape claim off the schedule but within the bounds of the text is a note."""
        return (
            last.variant == "five" and last.end == "escape" and escape_claim_is_possible(claimed, last, options, base)
        )

    answer: Answer = {
        "match_id": match["match_id"],
        "status": "unfinished" if result.outcome == "unfinished" else "settled",
        "code": None,
        "deal": None,
        "play": None,
        "message": None,
        "deals": [_deal_answer(facts, options) for facts in judged],
        "outcome": result.outcome,
        "winner": result.winner,
        "scores": result.scores,
    }
    notes = list(result.notes)
    discrepancies = []
    for place, entry in enumerate(answer["deals"]):
        discrepancies += compare_deal(place, match["deals"][place].get("claimed"), entry, notes)
    discrepancies += compare_match(match.get("claimed"), answer, tolerates, notes)
    if result.scores is not None:
        answer["scores"] = [printed(score) for score in result.scores]
    return {**answer, "discrepancies": discrepancies, "notes": notes}


def _deal_answer(facts: Facts, options: Options) -> Answer:
    """The entry of one deal in `deals`; an escape has no points after transfers and nobody downstream."""
    points = None if facts.end == "escape" else card_points_after(facts, options)
    return {
        "knife": facts.knife,
        "leader": facts.leader,
        "sides": facts.sides,
        "finish": facts.finish,
        "captured": facts.captured,
        "points": None if points is None else points.players,
        "side_points": None if points is None else points.sides,
        "downstream": None if points is None else points.downstream,
        "atoms": facts.atoms,
        "tricks": facts.tricks,
        "end": facts.end,
        "revealed": facts.revealed,
    }
