"""Reasons: why a record is rejected, a deal breaks a rule, a claim does not hold, or a settlement carries a note.

A reason is a member, never a sentence: what a person reads stands in ``texts/<language>/reasons.toml`` under
:attr:`Reason.key`. Its :attr:`Reason.clause` names the clauses of the rulebook behind it; for a reject, the sections
of the log format.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from yuanzi_core.cards import Variant

Place = Literal["deal", "play"]


class Reason(StrEnum):
    """What all reasons have in common. The value of a member is its name, as files and answers carry it."""

    clause: tuple[str, ...]

    def __new__(cls, value: str, *clause: str) -> Reason:
        member = str.__new__(cls, value)
        member._value_ = value
        member.clause = clause
        return member

    @property
    def key(self) -> str:
        """Where the texts of this reason stand, for example ``reasons.violation.TURN`` (then ``.name``, ``.text``)."""
        return f"reasons.{type(self).__name__.lower()}.{self.value}"


class Reject(Reason):
    """Why a record cannot be read as a match, in the order of checking; clauses are sections of the log format."""

    JSON = "JSON", "Match log", "Verdicts"
    VERSION = "VERSION", "Match log"
    SCHEMA = "SCHEMA", "Match log"
    RULESET = "RULESET", "Match log"
    NOTATION = "NOTATION", "Match log"
    DUPLICATE = "DUPLICATE", "Which record counts"
    SHEET = "SHEET", "Score sheets"


class Violation(Reason):
    """How a deal breaks a rule, in the order of checking (H2)."""

    number: int
    """The kernel's number, 1–14 in the order of checking; 0 there means no violation."""
    place: Place
    """Whether it is found on the deal as a whole or at a place in its plays."""

    def __new__(cls, value: str, number: int, place: Place, *clause: str) -> Violation:
        member = str.__new__(cls, value)
        member._value_ = value
        member.number, member.place, member.clause = number, place, clause
        return member

    @classmethod
    def numbered(cls, number: int) -> Violation:
        """The violation with the kernel's number.

        :raises ValueError: the number is not one of 1–14.
        """
        if not 1 <= number <= len(cls):
            raise ValueError(f"no violation has the number {number}")
        return list(cls)[number - 1]

    DECK = "DECK", 1, "deal", "A2"
    KNIFE = "KNIFE", 2, "deal", "A3"
    FIRST_DRAW = "FIRST_DRAW", 3, "deal", "A4"
    HAND_SIZE = "HAND_SIZE", 4, "deal", "A4"
    CALL = "CALL", 5, "deal", "A6"
    LEADER = "LEADER", 6, "deal", "A5"
    AFTER_END = "AFTER_END", 7, "play", "C4", "C5", "E1", "E2", "E3", "H2"
    TURN = "TURN", 8, "play", "A1", "C2", "C3"
    LEAD_PASS = "LEAD_PASS", 9, "play", "C1"
    NOT_HELD = "NOT_HELD", 10, "play", "H2"
    NOT_A_COMBO = "NOT_A_COMBO", 11, "play", "B1", "B2", "B3"
    CANNOT_BEAT = "CANNOT_BEAT", 12, "play", "B4", "B5", "B6", "B7", "B8"
    TRUNCATED = "TRUNCATED", 13, "play", "C4", "C5"
    END = "END", 14, "play", "C4", "C5"


class Discrepancy(Reason):
    """A claim that the recomputation does not bear out (H1), in the order of listing."""

    clauses: Mapping[Variant, tuple[str, ...]]
    """The clauses behind it in each game."""

    def __new__(cls, value: str, four: tuple[str, ...] = (), five: tuple[str, ...] = ()) -> Discrepancy:
        member = str.__new__(cls, value)
        member._value_ = value
        member.clauses = {"four": four, "five": five}
        member.clause = tuple(dict.fromkeys(four + five))
        return member

    def rule_key(self, variant: Variant) -> str:
        """Where the text of its rule stands: the one of both games, else that of a game."""
        same = self.clauses["four"] == self.clauses["five"]
        return f"{self.key}.rule" if same else f"{self.key}.rule_{variant}"

    CLAIM_FINISH = "CLAIM_FINISH", ("C4",), ("C4",)
    CLAIM_CAPTURED = "CLAIM_CAPTURED", ("A2", "C2", "C3", "C4"), ("A2", "C2", "C3", "C4")
    CLAIM_SIDE_POINTS = "CLAIM_SIDE_POINTS", ("D0", "D1", "D2"), ("D0", "D3")
    CLAIM_OUTCOME = "CLAIM_OUTCOME", ("E1", "E2", "E3", "E4"), ("F3", "F7")
    CLAIM_WINNER = "CLAIM_WINNER", ("E1", "E2", "E3"), ("F1",)
    CLAIM_SCORES = "CLAIM_SCORES", ("E1", "E2", "E3", "E5"), ("E5", "F2", "F3", "F4", "F6", "F7")
    CLAIM_BALANCE = "CLAIM_BALANCE", ("G1",), ("F6", "G1")


class Note(Reason):
    """Something worth knowing about a record that was judged all the same."""

    UNKNOWN_FIELDS = "UNKNOWN_FIELDS", "Match log"
    """Fields that the format does not know; carries their count."""
    OTHER_VARIANT_FIELDS = "OTHER_VARIANT_FIELDS", "Match log"
    """Fields of the other game; carries their count."""
    CLAIM_UNREADABLE = "CLAIM_UNREADABLE", "Match log"
    """A claim of the wrong type or size; carries its path."""
    ESCAPE_CLAIM = "ESCAPE_CLAIM", "F7"
    """Claimed scores of an escape off the schedule, but within its bounds."""
    NO_CAP_UNKNOWN_STANDING = "NO_CAP_UNKNOWN_STANDING", "F6"
    """No cap, since the standing before the match is unknown; carries the seats."""
    CAP_ZERO = "CAP_ZERO", "F6"
    """A cap of 0; carries the seats."""
