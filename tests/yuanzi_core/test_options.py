"""Options: every value of the rulings' table changes a result, and every option and value of the table is here."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.yuanzi_core.layouts import (
    FIVE_0_OUT,
    FIVE_1_OUT,
    FOUR_0_OUT,
    FOUR_DOUBLE_OUT,
    FOUR_THREE_OUT,
    POOR,
    POOR_1_LEFT,
    POOR_2_LEFT,
    atomic,
    five,
    four,
    four_match,
)
from tests.yuanzi_core.tables import Answer, Match, deal, judge_all, judge_lines, match, table, write
from yuanzi_core.deals import EARLY_STOP, KNIFE_BOMB, MUST, NEVER, rules_row
from yuanzi_core.ruleset import PRESETS, RulesetError, Rulesets, options
from yuanzi_core.shapes import KNIFE_BOMB_READINGS

# Seat 2 takes seven Ts, 70, before seats 0 and 1 go out; three atoms, the last of them as seat 0 goes out.
SEVENTY = (
    "0:Ad 1:- 2:2d . 2:5xTd2xTc . 2:9d 3:- 4:- 0:As . 0:K* . 0:4xAd5xAc5xAh4xAs . 0:5x4c . 0:5x4d . 0:4xXB . "
    + FIVE_1_OUT
)
FOUR_OUT_BY_ATOM = "0:4* . 0:A* . 0:K* . 0:9c9c . 0:9d9d9d ."
# 205 card points for seat 0, and a lead of its own.
ENOUGH = "0:K* . 0:Ad 1:- 2:2d . 2:5d 3:- 4:- 0:Ah ."


def code(answer: Answer) -> Any:
    """Code and place of a violation."""
    return answer["code"], answer["play"]


def scores(answer: Answer) -> Any:
    """The scores, or the status where there are none."""
    return answer["scores"] or answer["status"]


def four_escape(**rules: Any) -> Match:
    """Seat 1 leaves after five tricks."""
    return match("four", four(f"{FOUR_0_OUT} 1:5* .", end="escape", escaped=1), rules=rules)


def five_escape(**rules: Any) -> Match:
    """Seat 4 leaves after five tricks with seat 0 out."""
    return match("five", five(FIVE_0_OUT, end="escape", escaped=4), rules=rules)


def low(**rules: Any) -> Match:
    """A low result (F3) at an atom-doubling table: seats 0 and 1 win, with a standing of 3 before."""
    return atomic(five(SEVENTY), balances=[3, 3, 0, 0, 0], **rules)


D = Decimal
TRUNCATED_2 = ("TRUNCATED", 2)

#: Option, how a match under it is made, what is looked at, and what comes out for each value.
TABLE: list[tuple[str, Callable[..., Match], Callable[[Answer], Any], list[tuple[Any, Any]]]] = [
    # Seat 0 is out and has taken its trick: seat 2 leads.
    (
        "wind",
        lambda **r: four_match(f"{FOUR_0_OUT} 2:2*", **r),
        code,
        [("next", ("TURN", 16)), ("partner", ("TRUNCATED", 17))],
    ),
    # Five sevens, the knife, on four sevens; then six sixes on four sevens.
    (
        "knife_bomb",
        lambda **r: table("four", "7s7s7h7c", "7d7d7d7c7h", **r),
        code,
        [("above_all", TRUNCATED_2), ("by_size", TRUNCATED_2), ("shielded", ("CANNOT_BEAT", 1))],
    ),
    (
        "knife_bomb",
        lambda **r: table("five", "7s7s7h7c", "6s6s6h6h6c6d", **r),
        code,
        [("above_all", ("CANNOT_BEAT", 1)), ("by_size", TRUNCATED_2), ("shielded", ("CANNOT_BEAT", 1))],
    ),
    (
        "knife_jokers",
        lambda **r: table("four", "6s6h", "7sXB", **r),
        code,
        [(True, TRUNCATED_2), (False, ("NOT_A_COMBO", 1))],
    ),
    (
        "knife_jokers",
        lambda **r: table("five", "6s6h", "7sXB", **r),
        code,
        [(True, TRUNCATED_2), (False, ("NOT_A_COMBO", 1))],
    ),
    (
        "downstream",
        lambda **r: four_match(FOUR_DOUBLE_OUT, **r),
        lambda a: a["deals"][0]["side_points"],
        [("last_holder", [240, 60]), ("all_holders", [300, 0])],
    ),
    # Seat 2's 70 make it low; handed over, they make it zero.
    (
        "downstream",
        lambda **r: match("five", five(SEVENTY), rules=r),
        scores,
        [("last_holder", [6, 6, -4, -4, -4]), ("all_holders", [9, 9, -6, -6, -6])],
    ),
    # 60 : 240, upstream's partner out and seat 1 left; and 0 : 300, seat 2 left, upstream's partner.
    (
        "clamp",
        lambda **r: match("four", deal("four", POOR, POOR_1_LEFT), rules={"clamp_points": 61} | r),
        scores,
        [("both_out", "unfinished"), ("any_side", [-2, 2, -2, 2]), ("upstream_side", "unfinished")],
    ),
    (
        "clamp",
        lambda **r: match("four", deal("four", POOR, POOR_2_LEFT), rules=r),
        scores,
        [("both_out", [-2, 2, -2, 2]), ("any_side", [-2, 2, -2, 2]), ("upstream_side", "unfinished")],
    ),
    # 180 : 120, seat 1 left.
    (
        "clamp_points",
        lambda **r: four_match(FOUR_THREE_OUT, **r),
        scores,
        [(1, "unfinished"), (120, "unfinished"), (121, [2, -2, 2, -2]), (150, [2, -2, 2, -2])],
    ),
    ("halves", lambda **r: four_match(FOUR_THREE_OUT, **r), scores, [(2, "unfinished"), (1, [1, -1, 1, -1])]),
    (
        "escape_min_tricks",
        four_escape,
        scores,
        [(0, [1, -4, 1, 0]), (5, [1, -4, 1, 0]), (6, [0, -4, 0, 0]), (50, [0, -4, 0, 0])],
    ),
    (
        "escape_min_tricks",
        five_escape,
        scores,
        [(0, [2, 2, 0, 0, -15]), (5, [2, 2, 0, 0, -15]), (6, [0, 0, 0, 0, -15]), (50, [0, 0, 0, 0, -15])],
    ),
    (
        "escape_upper_compensation",
        four_escape,
        scores,
        [(0, [0, -4, 0, 0]), (0.25, [D("0.25"), -4, D("0.25"), 0]), (1, [1, -4, 1, 0]), (2, [2, -4, 2, 0])],
    ),
    (
        "five_leader",
        lambda **r: match("five", five("3:7d", leader=3), rules=r),
        code,
        [("dealer", ("LEADER", None)), ("any", ("TRUNCATED", 1))],
    ),
    # A log that plays on, and one that stops there.
    (
        "early_stop",
        lambda **r: match("five", five(f"{ENOUGH} 0:Ac"), rules=r),
        code,
        [("may", ("TRUNCATED", 21)), ("must", ("AFTER_END", 20)), ("never", ("TRUNCATED", 21))],
    ),
    (
        "early_stop",
        lambda **r: match("five", five(ENOUGH, end="points"), rules=r),
        code,
        [("may", (None, None)), ("must", (None, None)), ("never", ("END", 20))],
    ),
    # Low: 3 × 2; (3 + 1.5 × 3) × 2.
    (
        "atom_doubling",
        lambda **r: match("five", five(SEVENTY), rules=r),
        scores,
        [(False, [6, 6, -4, -4, -4]), (True, [15, 15, -10, -10, -10])],
    ),
    (
        "count_head_out",
        lambda **r: match("five", five(SEVENTY), rules=r),
        lambda a: a["deals"][0]["atoms"],
        [(True, 3), (False, 2)],
    ),
    # Seat 0 goes out by an atom; with four players the count is only reported.
    (
        "count_head_out",
        lambda **r: match("four", four(FOUR_OUT_BY_ATOM, end="escape", escaped=1), rules=r),
        lambda a: a["deals"][0]["atoms"],
        [(True, 1), (False, 0)],
    ),
    # 3 × 2 + 4.5 against (3 + 4.5) × 2; losers pay 2 × 2 + 3 or (2 + 3) × 2.
    (
        "low_applies",
        lambda **r: low(cap="none", **r),
        scores,
        [("total", [15, 15, -10, -10, -10]), ("base_only", [D("10.5"), D("10.5"), -7, -7, -7])],
    ),
    ("cap", low, scores, [("winner_only", [3, 3, -10, -10, -10]), ("none", [15, 15, -10, -10, -10])]),
]


@pytest.mark.parametrize(
    ("name", "made", "look", "values"), TABLE, ids=[f"{row[0]}-{n}" for n, row in enumerate(TABLE)]
)
def test_each_value_of_an_option(
    name: str, made: Callable[..., Match], look: Callable[[Answer], Any], values: list[tuple[Any, Any]]
) -> None:
    answers = judge_all([made(**{name: value}) for value, _ in values])
    assert [look(answer) for answer in answers] == [wanted for _, wanted in values]


def _both(*values: Any) -> dict[str, list[Any]]:
    return {"four": list(values), "five": list(values)}


#: The table of the rulings: the games of each option, its values there (a range: both ends) and its defaults.
RULINGS: dict[str, tuple[dict[str, list[Any]], list[Any]]] = {
    "wind": ({"four": ["next", "partner"], "five": ["next"]}, ["next"]),
    "knife_bomb": (_both("above_all", "by_size", "shielded"), ["above_all"]),
    "knife_jokers": (_both(True, False), [False, True]),
    "downstream": (_both("last_holder", "all_holders"), ["last_holder"]),
    "clamp": ({"four": ["both_out", "any_side", "upstream_side"]}, ["both_out"]),
    "clamp_points": ({"four": [1, 150]}, [60]),
    "halves": ({"four": [2, 1]}, [2]),
    "escape_min_tricks": (_both(0, 50), [5]),
    "escape_upper_compensation": ({"four": [0, 2]}, [1]),
    "five_leader": ({"five": ["dealer", "any"]}, ["dealer"]),
    "early_stop": ({"five": ["may", "must", "never"]}, ["may"]),
    "atom_doubling": ({"five": [True, False]}, [False, True]),
    "count_head_out": (_both(True, False), [True]),
    "low_applies": ({"five": ["total", "base_only"]}, ["total"]),
    "cap": ({"five": ["winner_only", "none"]}, ["winner_only"]),
}


def test_the_options_are_those_of_the_rulings() -> None:
    known = {
        name: {
            variant: list(option.values[variant])
            if variant in option.values
            else [option.range[variant]["least"], option.range[variant]["most"]]
            for variant in option.variants
        }
        for name, option in options().items()
    }
    assert known == {name: games for name, (games, _) in RULINGS.items()}


@pytest.mark.parametrize("variant", ["four", "five"])
def test_the_kernel_counts_readings_of_the_knife_bomb_in_the_order_of_the_table(variant: str) -> None:
    games, _ = RULINGS["knife_bomb"]
    assert list(KNIFE_BOMB_READINGS) == games[variant]
    for place, value in enumerate(games[variant]):
        assert rules_row(Rulesets()[f"{variant}-classic"].with_options({"knife_bomb": value}))[KNIFE_BOMB] == place


def test_the_kernel_counts_early_stops_in_the_order_of_the_table() -> None:
    games, _ = RULINGS["early_stop"]
    for place, value in enumerate(games["five"]):
        assert rules_row(Rulesets()["five-classic"].with_options({"early_stop": value}))[EARLY_STOP] == place
    assert (games["five"].index("must"), games["five"].index("never")) == (MUST, NEVER)
    # Play in the four-player game never stops on points (C5).
    assert rules_row(Rulesets()["four-classic"])[EARLY_STOP] == NEVER


def test_the_defaults_are_those_of_the_rulings() -> None:
    for name, (games, defaults) in RULINGS.items():
        found = {preset: Rulesets()[preset].options.get(name) for preset in PRESETS}
        for preset, value in found.items():
            game = preset.split("-")[0]
            if game not in games:
                assert value is None
            elif len(defaults) == 1:
                assert value == defaults[0], (preset, name)
        if name == "knife_jokers":
            assert found == {"four-classic": False, "five-classic": True, "five-atomic": True}
        if name == "atom_doubling":
            assert found == {"four-classic": None, "five-classic": False, "five-atomic": True}


def test_every_value_of_every_option_is_in_the_table_of_this_file() -> None:
    tested: dict[str, list[Any]] = {}
    for name, _, _, values in TABLE:
        tested.setdefault(name, []).extend(value for value, _ in values)
    for name, (games, defaults) in RULINGS.items():
        for value in [value for values in games.values() for value in values] + defaults:
            assert value in tested[name] or (name == "clamp_points" and value == 60), (name, value)


def test_five_atomic_is_five_classic_with_atom_doubling() -> None:
    classic, atom = Rulesets()["five-classic"], Rulesets()["five-atomic"]
    assert {**classic.options, "atom_doubling": True} == atom.options
    assert classic.with_options({"atom_doubling": True}).hash == atom.hash
    assert len({Rulesets()[name].hash for name in PRESETS}) == 3


def test_a_club_sets_options_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "harbour.toml").write_text(
        'extends = "four-classic"\nhalves = 1\n[names]\nzh = "港口"\n', encoding="utf-8"
    )
    rulesets = Rulesets(tmp_path)
    made = match("four", four(FOUR_THREE_OUT), ruleset="harbour")
    (answer,) = judge_lines(write([made]), rulesets)
    assert answer["scores"] == [1, -1, 1, -1]
    # A match may override it once more.
    (answer,) = judge_lines(write([made | {"rules": {"halves": 2}}]), rulesets)
    assert answer["status"] == "unfinished"
    assert "harbour" in rulesets.names()
    # Without the folder it is unknown.
    assert judge_all([made])[0]["code"] == "RULESET"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('extends = "four-classic"\n\nhalves = 3\n', 3),
        ('extends = "four-classic"\nplayers = 5\n', 2),
        ('extends = "four-classic"\n# a comment\n[options]\nwind = "north"\n', 4),
        ('extends = "four-classic"\natom_doubling = true\n', 2),
        ("halves = 1\n", 1),
        ('extends = "four-classic"\n[constants]\ndecks = 4\n', 2),
    ],
)
def test_anything_else_in_it_is_an_error_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "odd.toml").write_text(text, encoding="utf-8")
    (answer,) = judge_lines(write([match("four", four(FOUR_DOUBLE_OUT), ruleset="odd")]), Rulesets(tmp_path))
    assert answer["code"] == "RULESET"
    assert re.search(rf"odd\.toml, line {line}\b", answer["message"]), answer["message"]
    with pytest.raises(RulesetError):
        Rulesets(tmp_path)["odd"]


@pytest.mark.parametrize("text", ['extends = "odd"\n', 'extends = "nobody"\n', "extends = \n", "\x00"])
def test_a_file_that_is_no_ruleset_rejects_the_match_and_nothing_else(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.toml").write_text(text, encoding="utf-8")
    made = match("four", four(FOUR_DOUBLE_OUT))
    answers = judge_lines(write([made | {"ruleset": "odd"}, made]), Rulesets(tmp_path))
    assert [(answer["status"], answer["code"]) for answer in answers] == [("rejected", "RULESET"), ("settled", None)]
