"""What a reader puts up with: unknown fields, fields of the other game, nulls, keys given twice, odd numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.yuanzi_core.lines import changed, good
from tests.yuanzi_core.tables import judge, judge_lines, write


def test_unknown_fields_at_any_depth_are_counted_and_nothing_else() -> None:
    made = good() | {"weather": "rain"}
    made["players"][1]["hat"] = {"colour": "red"}
    made["deals"][0]["tea"] = [1, 2]
    made["deals"][0]["claimed"] = {"mood": 1}
    made["claimed"] = {"song": None}
    answer = judge(made)
    assert answer["status"] == "settled"
    assert sum(note["count"] for note in answer["notes"]) == 5
    assert {note["code"] for note in answer["notes"]} == {"UNKNOWN_FIELDS"}


@pytest.mark.parametrize(("variant", "name", "value"), [
    ("four", "dealer", 1), ("four", "called", "Qd"), ("four", "dealer", "nobody"), ("four", "called", 7),
    ("five", "first_draw", 1), ("five", "first_draw", "E"),
])  # fmt: skip
def test_fields_of_the_other_game_are_counted_and_never_used(variant: str, name: str, value: Any) -> None:
    answer = judge(changed(f"deals[0].{name}", value, variant))
    assert answer["status"] == "settled"
    assert answer["notes"] == [{"code": "OTHER_VARIANT_FIELDS", "count": 1}]


def test_null_is_absent() -> None:
    made = good()
    optional = {
        "club": None,
        "table": None,
        "source": None,
        "revision": None,
        "base": None,
        "rules": None,
        "claimed": None,
    }
    for name in ("knife", "first_draw", "end", "escaped", "claimed", "dealer", "called"):
        made["deals"][0][name] = None
    made["players"][0] |= {"name": None, "balance": None}
    answer = judge(made | optional)
    assert (answer["status"], answer["notes"], answer["discrepancies"]) == ("settled", [], [])


def test_of_a_key_given_twice_the_last_counts() -> None:
    line = write([good()])[0]
    (answer,) = judge_lines([line[:-1] + b', "base": 7, "base": 3}'])
    assert answer["scores"] == [6, -6, 6, -6]
    (answer,) = judge_lines([line.replace(b'"leader": 0', b'"leader": "x", "leader": 0')])
    assert answer["status"] == "settled"


@pytest.mark.parametrize("value", [999_999.99, 0.01, 1, 1.5, 1e2, 123456.7])
def test_base_is_a_positive_number_below_a_million_with_two_decimals(value: float) -> None:
    assert judge(good() | {"base": value})["status"] == "settled"


@pytest.mark.parametrize("value", [999_999_999_999.999, -999_999_999_999.999, 0.001, -0.5, 0, 12])
def test_a_balance_is_below_10_to_the_12_with_three_decimals(value: float) -> None:
    assert judge(changed("players[0].balance", value))["status"] == "settled"
