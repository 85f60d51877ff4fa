"""A1-A3: seats, cards, decks and card points, as plain texts and lists."""

RANKS_HIGH_TO_LOW = ["2", "A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3"]  # B1, the knife set aside
SUITS_HIGH_TO_LOW = ["s", "h", "c", "d"]  # B7
BIG_JOKER = "XB"
SMALL_JOKER = "XS"
JOKERS = [BIG_JOKER, SMALL_JOKER]

SEATS = {"four": 4, "five": 5}  # A1
DECKS = {"four": 3, "five": 5}  # A2
PIPS = {
    "A": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "T": 10,
    "J": 11,
    "Q": 12,
    "K": 13,
}  # A4


def split_cards(text: str) -> list[str]:
    """The cards of a text in canonical notation: "7s7sXB" is 7s, 7s, XB."""
    return [text[place : place + 2] for place in range(0, len(text), 2)]


def is_joker(card: str) -> bool:
    """Whether the card is a big or a small joker."""
    return card in JOKERS


def rank_of(card: str) -> str:
    """The rank of a card that is not a joker."""
    return card[0]


def suit_of(card: str) -> str:
    """The suit of a card that is not a joker."""
    return card[1]


def card_points(cards: list[str]) -> int:
    """A2: a 5 is worth 5; a 10 or K is worth 10."""
    total = 0
    for card in cards:
        if is_joker(card):
            continue
        if rank_of(card) == "5":
            total += 5
        if rank_of(card) in ("T", "K"):
            total += 10
    return total


def whole_deck(variant: str) -> list[str]:
    """A2: three times 54 cards in 4p, five times 54 in 5p."""
    one_deck = [rank + suit for rank in RANKS_HIGH_TO_LOW for suit in SUITS_HIGH_TO_LOW] + JOKERS
    return one_deck * DECKS[variant]


def knife_from(drawn: str, variant: str, half: int) -> str | None:
    """A3: the rank of the knife that follows from the drawn card; None when the card may not be drawn (5p joker)."""
    if variant == "five":
        # A3: 5p: the rank of the drawn card, which is never a joker.
        return None if is_joker(drawn) else rank_of(drawn)
    # A3: a joker drawn makes 3 the knife, in either half.
    if is_joker(drawn):
        return "3"
    # A3: in the lower half a 5, 10 or K drawn makes 3 the knife as well.
    if half == 1 and rank_of(drawn) in ("5", "T", "K"):
        return "3"
    return rank_of(drawn)
