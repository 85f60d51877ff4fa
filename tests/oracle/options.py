"""The options of RULINGS with their defaults, and the three standard rulesets."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Options:
    """Every option of both games, with the default of the table in RULINGS; those of the other game lie idle."""

    knife_jokers: bool  # B3; false in 4p, true in 5p
    atom_doubling: bool  # F4; true in five-atomic only
    wind: str = "next"  # C3
    knife_bomb: str = "above_all"  # B5
    downstream: str = "last_holder"  # D2, D3
    clamp: str = "both_out"  # E1
    clamp_points: int = 60  # E1
    halves: int = 2  # E2
    escape_min_tricks: int = 5  # E3, F7
    escape_upper_compensation: Fraction = Fraction(1)  # E3
    five_leader: str = "dealer"  # A5
    early_stop: str = "may"  # C5
    count_head_out: bool = True  # F5
    low_applies: str = "total"  # F4
    cap: str = "winner_only"  # F6


RULESETS = {
    "four-classic": Options(knife_jokers=False, atom_doubling=False),
    "five-classic": Options(knife_jokers=True, atom_doubling=False),
    "five-atomic": Options(knife_jokers=True, atom_doubling=True),
}


def exact(value: Any) -> Fraction:
    """The number as it was written: 0.1 is one tenth, not the nearest binary number."""
    return Fraction(str(value))


def override(options: Options, changes: Mapping[str, Any]) -> Options:
    """The options with some of them changed by name; null means absent, other names are ignored."""
    known = {field.name for field in fields(Options)}
    values = {name: value for name, value in changes.items() if name in known and value is not None}
    if "escape_upper_compensation" in values:
        values["escape_upper_compensation"] = exact(values["escape_upper_compensation"])
    return replace(options, **values)


def options_of(
    ruleset: str, rules: Mapping[str, Any] | None = None, rulesets: Mapping[str, Mapping[str, Any]] | None = None
) -> Options:
    """The options in force: the ruleset's, then the log's own `rules`.

    `rulesets` holds a club's own rulesets by name, each as a mapping with `extends` and the options that differ.
    """
    if ruleset in RULESETS:
        options = RULESETS[ruleset]
    else:
        own = (rulesets or {})[ruleset]
        options = override(options_of(own["extends"], None, rulesets), own)
    return override(options, rules or {})
