"""What cards are and what they beat, in words; expected values from the rulings and the rulebook's own examples."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest

from yuanzi_core import combos
from yuanzi_core.cards import Variant
from yuanzi_core.combos import Combo, combo
from yuanzi_core.explanation import Section, render_text
from yuanzi_core.notation import NotationError
from yuanzi_core.ruleset import RuleSet, Rulesets
from yuanzi_core.texts import LANGS, Lang

VARIANTS: tuple[Variant, ...] = get_args(Variant)
READINGS = ("above_all", "by_size", "shielded")


def _rules(variant: str, **options: object) -> RuleSet:
    return Rulesets()[f"{variant}-classic"].with_options(options)


def _section(found: Combo, key: str) -> Section:
    (section,) = [section for section in found.explanation.sections if section.key == key]
    return section


def _lines(found: Combo, key: str) -> list[str]:
    return [line.text for line in _section(found, key).lines]


def test_B3_a_knife_triple_with_a_joker_does_not_answer_a_pair() -> None:
    found = combo("XB7s7s", "7", _rules("five"), "en", over="KsKd")
    assert (found.kind, found.rank, found.size, found.of_knife) == ("triple", "7", 3, True)
    assert (found.card_points, found.beats_over) == (0, False)
    assert _lines(found, "over") == [
        "No: a triple of knife cards does not beat a pair of kings. "
        "Singles, pairs and triples answer only their own kind."
    ]
    assert _section(found, "over").lines[0].clauses == ("B4",)
    assert _lines(found, "beats") == ["any triple that is not of the knife's rank"]
    assert _lines(found, "falls") == ["any atom (of 3, 4 or 5 cards), H-bomb or big H-bomb"]


@pytest.mark.parametrize(
    ("variant", "cards", "knife", "kind", "rank", "points"),
    [
        ("four", "Ks", "7", "single", "K", 10),
        ("four", "10h10♠", "7", "pair", "T", 20),
        ("four", "♥5♠5♦5", "7", "triple", "5", 15),
        ("four", "kSkHkCkD", "7", "bomb", "K", 40),
        ("four", "5s5s5s", "7", "atom3", "5", 15),
        ("four", "9s9s9h9h9c9c9d9d", "7", "hbomb", "9", 0),
        # B2: in the four-player game twelve cards, three of each suit, are a bomb.
        ("four", "9s9s9s9h9h9h9c9c9c9d9d9d", "7", "bomb", "9", 0),
        ("five", "9s9s9s9h9h9h9c9c9c9d9d9d", "7", "big_hbomb", "9", 0),
        ("five", "9s9s9s9s", "7", "atom4", "9", 0),
        ("five", "9s9s9s9s9s", "7", "atom5", "9", 0),
        # B3: jokers take the rank of the cards beside them, and never help form an atom.
        ("four", "9s9sXB", "7", "triple", "9", 0),
        # B3: three identical jokers are an atom; any other jokers alone are of rank 3, an ordinary 3 even as the knife.
        ("four", "大王大王大王", "3", "atom3", None, 0),
        ("four", "大王大王小王", "3", "triple", "3", 0),
        ("five", "XSXSXSXS", "3", "atom4", None, 0),
        ("five", "XSXSXSXB", "3", "bomb", "3", 0),
    ],
)
def test_B1_B2_B3_what_cards_are(
    variant: str, cards: str, knife: str, kind: str, rank: str | None, points: int
) -> None:  # fmt: skip
    found = combo(cards, knife, _rules(variant), "zh")
    assert (found.kind, found.rank, found.card_points, found.of_knife) == (kind, rank, points, False)


@pytest.mark.parametrize(
    ("lying", "played", "falls"),
    [
        # The table of B5 in the rulebook; the knife is 7. One answer a reading: above_all, by_size, shielded.
        ("2s2h2c2d", "7s7h7c7d", (True, True, True)),
        ("9s9s9h9c9d", "7s7h7c7d", (True, False, False)),
        ("7s7h7c7d", "9s9s9h9c9d", (False, True, False)),
        ("7s7h7c7d", "7s7s7h7c7d", (True, True, False)),
        ("7s7h7c7d", "3d3d3d", (True, True, True)),
        ("7s", "7s7h7c7d", (False, False, False)),
    ],
)
def test_B5_the_knife_bomb_falls_as_the_rulebook_s_table_says(
    lying: str, played: str, falls: tuple[bool, bool, bool]
) -> None:
    for variant in VARIANTS:
        for reading, expected in zip(READINGS, falls, strict=True):
            found = combo(played, "7", _rules(variant, knife_bomb=reading), "zh", over=lying)
            assert found.beats_over is expected, reading
            assert _lines(found, "over")[0].startswith("压得住" if expected else "压不住")


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("9sTs", "No combination: ♠9♠10 are not of one rank."),
        ("9s9s9s9s", "No combination: the deck has only 3 copies each of ♠9."),
        ("9s9s9s9s9s9s9s9s9s", "No combination: the deck has only 3 copies each of ♠9."),
        ("7sXB", "No combination: this ruleset lets no joker join knife cards (♠7XB)."),
    ],
)
def test_no_combination_says_why(cards: str, why: str) -> None:
    found = combo(cards, "7", _rules("four"), "en", over="3s")
    assert (found.kind, found.rank, found.beats_over) == (None, None, False)
    assert _lines(found, "cards") == [why]


def test_B3_jokers_join_the_knife_where_the_option_says_so() -> None:
    assert combo("7sXB", "7", _rules("four", knife_jokers=True), "zh").kind == "pair"
    assert combo("7sXB", "7", _rules("five", knife_jokers=False), "zh").kind is None


def test_over_no_combination_is_never_a_yes() -> None:
    found = combo("9s9s9s", "7", _rules("four"), "zh", over="3s4s")
    assert found.beats_over is False
    assert _lines(found, "over") == ["不成牌型：♠3♠4 点数不一样。"]


def test_B8_equal_never_beats_equal() -> None:
    found = combo("9s9h", "7", _rules("four"), "zh", over="9c9d")
    assert found.beats_over is False
    assert _section(found, "over").lines[0].clauses == ("B8",)
    assert _lines(found, "over") == ["压不住：“一对 9”压不了“一对 9”。一样大，一样大压不了。"]


def test_B7_the_nearest_atoms_are_named_with_their_cards() -> None:
    # ♠ > ♥ > ♣ > ♦ at the same rank, and the knife above the jokers.
    found = combo("5s5s5s", "9", _rules("four"), "zh")
    assert _lines(found, "beats")[-1] == "原子（♥5），以及同类里更小的"
    assert _lines(found, "falls") == ["原子（♦6），以及同类里更大的", "所有氢弹"]
    found = combo("XBXBXB", "9", _rules("four"), "zh")
    assert _lines(found, "falls") == ["刀原子（♦9），以及同类里更大的", "所有氢弹"]


def test_nothing_beats_the_highest_and_a_joker_beats_nothing() -> None:
    highest = combo("9s9s9s9h9h9h9c9c9c9d9d9d", "9", _rules("five"), "en")
    assert _lines(highest, "falls") == ["Nothing."]
    assert _lines(combo("XB", "9", _rules("five"), "en"), "beats") == ["Nothing."]


@pytest.mark.parametrize("cards", ["", " ", "9", "9x", "?", "XB9"])
def test_cards_that_cannot_be_read_are_the_caller_s_mistake(cards: str) -> None:
    with pytest.raises(NotationError):
        combo(cards, "7", _rules("four"), "en")


def test_a_knife_that_cannot_be_read_is_the_caller_s_mistake() -> None:
    with pytest.raises(NotationError):
        combo("9s", "XB", _rules("four"), "en")


CARDS = {
    "single": "9s", "pair": "9s9h", "triple": "9s9hXS", "bomb": "9s9h9c9dXB", "atom3": "9s9s9s", "atom4": "9s9s9s9s",
    "hbomb": "9s9s9h9h9c9c9d9d", "atom5": "9s9s9s9s9s", "big_hbomb": "9s9s9s9h9h9h9c9c9c9d9d9d",
    "joker": "XB", "jokers": "XBXS", "joker triple": "XBXSXS", "joker bomb": "XBXBXSXS", "joker atom": "XSXSXS",
}  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("knife", ["9", "3"])
def test_every_kind_is_explained_in_full(variant: Variant, knife: str, lang: Lang) -> None:
    for reading in READINGS:
        rules = _rules(variant, knife_bomb=reading, knife_jokers=True)
        for name, cards in CARDS.items():
            if variant == "four" and name in ("atom4", "atom5"):
                continue
            for other in ("9s", "9s9h", "9s9h9c9d", "9c9c9c"):
                shown = render_text(combo(cards, knife, rules, lang, over=other).explanation)
                assert "{" not in shown


@pytest.mark.parametrize("variant", VARIANTS)
def test_B4_to_B8_the_reason_fits_the_verdict(variant: Variant) -> None:
    wins = {"higher", "bomb_takes", "more_cards", "knife_bomb_takes", "above"}
    chance = random.Random(20260301)
    for reading in READINGS:
        for knife in range(13):
            game: Any = combos._Game(_rules(variant, knife_bomb=reading, knife_jokers=True), knife, "en")
            every = list(game.every())
            for _ in range(400):
                one, other = chance.choice(every), chance.choice(every)
                assert game.beats(one, other) == (combos._why(game, one, other) in wins)
