"""Levels (G1, G2). The bounds are those of the traditional table, its three misprinted rows apart."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yuanzi_core import levels
from yuanzi_core.standing_words import highest
from yuanzi_core.texts import LANGS

# The traditional table: level, first point, last point. Rows 16, 25 and 26 are misprinted and stand below.
TABLE = [
    (1, 20, 59),
    (2, 60, 139),
    (3, 140, 299),
    (4, 300, 619),
    (5, 620, 1259),
    (6, 1260, 2539),
    (7, 2540, 5099),
    (8, 5100, 10219),
    (9, 10220, 20459),
    (10, 20460, 40939),
    (11, 40940, 81899),
    (12, 81900, 163819),
    (13, 163820, 327659),
    (14, 327660, 655339),
    (15, 655340, 1310699),
    (17, 2621420, 5242859),
    (18, 5242860, 10485739),
    (19, 10485740, 20971499),
    (20, 20971500, 41943019),
    (21, 41943020, 83886059),
    (22, 83886060, 167772139),
    (23, 167772140, 335544299),
    (24, 335544300, 671088619),
]
# What the table prints there: 1310700–2321419, 671088620–671088619, 1342177260–1342177259.
MISPRINTED = [(16, 2321419), (25, 671088619), (26, 1342177259)]


@pytest.mark.parametrize(("level", "first", "last"), TABLE)
def test_G1_bounds_of_the_table(level: int, first: int, last: int) -> None:
    assert levels.floor(level) == first
    assert levels.level_of(first - 1) == level - 1
    assert levels.level_of(first) == level
    assert levels.level_of(last) == level
    assert levels.level_of(last + 1) == level + 1


@pytest.mark.parametrize(("level", "misprinted_last"), MISPRINTED)
def test_G1_the_formula_decides_where_the_table_is_misprinted(level: int, misprinted_last: int) -> None:
    first, last = 20 * (2**level - 1), 20 * (2 ** (level + 1) - 1) - 1
    assert last != misprinted_last
    assert levels.floor(level) == first
    assert [levels.level_of(points) for points in (first - 1, first, last, last + 1)] == [
        level - 1,
        level,
        level,
        level + 1,
    ]


def test_G1_level_0_is_everything_below_20() -> None:
    assert levels.floor(0) is None
    for standing in (19, 0, -1, -(10**30), Decimal("19.999"), Decimal("-0.001"), Decimal("-1e40")):
        assert levels.level_of(standing) == 0


def test_G1_level_27_is_open_ended() -> None:
    assert levels.floor(27) == 2684354540
    assert levels.level_of(2684354539) == 26
    for standing in (2684354540, 10**60, Decimal("2684354540.001"), Decimal("1e999999")):
        assert levels.level_of(standing) == 27
        assert levels.points_to_next(standing) is None


def test_G1_a_fraction_below_a_bound_is_below_it() -> None:
    # As floats these would be the bounds themselves.
    assert levels.level_of(Decimal("59.99999999999999999999")) == 1
    assert levels.level_of(Decimal("2684354539.99999999999999999999")) == 26
    assert levels.level_of(Decimal("60.000")) == 2


def test_G1_points_to_next() -> None:
    assert levels.points_to_next(0) == 20
    assert levels.points_to_next(-15) == 35
    assert levels.points_to_next(20) == 40
    assert levels.points_to_next(Decimal("59.5")) == Decimal("0.5")
    assert levels.points_to_next(Decimal("-0.00000000000000000000000000000000001")) == Decimal(
        "20.00000000000000000000000000000000001"
    )


@given(st.decimals(-(10**13), 10**13, places=3) | st.integers(-(10**13), 10**13))
def test_G1_a_standing_lies_between_the_bounds_of_its_level(standing: Decimal | int) -> None:
    level = levels.level_of(standing)
    begins = levels.floor(level)
    assert begins is None or begins <= standing
    missing = levels.points_to_next(standing)
    if level == 27:
        assert missing is None
    else:
        assert missing is not None
        assert missing > 0
        assert standing + missing == levels.floor(level + 1)


@pytest.mark.parametrize("standing", [Decimal("NaN"), Decimal("Infinity"), Decimal("-Infinity")])
def test_G1_a_standing_is_finite(standing: Decimal) -> None:
    with pytest.raises(ValueError, match="finite"):
        levels.level_of(standing)
    with pytest.raises(ValueError, match="finite"):
        levels.points_to_next(standing)


def test_G2_names() -> None:
    assert levels.LEVELS == 28
    chinese = (
        "空手 石块 木棍 大刀 手枪 步枪 机枪 装甲车 坦克车 迫击炮 榴弹炮 火箭炮 直升机 轰炸机 战斗机 潜艇 驱逐舰 巡洋舰 "
        "航母 原子弹 小氢弹 大氢弹 中子束 粒子炮 反物质弹 黑子空间 星系毁灭 宇宙重生"
    )
    assert [levels.name(level, "zh") for level in range(28)] == chinese.split()
    english = [levels.name(level, "en") for level in range(28)]
    assert len(set(english)) == 28
    assert (english[0], english[8], english[18], english[27]) == (
        "Empty Hands",
        "Tank",
        "Aircraft Carrier",
        "Universe Reborn",
    )


@pytest.mark.parametrize("level", [-1, 28])
def test_G2_a_level_that_does_not_exist(level: int) -> None:
    with pytest.raises(ValueError, match="0–27"):
        levels.floor(level)
    with pytest.raises(ValueError, match="0–27"):
        levels.name(level, "en")


def test_the_day_of_the_highest_level_is_that_of_the_clubs_clock() -> None:
    # Half past midnight at the clubs, whatever clock the machine goes by.
    reached = datetime(2026, 3, 1, 16, 30, tzinfo=UTC)
    row = {"level": 1, "highest_level": 2, "highest_played_at": reached}
    for lang in LANGS:
        assert "2026-03-02" in str(highest(row, lang))
