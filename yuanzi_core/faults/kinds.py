"""The faults that can be put into a log: their names, the clauses they break, where they can occur."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.reasons import Violation
from yuanzi_core.texts import Lang, text

Kind = Literal["plays", "claims", "records"]

_PLAYS: Kind = "plays"
_CLAIMS: Kind = "claims"
_RECORDS: Kind = "records"
_BOTH = VARIANTS
_FOUR: tuple[Variant, ...] = ("four",)
_FIVE: tuple[Variant, ...] = ("five",)


class Fault(StrEnum):
    """What can be wrong with a record. The value of a member is the name under which it is asked for."""

    kind: Kind
    """Whether the plays break a rule, the claims do not hold, or the record as a whole is at fault."""
    games: tuple[Variant, ...]
    """The games in which it can occur at all; where else it cannot, depends on the match and its options."""
    clause: tuple[str, ...]
    """The clauses of the rulebook that it goes against; for a record, the section of the log format."""

    def __new__(cls, value: str, kind: Kind, games: tuple[Variant, ...], *clause: str) -> Fault:
        member = str.__new__(cls, value)
        member._value_ = value
        member.kind, member.games, member.clause = kind, games, clause
        return member

    # Violations, in the order of checking (H2).
    DECK = "DECK", _PLAYS, _BOTH, *Violation.DECK.clause
    KNIFE = "KNIFE", _PLAYS, _BOTH, *Violation.KNIFE.clause
    FIRST_DRAW = "FIRST_DRAW", _PLAYS, _FOUR, *Violation.FIRST_DRAW.clause
    HAND_SIZE = "HAND_SIZE", _PLAYS, _BOTH, *Violation.HAND_SIZE.clause
    CALL = "CALL", _PLAYS, _FIVE, *Violation.CALL.clause
    LEADER = "LEADER", _PLAYS, _BOTH, *Violation.LEADER.clause
    AFTER_END = "AFTER_END", _PLAYS, _BOTH, *Violation.AFTER_END.clause
    TURN = "TURN", _PLAYS, _BOTH, *Violation.TURN.clause
    LEAD_PASS = "LEAD_PASS", _PLAYS, _BOTH, *Violation.LEAD_PASS.clause
    NOT_HELD = "NOT_HELD", _PLAYS, _BOTH, *Violation.NOT_HELD.clause
    NOT_A_COMBO = "NOT_A_COMBO", _PLAYS, _BOTH, *Violation.NOT_A_COMBO.clause
    CANNOT_BEAT = "CANNOT_BEAT", _PLAYS, _BOTH, *Violation.CANNOT_BEAT.clause
    TRUNCATED = "TRUNCATED", _PLAYS, _BOTH, *Violation.TRUNCATED.clause
    END = "END", _PLAYS, _BOTH, *Violation.END.clause

    # Mistakes of scorers.
    DOWNSTREAM_FORGOTTEN = "downstream_forgotten", _CLAIMS, _BOTH, "D1", "D2", "D3"
    HAND_POINTS_ASTRAY = "hand_points_astray", _CLAIMS, _BOTH, "D1", "D2", "D3"
    DOUBLE_CLAMP_MISSED = "double_clamp_missed", _CLAIMS, _FOUR, "E1"
    DOUBLE_CLAMP_GIVEN = "double_clamp_given", _CLAIMS, _FOUR, "E1", "E2"
    TIE_TO_WRONG_SIDE = "tie_to_wrong_side", _CLAIMS, _FOUR, "E2"
    ATOMS_AFTER_HEAD_OUT = "atoms_after_head_out", _CLAIMS, _FIVE, "F4", "F5"
    ATOM_FACTORS_SWAPPED = "atom_factors_swapped", _CLAIMS, _FIVE, "F4"
    LOW_FACTOR_MISSED = "low_factor_missed", _CLAIMS, _FIVE, "F3"
    CAP_IGNORED = "cap_ignored", _CLAIMS, _FIVE, "F6"
    BASE_FORGOTTEN = "base_forgotten", _CLAIMS, _BOTH, "E5", "F2", "F7"
    PLAYERS_SWAPPED = "players_swapped", _CLAIMS, _BOTH, "H1"
    SIGN_ERROR = "sign_error", _CLAIMS, _BOTH, "H1"
    DIGITS_TRANSPOSED = "digits_transposed", _CLAIMS, _BOTH, "H1"
    OTHER_OPTION = "other_option", _CLAIMS, _BOTH, "H1"
    STALE_BALANCE = "stale_balance", _CLAIMS, _FIVE, "F6"

    # Records.
    DUPLICATE = "duplicate", _RECORDS, _BOTH, "Which record counts"
    CONFLICT = "conflict", _RECORDS, _BOTH, "Which record counts"
    REVISION = "revision", _RECORDS, _BOTH, "Which record counts"

    def words(self, lang: Lang) -> str:
        """The fault's name in words."""
        return text(f"faults.fault.{self.value}.name", lang)

    def sentence(self, lang: Lang) -> str:
        """What is done to a record, in one sentence."""
        return text(f"faults.fault.{self.value}.text", lang)

    @property
    def voids(self) -> bool:
        """Whether a match with it counts for nothing in a warehouse: it moves no standing."""
        return self.kind == "plays" or self is Fault.CONFLICT


#: Shares that are worked out are whole numbers of these parts.
_PARTS = 10**9

Plan = Mapping[Fault, float]
"""Faults to be injected, each with its share of all matches."""


class PlanError(ValueError):
    """A plan of faults that cannot be followed; ``key`` and ``fields`` are those of its sentence (topic ``faults``)."""

    def __init__(self, key: str, **fields: object) -> None:
        self.key, self.fields = key, fields
        super().__init__(self.sentence("en"))

    def sentence(self, lang: Lang) -> str:
        """What is wrong with the plan."""
        return text(f"faults.error.{self.key}", lang, **self.fields)


#: In the place of a fault's name: all that are not named themselves.
ALL = "all"


def possible_faults(games: Collection[Variant] = VARIANTS, sheets: bool = False) -> list[Fault]:
    """The faults that can occur in matches of some games; score sheets have no plays."""
    return [fault for fault in Fault if set(games) & set(fault.games) and not (sheets and fault.kind == "plays")]


def parse_faults(asked: str, games: Collection[Variant] = VARIANTS, sheets: bool = False) -> dict[Fault, float]:
    """A plan as a command line gives it: ``TURN=0.01,double_clamp_missed=0.02``. Capital or small letters are one.

    ``all=0.05`` spreads its share evenly over the :func:`possible_faults` that are not named.

    :raises PlanError: no entry of that form, an unknown fault, one that cannot occur there, one named twice, or rates
        that are no shares.
    """
    known = {fault.value.lower(): fault for fault in Fault}
    # A violation and a fault of records are told apart by their names alone.
    assert len(known) == len(Fault)
    possible = possible_faults(games, sheets)
    plan: dict[Fault, float] = {}
    spread: float | None = None
    for entry in filter(None, (part.strip() for part in asked.split(","))):
        name, equals, rate = (part.strip() for part in entry.partition("="))
        if not equals or not name:
            raise PlanError("not_an_entry", entry=entry[:80])
        every = name.lower() == ALL
        fault = known.get(name.lower())
        if fault is None and not every:
            raise PlanError("unknown", name=name[:80], names=", ".join(Fault))
        if fault is not None and fault not in possible:
            raise PlanError("impossible", name=fault.value)
        if fault in plan or (every and spread is not None):
            raise PlanError("twice", name=ALL if fault is None else fault.value)
        try:
            share = float(rate)
        except ValueError:
            share = math.nan
        if not 0 <= share <= 1:
            raise PlanError("not_a_rate", name=ALL if fault is None else fault.value, rate=rate[:80])
        if fault is None:
            spread = share
        else:
            plan[fault] = share
    left = [fault for fault in possible if fault not in plan]
    if spread and left:
        # Rounded down: all of them together are no more than was asked for.
        plan |= dict.fromkeys(left, math.floor(spread / len(left) * _PARTS) / _PARTS)
    check_plan(plan)
    return plan


def check_plan(plan: Plan) -> None:
    """Check that a plan can be followed.

    :raises PlanError: a rate is no share, or the shares add up to more than 1: a match takes one fault.
    """
    for fault, rate in plan.items():
        if not 0 <= rate <= 1:
            raise PlanError("not_a_rate", name=fault.value, rate=rate)
    total = sum((Decimal(str(rate)) for rate in plan.values()), Decimal(0))
    if total > 1:
        raise PlanError("too_many", total=total)
