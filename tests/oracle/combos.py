"""B1-B8: what a play is, and whether one play beats another."""

from collections import Counter
from dataclasses import dataclass

from .cards import BIG_JOKER, RANKS_HIGH_TO_LOW, SMALL_JOKER, SUITS_HIGH_TO_LOW, is_joker, rank_of, suit_of
from .options import Options

PLAIN = {1: "single", 2: "pair", 3: "triple"}
ATOM_KINDS = {3: "atom_3", 4: "atom_4", 5: "atom_5"}
# B6, high to low. 4p has neither 4-atoms, 5-atoms nor big H-bombs.
CLASSES = {
    "four": ["h_bomb", "atom_3"],
    "five": ["big_h_bomb", "atom_5", "h_bomb", "atom_4", "atom_3"],
}


@dataclass(frozen=True)
class Combo:
    """A named play. `rank` is a rank, or XB or XS for an atom of jokers; `suit` is set for other atoms only."""

    kind: str
    rank: str
    size: int
    suit: str | None
    of_knife: bool  # of the knife's rank; jokers played alone never are, even when 3 is the knife (B3)


def name(cards: list[str], variant: str, knife: str, options: Options) -> Combo | None:
    """B1-B3: the highest thing that the cards are, or None when they form no combination."""
    if not cards:
        return None
    jokers = [card for card in cards if is_joker(card)]
    naturals = [card for card in cards if not is_joker(card)]
    if not naturals:
        return _name_jokers(jokers, variant)
    # B1: a play is cards of one rank, suits free, plus any jokers.
    ranks = {rank_of(card) for card in naturals}
    if len(ranks) != 1:
        return None
    rank = ranks.pop()
    of_knife = rank == knife
    size = len(cards)
    if jokers:
        # B3: jokers go with cards of the knife's rank only by option.
        if of_knife and not options.knife_jokers:
            return None
        # B3: they take that rank, and never help form an atom or an H-bomb.
        return Combo(PLAIN.get(size, "bomb"), rank, size, None, of_knife)
    if _is_atom(naturals, variant):
        return Combo(ATOM_KINDS[size], rank, size, suit_of(naturals[0]), of_knife)
    h_bomb = _h_bomb_kind(naturals, variant)
    if h_bomb is not None:
        return Combo(h_bomb, rank, size, None, of_knife)
    # B1: one card is a single, two a pair, three a triple, four or more a bomb.
    return Combo(PLAIN.get(size, "bomb"), rank, size, None, of_knife)


def _name_jokers(jokers: list[str], variant: str) -> Combo:
    """B3: plays of jokers alone."""
    size = len(jokers)
    # B3: three identical jokers are an atom (5p: four a 4-atom, five a 5-atom).
    if _is_atom(jokers, variant):
        return Combo(ATOM_KINDS[size], jokers[0], size, None, False)
    # B3: any other play of jokers alone is of rank 3, an ordinary 3 even when 3 is the knife.
    return Combo(PLAIN.get(size, "bomb"), "3", size, None, False)


def _is_atom(cards: list[str], variant: str) -> bool:
    """B2: three identical cards; 5p adds four and five."""
    sizes = [3] if variant == "four" else [3, 4, 5]
    return len(set(cards)) == 1 and len(cards) in sizes


def _h_bomb_kind(naturals: list[str], variant: str) -> str | None:
    """B2: exactly eight of one rank, two of each suit; 5p adds exactly twelve, three of each suit."""
    of_each_suit = [Counter(suit_of(card) for card in naturals)[suit] for suit in SUITS_HIGH_TO_LOW]
    if of_each_suit == [2, 2, 2, 2]:
        return "h_bomb"
    if of_each_suit == [3, 3, 3, 3] and variant == "five":
        return "big_h_bomb"
    return None


def beats(a: Combo, b: Combo, variant: str, knife: str, options: Options) -> bool:
    """B4-B8: whether the play `a` beats the play `b` on the table."""
    classes = CLASSES[variant]
    # B6: atoms and H-bombs beat every single, pair, triple and bomb, and fall to none of them.
    if a.kind in classes and b.kind not in classes:
        return True
    if a.kind not in classes and b.kind in classes:
        return False
    if a.kind in classes and b.kind in classes:
        # B6: the higher class wins.
        if a.kind != b.kind:
            return classes.index(a.kind) < classes.index(b.kind)
        # B7: within H-bombs by rank, the knife highest.
        if a.kind in ("h_bomb", "big_h_bomb"):
            return _higher_rank(a, b)
        # B7: within atoms of the same count.
        return _higher_atom(a, b, knife)
    if b.kind == "bomb":
        # B4: singles, pairs and triples answer only their own kind.
        return a.kind == "bomb" and _higher_bomb(a, b, options)
    if a.kind == "bomb":
        # B4: any bomb beats a single, pair or triple that is not of the knife's rank, and none that is (B5, end).
        return not b.of_knife
    # B4: singles, pairs and triples answer only their own kind, by rank.
    return a.kind == b.kind and _higher_rank(a, b)


def _higher_rank(a: Combo, b: Combo) -> bool:
    """B1: the knife, then 2, A, K ... 3. B8: equal is not higher."""
    if a.of_knife or b.of_knife:
        return a.of_knife and not b.of_knife
    return RANKS_HIGH_TO_LOW.index(a.rank) < RANKS_HIGH_TO_LOW.index(b.rank)


def _higher_atom(a: Combo, b: Combo, knife: str) -> bool:
    """B7: knife, big joker, small joker, 2, A ... 3; at the same rank spades, hearts, clubs, diamonds."""
    order = [knife, BIG_JOKER, SMALL_JOKER] + [rank for rank in RANKS_HIGH_TO_LOW if rank != knife]
    if a.rank != b.rank:
        return order.index(a.rank) < order.index(b.rank)
    # B8: two atoms of the same jokers are equal.
    if a.suit is None or b.suit is None:
        return False
    return SUITS_HIGH_TO_LOW.index(a.suit) < SUITS_HIGH_TO_LOW.index(b.suit)


def _higher_bomb(a: Combo, b: Combo, options: Options) -> bool:
    """B5: bombs against bombs, with the three readings of `knife_bomb`."""
    if options.knife_bomb == "above_all":
        # B5: a knife bomb beats every ordinary bomb and falls only to a bigger knife bomb.
        if a.of_knife and b.of_knife:
            return a.size > b.size
        if a.of_knife or b.of_knife:
            return a.of_knife
    if options.knife_bomb == "shielded" and b.of_knife:
        # B5: lying on the table it falls to no bomb at all.
        return False
    # B5: more cards beat fewer; at the same count the higher rank wins, the knife being the highest.
    if a.size != b.size:
        return a.size > b.size
    return _higher_rank(a, b)
