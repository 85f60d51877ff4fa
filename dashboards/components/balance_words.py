"""Breakdowns, their values and numbers of the rules' balance in words."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.components.figures import count, word
from dashboards.components.frame import Frame
from dashboards.components.places import seat
from yuanzi_core.balance import REVEAL_WIDTH
from yuanzi_core.cards import RANKS
from yuanzi_core.certainty import Estimate
from yuanzi_core.deals import ENDS
from yuanzi_core.shapes import KIND_NAMES
from yuanzi_core.texts import has, text

_TERMS = {
    "role": "terms.term",
    "knife": "terms.rank",
    "outcome": "terms.outcome",
    "ending": "terms.end",
    "ruleset": "terms.ruleset",
}
_ROLES = {"defender": "defenders"}
#: The order in which values show that are no numbers; others stand in their own.
_ORDER: dict[str, Sequence[str]] = {
    "role": ("dealer", "partner", "defender"),
    "upstream": ("upstream", "with_upstream", "against", "nobody"),
    "side_size": ("dealer_2", "dealer_3", "defenders_3", "defenders_2"),
    "knife": RANKS[::-1],
    "outcome": ("normal", "double", "low", "zero", "escape"),
    "clamp": ("double_out", "points", "none"),
    "double_outs": ("upper", "lower", "both", "none"),
    "tie": ("true", "false"),
    "ending": ENDS,
    "kind": KIND_NAMES,
}


def in_order(breakdown: str, values: Sequence[str | None]) -> list[int]:
    """Places of values in the order in which they show; what is not recorded comes last."""
    order = _ORDER.get(breakdown, ())

    def place(number: int) -> tuple[bool, int]:
        value = values[number]
        return value is None, order.index(value) if value is not None and value in order else len(order)

    return sorted(range(len(values)), key=place)


def say(page: Frame, key: str, **fields: object) -> str:
    """A sentence of the topic ``balance``."""
    return text(f"balance.{key}", page.lang, **fields)


def value_word(page: Frame, variant: str, breakdown: str, value: str | None) -> str:
    """A value of a breakdown."""
    if value is None:
        return say(page, "not_recorded")
    # An address may say anything.
    is_number = value.isascii() and value.isdigit() and len(value) < 10
    if breakdown == "seat" and is_number:
        return seat(page, variant, int(value))
    if breakdown in _TERMS:
        return word(f"{_TERMS[breakdown]}.{_ROLES.get(value, value)}", page.lang, value)
    if breakdown == "kind":
        kind = word(f"terms.kind.{value.removesuffix('+')}", page.lang, value)
        return say(page, "value.of_knife", value=kind) if value.endswith("+") else kind
    own = f"balance.value.{breakdown}_{value}"
    if has(own, page.lang):
        return text(own, page.lang)
    if breakdown == "reveal":
        last = int(value) + REVEAL_WIDTH - 1 if is_number else None
        return value if last is None else say(page, "value.reveal", first_trick=value, last_trick=last)
    return say(page, f"value.{breakdown}", number=value) if has(f"balance.value.{breakdown}", page.lang) else value


def share_word(page: Frame, found: Estimate | None) -> str:
    """A share with its interval."""
    if found is None:
        return say(page, "too_few")
    return f"{found.value:.1%} ({found.low:.1%} – {found.high:.1%})"


def mean_word(page: Frame, found: Estimate | None, signs: bool = True) -> str:
    """A mean with its interval."""
    if found is None:
        return say(page, "too_few")
    form = "+.2f" if signs else ".2f"
    return f"{found.value:{form}} ({found.low:{form}} – {found.high:{form}})".replace("-", "−")


def counted(page: Frame, key: str, number: int, unit: str) -> str:
    """How many there are behind a chart, and what its interval is."""
    return say(page, f"chart.{key}", count=count(number), unit=say(page, f"unit.{unit}"))
