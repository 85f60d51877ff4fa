"""Clause G4: hands as players sort them. (G1 and G2: ``test_levels``.)"""

from __future__ import annotations

import pytest

from tests.yuanzi_core.tables import cards
from yuanzi_core.cards import CARD_NUMBER, display_order, write_cards


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
