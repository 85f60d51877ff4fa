"""Levels (G1, G2): which level a standing has reached, where a level begins, what it is called.

Standings are points, the sum of a player's scores in one game. They may be negative or fractional, and all arithmetic
here is exact: whole numbers and decimals, never floats. Whose level is shown (G3) is not decided here.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

from yuanzi_core.texts import Lang, text

#: G2: how many levels there are, numbered from 0.
LEVELS = 28

_STEP = 20  # G1: level n begins at 20 · (2ⁿ − 1)
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def floor(level: int) -> int | None:
    """The points at which a level begins (G1); ``None`` for level 0, which has no lower end.

    :raises ValueError: the level is outside 0–27.
    """
    _check(level)
    return _begins(level) if level else None


def level_of(standing: Decimal | int) -> int:
    """The level that a standing in points has reached (G1), 0–27.

    :raises ValueError: the standing is not a finite number.
    """
    if not Decimal(standing).is_finite():
        raise ValueError(f"a standing is a finite number, not {standing}")
    if standing < _STEP:
        return 0
    if standing >= _begins(LEVELS - 1):
        return LEVELS - 1
    # G1: at level n, standing / 20 + 1 is at least 2ⁿ; all bounds are whole, so a fraction of a point cannot matter
    return (int(standing) // _STEP + 1).bit_length() - 1


def points_to_next(standing: Decimal | int) -> Decimal | None:
    """How many points are missing to the next level (G1), more than 0; ``None`` on the highest level.

    :raises ValueError: the standing is not a finite number.
    """
    level = level_of(standing)
    if level == LEVELS - 1:
        return None
    return _EXACT.subtract(Decimal(_begins(level + 1)), Decimal(standing))


def name(level: int, lang: Lang) -> str:
    """What a level is called (G2).

    :raises ValueError: the level is outside 0–27.
    """
    _check(level)
    return text(f"terms.level.{level}", lang)


def _begins(level: int) -> int:
    return _STEP * ((1 << level) - 1)


def _check(level: int) -> None:
    if not 0 <= level < LEVELS:
        raise ValueError(f"levels are 0–{LEVELS - 1}, not {level}")
