"""What the partner policy reckons with: the worth of groups of cards, and how likely a play stands.

Thousandths of a turn, a turn being what it takes to be rid of a group; chances and shares in 1024ths, against one
opponent with a full hand. The figures were found by playing each game against itself and the other policies, some
hundred thousand mirrored deals, and keeping what won more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from yuanzi_core.cards import RANKS, Variant
from yuanzi_core.shapes import ATOM3, ATOM4, ATOM5, BIG_HBOMB, BOMB, HBOMB, PAIR, SINGLE, TRIPLE

#: The table for compiled code: rows of sixteen figures, then single figures. GROUP: one row a rank and one for the
#: knife, by number of cards. ATOM: one row for each of 3, 4 and 5 cards, by rank,
#: then small jokers, big jokers, knives. STANDS: one row a kind,
#: by rank, of bombs by number of cards; its first row is for bombs of the knife's rank.
ROW = 16
KNIFE, KNIFE_ATOM, KNIFE_BOMBS = 13, 15, 0
GROUP = 0
ATOM = GROUP + (KNIFE + 1) * ROW
STANDS = ATOM + 3 * ROW
_SINGLE_FIGURES = (
    "point", "lead", "friends_lead", "near_out", "near_out_cards", "going_out", "last_group", "passing", "joker",
    "passed", "each_card", "few_cards", "friend_beats", "rich", "urgent", "urgent_cards",
    "reveal", "target", "target_lost",
)  # fmt: skip
_AT = STANDS + (BIG_HBOMB + 1) * ROW
(
    POINT, LEAD, FRIENDS_LEAD, NEAR_OUT, NEAR_OUT_CARDS, GOING_OUT, LAST_GROUP, PASSING, JOKER, PASSED, EACH_CARD,
    FEW_CARDS, FRIEND_BEATS, RICH, URGENT, URGENT_CARDS, REVEAL, TARGET, TARGET_LOST,
) = range(_AT, _AT + len(_SINGLE_FIGURES))  # fmt: skip
#: Card points of a trick beyond which nobody gives more for it.
RICHEST = 60


@dataclass(frozen=True)
class Worth:
    """The figures of one game."""

    #: Groups: that of 3s, how much more a rank, and how much more for 2s.
    singles: tuple[int, int, int]
    pairs: tuple[int, int, int]
    triples: tuple[int, int, int]
    #: A bomb of four 3s, how much more a card, a rank, and the most.
    bombs: tuple[int, int, int, int]
    #: One, two, three knives, and a bomb of them.
    knives: tuple[int, int, int, int]
    #: An atom of three 3s, how much more a rank (the small joker, the big joker and the knife follow on the 2), and
    #: for the fourth and the fifth card.
    atoms: tuple[int, int, int]
    #: A joker that may join any group.
    joker: int
    #: The chance that a play stands: singles, pairs and triples from 3 to 2; bombs of four to twelve cards.
    singles_stand: tuple[int, ...]
    pairs_stand: tuple[int, ...]
    triples_stand: tuple[int, ...]
    bombs_stand: tuple[int, ...]
    #: One to three knives; a bomb of them.
    knives_stand: tuple[int, int]
    #: Atoms of three 3s, of 2s, of knives (between these it rises evenly).
    atoms_stand: tuple[int, int, int]
    #: Atoms of four, H-bombs, atoms of five.
    above_stand: tuple[int, int, int]
    #: A card point won rather than lost is worth twice this; the lead, for oneself and for a friend; more for a friend
    #: who has few cards.
    point: int
    lead: int
    friends_lead: int
    near_out: int
    near_out_cards: int
    #: Going out; having one group left at most, with the lead; a pass as such.
    going_out: int
    last_group: int
    passing: int
    #: How far a seat that has passed in this trick still reaches for it; how far a seat reaches with each card in its
    #: hand, and how many cards are added to these; how far a friend reaches for an opponent's trick;
    #: how much more anybody reaches for each card point in it.
    passed: int
    each_card: int
    few_cards: int
    friend_beats: int
    rich: int
    #: How much more the lead is worth (a share) while an opponent holds that many cards or fewer.
    urgent: int
    urgent_cards: int
    #: What a partner in hiding gives not to be revealed; reaching the target of F1, and letting the others reach it.
    reveal: int
    target: int
    target_lost: int

    def table(self) -> NDArray[np.int64]:
        """The figures as compiled code takes them, int64."""
        table = np.zeros(_AT + len(_SINGLE_FIGURES), dtype=np.int64)
        twos = len(RANKS) - 1
        for kind, group, stand in (
            (SINGLE, self.singles, self.singles_stand),
            (PAIR, self.pairs, self.pairs_stand),
            (TRIPLE, self.triples, self.triples_stand),
        ):
            for rank in range(len(RANKS)):
                lowest, step, more = group
                table[GROUP + ROW * rank + kind] = lowest + step * rank + (more if rank == twos else 0)
                table[STANDS + ROW * kind + rank] = stand[rank]
            table[GROUP + ROW * KNIFE + kind] = self.knives[kind - SINGLE]
            table[STANDS + ROW * kind + KNIFE] = self.knives_stand[0]
        for cards in range(BOMB, ROW):
            lowest, step, by_rank, most = self.bombs
            for rank in range(len(RANKS)):
                worth = lowest + step * (cards - BOMB) + by_rank * rank
                table[GROUP + ROW * rank + cards] = min(worth, most)
            table[GROUP + ROW * KNIFE + cards] = self.knives[3]
            table[STANDS + ROW * BOMB + cards] = self.bombs_stand[min(cards - BOMB, len(self.bombs_stand) - 1)]
            table[STANDS + ROW * KNIFE_BOMBS + cards] = self.knives_stand[1]
        for rank in range(ROW):
            lowest, step, by_card = self.atoms
            for cards in range(3):
                table[ATOM + ROW * cards + rank] = lowest + step * rank + by_card * cards
            low, two, knife = self.atoms_stand
            rises = (two - low) * rank // twos if rank <= twos else two - low + (knife - two) * (rank - twos) // 3
            table[STANDS + ROW * ATOM3 + rank] = low + rises
            for kind, stands in zip((ATOM4, HBOMB, ATOM5), self.above_stand, strict=True):
                table[STANDS + ROW * kind + rank] = stands
            table[STANDS + ROW * BIG_HBOMB + rank] = 1 << 10
        table[_AT:] = [getattr(self, name) for name in _SINGLE_FIGURES]
        return table


_FOUR = Worth(
    singles=(-1250, 27, 180),
    pairs=(-805, 36, 150),
    triples=(-590, 35, 180),
    bombs=(-300, 255, 42, 965),
    knives=(150, 550, 545, 705),
    atoms=(860, 29, 100),
    joker=375,
    singles_stand=(37, 45, 56, 68, 83, 100, 121, 146, 174, 207, 244, 286, 331),
    pairs_stand=(158, 180, 204, 231, 260, 291, 324, 359, 396, 435, 474, 513, 553),
    triples_stand=(307, 327, 348, 370, 392, 415, 438, 461, 485, 509, 532, 556, 580),
    bombs_stand=(466, 522, 578, 632, 683, 731, 775, 814, 848),
    knives_stand=(950, 742),
    atoms_stand=(829, 919, 935),
    above_stand=(975, 1017, 1017),
    point=21,
    lead=640,
    friends_lead=595,
    near_out=225,
    near_out_cards=8,
    going_out=2775,
    last_group=765,
    passing=135,
    passed=433,
    each_card=35,
    few_cards=3,
    friend_beats=421,
    rich=9,
    urgent=221,
    urgent_cards=3,
    reveal=200,
    target=300,
    target_lost=300,
)
_FIVE = Worth(
    singles=(-1030, 25, 215),
    pairs=(-970, 58, 100),
    triples=(-920, 49, 35),
    bombs=(-215, 345, 0, 610),
    knives=(225, 420, 495, 815),
    atoms=(1285, 11, 5),
    joker=320,
    singles_stand=(51, 63, 78, 95, 117, 142, 171, 206, 245, 289, 338, 390, 446),
    pairs_stand=(125, 155, 190, 231, 278, 330, 388, 448, 511, 574, 635, 692, 745),
    triples_stand=(321, 348, 377, 407, 437, 468, 499, 530, 561, 592, 622, 651, 680),
    bombs_stand=(463, 527, 591, 653, 711, 763, 809, 849, 883),
    knives_stand=(948, 806),
    atoms_stand=(789, 835, 845),
    above_stand=(989, 930, 1022),
    point=18,
    lead=755,
    friends_lead=405,
    near_out=265,
    near_out_cards=6,
    going_out=2380,
    last_group=390,
    passing=120,
    passed=241,
    each_card=27,
    few_cards=4,
    friend_beats=505,
    rich=4,
    urgent=205,
    urgent_cards=4,
    reveal=120,
    target=355,
    target_lost=355,
)


@cache
def worth_of(variant: Variant) -> NDArray[np.int64]:
    """The table of a game."""
    return (_FOUR if variant == "four" else _FIVE).table()
