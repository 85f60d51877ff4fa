"""CLAIM_BALANCE: the standing that a log gives against the ledger's, worked out by hand."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from pipelines.defs.settlement.ledger import Ledger
from pipelines.groups import Group
from pipelines.warehouse import State
from tests.pipelines.books import Registered, Row, balances, fold, ledger, of
from yuanzi_core.registry import Club

DAY = "2026-01-{:02} 00:00:00Z"


def test_the_first_balance_opens_the_ledger_and_a_later_one_is_compared() -> None:
    con = ledger(
        ("a", DAY.format(1), [10, None, None, 5], [4, -4, 0, 0], False),
        # 10 + 4 = 14, 5 + 0 = 5; p1 opens here; p2 says nothing.
        ("b", DAY.format(2), [13, -4, None, 5], [-2, 2, 0, 0], False),
        ("c", DAY.format(3), [12, 1, None, None], [1, -1, 0, 0], False),
    )
    # p1: 4 less than its opening, that is -8, before b, and -6 before c.
    assert balances(con) == [
        ("b", [13, -4, None, 5], [14, -8, None, 5]),
        ("c", [12, 1, None, None], [12, -6, None, None]),
    ]
    assert con.execute("select distinct deal, code, place, is_note from core_discrepancy").fetchall() == [
        (-1, "CLAIM_BALANCE", 6, False)
    ]
    # The texts are canonical: no zeros behind the point, null where nothing is claimed.
    con.execute("update core_record set balance = [12.5, 1, null, null] where match_id = 'c'")
    fold(con)
    found = con.execute("select claimed from core_discrepancy join core_match using (line) where match_id = 'c'")
    assert found.fetchall() == [("[12.5,1,null,null]",)]


def test_balances_that_agree_are_no_discrepancy() -> None:
    con = ledger(
        ("a", DAY.format(1), [3, 0, -5, 0], [6, -6, 6, -6], True),
        # F6: 3 held, 3 won; a negative standing holds nothing.
        ("b", DAY.format(2), [6, -6, -5, -6], [1, -1, 0, 0], False),
    )
    assert balances(con) == []


def test_the_registrys_opening_comes_before_the_logged_one() -> None:
    con = ledger(("a", DAY.format(1), [10, None, None, None], [4, -4, 0, 0], False), registry=[("p0", [], "7.5")])
    assert balances(con) == [("a", [10, None, None, None], [Decimal("7.5"), None, None, None])]


def test_an_unfinished_match_has_a_standing_before_it_and_moves_nothing() -> None:
    con = ledger(
        ("a", DAY.format(1), [10, None, None, None], [4, -4, 0, 0], False),
        ("b", DAY.format(2), [9, None, None, None], [], False),
        ("c", DAY.format(3), [14, None, None, None], [1, -1, 0, 0], False),
        unfinished=["b"],
    )
    assert balances(con) == [("b", [9, None, None, None], [14, None, None, None])]
    assert of(con, "p0", "number", "ledger_before", "ledger_after") == [("a", 1, 10, 14), ("c", 2, 14, 15)]


def test_a_match_with_a_violation_is_not_compared() -> None:
    con = ledger(
        ("a", DAY.format(1), [10, None, None, None], [4, -4, 0, 0], False),
        ("b", DAY.format(2), [9, None, None, None], [], False),
    )
    assert balances(con) == []


def test_an_alias_claims_the_standing_of_its_player() -> None:
    matches: list[Row] = [
        ("a", DAY.format(1), [10, None, None, None], [4, -4, 0, 0], False),
        ("b", DAY.format(2), [14, None, None, None], [1, -1, 0, 0], False),
        ("c", DAY.format(3), [15, None, None, None], [1, -1, 0, 0], False),
    ]
    seats = {"b": ["x", "p1", "p2", "p3"]}
    # Apart, x opens with 14, and p0 has not played b.
    assert balances(ledger(*matches, seats=seats)) == [("c", [15, None, None, None], [14, None, None, None])]
    assert balances(ledger(*matches, seats=seats, registry=[("p0", ["x"], None)])) == []


def test_two_seats_of_one_player_have_one_standing_before_the_match() -> None:
    con = ledger(
        ("a", DAY.format(1), [3, 3, None, None], [6, 4, -5, -5], False),
        ("b", DAY.format(2), [13, 12, None, None], [0, 0, 0, 0], False),
        registry=[("p1", ["p0"], None)],
    )
    # 3 before the match for both seats, though the second one counts after the first; then 3 + 6 + 4.
    assert balances(con) == [("b", [13, 12, None, None], [13, 13, None, None])]


@pytest.mark.parametrize(
    ("late", "moved", "settled"),
    [
        pytest.param(("z", DAY.format(1), [None] * 4, [0, 0, 1, -1], False), True, False, id="nothing claimed"),
        pytest.param(("z", DAY.format(1), [None] * 4, [1, -1, 0, 0], False), True, True, id="a claim is wrong now"),
    ],
)
def test_what_a_late_match_makes_wrong_is_in_the_keys(late: Row, moved: bool, settled: bool) -> None:
    played: list[Row] = [
        ("a", DAY.format(2), [None, None, None, None], [2, -2, 0, 0], False),
        ("b", DAY.format(3), [12, None, None, None], [2, -2, 0, 0], False),
    ]
    registry: list[Registered] = [("p0", [], "10")]
    group = Group(("f",), 0)
    state = State("tag", (), "none", groups=(group,), keys={"chosen": {group.id: "k"}})
    keys = [Ledger(ledger(*matches, registry=registry), {}).keys(state) for matches in (played, [*played])]
    assert keys[0] == keys[1]
    # The late match stands in another file, so that nothing else is new about this one.
    con = ledger(*played, late, registry=registry)
    con.execute("update core_match__candidate set file_id = 'g' where match_id = 'z'")
    con.execute("insert into raw_file values ('g', null)")
    after = Ledger(con, {}).keys(state)
    assert (after[0] != keys[0][0], after[1] != keys[0][1]) == (moved, settled)


def test_a_renamed_club_or_another_zone_is_in_the_keys() -> None:
    group = Group(("f",), 0)
    state = State("tag", (), "none", groups=(group,), keys={"chosen": {group.id: "k"}})
    con = ledger(("a", DAY.format(1), [None] * 4, [2, -2, 0, 0], False))
    registries: list[dict[str, Club]] = [
        {}, {"c": Club("c")}, {"c": Club("c", zone="Europe/Berlin")}, {"c": Club("d")}, {"c": Club("c"), "x": Club("x")}
    ]  # fmt: skip
    keys = [Ledger(con, clubs).keys(state) for clubs in registries]
    assert len({moved[group.id] for moved, _ in keys}) == len({settled[group.id] for _, settled in keys}) == 4
    # A club that nobody has played at changes nothing.
    assert keys[1] == keys[4]


def test_numbers_count_the_movements_of_each_player_alone() -> None:
    con = ledger(
        ("a", DAY.format(1), [None] * 4, [1, -1, 0, 0], False),
        ("b", DAY.format(2), [None] * 4, [1, -1, 0, 0], False),
        ("c", DAY.format(3), [None] * 4, [1, -1, 0, 0], False),
        seats={"b": ["p3", "p4", "p5", "p6"]},
    )
    numbers = con.execute(
        "select player_id, list(number order by number) from core_ledger__movement group by player_id"
    ).fetchall()
    wanted = {"p0": [1, 2], "p1": [1, 2], "p2": [1, 2], "p3": [1, 2, 3], "p4": [1], "p5": [1], "p6": [1]}
    assert dict(numbers) == wanted
    assert np.all(Ledger(con, {}).moved)
