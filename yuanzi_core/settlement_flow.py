"""The settlement of a match as a flow: captured, transfers (D1–D3), points of the sides (D0), scores (E, F).

Read from the judged tables as explanations are; nothing is worked out here but who gave what to whom (``transfers``).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from yuanzi_core.cards import Variant
from yuanzi_core.transfers import Transfer, given_to_side, transfers

Row = dict[str, Any]


class DealFlow(NamedTuple):
    """The card points of a deal. Lists are by seat, pairs by side; an escape has no ``points`` (None) and no moves.

    ``given``: what a side has as a whole beside its players' points; ``open_points``: on the table when play stopped.
    """

    deal: int
    sides: tuple[int, ...]
    captured: tuple[int, ...]
    moves: tuple[Transfer, ...]
    points: tuple[int, ...] | None
    given: tuple[int, int]
    side_points: tuple[int, int] | None
    open_points: int


class Flow(NamedTuple):
    """A match: its deals, then by seat the scores and those before the cap of F6; both None where there are none."""

    deals: tuple[DealFlow, ...]
    scores: tuple[Decimal, ...] | None
    before_cap: tuple[Decimal, ...] | None
    winner: int | None


def settlement_flow(variant: Variant, deals: Sequence[Row], settled: Row) -> Flow | None:
    """The flow of a settled or unfinished match; None where a violation stopped it (H1).

    ``deals`` are its rows of ``core_settlement__deal``, ``settled`` that of ``settled_match``.
    """
    if settled["violation_deal"] is not None:
        return None
    scores, before = settled["scores"], settled["scores_before_cap"]
    return Flow(
        tuple(_deal(variant, row) for row in deals),
        None if scores is None else tuple(scores),
        None if before is None else tuple(before),
        settled["winner"],
    )


def _deal(variant: Variant, row: Row) -> DealFlow:
    finished = row["points"] is not None
    return DealFlow(
        row["deal"],
        tuple(row["sides"]),
        tuple(row["captured"]),
        tuple(transfers(variant, row)) if finished else (),
        tuple(row["points"]) if finished else None,
        (given_to_side(row, 0), given_to_side(row, 1)) if finished else (0, 0),
        tuple(row["side_points"]) if finished else None,
        row["open_points"] or 0,
    )
