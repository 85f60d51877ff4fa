"""The calculator's entry in the address: ``?game=five&match.dealer=0&0.finish=2.0&0.captured0=150``.

A part is named as its widget, its place in front: ``match``, the number of the deal, or ``option``. What stands in the
address when a reader arrives goes into the widgets before they are drawn; what cannot be chosen there is left out.
Afterwards the address follows the widgets.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import streamlit as st

from dashboards.components import address
from yuanzi_core.calculator import SETTLING
from yuanzi_core.cards import RANKS, SEATS, VARIANTS, Variant
from yuanzi_core.deals import ENDS
from yuanzi_core.ruleset import RulesetError, Rulesets, options

#: How a widget of the calculator is called in the session.
PREFIX = "score"
#: Deals that a match can have.
DEALS: dict[Variant, int] = {"four": 2, "five": 1}
SEAT_LISTS, SINGLE_SEATS = ("finish", "partners"), ("dealer", "escaped")
TEXTS_OF_MATCH, TEXTS_OF_DEAL, BY_SEAT = ("base",), ("tricks", "atoms"), ("captured", "hand")
#: What is longer was never typed here.
LONGEST = 40
#: Addresses of this session that are known to have been written here.
REMEMBERED = 200

_SEEN = "result-seen"


def _names(variant: Variant) -> Iterator[tuple[str, str]]:
    """The parts of an entry: their names in the address, and in the session."""
    seats = range(SEATS[variant])
    for name in (*TEXTS_OF_MATCH, "knife", "dealer", "partners", *(f"balance{seat}" for seat in seats)):
        yield f"match.{name}", f"{PREFIX}-{variant}-match-{name}"
    for deal in range(DEALS[variant]):
        by_seat = [f"{name}{seat}" for name in BY_SEAT for seat in seats]
        for name in ("end", "escaped", "finish", *by_seat, *TEXTS_OF_DEAL):
            yield f"{deal}.{name}", f"{PREFIX}-{variant}-{deal}-{name}"


def _options(ruleset: str) -> Iterator[tuple[str, str]]:
    for name in SETTLING:
        yield f"option.{name}", f"{PREFIX}-option-{ruleset}-{name}"


def _value(variant: Variant, name: str, said: str) -> str | int | list[int] | None:
    """What a widget may hold; None if it may not."""
    kind = name.partition(".")[2]
    seats = [int(part) for part in said.split(".") if part.isascii() and part.isdigit() and len(part) == 1]
    able = all(seat < SEATS[variant] for seat in seats) and len(set(seats)) == len(seats) > 0
    if kind in SEAT_LISTS:
        return seats if able else None
    if kind in SINGLE_SEATS:
        return seats[0] if able and len(seats) == 1 else None
    if kind == "knife":
        return said if said in RANKS else None
    if kind == "end":
        return said if said in ENDS and (variant == "five" or said != "points") else None
    return said if len(said) <= LONGEST else None


def _option(variant: Variant, name: str, said: str) -> str | None:
    option = options()[name.partition(".")[2]]
    if variant in option.values:
        return said if said in [str(value).lower() for value in option.values[variant]] else None
    return said if variant in option.variants and len(said) <= LONGEST else None


def arrive(home: Path) -> None:
    """Before the widgets: put into them what the address says, unless they wrote it there themselves.

    While somebody types quickly, a run may still come with an address that they wrote some runs ago.
    """
    said = address.chosen()
    if not said or said in st.session_state.get(_SEEN, ()):
        return
    variant = address.one_of("game", VARIANTS, VARIANTS[0])
    st.session_state[f"{PREFIX}-variant"] = variant
    rulesets, wanted = Rulesets(home / "rulesets"), said.get("ruleset", "")
    try:
        known = wanted in rulesets.names() and rulesets[wanted].variant == variant
    except RulesetError:
        known = False
    if known:
        st.session_state[f"{PREFIX}-ruleset-{variant}"] = wanted
    found = {key: _value(variant, name, said[name]) for name, key in _names(variant) if name in said}
    if known:
        found |= {key: _option(variant, name, said[name]) for name, key in _options(wanted) if name in said}
    for key in [key for _, key in (*_names(variant), *_options(wanted))]:
        if key in st.session_state:
            del st.session_state[key]
    for key, value in found.items():
        if value is not None:
            st.session_state[key] = value


def follow(variant: Variant, ruleset: str, own: dict[str, str]) -> None:
    """After the widgets: write what they hold into the address. ``own``: options as the ruleset has them."""
    held: dict[str, address.Value] = {"game": None if variant == VARIANTS[0] else variant, "ruleset": ruleset}
    for name, key in _names(variant):
        value = st.session_state.get(key)
        standard = {"base": "1", "end": ENDS[0]}.get(name.partition(".")[2])
        if isinstance(value, list):
            value = ".".join(map(str, value))
        held[name] = None if value in (None, "", standard) else str(value)
    for name, key in _options(ruleset):
        value = st.session_state.get(key)
        held[name] = None if value in (None, own.get(name.partition(".")[2])) else str(value)
    if len([value for value in held.values() if value is not None]) == 1:
        # Nothing was entered: an address that says nothing.
        held["ruleset"] = None
    for name in [name for name in address.chosen() if name not in held]:
        held[name] = None
    if {name: address.written(value) for name, value in held.items() if value is not None} != address.chosen():
        address.put(**held)
    now, seen = address.chosen(), st.session_state.get(_SEEN, [])
    if now not in seen:
        st.session_state[_SEEN] = [*seen, now][-REMEMBERED:]
