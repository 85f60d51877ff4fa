"""Notation: the fast reader, the tolerant one and the writer agree on the same cards."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.yuanzi_core.layouts import FOUR_DOUBLE_OUT, FOUR_THREE_OUT, four
from tests.yuanzi_core.tables import Deal, Match, judge, judge_all, match
from yuanzi_core.cards import (
    CARD_NUMBER,
    CARDS,
    COUNT_BITS,
    MOST_OF_A_CARD,
    ODD,
    PASS,
    SEAT_SHIFT,
    cards_of,
    code_of,
    counts_of,
    write_cards,
    write_play,
)
from yuanzi_core.deals import JOKER_WORD
from yuanzi_core.notation import (
    NotationError,
    canonical_hand,
    canonical_plays,
    read_card,
    read_cards,
    read_hands,
    read_plays,
    read_rank,
)

NUMBERS = st.lists(st.integers(0, 53), max_size=60)
SOME = st.lists(st.integers(0, 53), min_size=1, max_size=12)
#: Cards of one rank with jokers, as most plays are.
ONE_RANK = st.tuples(
    st.integers(0, 12), st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(52, 53), max_size=5)
)
ALIKE = ONE_RANK.map(lambda drawn: [4 * drawn[0] + suit for suit in drawn[1]] + drawn[2]).filter(bool)
PLAYS = st.lists(st.tuples(st.integers(0, 4), st.none() | SOME | ALIKE), max_size=12)


def words_of(numbers: list[int]) -> list[int]:
    """The words of a hand with these cards."""
    words = [0] * (JOKER_WORD + 1)
    for card, count in Counter(numbers).items():
        word, place = (card >> 2, card & 3) if card < 52 else (JOKER_WORD, card - 52)
        words[word] += min(count, MOST_OF_A_CARD) << COUNT_BITS * place
    return words


@given(NUMBERS)
def test_a_canonical_hand_is_read_alike_by_both_readers(numbers: list[int]) -> None:
    text = write_cards(numbers)
    assert read_cards(text) == numbers
    hands, bad = read_hands([text, ""])
    assert not bad.any()
    assert hands[0].tolist() == words_of(numbers)
    assert not hands[1].any()


@given(PLAYS, st.sampled_from(["\t", "\n", " \r\n ", "\u3000"]))
def test_other_white_space_is_for_the_tolerant_reader(plays: list[tuple[int, list[int] | None]], space: str) -> None:
    tokens = [f"{seat}:{'-' if cards is None else write_cards(cards)}" for seat, cards in plays]
    _, _, bad, _, _ = read_plays([space.join(tokens)], 5)
    assert bad.tolist() == [len(tokens) > 1]
    assert canonical_plays(space.join(tokens), 5) == " ".join(tokens)


@given(PLAYS, st.sampled_from([" ", "  "]))
def test_canonical_plays_are_read_alike_by_both_readers(plays: list[tuple[int, list[int] | None]], space: str) -> None:
    text = space.join(f"{seat}:{'-' if cards is None else write_cards(cards)}" for seat, cards in plays)
    words, offsets, bad, odd_plays, odd_cards = read_plays(["", text, text], 5)
    assert not bad.any()
    assert offsets.tolist() == [0, 0, len(plays), 2 * len(plays)]
    wanted = [seat << SEAT_SHIFT | (PASS if cards is None else code_of(cards)) for seat, cards in plays]
    assert words.tolist() == wanted * 2
    odd = [place for place, word in enumerate(words.tolist()) if word & ODD == ODD]
    assert odd_plays.tolist() == odd
    assert odd_cards.tolist() == [counts_of(plays[place % len(plays)][1] or []) for place in odd]
    assert canonical_plays(text, 5) == " ".join(text.split())


@given(ALIKE)
def test_a_code_holds_its_cards(numbers: list[int]) -> None:
    code = code_of(numbers)
    if code != ODD:
        assert sorted(cards_of(code)) == sorted(numbers)
        assert read_cards(write_play(3, code).removeprefix("3:")) == cards_of(code)


def test_a_pass_is_written_with_a_dash() -> None:
    assert write_play(2, PASS) == "2:-"


RANK_TEXTS = {rank: [rank, rank.lower()] for rank in "3456789JQKA2"} | {"T": ["T", "t", "10"]}
AFTER = {"s": ["s", "S", "♠", "黑桃"], "h": ["h", "H", "♥", "红桃", "红心"], "c": ["c", "C", "♣", "梅花", "草花"],
         "d": ["d", "D", "♦", "方块", "方片"]}  # fmt: skip
BEFORE = {suit: [text for text in texts if not text.isascii()] for suit, texts in AFTER.items()}
JOKERS = {"XB": ["XB", "xb", "Xb", "xB", "大王"], "XS": ["XS", "xs", "Xs", "xS", "小王"]}


def spelled(draw: Any, numbers: list[int], before: bool) -> str:
    """Cards in one of their spellings, the suit before the rank or after it throughout."""
    written = []
    for number in numbers:
        card = CARDS[number]
        if card in JOKERS:
            written.append(draw(st.sampled_from(JOKERS[card])))
            continue
        rank = draw(st.sampled_from(RANK_TEXTS[card[0]]))
        suit = draw(st.sampled_from((BEFORE if before else AFTER)[card[1]]))
        written.append(suit + rank if before else rank + suit)
    return "".join(written)


@given(st.data(), NUMBERS, st.booleans())
def test_every_spelling_of_a_hand_is_the_same_hand(data: st.DataObject, numbers: list[int], before: bool) -> None:
    assert canonical_hand(spelled(data.draw, numbers, before)) == write_cards(numbers)


@given(st.data(), PLAYS, st.booleans())
def test_every_spelling_of_plays_is_the_same_plays(
    data: st.DataObject, plays: list[tuple[int, list[int] | None]], before: bool
) -> None:
    written, wanted = [], []
    for number, cards in plays:
        seat = number % 4
        name = data.draw(st.sampled_from([str(seat), "NESW"[seat]]))
        written.append(f"{name}:{'-' if cards is None else spelled(data.draw, cards, before)}")
        wanted.append(f"{seat}:{'-' if cards is None else write_cards(cards)}")
    assert canonical_plays(" ".join(written), 4) == " ".join(wanted)


@pytest.mark.parametrize("text", [*CARD_NUMBER, *(text for texts in JOKERS.values() for text in texts)])
def test_a_single_card(text: str) -> None:
    wanted = next((card for card, texts in JOKERS.items() if text in texts), text)
    assert CARDS[read_card(text)] == wanted


@pytest.mark.parametrize(("text", "rank"), [("10", "T"), ("t", "T"), ("k", "K"), ("2", "2"), ("a", "A")])
def test_a_rank(text: str, rank: str) -> None:
    assert "3456789TJQKA2"[read_rank(text)] == rank


def test_suits_stand_the_same_way_throughout_one_text() -> None:
    assert canonical_hand("♠7♥8") == "7s8h"
    assert canonical_hand("7♠8♥") == "7s8h"
    # Both ways at once cannot be told apart, so neither is guessed at.
    for text in ("♠7 8♥", "♠78♥", "7♠♥8", "s7"):
        with pytest.raises(NotationError):
            canonical_hand(text)
    # 10 is a rank, never a 1 and a 0.
    assert canonical_hand("10s♥"[:3]) == "Ts"
    assert canonical_hand("黑桃10红心3大王") == "Ts3hXB"


@pytest.mark.parametrize(
    ("text", "place", "at"),
    [
        ("0:7s 1:- x:7s", 2, 0),
        ("0:7s 1:7x", 1, 2),
        ("0:7s7s7", 0, 6),
        ("0:7s 5:-", 1, 0),
        ("0:7s 1:", 1, 2),
        ("0", 0, 0),
    ],
)
def test_an_unreadable_play_is_located(text: str, place: int, at: int) -> None:
    with pytest.raises(NotationError) as caught:
        canonical_plays(text, 4)
    assert (caught.value.place, caught.value.at) == (place, at)


@given(st.text(max_size=30) | st.text("0123456789TJQKA2shcdXB:- \t♠♥黑桃", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_cards, read_card, read_rank, canonical_hand, lambda t: canonical_plays(t, 4)):
        with contextlib.suppress(NotationError):
            read(text)


@given(st.lists(st.text("0123459TJQKA2shcdXSB:- \x00\x7f\n", max_size=40), max_size=5))
def test_what_the_fast_reader_takes_the_tolerant_reader_takes_alike(texts: list[str]) -> None:
    words, offsets, bad, _, _ = read_plays(texts, 4)
    hands, bad_hands = read_hands(texts)
    for place, text in enumerate(texts):
        if not bad[place]:
            found = [int(word) for word in words[offsets[place] : offsets[place + 1]]]
            plays = [play.split(":") for play in canonical_plays(text, 4).split()]
            assert found == [int(seat) << SEAT_SHIFT | code_of(read_cards(cards.strip("-"))) for seat, cards in plays]
        if not bad_hands[place]:
            assert hands[place].tolist() == words_of(read_cards(text))


def test_more_odd_plays_than_expected_at_first() -> None:
    text = " ".join(["0:3s4s"] * 500)
    words, _, bad, odd_plays, odd_cards = read_plays([text, "1:3s", text], 4)
    assert not bad.any()
    assert (len(words), odd_plays.tolist()) == (1001, [*range(500), *range(501, 1001)])
    assert odd_cards.sum(axis=1).tolist() == [2] * 1000


def foreign(made: Deal) -> Deal:
    """A deal of four players as a careless writer has it."""
    signs = {"s": "♠", "h": "红心", "c": "C", "d": "方片"}

    def cards(text: str) -> str:
        pairs = [text[place : place + 2] for place in range(0, len(text), 2)]
        return "".join(
            {"XB": "大王", "XS": "xs"}.get(pair) or pair[0].replace("T", "10").lower() + signs[pair[1]]
            for pair in pairs
        )

    plays = [play.split(":") for play in made["plays"].split()]
    return made | {
        "drawn": cards(made["drawn"]), "knife": "4", "leader": "N", "first_draw": "N",
        "hands": [cards(hand) for hand in made["hands"]],
        "plays": "\n ".join(f"{'NESW'[int(seat)]}:{'-' if text == '-' else cards(text)}" for seat, text in plays),
    }  # fmt: skip


@pytest.mark.parametrize("plays", [FOUR_DOUBLE_OUT, FOUR_THREE_OUT, "0:4d 1:- 2:3s9s", "0:4d4d4d4d"])
def test_a_log_in_tolerated_notation_has_the_same_answer(plays: str) -> None:
    made = four(plays, knife="4", first_draw=0)
    plain, tolerated = judge_all([match("four", made), match("four", foreign(made))])
    assert {**tolerated, "line": 1} == plain
    # Beside it a canonical one, so that one batch holds both.
    both: list[Match] = [match("four", foreign(made)), match("four", made), match("four", foreign(made))]
    assert [{**answer, "line": 1} for answer in judge_all(both)] == [plain] * 3


def test_seat_letters_wherever_a_seat_stands() -> None:
    made = four("", end="escape", escaped="W", leader="N", first_draw="N") | {"plays": "N:9d E:-"}
    assert judge(match("four", made))["scores"] == [0, 0, 0, -4]
