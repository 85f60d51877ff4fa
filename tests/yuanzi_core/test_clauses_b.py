"""Clauses B1–B8: what a play is, and what it beats."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from tests.yuanzi_core.tables import answered, beats

CANNOT, ODD = "CANNOT_BEAT", "NOT_A_COMBO"
BOTH = pytest.mark.parametrize("variant", ["four", "five"])
# B1 with 7 as the knife, from high to low.
ORDER = "72AKQJT986543"
READINGS = ["above_all", "by_size", "shielded"]


def n(times: int, rank: str, suits: str = "shcd") -> str:
    """So many cards of a rank, of mixed suits: never an atom, and never two of each suit."""
    return "".join(rank + suits[int(place)] for place in "012301201323"[:times])


def wins(variant: str, pairs: list[tuple[str, str]], *, knife: str = "7", **rules: object) -> list[bool]:
    """For each (answer, play on the table): whether the answer is legal."""
    found = answered(variant, [(on_table, answer) for answer, on_table in pairs], knife=knife, **rules)
    assert set(found) <= {None, CANNOT}
    return [code is None for code in found]


@BOTH
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_B1_ranks_from_the_knife_down_to_3(variant: str, size: int) -> None:
    pairs = list(product(ORDER, ORDER))
    found = wins(variant, [(n(size, high), n(size, low, "hcds")) for high, low in pairs])
    assert found == [ORDER.index(high) < ORDER.index(low) for high, low in pairs]


@BOTH
def test_B1_a_rank_that_is_not_the_knife_has_its_own_place(variant: str) -> None:
    assert wins(variant, [("8s", "7s"), ("6s", "7s"), ("2s", "7s")], knife="A") == [True, False, True]


@BOTH
def test_B1_a_play_is_of_one_rank(variant: str) -> None:
    odd = ["6s8s", "6s6s8s", "6s6s6s8s8s", "3s4s5s6s8s", "6s8sXB", "2sAs"]
    assert answered(variant, [("5s5h", play) for play in odd]) == [ODD] * len(odd)


@BOTH
def test_B1_suits_are_free(variant: str) -> None:
    assert wins(variant, [("8s8d", "6h6c"), ("8s8s", "6h6c"), ("8d8c8h", "6s6s6h")]) == [True] * 3


@BOTH
def test_B1_one_card_two_three_and_four_or_more_are_four_kinds(variant: str) -> None:
    # A bomb of four beats a triple, so four cards are no longer a triple's kin; three are no bomb.
    assert wins(variant, [(n(4, "3"), n(3, "2")), (n(3, "2"), n(4, "3")), (n(12, "3"), n(1, "2"))]) == [
        True,
        False,
        True,
    ]


@BOTH
def test_B2_three_identical_cards_are_an_atom(variant: str) -> None:
    # The atom beats a bomb of eleven; the triple of two suits does not.
    assert wins(variant, [("3s3s3s", n(11, "2")), ("3s3s3h", n(11, "2"))]) == [True, False]


def test_B2_five_players_have_4_atoms_and_5_atoms() -> None:
    found = wins("five", [("3s3s3s3s", "2s2s2s"), ("3s3s3s3s3s", "2s2s2s2s"), ("3s3s3s3h", "2d2d2d")])
    assert found == [True, True, False]


@BOTH
def test_B2_an_H_bomb_is_exactly_eight_two_of_each_suit(variant: str) -> None:
    h_bomb = "3s3s3h3h3c3c3d3d"
    not_one = ["3s3s3s3h3h3c3c3d", "3s3s3h3h3c3c3d", "3s3s3s3h3h3c3c3d3d", "3s3s3s3h3h3h3c3c"]
    # The H-bomb of the lowest rank beats the highest atom of three; a bomb beats no atom.
    assert wins(variant, [(h_bomb, "7s7s7s")] + [(play, "4d4d4d") for play in not_one]) == [True] + [False] * 4


def test_B2_a_big_H_bomb_is_exactly_twelve_three_of_each_suit() -> None:
    big = "3s3s3s3h3h3h3c3c3c3d3d3d"
    assert wins("five", [(big, "7s7s7s7s7s"), (f"{big}3s", "7s7s7s"), (big.replace("3d", "3s", 1), "7s7s7s")]) == [
        True,
        False,
        False,
    ]


def test_B2_with_four_players_twelve_of_a_rank_are_a_bomb() -> None:
    twelve = "8s8s8s8h8h8h8c8c8c8d8d8d"
    assert wins("four", [(twelve, "3s3s3s"), (twelve, "3s3s3h3h3c3c3d3d"), (twelve, n(11, "2"))]) == [
        False,
        False,
        True,
    ]


@BOTH
def test_B2_a_play_counts_as_the_highest_that_it_is(variant: str) -> None:
    # Three identical 3s on the table are an atom, so that no higher triple answers; a lone triple would fall.
    assert wins(variant, [("2s2s2h", "3s3s3s"), ("2s2s2h", "3s3s3h"), ("4s4s4s", "3s3s3s")]) == [False, True, True]


@BOTH
def test_B3_jokers_take_the_rank_of_the_cards_beside_them(variant: str) -> None:
    assert wins(
        variant,
        [("8sXB", "6s6h"), ("4sXB", "6s6h"), ("8sXBXS", "6s6h6c"), ("8s8hXS", "6s6h6c"), ("3s3hXBXS", "2s2h2c")],
    ) == [True, False, True, True, True]
    # And count as cards of a bomb: four 8s and a joker beat five 6s.
    assert wins(variant, [(n(4, "8") + "XS", n(5, "6")), (n(3, "8") + "XS", n(5, "6"))]) == [True, False]


@BOTH
@pytest.mark.parametrize("play", ["7sXB", "7sXS", "7s7hXB", "7s7h7cXBXS"])
def test_B3_jokers_with_the_knife_by_option(variant: str, play: str) -> None:
    on_table = {4: "6s6h", 6: "6s6h6c", 10: n(5, "6")}[len(play)]
    pair = [(on_table, play)]
    assert answered(variant, pair, knife_jokers=True) == [None]
    assert answered(variant, pair, knife_jokers=False) == [ODD]
    # Unset: forbidden with four players, allowed with five.
    assert answered(variant, pair) == [ODD if variant == "four" else None]


@BOTH
def test_B3_with_the_knife_they_are_of_the_knifes_rank(variant: str) -> None:
    # A knife pair falls to no bomb; a knife bomb beats any other.
    assert wins(
        variant, [(n(4, "6"), "7sXB"), ("6s6s6s", "7sXB"), (n(3, "7") + "XB", n(8, "2"))], knife_jokers=True
    ) == [
        False,
        True,
        True,
    ]


@BOTH
def test_B3_jokers_never_help_form_an_atom_or_an_H_bomb(variant: str) -> None:
    # 2s2sXB is a triple, seven 2s and a joker are a bomb of eight; neither beats the lowest atom.
    assert wins(variant, [("2s2sXB", "3s3s3s"), ("2s2s2sXB", "3s3s3s"), ("2s2s2h2h2c2c2dXB", "3s3s3s")]) == [False] * 3
    assert wins(variant, [("2s2sXB", "3s3s3h"), ("2s2s2sXB", n(4, "3")), ("2s2s2h2h2c2c2dXB", n(7, "6"))]) == [True] * 3
    if variant == "five":
        assert wins("five", [("2s2s2s2sXB", "3s3s3s")]) == [False]


@BOTH
@pytest.mark.parametrize("joker", ["XB", "XS"])
def test_B3_three_identical_jokers_are_an_atom(variant: str, joker: str) -> None:
    assert wins(variant, [(joker * 3, n(11, "2")), (joker * 3, "2s2s2s")]) == [True, True]


def test_B3_with_five_players_four_and_five_identical_jokers_are_higher_atoms() -> None:
    assert wins("five", [("XSXSXSXS", "7s7s7s"), ("XSXSXSXS", "2s2s2s2s"), ("XBXBXBXBXB", "2s2s2s2s2s")]) == [True] * 3


@BOTH
def test_B3_other_plays_of_jokers_alone_are_of_rank_3(variant: str) -> None:
    # Single, pair, triple of mixed jokers, bombs of four and six: 4s are above them, and equal 3s do not beat 3s.
    alone = ["XB", "XS", "XBXB", "XBXS", "XBXBXS", "XBXSXBXS", "XBXBXBXSXSXS"]
    sizes = [1, 1, 2, 2, 3, 4, 6]
    assert wins(variant, [(n(size, "4"), play) for size, play in zip(sizes, alone, strict=True)]) == [True] * 7
    assert wins(variant, [(play, n(size, "3")) for size, play in zip(sizes, alone, strict=True)]) == [False] * 7
    # They are single, pair, triple and bombs all the same.
    assert wins(variant, [("XBXSXBXS", n(3, "2")), ("XBXBXS", n(2, "4")), ("XBXBXBXSXSXS", n(5, "2"))]) == [
        True,
        False,
        True,
    ]


def test_B3_six_or_more_jokers_are_a_bomb() -> None:
    assert wins("five", [("XBXBXBXBXBXS", n(5, "2")), ("XBXBXBXBXBXS", "3s3s3s")]) == [True, False]


@BOTH
def test_B3_jokers_alone_are_an_ordinary_3_even_when_3_is_the_knife(variant: str) -> None:
    found = wins(
        variant,
        [
            ("4s", "XB"),
            ("XB", "4s"),
            ("3s", "XB"),
            (n(4, "4"), "XBXB"),
            (n(4, "4"), "XBXSXBXS"),
            ("XBXSXBXS", n(4, "4")),
        ],
        knife="3",
    )
    assert found == [True, False, True, True, True, False]


@BOTH
def test_B4_singles_pairs_and_triples_answer_only_their_own_kind(variant: str) -> None:
    plays = [n(1, "A"), n(2, "A"), n(3, "A")]
    on_table = [n(1, "6"), n(2, "6"), n(3, "6"), n(4, "3"), "3s3s3s"]
    found = wins(variant, list(product(plays, on_table)))
    assert found == [size == answered_size for size in (1, 2, 3) for answered_size in (1, 2, 3, 4, 0)]


@BOTH
def test_B4_any_bomb_beats_a_single_pair_or_triple_not_of_the_knife(variant: str) -> None:
    assert wins(variant, [(n(4, "3"), n(size, "2")) for size in (1, 2, 3)]) == [True] * 3
    assert wins(variant, [("XBXSXBXS", n(size, "2")) for size in (1, 2, 3)]) == [True] * 3


@BOTH
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("reading", READINGS)
def test_B4_a_knife_single_pair_or_triple_falls_only_to_an_atom_or_higher(
    variant: str, size: int, reading: str
) -> None:
    knife = n(size, "7")
    higher = ["3s3s3s", "XSXSXS", "3s3s3h3h3c3c3d3d"]
    lower = [n(4, "6"), n(11, "2"), n(size, "2")]
    assert wins(variant, [(play, knife) for play in higher + lower], knife_bomb=reading) == [True] * 3 + [False] * 3


@BOTH
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("reading", READINGS)
def test_B5_in_all_three_readings_a_knife_bomb_does_not_beat_a_knife_single_pair_or_triple(
    variant: str, size: int, reading: str
) -> None:
    on_table = ["7s", "7s7h", "7s7h7c"][size - 1]
    bomb = "7d7d7c7h" if size < 3 else "7d7d7c7h7s"
    assert beats(variant, bomb, on_table, knife_bomb=reading) is False


@BOTH
def test_B5_more_cards_beat_fewer_and_the_higher_rank_decides_at_the_same_count(variant: str) -> None:
    found = wins(
        variant, [(n(5, "3"), n(4, "2")), (n(4, "2"), n(5, "3")), (n(5, "6"), n(5, "5")), (n(5, "5"), n(5, "6"))]
    )
    assert found == [True, False, True, False]


# Knife bombs against others, 7 the knife: answer, on the table; then above_all, by_size, shielded.
KNIFE_BOMBS = [
    # A small knife bomb over a big ordinary one: only above_all lets it.
    (n(4, "7"), n(5, "3"), True, False, False),
    (n(4, "7"), n(4, "2"), True, True, True),
    (n(5, "7"), n(4, "2"), True, True, True),
    # A bigger ordinary bomb over a knife bomb: only by_size.
    (n(5, "3"), n(4, "7"), False, True, False),
    (n(4, "2"), n(4, "7"), False, False, False),
    # A bigger knife bomb over a knife bomb: not in shielded.
    (n(5, "7"), "7d7d7c7h", True, True, False),
    ("7d7d7c7h", n(5, "7"), False, False, False),
    # An atom over a knife bomb: always.
    ("3s3s3s", n(6, "7"), True, True, True),
    # A knife bomb over an atom: never.
    (n(6, "7"), "3s3s3s", False, False, False),
]


@BOTH
@pytest.mark.parametrize("reading", READINGS)
def test_B5_knife_bombs_in_the_three_readings(variant: str, reading: str) -> None:
    place = READINGS.index(reading)
    found = wins(variant, [(answer, on_table) for answer, on_table, *_ in KNIFE_BOMBS], knife_bomb=reading)
    assert found == [row[2 + place] for row in KNIFE_BOMBS]


@BOTH
def test_B5_above_all_is_the_default(variant: str) -> None:
    found = wins(variant, [(answer, on_table) for answer, on_table, *_ in KNIFE_BOMBS])
    assert found == [row[2] for row in KNIFE_BOMBS]


@pytest.mark.parametrize(
    ("variant", "tiers"),
    [
        # From low to high. Each tier's lowest member beats the highest one of the tier below, and never the reverse.
        ("four", [("", n(11, "7")), ("3d3d3d", "7s7s7s"), ("3s3s3h3h3c3c3d3d", "")]),
        (
            "five",
            [
                ("", n(11, "7")),
                ("3d3d3d", "7s7s7s"),
                ("3d3d3d3d", "7s7s7s7s"),
                ("3s3s3h3h3c3c3d3d", "7s7s7h7h7c7c7d7d"),
                ("3d3d3d3d3d", "7s7s7s7s7s"),
                ("3s3s3s3h3h3h3c3c3c3d3d3d", ""),
            ],
        ),
    ],
)
def test_B6_the_tiers_above_the_bombs(variant: str, tiers: list[tuple[str, str]]) -> None:
    steps = [(higher[0], lower[1]) for lower, higher in pairwise(tiers)]
    assert wins(variant, steps) == [True] * len(steps)
    assert wins(variant, [(lower, higher) for higher, lower in steps]) == [False] * len(steps)


@BOTH
def test_B6_atoms_and_H_bombs_beat_every_single_pair_triple_and_bomb(variant: str) -> None:
    below = [n(1, "7"), n(2, "7"), n(3, "7"), n(1, "2"), n(2, "2"), n(3, "2"), n(4, "2"), n(11, "2"), n(9, "7")]
    for high in ("3s3s3s", "3s3s3h3h3c3c3d3d"):
        assert wins(variant, [(high, play) for play in below]) == [True] * len(below)
        assert wins(variant, [(play, high) for play in below]) == [False] * len(below)


@pytest.mark.parametrize(("variant", "count"), [("four", 3), ("five", 3), ("five", 4), ("five", 5)])
def test_B7_atoms_of_the_same_count(variant: str, count: int) -> None:
    order = ["7", "XB", "XS", "2", "A", "K", "Q", "J", "T", "9", "8", "6", "5", "4", "3"]
    atoms = [rank * count if rank in ("XB", "XS") else f"{rank}h" * count for rank in order]
    steps = list(pairwise(atoms))
    assert wins(variant, steps) == [True] * 14
    assert wins(variant, [(low, high) for high, low in steps]) == [False] * 14


@pytest.mark.parametrize(("variant", "count"), [("four", 3), ("five", 3), ("five", 4), ("five", 5)])
@pytest.mark.parametrize("rank", ["7", "9"])
def test_B7_at_the_same_rank_spades_hearts_clubs_diamonds(variant: str, count: int, rank: str) -> None:
    atoms = [f"{rank}{suit}" * count for suit in "shcd"]
    pairs = list(product(range(4), range(4)))
    pairs = [(one, other) for one, other in pairs if one != other]
    found = wins(variant, [(atoms[one], atoms[other]) for one, other in pairs])
    assert found == [one < other for one, other in pairs]


@pytest.mark.parametrize(("variant", "times"), [("four", 2), ("five", 2), ("five", 3)])
def test_B7_H_bombs_by_rank_the_knife_highest(variant: str, times: int) -> None:
    bombs = ["".join(f"{rank}{suit}" * times for suit in "shcd") for rank in ORDER]
    steps = list(pairwise(bombs))
    assert wins(variant, steps) == [True] * 12
    assert wins(variant, [(low, high) for high, low in steps]) == [False] * 12


@pytest.mark.parametrize(
    ("variant", "play", "other"),
    [
        ("four", "6s", "6d"),
        ("four", "7s", "7d"),
        ("four", "6s6h", "6d6d"),
        ("four", "6sXB", "6dXB"),
        ("four", "6s6h6c", "6d6d6c"),
        ("four", "6s6s6h6c", "6d6d6c6h"),
        ("four", "7s7s7h7c", "7d7d7c7h"),
        ("four", "XB", "XS"),
        ("four", "XBXS", "XBXB"),
        ("five", "XBXB", "3s3h"),
        ("five", "6s6h6c6d6s6h6cXB", "6s6h6c6d6s6h6dXB"),
        ("five", "6s6s6h6h6c6c6d6d", "6s6s6h6h6c6c6d6d"),
    ],
)
def test_B8_equal_never_beats_equal(variant: str, play: str, other: str) -> None:
    assert wins(variant, [(play, other), (other, play)]) == [False, False]
