"""D0-D4, E1-E5 and F1-F7: card points at the end of a deal, and the scores of a match, exactly."""

from dataclasses import dataclass, field
from fractions import Fraction

from .options import Options
from .referee import Facts, target


@dataclass(frozen=True)
class Points:
    """D0-D3: the points after the transfers."""

    players: list[int]  # after the transfers between players
    sides: list[int]  # with what goes to a side as a whole
    downstream: int | None  # the player, if exactly one is downstream


@dataclass(frozen=True)
class Result:
    """E, F: how a match came out. `scores` is None for an unfinished match; `winner` is a side."""

    outcome: str
    winner: int | None
    scores: list[Fraction] | None
    notes: list[str] = field(default_factory=list)


def card_points_after(facts: Facts, options: Options) -> Points:
    """D0-D4: the card points of a finished deal (not of an escape)."""
    players = list(facts.captured)
    gifts = [0, 0]
    downstream: list[int] = []
    if facts.variant == "four":
        if len(facts.finish) == 3:
            # D1: points in the last player's hand go to the third player out.
            last = facts.holders[0]
            players[facts.finish[2]] += facts.hand_points[last]
            downstream = [last]
        else:
            # D2: double out: unplayed points go to the upstream side.
            upstream_side = facts.sides[facts.finish[0]]
            gifts[upstream_side] += sum(facts.hand_points)
            # D2: nobody is downstream, or by option every player still holding cards is.
            if options.downstream == "all_holders":
                downstream = facts.holders
    else:
        # D3: unplayed points of every player still holding cards go to the other side.
        for seat in facts.holders:
            gifts[1 - facts.sides[seat]] += facts.hand_points[seat]
        # D3: somebody is downstream only if the deal ended by C4.
        if facts.end == "out" and (len(facts.holders) == 1 or options.downstream == "all_holders"):
            downstream = facts.holders
    # D1-D3: every point that a downstream player captured goes to the upstream player.
    for seat in downstream:
        taken = facts.captured[seat]
        players[seat] -= taken
        players[facts.finish[0]] += taken
    # D0: a side's points are the sum of its players' and what goes to it as a whole.
    sides = [sum(players[seat] for seat in facts.seats_of(side)) + gifts[side] for side in (0, 1)]
    # D4: points are conserved.
    assert sum(sides) == (300 if facts.variant == "four" else 500)
    return Points(players, sides, downstream[0] if len(downstream) == 1 else None)


def clamped_side(facts: Facts, points: Points, options: Options) -> int | None:
    """E1: the side that loses an upper half by double clamp, or None."""
    # E1 (a): double out, under all three values of `clamp`, and first.
    if len(facts.finish) == 2:
        return 1 - facts.sides[facts.finish[0]]
    # E1 (b): three out, and a side has fewer points than the limit after D1.
    below = [side for side in (0, 1) if points.sides[side] < options.clamp_points]
    if options.clamp == "any_side":
        return below[0] if below else None
    if options.clamp == "upstream_side":
        loser = 1 - facts.sides[facts.finish[0]]
    else:
        loser = facts.sides[facts.holders[0]]
    return loser if loser in below else None


def settle_four(halves: list[Facts], options: Options, base: Fraction) -> Result:
    """E1-E5: the result of a 4p match from the facts of its halves, none of them after the end of the match."""
    upper, last = halves[0], halves[-1]
    # E3: an escape settles the match.
    if last.end == "escape":
        return _escape_four(last, len(halves) - 1, options, base)
    points = [card_points_after(facts, options) for facts in halves]
    # E1: double clamp, upper half only.
    loser = clamped_side(upper, points[0], options)
    if loser is not None:
        # E1: +2 each for the winners, -2 each for the losers.
        return Result("double", 1 - loser, _by_side(upper, 1 - loser, 2 * base, -2 * base))
    # E4: no lower half where there should be one.
    if len(halves) < options.halves:
        return Result("unfinished", None, None)
    # E2: the sides' totals of all halves are compared; when equal, the side of the upper half's upstream player wins.
    totals = [sum(half.sides[side] for half in points) for side in (0, 1)]
    if totals[0] == totals[1]:
        winner = upper.sides[upper.finish[0]]
    else:
        winner = 0 if totals[0] > totals[1] else 1
    return Result("normal", winner, _by_side(upper, winner, base, -base))


def _escape_four(facts: Facts, half: int, options: Options, base: Fraction) -> Result:
    """E3: escape in 4p."""
    assert facts.escaped is not None
    if half == 0:
        # E3: upper half: -4; each opponent the compensation once enough tricks of this half are complete, else 0.
        enough = facts.tricks >= options.escape_min_tricks
        penalty, compensation = Fraction(4), options.escape_upper_compensation if enough else Fraction(0)
    else:
        # E3: lower half: -2, each opponent +1, whatever has been played.
        penalty, compensation = Fraction(2), Fraction(1)
    other_side = 1 - facts.sides[facts.escaped]
    scores = _by_side(facts, other_side, compensation * base, Fraction(0))
    scores[facts.escaped] = -penalty * base
    return Result("escape", other_side, scores)


def _by_side(facts: Facts, winner: int, gain: Fraction, loss: Fraction) -> list[Fraction]:
    """The same score for each player of a side."""
    return [gain if side == winner else loss for side in facts.sides]


def settle_five(facts: Facts, options: Options, base: Fraction, balances: list[Fraction | None]) -> Result:
    """F1-F7: the result of a 5p match; `balances` are the logged standings before it, for F6."""
    # F7: an escape settles the match.
    if facts.end == "escape":
        return Result("escape", None, _escape_five(facts, options, base))
    points = card_points_after(facts, options)
    # F1: the side that has its target after D3 wins; it is always exactly one.
    (winner,) = [side for side in (0, 1) if points.sides[side] >= target(facts, side)]
    # F2: three winners: +2 and -3; two winners: +3 and -2. So the side of three always plays for 2, the other for 3.
    three = 0 if len(facts.seats_of(0)) == 3 else 1
    stake = {three: Fraction(2), 1 - three: Fraction(3)}
    # F4: the multiple grows by the atom count on the side of three and by one and a half times that on the side of two.
    grown = {three: Fraction(facts.atoms), 1 - three: Fraction(3, 2) * facts.atoms}
    # F3: losers below 25 points a player: doubled; without any point: tripled instead.
    left = points.sides[1 - winner]
    outcome, factor = "normal", 1
    if left == 0:
        outcome, factor = "zero", 3
    elif left < 25 * len(facts.seats_of(1 - winner)):
        outcome, factor = "low", 2
    scores = []
    for side in facts.sides:
        if not options.atom_doubling:
            multiple = stake[side] * factor
        elif options.low_applies == "base_only":
            # F4: F3 multiplies F2 alone.
            multiple = stake[side] * factor + grown[side]
        else:
            # F4: F3 multiplies the sum.
            multiple = (stake[side] + grown[side]) * factor
        scores.append(multiple * base if side == winner else -multiple * base)
    notes: list[str] = []
    # F6: only with atom doubling, by option.
    if options.atom_doubling and options.cap == "winner_only":
        for seat, side in enumerate(facts.sides):
            if side == winner:
                scores[seat] = _capped(scores[seat], balances[seat], seat, notes)
    return Result(outcome, winner, scores, notes)


def _capped(gain: Fraction, balance: Fraction | None, seat: int, notes: list[str]) -> Fraction:
    """F6: a winner gains no more than the standing held before the match, a negative one counting as 0."""
    if balance is None:
        notes.append(f"F6: no standing known for seat {seat}, no cap applied")
        return gain
    most = max(balance, Fraction(0))
    if most == 0:
        notes.append(f"F6: seat {seat} has a cap of 0")
    return min(gain, most)


def _escape_five(facts: Facts, options: Options, base: Fraction) -> list[Fraction]:
    """F7: escape in 5p; one already out counts among the players out."""
    assert facts.escaped is not None
    out = len(facts.finish)
    # F7: 10, +2 if someone is already out, +1 for each player out (at most 3), +1 for each full 100 points captured
    # by all players in completed tricks (at most 3).
    penalty = 10 + (2 if out >= 1 else 0) + min(out, 3) + min(sum(facts.captured) // 100, 3)
    # F7: once enough tricks are complete each player of the other side receives 1, +1 if someone is out, +1 if two are.
    compensation = 0
    if compensation_due(facts, options):
        compensation = 1 + (1 if out >= 1 else 0) + (1 if out >= 2 else 0)
    others = facts.seats_of(1 - facts.sides[facts.escaped])
    # F7: with atom doubling the escaper pays the atom count for each of them on top.
    extra = escape_atoms(facts, options)
    scores = [Fraction(0)] * len(facts.sides)
    scores[facts.escaped] = -(penalty + extra * len(others)) * base
    for seat in others:
        scores[seat] = (compensation + extra) * base
    return scores


def compensation_due(facts: Facts, options: Options) -> bool:
    """F7: whether five tricks (option `escape_min_tricks`) are complete."""
    return facts.tricks >= options.escape_min_tricks


def escape_atoms(facts: Facts, options: Options) -> int:
    """F7: what each compensated player receives on top, in multiples of base: the atom count, with atom doubling."""
    return facts.atoms if options.atom_doubling and compensation_due(facts, options) else 0


def escape_claim_is_possible(claimed: list[Fraction], facts: Facts, options: Options, base: Fraction) -> bool:
    """F7: whether scores claimed for an escape, though off this schedule, are within the bounds of the text."""
    assert facts.escaped is not None
    side = facts.sides[facts.escaped]
    others = facts.seats_of(1 - side)
    extra = escape_atoms(facts, options)
    penalty = -claimed[facts.escaped] / base - extra * len(others)
    received = [claimed[seat] / base - extra for seat in others]
    partners = [seat for seat in facts.seats_of(side) if seat != facts.escaped]
    return (
        # F7: the penalty (less the atom part) is in 10-18.
        10 <= penalty <= 18
        # F7: each opponent gets at least 1 after five tricks (and never pays).
        and min(received) >= (1 if compensation_due(facts, options) else 0)
        # F7: all compensation together is no more than the penalty.
        and sum(received) <= penalty
        # F7: the escaper's partners: 0.
        and all(claimed[seat] == 0 for seat in partners)
    )
