"""Clauses G3 and G4: what is published of players, and hands as they sort them. (G1 and G2: ``test_levels``.)"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.defs.publish.public import POLICY, Shown
from tests.yuanzi_core.tables import cards
from yuanzi_core.cards import CARD_NUMBER, display_order, write_cards

ROOT = Path(__file__).parents[2]
PUBLISHED = {path.stem: path for path in (ROOT / "pipelines").rglob("out_*.sql") if path.parent.name != "public"}
#: What G3 keeps to members.
KEPT_TO_MEMBERS = re.compile("standings?|levels?|ranks?|ranking|ratings?|ledger")
#: The ladder is the same for all.
ABOUT_NOBODY = {"out_levels__step"}


def parsed(statement: str) -> dict[str, Any]:
    """The outermost select of a statement, as DuckDB reads it."""
    found = duckdb.execute("select json_serialize_sql($statement)", {"statement": statement}).fetchone()
    assert found is not None
    (one,) = json.loads(found[0])["statements"]
    node: dict[str, Any] = one["node"]
    # Of a union the first part names the columns.
    while "select_list" not in node:
        node = node.get("left") or node["children"][0]
    return node


def columns(statement: str) -> list[str]:
    """The names of the columns that a statement selects."""
    named = [column["alias"] or column["column_names"][-1] for column in parsed(statement)["select_list"]]
    assert all(named)
    return named


def test_G3_no_figure_of_a_player_is_public_without_asking_who_is_a_member() -> None:
    assert PUBLISHED.keys() >= {"out_matches", "out_snapshot", "out_audit__files", "out_audit__records"}
    public = {table for table, shown in POLICY.items() if shown is Shown.ALL}
    for table in public - ABOUT_NOBODY:
        found = columns(PUBLISHED[table].read_text(encoding="utf-8"))
        assert not [name for name in found if any(map(KEPT_TO_MEMBERS.fullmatch, name.split("_")))], table
    assert PUBLISHED.keys() - public >= {"out_matches", "out_standings__player", "out_levels__event"}


def test_G3_names_and_single_results_show_for_everyone() -> None:
    statement = PUBLISHED["out_matches"].read_text(encoding="utf-8")
    assert {"player_ids", "player_names", "scores"} <= set(columns(statement))
    # Every match that counts is there, whoever played it.
    chosen = parsed(statement)
    assert chosen["where_clause"] is None
    assert chosen["having"] is None
    assert chosen["qualify"] is None
    assert "member" not in statement


def shown(hand: str, knife: str, by_count: bool = False) -> str:
    """A hand as it is displayed."""
    numbers = [CARD_NUMBER[card] for card in cards(hand, "five")]
    return write_cards(display_order(numbers, "3456789TJQKA2".index(knife), by_count))


def test_G4_knife_then_jokers_then_ranks_from_high_to_low() -> None:
    assert shown("3s4sTh2dAcXSKh7c7sXBJd", "7") == "7s7cXBXS2dAcKhJdTh4s3s"


def test_G4_suits_spades_hearts_clubs_diamonds() -> None:
    assert shown("9d9c9h9s7d7s7c7h", "7") == "7s7h7c7d9s9h9c9d"


def test_G4_the_big_joker_stands_before_the_small_one() -> None:
    assert shown("XSXBXSXB", "7") == "XBXBXSXS"


def test_G4_or_by_count_and_then_rank_behind_knife_and_jokers() -> None:
    # Three 4s, two Ks and two 9s, one 2; the single knife and the joker stand first all the same.
    assert shown("4s4h4dKsKd9c9h2s7dXB", "7", by_count=True) == "7dXB4s4h4dKsKd9h9c2s"


@pytest.mark.parametrize("by_count", [False, True])
def test_G4_the_knife_stands_where_it_is_the_knife_only(by_count: bool) -> None:
    assert shown("2s3s", "3", by_count) == "3s2s"
    assert shown("2s3s", "9", by_count) == "2s3s"


def test_G4_nothing_is_lost() -> None:
    hand = "3s3s3s4h5dXBXSXSKdKd"
    assert sorted(cards(shown(hand, "5", True), "five")) == sorted(cards(hand, "five"))
