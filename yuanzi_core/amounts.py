"""Amounts of points as whole numbers: ten-thousandths of a point, so that nothing is ever rounded.

A base of two decimals times a compensation of two decimals has four; SQL has the same amounts as DECIMAL(18, 4).
"""

from __future__ import annotations

from decimal import Decimal

SCALE = 10_000
#: One unit in points.
UNIT = Decimal(1) / SCALE
#: No balance logged, no opening standing known.
UNKNOWN = -(2**62)


def in_points(amount: int) -> int | Decimal:
    """An amount in points, as logs and answers write it: an int where it is whole, else without trailing zeros."""
    whole, rest = divmod(amount, SCALE)
    return whole if rest == 0 else Decimal(amount) / SCALE
