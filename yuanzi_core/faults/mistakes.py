"""Mistakes of scorers who settle by a wrong rule, or from wrong facts, each as what it changes for the settlement.

Nothing is settled here: the settlement is asked what comes out under another ruleset, from other facts or amounts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.cards import ODD, Variant
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.faults.kinds import Fault
from yuanzi_core.judge import judge_deals
from yuanzi_core.log import BASE_DECIMALS
from yuanzi_core.records import BALANCES, BASE
from yuanzi_core.ruleset import PRESETS, RuleSet, Rulesets, Value, options
from yuanzi_core.shapes import ATOM3, KIND, shapes

Mask = NDArray[np.bool_]


@dataclass
class Seen:
    """The deals of one game in a batch as a scorer sees them; ``head`` and ``facts`` are his own, to be changed.

    ``stale`` has the amounts of each match (``Chunk.amounts``) with the balances that its players brought before.
    """

    deals: Deals
    head: Ints
    facts: Ints
    stale: NDArray[np.int64]

    @property
    def seats(self) -> int:
        """Seats of the game."""
        return int(self.deals.hands.shape[1])

    def matches(self, of_deals: Mask) -> Mask:
        """The matches to which some deals belong."""
        found = np.zeros(len(self.stale), dtype=np.bool_)
        found[self.deals.head[d.MATCH, of_deals]] = True
        return found

    def seat_rows(self, first: int) -> NDArray[np.int32]:
        """The rows of ``facts`` by seat, as a view: seats × deals."""
        return self.facts[first : first + self.seats]


def _same_rules(ruleset: RuleSet) -> RuleSet | None:
    return ruleset


def _same_facts(seen: Seen) -> Mask:
    return np.zeros(len(seen.stale), dtype=np.bool_)


def _same_amounts(amounts: NDArray[np.int64], seen: Seen) -> NDArray[np.int64]:
    return amounts


@dataclass(frozen=True)
class Mistake:
    """One way to settle wrongly.

    ``rules``: the ruleset that the scorer has in mind, ``None`` where he cannot err so. ``facts``: change what he sees,
    and say in which matches that changed; a deal whose ``head`` then says it is number −1 he leaves out. ``amounts``:
    base and balances that he takes (``Chunk.amounts``). ``outcomes``: what he calls an outcome. The mistake is one
    where the true outcome is in ``of`` and what he writes is in ``into`` (empty: any). ``of_deals``: whether he writes
    down side points of his own too.
    """

    fault: Fault | None
    detail: str | None = None
    rules: Callable[[RuleSet], RuleSet | None] = _same_rules
    facts: Callable[[Seen], Mask] = _same_facts
    amounts: Callable[[NDArray[np.int64], Seen], NDArray[np.int64]] = _same_amounts
    outcomes: Mapping[str, str] = field(default_factory=dict)
    of: Collection[str] = ()
    into: Collection[str] = ()
    of_deals: bool = False


#: What an honest scorer does.
TRUTH = Mistake(None)


def _with_constants(ruleset: RuleSet, **constants: Any) -> RuleSet:
    """A ruleset with other numbers, as no club has it."""
    return replace(ruleset, constants={**ruleset.constants, **constants})


def _forget_downstream(seen: Seen) -> Mask:
    """What a downstream player captured stays with the side: a partner is given it, so that nobody hands it over."""
    holders = seen.seat_rows(d.CARDS) > 0
    sides, captured = seen.seat_rows(d.SIDE), seen.seat_rows(d.CAPTURED)
    alone = (holders.sum(axis=0) == 1) & (seen.head[d.END] == d.OUT_END)
    for deal in np.flatnonzero(alone).tolist():
        last = int(holders[:, deal].argmax())
        partner = next(seat for seat in range(seen.seats) if seat != last and sides[seat, deal] == sides[last, deal])
        captured[partner, deal] += captured[last, deal]
        captured[last, deal] = 0
    # With several players downstream the ruleset that he has in mind says enough.
    return seen.matches(alone)


def _hand_points(half: int, receiver: int) -> Callable[[Seen], Mask]:
    """The card points left in all hands count as captured by one seat."""

    def change(seen: Seen) -> Mask:
        hand = seen.seat_rows(d.HAND)
        changed = (seen.head[d.DEAL] == half) & (seen.head[d.END] != d.ESCAPE_END) & (hand.sum(axis=0) > 0)
        seen.facts[d.CAPTURED + receiver, changed] += hand[:, changed].sum(axis=0)
        hand[:, changed] = 0
        return seen.matches(changed)

    return change


def _lower_half_alone(seen: Seen) -> Mask:
    """The lower half is settled as an upper one."""
    seen.head[d.DEAL] -= 1
    return seen.matches(seen.head[d.DEAL] == 0)


def _all_atoms(seen: Seen) -> Mask:
    """Atoms are counted to the end of the deal, not to the moment when the first player is out."""
    known = shapes(seen.deals.variant)
    kinds = known.table[known.shape_of[seen.deals.plays & np.uint32(ODD)], KIND]
    before = np.concatenate([[0], np.cumsum(kinds >= ATOM3)])
    counted = before[seen.deals.offsets[1:]] - before[seen.deals.offsets[:-1]]
    changed = counted != seen.facts[d.ATOMS]
    seen.facts[d.ATOMS] = counted
    return seen.matches(changed)


def _atoms_by_other_option(seen: Seen) -> Mask:
    """Atoms as the referee counts them with the play by which the first player goes out counting, or not."""
    others = [
        ruleset.with_options({"count_head_out": not ruleset.options["count_head_out"]})
        for ruleset in seen.deals.rulesets
    ]
    counted = judge_deals(replace(seen.deals, rulesets=others))[d.ATOMS]
    changed = counted != seen.facts[d.ATOMS]
    seen.facts[d.ATOMS] = counted
    return seen.matches(changed)


def _without_base(amounts: NDArray[np.int64], seen: Seen) -> NDArray[np.int64]:
    amounts = amounts.copy()
    amounts[:, BASE] = 10**BASE_DECIMALS
    return amounts


def _with_stale_balances(amounts: NDArray[np.int64], seen: Seen) -> NDArray[np.int64]:
    amounts = amounts.copy()
    amounts[:, BALANCES:] = seen.stale
    return amounts


def _option(name: str, value: Value) -> Callable[[RuleSet], RuleSet | None]:
    """Another value of an option; there is no mistake where it is the ruleset's own."""

    def changed(ruleset: RuleSet) -> RuleSet | None:
        return None if ruleset.options.get(name) == value else ruleset.with_options({name: value})

    return changed


def _other_options(variant: Variant) -> Iterator[Mistake]:
    """Each value of each option that settles (clauses D to F); of a range its ends and what the presets have."""
    for name, option in options().items():
        if variant not in option.variants or option.clause[0] not in "DEF":
            continue
        values: list[Value] = list(option.values.get(variant, ()))
        if variant in option.range:
            presets = [Rulesets()[preset] for preset in PRESETS]
            usual = [int(str(preset.options[name])) for preset in presets if preset.variant == variant][:1]
            values = [option.range[variant]["least"], *usual, option.range[variant]["most"]]
        facts = _atoms_by_other_option if name == "count_head_out" else _same_facts
        for value in dict.fromkeys(values):
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            yield Mistake(
                Fault.OTHER_OPTION, f"{name}={shown}", rules=_option(name, value), facts=facts, of_deals=True
            )  # fmt: skip


def _limit_at_its_highest(ruleset: RuleSet) -> RuleSet:
    return ruleset.with_options({"clamp_points": options()["clamp_points"].range["four"]["most"]})


def _double_as_normal(ruleset: RuleSet) -> RuleSet:
    return _with_constants(ruleset, double_clamp=ruleset.constants["normal"])


def _factors_swapped(ruleset: RuleSet) -> RuleSet:
    of_two, of_three = "atom_factor_of_two", "atom_factor_of_three"
    return _with_constants(ruleset, **{of_two: ruleset.constants[of_three], of_three: ruleset.constants[of_two]})


def _no_factor(ruleset: RuleSet) -> RuleSet:
    return _with_constants(ruleset, low_factor=1, zero_factor=1)


def _zero_as_low(ruleset: RuleSet) -> RuleSet:
    return _with_constants(ruleset, zero_factor=ruleset.constants["low_factor"])


def _all_mistakes(variant: Variant) -> Iterator[Mistake]:
    yield Mistake(
        Fault.DOWNSTREAM_FORGOTTEN, facts=_forget_downstream, of_deals=True,
        rules=lambda ruleset: ruleset.with_options({"downstream": "last_holder"}),
    )  # fmt: skip
    seats, halves = (4, 2) if variant == "four" else (5, 1)
    for half in range(halves):
        for seat in range(seats):
            facts = _hand_points(half, seat)
            yield Mistake(Fault.HAND_POINTS_ASTRAY, f"deal={half} seat={seat}", facts=facts, of_deals=True)
    yield Mistake(
        Fault.DOUBLE_CLAMP_MISSED, rules=_double_as_normal, outcomes={"double": "normal"}, of=("double",)
    )  # fmt: skip
    yield Mistake(Fault.DOUBLE_CLAMP_GIVEN, "lower half", facts=_lower_half_alone, into=("double",), of=("normal",))
    yield Mistake(
        Fault.DOUBLE_CLAMP_GIVEN, "limit", rules=_limit_at_its_highest, into=("double",), of=("normal", "unfinished"),
    )  # fmt: skip
    yield Mistake(Fault.ATOMS_AFTER_HEAD_OUT, facts=_all_atoms)
    yield Mistake(Fault.ATOM_FACTORS_SWAPPED, rules=_factors_swapped)
    yield Mistake(
        Fault.LOW_FACTOR_MISSED, "none", rules=_no_factor, outcomes={"low": "normal", "zero": "normal"},
        of=("low", "zero"),
    )  # fmt: skip
    yield Mistake(Fault.LOW_FACTOR_MISSED, "×2 for ×3", rules=_zero_as_low, outcomes={"zero": "low"}, of=("zero",))
    yield Mistake(Fault.CAP_IGNORED, rules=_option("cap", "none"))
    yield Mistake(Fault.BASE_FORGOTTEN, amounts=_without_base)
    yield Mistake(Fault.STALE_BALANCE, amounts=_with_stale_balances)
    yield from _other_options(variant)


def mistakes(variant: Variant, faults: Collection[Fault]) -> list[Mistake]:
    """The truth, and then the ways to make some faults in a game, in a fixed order."""
    # What a game does not have is not asked about: its rulesets lack the options and constants.
    wanted = [fault for fault in faults if variant in fault.games]
    return [TRUTH, *(one for one in _all_mistakes(variant) if one.fault in wanted)]
