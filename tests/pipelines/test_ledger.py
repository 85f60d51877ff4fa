"""F6 in the ledger: order, opening standings and caps, worked out by hand."""

from __future__ import annotations

from decimal import Decimal

from pipelines.defs.settlement.ledger import settle
from tests.pipelines.books import Row, fold, ledger, of


def test_F6_a_winner_gains_no_more_than_the_standing_held() -> None:
    con = ledger(("m", "2026-01-01 00:00:00Z", [3, 100, -5, None], [6, -6, 6, 6], True))
    assert of(con, "p0", "score_before_cap", "score", "standing_before") == [("m", 6, 3, 3)]
    assert of(con, "p1", "score", "standing_before") == [("m", -6, 100)]
    # A negative standing counts as 0.
    assert of(con, "p2", "score", "standing_before") == [("m", 0, -5)]
    # Nothing known, no cap.
    assert of(con, "p3", "score", "standing_before", "opening_known") == [("m", 6, None, False)]
    settle(con)
    rows = con.execute("select scores, standings_before, uncapped_seats, cap_zero_seats from settled_match").fetchall()
    assert rows == [([3, -6, 0, 6], [3, 100, -5, None], [3], [2])]


def test_F6_without_a_balance_the_standing_is_the_ledgers() -> None:
    con = ledger(
        ("a", "2026-01-01 00:00:00Z", [10, None, None, None], [-8, 2, 3, 3], False),
        ("b", "2026-01-02 00:00:00Z", [None, None, None, None], [6, -2, -2, -2], True),
    )
    assert of(con, "p0", "score", "standing_before", "ledger_before", "ledger_after") == [
        ("a", -8, 10, 10, 2),
        ("b", 2, 2, 2, 4),
    ]
    # An opening that nobody knows counts as 0 in the ledger, and is no standing.
    assert of(con, "p1", "standing_before", "ledger_before", "ledger_after", "opening_known") == [
        ("a", None, 0, 2, False),
        ("b", None, 2, 0, False),
    ]


def test_F6_ledger_order_is_the_instant_and_then_the_match_id() -> None:
    con = ledger(
        # 09:00 in Hangzhou is before 02:00 in Greenwich.
        ("z", "2026-01-01 09:00:00+08:00", [1, 0, 0, 0], [-1, 1, 0, 0], False),
        ("b", "2026-01-01 02:00:00Z", [None, None, None, None], [4, -4, 0, 0], False),
        ("a", "2026-01-01 02:00:00Z", [None, None, None, None], [2, -2, 0, 0], False),
    )
    assert of(con, "p0", "ledger_before", "ledger_after") == [("z", 1, 0), ("a", 0, 2), ("b", 2, 6)]


def test_the_opening_standing_is_the_earliest_balance_in_ledger_order() -> None:
    con = ledger(
        ("late", "2026-01-03 00:00:00Z", [50, None, None, None], [1, -1, 0, 0], False),
        ("early", "2026-01-01 00:00:00Z", [None, None, None, None], [5, -5, 0, 0], False),
        # A match that a violation leaves without a result moves nothing, but its balance is on record.
        ("broken", "2026-01-02 00:00:00Z", [20, None, None, None], [], False),
    )
    assert of(con, "p0", "ledger_before", "ledger_after") == [("early", 20, 25), ("late", 25, 26)]


def test_amounts_are_exact_to_four_decimals() -> None:
    con = ledger(("m", "2026-01-01 00:00:00Z", [1, 0, 0, 0], [6, -6, 0, 0], True))
    con.execute("update core_settlement__match_rows set scores_before_cap = [0.0001, -0.0001, 0, 0]")
    fold(con)
    assert Decimal("0.0001") in con.execute("select * from core_ledger__movement").fetchall()[0]


DAY = "2026-01-{:02} 00:00:00Z"


def test_F6_the_opening_standing_is_the_registrys_before_the_earliest_balance() -> None:
    con = ledger(
        ("a", DAY.format(1), [None, 50, None, None], [6, -2, -2, -2], True),
        ("b", DAY.format(2), [None, None, None, None], [9, 5, -7, -7], True),
        registry=[("p0", [], "2.5"), ("p1", [], "4"), ("p2", [], None)],
    )
    # p0 opens with 2.5 and wins no more than that; then 5 are held, and no more than 5 are won.
    assert of(con, "p0", "score", "standing_before", "ledger_before", "ledger_after", "opening_known") == [
        ("a", Decimal("2.5"), Decimal("2.5"), Decimal("2.5"), 5, True),
        ("b", 5, 5, 5, 10, True),
    ]
    # The log's balance is the standing where there is one; the ledger goes from the registry's: 4 - 2 = 2, and the cap
    # of the next match is 2.
    assert of(con, "p1", "score", "standing_before", "ledger_before", "ledger_after") == [
        ("a", -2, 50, 4, 2),
        ("b", 2, 2, 2, 4),
    ]
    # A player of the registry without an opening, and one who is in no registry: not known, no cap.
    for player in ("p2", "p3"):
        assert of(con, player, "standing_before", "ledger_after", "opening_known") == [
            ("a", None, -2, False),
            ("b", None, -9, False),
        ]


def test_an_opening_is_that_of_its_game() -> None:
    con = ledger(("a", DAY.format(1), [None] * 4, [6, -2, -2, -2], True), registry=[("p0", [], "1")])
    assert of(con, "p0", "score", "ledger_after") == [("a", 1, 2)]
    con.execute("update core_record set variant = 'four'")
    fold(con)
    assert of(con, "p0", "game", "score", "ledger_after") == [("a", "four", 6, 1005)]


def test_F6_an_alias_counts_as_the_players() -> None:
    matches: list[Row] = [
        ("a", DAY.format(1), [None, None, None, 8], [], False),
        ("b", DAY.format(2), [None, None, None, None], [-5, 5, 0, 0], False),
        ("c", DAY.format(3), [None, None, None, None], [-2, -2, -2, 6], True),
    ]
    seats = {"a": ["x", "p1", "p2", "p3"], "b": ["p0", "p1", "p2", "x"], "c": ["x", "p1", "p2", "p3"]}
    apart = ledger(*matches, seats=seats)
    assert of(apart, "p0", "ledger_before", "ledger_after", "opening_known") == [("b", 0, -5, False)]
    assert of(apart, "p3", "score", "ledger_before", "ledger_after") == [("c", 6, 8, 14)]
    # One player: the 8 logged for p3 open the standing, 8 - 5 = 3, and the 6 that are won are cut to 3.
    merged = ledger(*matches, seats=seats, registry=[("p0", ["p3", "nobody"], None)])
    assert of(merged, "p0", "logged_id", "ledger_before", "score", "ledger_after", "opening_known") == [
        ("b", "p0", 8, -5, 3, True),
        ("c", "p3", 3, 3, 6, True),
    ]
    assert of(merged, "p3", "seat") == []
    # The same from the alias's side.
    other = ledger(*matches, seats=seats, registry=[("p3", ["p0"], None)])
    assert of(other, "p3", "logged_id", "score", "ledger_after") == [("b", "p0", -5, 3), ("c", "p3", 3, 6)]


def test_two_seats_of_one_player_count_one_after_the_other() -> None:
    con = ledger(
        ("a", DAY.format(1), [None] * 4, [6, 4, -5, -5], True),
        ("b", DAY.format(2), [None] * 4, [-1, 2, -1, 0], True),
        registry=[("p1", ["p0"], "3")],
    )
    # 3 held: 6 are cut to 3. 6 held: 4 are won. Then 10 - 1 = 9, and 2 more.
    assert of(con, "p1", "seat", "logged_id", "score", "ledger_before", "ledger_after") == [
        ("a", 0, "p0", 3, 3, 6),
        ("a", 1, "p1", 4, 6, 10),
        ("b", 0, "p0", -1, 10, 9),
        ("b", 1, "p1", 2, 9, 11),
    ]
    settle(con)
    assert con.execute("select scores from settled_match order by line").fetchall() == [
        ([3, 4, -5, -5],), ([-1, 2, -1, 0],)
    ]  # fmt: skip
