"""Scores are exact: whatever the base, no binary float is ever printed (E5, F4)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR_0_OUT,
    atomic,
    five,
    four,
)
from tests.yuanzi_core.tables import Match, judge, match, write
from yuanzi_core.answers import answers, encode
from yuanzi_core.judge import Judge
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.stream import Judged


@pytest.mark.parametrize(
    ("base", "three_bases", "as_text"),
    [(0.1, "0.3", "[0.3,0.3,-0.2,-0.2,-0.2]"), (0.15, "0.45", "[0.45,0.45,-0.3,-0.3,-0.3]"),
     (0.07, "0.21", "[0.21,0.21,-0.14,-0.14,-0.14]"), (1.1, "3.3", "[3.3,3.3,-2.2,-2.2,-2.2]"),
     (0.01, "0.03", "[0.03,0.03,-0.02,-0.02,-0.02]"), (999999.99, "2999999.97", "[2999999.97,2999999.97,-1999999.98,")],
)  # fmt: skip
def test_scores_are_exact_and_never_print_as_binary_floats(base: float, three_bases: str, as_text: str) -> None:
    plays = (
        "0:Ad 1:- 2:2d . 2:5xTd2xTc . 2:5d . 2:9d 3:- 4:- 0:As . 0:K* . 0:4xAd5xAc5xAh4xAs . 0:5x4c . 0:5x4d . 0:4xXB ."
        + FIVE_1_OUT
    ).replace(".1:", ". 1:")
    answer = judge(match("five", five(plays), base=base))
    assert answer["scores"][0] == Decimal(three_bases)
    assert as_text in printed(match("five", five(plays), base=base))


def printed(made: Match) -> str:
    """The answer to a match as it is written."""
    chunk = Reader(Rulesets()).read([(1, write([made])[0])])
    judge_ = Judge()
    judge_.judge(chunk)
    (answer,) = answers(Judged("-", chunk, set(), judge_))
    return encode(answer).decode()


def test_a_quarter_of_a_hundredth_is_exact() -> None:
    # 0.25 × 0.01 = 0.0025 and 4 × 0.01 = 0.04.
    made = match(
        "four",
        four(f"{FOUR_0_OUT} 1:5* .", end="escape", escaped=1),
        rules={"escape_upper_compensation": 0.25},
        base=0.01,
    )
    assert '"scores":[0.0025,-0.04,0.0025,0]' in printed(made)


def test_a_fractional_cap_is_exact() -> None:
    players = atomic(five(f"{FIVE_0_OUT} {FIVE_1_OUT}"), balances=[0.1, 0.123, 1, 1, 1], base=0.3)
    # 22.5 × 0.3 = 6.75, capped; 15 × 0.3 = 4.5.
    assert '"scores":[0.1,0.123,-4.5,-4.5,-4.5]' in printed(players)


def test_the_largest_scores_fit() -> None:
    # 999999.99 × (3 + 1.5 × 3) × 3 and a balance just below 10 ** 12.
    made = atomic(five(f"{FIVE_0_OUT} {FIVE_1_OUT}"), balances=[999_999_999_999.999, None, 0, 0, 0], base=999_999.99)
    full = Decimal("999999.99") * Decimal("22.5")
    assert judge(made)["scores"] == [full, full, *[Decimal("-14999999.85")] * 3]
