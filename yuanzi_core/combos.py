"""What some cards are, what they are worth, what they beat and what they fall to, and whether they beat others (B1–B8).

Every decision is the referee's: the shape table says what cards are, ``beats`` what beats what. What is found there
is only put into words here, with the clause behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from yuanzi_core.cards import CARDS, JOKER_SHIFT, ODD, RANKS, SMALL_JOKER, code_of, counts_of
from yuanzi_core.compiled import plain
from yuanzi_core.deals import KNIFE_BOMB, rules_row
from yuanzi_core.explanation import Explanation, Line, Section
from yuanzi_core.notation import NotationError, read_cards, read_rank
from yuanzi_core.referee import jokers_fit
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.shapes import (
    ATOM3,
    ATTACK,
    BOMB,
    HBOMB,
    JOKERS,
    KIND,
    KIND_NAMES,
    KNIFE_BOMB_READINGS,
    ONLY_JOKERS,
    RANK,
    SHIELD,
    SIZE,
    SOME_JOKERS,
    TRIPLE,
    beats,
    is_of_knife,
    shapes,
)
from yuanzi_core.texts import Lang, text
from yuanzi_core.words import cards_word, exact_shape_word, shape_word

#: A row of the shape table and whether it is of the knife's rank.
Shape = tuple[int, bool]


class Combo(Struct, frozen=True):
    """Some cards. ``kind`` as in the shape table (``KIND_NAMES``), none where they are no combination; ``rank`` as in
    notation, none for an atom of jokers; ``beats_over`` whether they beat the others asked about, none where nothing
    was asked."""

    cards: tuple[str, ...]
    kind: str | None
    rank: str | None
    size: int
    of_knife: bool
    card_points: int
    beats_over: bool | None
    explanation: Explanation


class _Game:
    """The shape table under one ruleset and knife."""

    def __init__(self, ruleset: RuleSet, knife: int, lang: Lang) -> None:
        self.ruleset, self.knife, self.lang = ruleset, knife, lang
        self.shapes = shapes(ruleset.variant)
        self.table: Any = self.shapes.table
        self.rules = rules_row(ruleset)
        self.reading = self.rules[KNIFE_BOMB]

    def shape(self, cards: list[int]) -> Shape | Line:
        """What cards are, or why they are no combination."""
        code = code_of(cards)
        over = [card for card, count in enumerate(counts_of(cards)) if count > self.ruleset.decks]
        if over:
            return self.line("no_combo.copies", "A2", cards=cards_word(over, self.lang), decks=self.ruleset.decks)
        if code == ODD:
            return self.line("no_combo.ranks", "B1", cards=cards_word(cards, self.lang))
        knife = plain(is_of_knife)(code, self.knife)
        if not plain(jokers_fit)(code, knife, self.rules):
            return self.line("no_combo.knife", "B3", cards=cards_word(cards, self.lang))
        return int(self.shapes.shape_of[code]), knife

    def beats(self, one: Shape, other: Shape) -> bool:
        """B4–B8, as the referee decides them."""
        return plain(beats)(self.table, self.reading, *one, *other)

    def kind(self, shape: Shape) -> int:
        """The number of a shape's kind."""
        return int(self.table[shape[0], KIND])

    def strength(self, shape: Shape, column: int) -> int:
        """Attack or shield under the ruleset's reading."""
        return int(self.table[shape[0], column + 2 * self.reading + shape[1]])

    def nearness(self, shape: Shape, column: int, preferred: int = 1) -> tuple[int, int]:
        """Strength for finding the highest or (−1) the lowest of some shapes; of equals the one without jokers."""
        return self.strength(shape, column), -preferred * int(self.table[shape[0], JOKERS])

    def word(self, shape: Shape) -> str:
        """What a shape is called."""
        return shape_word(self.ruleset.variant, *shape, self.lang)

    def line(self, key: str, *clauses: str, **fields: object) -> Line:
        """A line of the texts with its clauses."""
        return Line(text(f"combo.{key}", self.lang, **fields), clauses)

    def every(self) -> Iterator[Shape]:
        """All shapes that can be played."""
        with_knife = plain(jokers_fit)(1 << JOKER_SHIFT, True, self.rules)
        for number, row in enumerate(self.table):
            knife = bool(row[JOKERS] != ONLY_JOKERS and row[RANK] == self.knife)
            if number > 0 and (with_knife or not knife or row[JOKERS] != SOME_JOKERS):
                yield number, knife


def _clause(one: int, other: int) -> str:
    """The clause that sets two kinds against each other."""
    low, high = min(one, other), max(one, other)
    if low <= TRIPLE:
        return "B4" if high <= BOMB else "B6"
    if high == BOMB:
        return "B5"
    return "B7" if low == high else "B6"


def _why(game: _Game, one: Shape, other: Shape) -> str:
    """The case that explains a verdict: a name in the texts under ``combo.over``."""
    a, b = game.kind(one), game.kind(other)
    if a == BOMB and b == BOMB:
        return _why_bombs(game, one, other)
    if a == b:
        return _compared(game.strength(one, ATTACK) - game.strength(other, ATTACK), "higher", "equal", "lower")
    if a <= TRIPLE:
        return "other_kind" if b <= TRIPLE else "bomb_lies"
    if a == BOMB and b <= TRIPLE:
        return "knife_lies" if other[1] else "bomb_takes"
    return "above" if a > b else "below"


def _why_bombs(game: _Game, one: Shape, other: Shape) -> str:
    reading = KNIFE_BOMB_READINGS[game.reading]
    if reading == "shielded" and other[1]:
        return "shielded_lies"
    if reading == "above_all" and one[1] != other[1]:
        return "knife_bomb_takes" if one[1] else "knife_bomb_lies"
    more = int(game.table[one[0], SIZE]) - int(game.table[other[0], SIZE])
    if more != 0:
        return _compared(more, "more_cards", "", "fewer_cards")
    return _compared(game.strength(one, ATTACK) - game.strength(other, ATTACK), "higher", "equal", "lower")


def _compared(difference: int, above: str, equal: str, below: str) -> str:
    return above if difference > 0 else below if difference < 0 else equal


def _over(game: _Game, one: Shape, other: Shape) -> Line:
    won = game.beats(one, other)
    case = _why(game, one, other)
    clause = "B8" if case == "equal" else "B4" if case == "knife_lies" else _clause(game.kind(one), game.kind(other))
    verdict = "yes" if won else "no"
    return game.line(
        f"over.{verdict}", clause, one=game.word(one), other=game.word(other), why=text(f"combo.why.{case}", game.lang)
    )


def why_it_does_not_beat(ruleset: RuleSet, knife: int, code: int, on_table: int, lang: Lang) -> Line:
    """Why a play falls short of the one on the table, both as codes that the referee took for combinations."""
    game = _Game(ruleset, knife, lang)
    one, other = ((int(game.shapes.shape_of[c]), plain(is_of_knife)(c, knife)) for c in (code, on_table))
    return _over(game, one, other)


def _groups(game: _Game) -> dict[str, list[Shape]]:
    """All shapes in the groups that are spoken of together, weakest first."""
    groups: dict[str, list[Shape]] = {}
    for shape in game.every():
        kind = game.kind(shape)
        own = "_knife" if shape[1] and kind <= BOMB else ""
        groups.setdefault(KIND_NAMES[kind] + own, []).append(shape)
    order = [name + own for name in KIND_NAMES[1 : BOMB + 1] for own in ("", "_knife")] + [*KIND_NAMES[ATOM3:]]
    return {name: groups[name] for name in order if name in groups}


def _relation(
    game: _Game, own: Shape, heading: str, holds: Callable[[Shape], bool], edge: Callable[[list[Shape]], Shape]
) -> Section:
    """Which shapes stand in a relation to this one: whole groups by name, of others the nearest."""
    whole: list[str] = []
    lines: list[tuple[int, Line]] = []
    for name, group in _groups(game).items():
        found = [shape for shape in group if holds(shape)]
        if found and len(found) == len(group):
            whole.append(name)
        elif found:
            kind = game.kind(found[0])
            nearest = exact_shape_word(game.ruleset.variant, *edge(found), game.lang)
            lines.append((kind, game.line(f"{heading}.some", _clause(game.kind(own), kind), shape=nearest)))
    for name, kinds in _merged(whole, game):
        clauses = dict.fromkeys(_clause(game.kind(own), kind) for kind in kinds)
        lines.append((kinds[0], game.line(f"any.{name}", *clauses)))
    shown = [line for _, line in sorted(lines, key=lambda item: item[0])] or [game.line(f"{heading}.none")]
    return Section(heading, text(f"combo.{heading}.heading", game.lang), tuple(shown))


def _merged(names: list[str], game: _Game) -> Iterator[tuple[str, list[int]]]:
    """Groups that go together under one name: all of the small kinds, all bombs, everything from an atom up."""
    left = list(names)
    five = game.ruleset.variant == "five"
    high = [name for number, name in enumerate(KIND_NAMES) if number >= ATOM3 and (five or number in (ATOM3, HBOMB))]
    small = list(KIND_NAMES[1:BOMB])
    together = {
        "small": [*small, *(f"{name}_knife" for name in small)],
        "small_plain": small,
        "bombs": ["bomb", "bomb_knife"],
        "from_atoms" if five else "from_atoms_four": high,
    }
    for name, members in together.items():
        if all(member in left for member in members):
            left = [other for other in left if other not in members]
            yield name, [KIND_NAMES.index(member.removesuffix("_knife")) for member in members]
    for name in left:
        suffix = "_four" if name == "atom3" and not five else ""
        yield name + suffix, [KIND_NAMES.index(name.removesuffix("_knife"))]


def combo(cards: str, knife: str, ruleset: RuleSet, lang: Lang, over: str | None = None) -> Combo:
    """What cards are under a ruleset and a knife (a rank), and with ``over`` whether they beat those; both in any
    notation that logs may use.

    :raises NotationError: cards or a knife that cannot be read, or no cards at all.
    """
    game = _Game(ruleset, read_rank(knife), lang)
    held = _read(cards)
    other = None if over is None else _read(over)
    own = game.shape(held)
    points = sum(ruleset.rank_points[card >> 2] for card in held if card < SMALL_JOKER)
    names = tuple(CARDS[card] for card in held)
    title = text("combo.title", lang, cards=cards_word(held, lang), knife=text(f"terms.rank.{RANKS[game.knife]}", lang))
    if isinstance(own, Line):
        said = Explanation(lang, "no_combo", title, (Section("cards", text("combo.cards.heading", lang), (own,)),))
        return Combo(names, None, None, len(held), False, points, None if over is None else False, said)
    row = game.table[own[0]]
    lines = [game.line("cards.name", "B1" if row[KIND] <= BOMB else "B2", name=game.word(own))]
    if row[JOKERS] != 0 and row[KIND] < ATOM3:
        lines.append(game.line("cards.jokers_alone" if row[JOKERS] == ONLY_JOKERS else "cards.jokers", "B3"))
    if own[1]:
        lines.append(game.line("cards.of_knife", "A3", "B1"))
    lines.append(game.line("cards.points", "A2", points=points))
    sections = [Section("cards", text("combo.cards.heading", lang), tuple(lines))]
    won = None
    if other is not None:
        against = game.shape(other)
        won = not isinstance(against, Line) and game.beats(own, against)
        verdict = against if isinstance(against, Line) else _over(game, own, against)
        heading = text("combo.over.heading", lang, cards=cards_word(other, lang))
        sections.append(Section("over", heading, (verdict,)))
    sections += [
        _relation(game, own, "beats", lambda s: game.beats(own, s),
                  lambda found: max(found, key=lambda s: game.nearness(s, SHIELD))),
        _relation(game, own, "falls", lambda s: game.beats(s, own),
                  lambda found: min(found, key=lambda s: game.nearness(s, ATTACK, -1))),
    ]  # fmt: skip
    rank = RANKS[row[RANK]] if row[RANK] < len(RANKS) else None
    said = Explanation(lang, "combo", title, tuple(sections))
    return Combo(names, KIND_NAMES[row[KIND]], rank, int(row[SIZE]), own[1], points, won, said)


def _read(cards: str) -> list[int]:
    found = read_cards("".join(cards.split()))
    if not found:
        raise NotationError(cards, 0)
    return found
