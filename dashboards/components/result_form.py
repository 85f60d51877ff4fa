"""The widgets of the calculator: a result as texts of cells, and a place for a sentence behind each of them.

A widget takes any text; whether it can be so is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.components.figures import word
from dashboards.components.frame import Frame
from dashboards.components.places import seat
from dashboards.components.rules import written
from yuanzi_core.calculator import SETTLING, Entry
from yuanzi_core.cards import RANKS
from yuanzi_core.deals import ENDS
from yuanzi_core.ruleset import RuleSet, options

#: Where a sentence about a column goes: by deal (None for the match) and column, the seat left off.
Slots = dict[tuple[int | None, str], DeltaGenerator]


def _key(variant: str, deal: int | None, name: str) -> str:
    return f"score-{variant}-{'match' if deal is None else deal}-{name}"


class ResultForm:
    """The form of one game under one ruleset; ``entry`` grows as its parts are drawn."""

    def __init__(self, frame: Frame, ruleset: RuleSet) -> None:
        self.frame, self.variant = frame, ruleset.variant
        self.seats = range(ruleset.players)
        self.entry = Entry(self.variant, {"ruleset": ruleset.name}, [])
        self.slots: Slots = {}

    def _seat(self, number: int) -> str:
        return seat(self.frame, self.variant, number)

    def _text(self, deal: int | None, name: str, label: str, default: str = "", shown: str = "visible") -> str:
        visible: Any = shown
        written = st.text_input(
            label, value=default, key=_key(self.variant, deal, name), live=True, persist_state="session",
            label_visibility=visible, autocomplete="off",
        )  # fmt: skip
        return (written or "").strip()

    def _slot(self, deal: int | None, name: str) -> None:
        self.slots[deal, name] = st.empty()

    def _by_seat(self, cells: dict[str, str], deal: int | None, name: str) -> None:
        """A number a seat."""
        st.caption(self.frame.say(f"score.{name}"))
        with st.grid(columns=len(self.seats), min_column_width=64, gap="xsmall"):
            for number in self.seats:
                cells[f"{name}{number}"] = self._text(deal, f"{name}{number}", self._seat(number))
        self._slot(deal, name)

    def of_match(self, ruleset: RuleSet) -> None:
        """What belongs to the match: base and knife, for five players also dealer and partners."""
        cells = self.entry.of_match
        with st.grid(columns=2, min_column_width=120):
            cells["base"] = self._text(None, "base", self.frame.say("score.base"), "1")
            st.selectbox(
                self.frame.say("score.knife"), RANKS, index=None, key=_key(self.variant, None, "knife"),
                format_func=lambda rank: word(f"terms.rank.{rank}", self.frame.lang, rank),
                help=self.frame.say("score.knife_help"), placeholder="–", persist_state="session",
            )  # fmt: skip
        self._slot(None, "base")
        if self.variant == "five":
            with st.grid(columns=2, min_column_width=150):
                dealer = self._one_seat(None, "dealer")
                chosen = st.multiselect(
                    self.frame.say("score.partners"), self.seats, format_func=self._seat, placeholder="–",
                    key=_key(self.variant, None, "partners"), persist_state="session",
                )  # fmt: skip
            cells["dealer"] = "" if dealer is None else str(dealer)
            cells["partners"] = " ".join(map(str, chosen))
            self._slot(None, "dealer")
            self._slot(None, "partners")
        if ruleset.options.get("atom_doubling"):
            self._by_seat(cells, None, "balance")

    def _one_seat(self, deal: int | None, name: str) -> int | None:
        return st.selectbox(
            self.frame.say(f"score.{name}"), self.seats, index=None, format_func=self._seat, placeholder="–",
            key=_key(self.variant, deal, name), persist_state="session",
        )  # fmt: skip

    def deal(self, place: int) -> bool:
        """One deal. Returns whether anything was entered."""
        cells: dict[str, str] = {}
        self.entry.deals.append(cells)
        ends = [end for end in ENDS if self.variant == "five" or end != "points"]
        cells["end"] = st.segmented_control(
            self.frame.say("score.end"), ends, default=ends[0], required=True, key=_key(self.variant, place, "end"),
            format_func=lambda end: word(f"terms.end.{end}", self.frame.lang, end), persist_state="session",
        )  # fmt: skip
        self._slot(place, "end")
        escaped: int | None = None
        if cells["end"] == "escape":
            escaped = self._one_seat(place, "escaped")
            cells["escaped"] = "" if escaped is None else str(escaped)
            self._slot(place, "escaped")
        finish = st.multiselect(
            self.frame.say("score.finish"), self.seats, format_func=self._seat, placeholder="–",
            key=_key(self.variant, place, "finish"), persist_state="session",
        )  # fmt: skip
        cells["finish"] = " ".join(map(str, finish))
        self._slot(place, "finish")
        for name in ("captured", "hand"):
            self._by_seat(cells, place, name)
        with st.grid(columns=2, min_column_width=150):
            for name in ("tricks", "atoms"):
                cells[name] = self._text(place, name, self.frame.say(f"score.{name}"))
        for name in ("tricks", "atoms", ""):
            self._slot(place, name)
        return any(value for name, value in cells.items() if name != "end")


def changed_options(frame: Frame, ruleset: RuleSet) -> dict[str, str]:
    """The options that a settlement hangs on, and what was chosen otherwise than in the ruleset, as texts."""
    changed: dict[str, str] = {}
    for name in SETTLING:
        option = options()[name]
        if ruleset.variant not in option.variants:
            continue
        named = word(f"terms.options.{name}.name", frame.lang, name)
        asked = word(f"terms.options.{name}.help", frame.lang, "") or None
        key, own = f"score-option-{ruleset.name}-{name}", written(ruleset.options[name])
        if ruleset.variant in option.values:
            offered = [written(value) for value in option.values[ruleset.variant]]
            value = st.selectbox(
                named, offered, index=offered.index(own), key=key, help=asked, persist_state="session",
                format_func=_named(frame, name),
            )  # fmt: skip
        else:
            value = st.text_input(named, value=own, key=key, help=asked, live=True, persist_state="session")
        if value and value.strip() != own:
            changed[name] = value.strip()
    return changed


def _named(frame: Frame, option: str) -> Callable[[str], str]:
    return lambda value: word(f"terms.options.{option}.values.{value}", frame.lang, value)


def rules_cell(changed: Mapping[str, str]) -> str:
    """Options as a sheet has them."""
    return "; ".join(f"{name}={value}" for name, value in changed.items())


def place_of(slots: Slots, deal: int | None, column: str, deals: Sequence[object]) -> DeltaGenerator | None:
    """Where a sentence about a column goes; None where the form has no such place."""
    name = column.rstrip("01234")
    wanted = [(deal, name), (None, name), (deal, ""), (len(deals) - 1, "")]
    return next((slots[key] for key in wanted if key in slots), None)


__all__ = ["ResultForm", "Slots", "changed_options", "place_of", "rules_cell"]
