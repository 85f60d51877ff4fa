"""Tables, bars and sums as HTML: real links, readable by screen readers, one card a row on a narrow screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dashboards.components.figures import count
from dashboards.components.frame import View
from dashboards.components.markup import Html, chip, joined, link, tag
from yuanzi_core.texts import text

#: What a file's records are counted under; ``read`` is their sum (LOG_FORMAT, Machine-readable answers).
STATUSES = ("settled", "unfinished", "violation", "rejected", "duplicate", "superseded", "withdrawn")
TONES = {"settled": "good", "violation": "bad", "rejected": "bad", "unfinished": "warn"}


@dataclass(frozen=True)
class Column:
    """A heading, and whether numbers stand below it.

    ``href``: where a click on it leads, to the list in its order; ``order``: what the list is in the order of.
    """

    label: str
    numeric: bool = False
    href: str | None = None
    order: Literal["ascending", "descending"] | None = None


@dataclass(frozen=True)
class Line:
    """The cells of a row; None (a dash) and a numeric 0 are pale. ``class_``: ``yz-differs`` or ``yz-total``."""

    cells: Sequence[object]
    class_: str | None = None


def table(columns: Sequence[Column], lines: Sequence[Line], stack: bool = True, tight: bool = False) -> Html:
    """A table. ``stack``: a card a row on a narrow screen; without it the table scrolls sideways there. ``tight``: the
    cards have two cells side by side, for short ones.
    """
    head = [
        tag(
            "th", column.label if column.href is None else link(column.href, column.label), scope="col",
            class_="yz-num" if column.numeric else None, aria_sort=column.order,
        )
        for column in columns
    ]  # fmt: skip
    body = []
    for line in lines:
        cells = []
        for column, cell in zip(columns, line.cells, strict=True):
            classes = ["yz-num"] if column.numeric else []
            if cell is None or (column.numeric and str(cell) == "0"):
                classes.append("yz-zero")
            shown = "–" if cell is None else cell
            cells.append(tag("td", tag("span", shown), class_=" ".join(classes) or None, data_label=column.label))
        body.append(tag("tr", *cells, class_=line.class_))
    inner = joined(tag("thead", tag("tr", *head)), tag("tbody", *body))
    # Whoever has no mouse can reach a table and scroll it.
    return tag(
        "div",
        tag("table", inner, class_=("yz-stack yz-tight" if tight else "yz-stack") if stack else None),
        class_="yz-scroll",
        tabindex="0",
    )


def status_chip(view: View, status: str) -> Html:
    """A record's status in a word."""
    return chip(text(f"terms.status.{status}", view.lang), TONES.get(status, "plain"))


def linked_count(number: int, href: str) -> Html | int:
    """A count that leads to the rows behind it; a plain 0 where there are none."""
    return link(href, count(number)) if number else 0


def bars(view: View, counted: Sequence[tuple[str, int, str]], heading: str, total_label: str) -> Html:
    """Counts as bars, (label, count, href) each, with their total below."""
    most = max((number for _, number, _ in counted), default=1)
    lines = [
        Line([link(href, label), tag("i", class_="yz-bar", style=f"width:{100 * number / most:.1f}%"), count(number)])
        for label, number, href in counted
    ]
    lines.append(Line([total_label, "", count(sum(number for _, number, _ in counted))], class_="yz-total"))
    columns = [Column(heading), Column(""), Column(view.say("frame.count"), numeric=True)]
    return tag("div", table(columns, lines, stack=False), class_="yz-bars")


def accounting(view: View, counts: Mapping[str, int], href: Callable[[str | None], str] | None) -> Html:
    """Read = settled + … as a sum whose terms lead to their records, and whether it adds up. ``href``: None where there
    is no list of just these records.
    """

    def term(label: str, number: int, status: str | None) -> Html:
        shown = link(href(status), count(number)) if number and href is not None else count(number)
        return tag("div", tag("b", shown), tag("span", label), class_="yz-term")

    parts: list[Html] = [term(view.say("accounting.read"), counts["read"], None)]
    for place, status in enumerate(STATUSES):
        sign = tag("div", "+" if place else "=", class_="yz-sign")
        named = term(text(f"terms.status.{status}", view.lang), counts[status], status)
        parts.append(tag("div", sign, named, class_="yz-pair"))
    adds_up = counts["read"] == sum(counts[status] for status in STATUSES)
    verdict = view.say("accounting.adds_up") if adds_up else view.say("accounting.does_not_add_up")
    mark = chip(f"✓ {verdict}", "good") if adds_up else chip(f"✗ {verdict}", "bad")
    parts.append(tag("div", mark, class_="yz-verdict"))
    return tag("div", *parts, class_="yz-sum")
