"""One row of a score sheet as the facts that the referee would have found, or why it cannot be true.

All that can be known without plays is checked: whether the deal can have ended so (C4, C5, asked of the referee),
whether the card points add up (A2), whether tricks and atoms can be so many or so few.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import NoReturn

from msgspec import Struct

from yuanzi_core import deals as d
from yuanzi_core import referee as r
from yuanzi_core.cards import CARDS, RANKS, SEATS, SMALL_JOKER, SUITS, Variant
from yuanzi_core.compiled import plain
from yuanzi_core.log import Problem
from yuanzi_core.reasons import Reject
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.shapes import ATOM3, HBOMB, KIND, SIZE, shapes
from yuanzi_core.sheet_words import end_of, seats_of, whole_of

_SIDES = 2
_NONE = -1


class Row:
    """A row of a match: its number in the file and its cells."""

    def __init__(self, number: int, cells: Mapping[str, str]) -> None:
        self.number, self.cells = number, cells

    def __getitem__(self, column: str) -> str:
        """The cell of a column, empty where it is blank."""
        return self.cells.get(column, "")

    def refuse(self, key: str, column: str = "", **fields: object) -> NoReturn:
        """Say that a cell, or without a column the row, cannot be right. :raises Problem: SHEET."""
        fields = {"row": self.number, "column": column, "cell": self[column] if column else ""} | fields
        raise Problem(Reject.SHEET, key, column, **fields)

    def seats(self, column: str, variant: Variant) -> list[int]:
        """The seats in a cell. :raises Problem: SHEET."""
        found = seats_of(self[column], variant)
        players = SEATS[variant]
        if found is None:
            self.refuse(f"seats_{variant}", column)
        for place, seat in enumerate(found):
            if seat >= players:
                self.refuse("no_such_seat", column, found=seat, last=players - 1)
            if seat in found[:place]:
                self.refuse("seat_twice", column, variant=variant, seat=seat)
        return found

    def seat(self, column: str, variant: Variant) -> int:
        """The seat in a cell. :raises Problem: SHEET."""
        found = self.seats(column, variant)
        if len(found) != 1:
            self.refuse("one_seat" if found else "missing", column)
        return found[0]

    def count(self, column: str) -> int | None:
        """The whole number in a cell, None where it is blank. :raises Problem: SHEET, also for less than 0."""
        if not self[column]:
            return None
        found = whole_of(self[column])
        if found is None:
            self.refuse("not_whole", column)
        if found < 0:
            self.refuse("negative", column)
        return found


class DealFacts(Struct):
    """A deal as ``deals``: what a log would say of it (rows of HEAD but the first three), and its facts (FACTS)."""

    end: int
    escaped: int
    dealer: int
    facts: list[int]


def _smallest(variant: Variant) -> tuple[int, int]:
    """Cards of the smallest atom and of the smallest H-bomb (B2)."""
    table = shapes(variant).table
    atom, bomb = (int(table[table[:, KIND] == kind][:, SIZE].min()) for kind in (ATOM3, HBOMB))
    return atom, bomb


def _most_atoms(atom: int, bomb: int, decks: int) -> int:
    """How many plays that F5 counts a deck has at most: atoms, and H-bombs of what they leave."""
    suits = len(SUITS)
    each = bomb // suits
    most = max(bombs + suits * ((decks - each * bombs) // atom) for bombs in range(decks // each + 1))
    return len(RANKS) * most + (len(CARDS) - SMALL_JOKER) * (decks // atom)


def _most_in_hand(rank_points: tuple[int, ...], decks: int, players: int) -> int:
    """The most card points that a hand can hold (A2, A4)."""
    cards = sorted((points for points in rank_points for _ in range(len(SUITS) * decks)), reverse=True)
    return sum(cards[: plain(r.hand_size)(len(CARDS) * decks, players, 0)])


class _Game:
    """What the checks need of a ruleset, worked out once."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.players, self.total, self.options = ruleset.players, ruleset.total_points, ruleset.options
        # A2: every card point comes from a 5, a 10 or a K.
        self.unit = gcd(*ruleset.rank_points)
        self.most_of_card = max(ruleset.rank_points)
        self.cards = len(CARDS) * ruleset.decks
        self.most_in_hand = _most_in_hand(ruleset.rank_points, ruleset.decks, ruleset.players)
        self.atom_size, bomb = _smallest(ruleset.variant)
        self.most_atoms = _most_atoms(self.atom_size, bomb, ruleset.decks)
        #: What the referee needs (``deals.rules_row``).
        self.rules = d.rules_row(ruleset)


_games: dict[str, _Game] = {}
_REMEMBERED = 4096


def _game_of(ruleset: RuleSet) -> _Game:
    found = _games.get(ruleset.hash)
    if found is None:
        if len(_games) >= _REMEMBERED:
            _games.clear()
        found = _games[ruleset.hash] = _Game(ruleset)
    return found


class _Deal:
    """A row while it is being read."""

    def __init__(self, row: Row, ruleset: RuleSet) -> None:
        self.row, self.ruleset, self.game = row, ruleset, _game_of(ruleset)
        self.variant: Variant = ruleset.variant
        self.players, self.total = self.game.players, self.game.total
        self.dealer = _NONE
        self.sides = self._sides()
        end = end_of(row["end"])
        if end is None or (end == "points" and self.variant == "four"):
            row.refuse("end_four" if self.variant == "four" else "end_five", "end")
        self.end = end
        self.escaped = self._escaped()
        self.finish = row.seats("finish", self.variant)
        self._check_finish()
        self.captured = [self._points(f"captured{seat}", required=True) for seat in range(self.players)]
        self.hand = [self._points(f"hand{seat}", required=False) for seat in range(self.players)]
        self.open_points = self._check_points()
        self._check_early_stop()
        self.tricks, self.atoms = self._tricks(), self._atoms()

    def _sides(self) -> list[int]:
        if self.variant == "four":
            return [plain(r.side_at_table)(seat) for seat in range(self.players)]
        row = self.row
        self.dealer = row.seat("dealer", self.variant)
        partners = row.seats("partners", self.variant)
        if not row["partners"]:
            row.refuse("missing", "partners")
        # A6: there are always one or two.
        if not 1 <= len(partners) <= 2:
            row.refuse("partners", "partners", found=len(partners))
        if self.dealer in partners:
            row.refuse("dealer_as_partner", "partners", variant=self.variant, seat=self.dealer)
        return [0 if seat in (self.dealer, *partners) else 1 for seat in range(self.players)]

    def _escaped(self) -> int:
        row = self.row
        if self.end == "escape":
            return row.seat("escaped", self.variant)
        if row["escaped"]:
            row.refuse("escaped_without_escape", "escaped", end=self.end)
        return _NONE

    def table(self, finish: list[int]) -> list[int]:
        """The referee's table as far as a sheet knows it, with these players out; one card stands for any number."""
        table = [0] * r.TABLE_SIZE
        for seat in range(self.players):
            table[r.SIDE + seat], table[r.CARDS + seat] = self.sides[seat], int(seat not in finish)
        table[r.OUT] = len(finish)
        for place, seat in enumerate(finish):
            table[r.FINISH + place] = seat
        return table

    def _check_finish(self) -> None:
        """C4: the deal is over at once when enough players are out, and not before."""
        is_over = plain(r.deal_is_over)
        for place, seat in enumerate(self.finish, 1):
            if is_over(self.table(self.finish[:place]), seat, self.players):
                if place < len(self.finish):
                    self.row.refuse("finish_too_long", "finish", variant=self.variant, seat=seat)
                if self.end != "out":
                    self.row.refuse("over_already", "finish", variant=self.variant, seat=seat, end=self.end)
                return
        if self.end == "out":
            self.row.refuse("nobody_out" if not self.finish else "not_over", "finish")

    def _points(self, column: str, *, required: bool) -> int:
        found = self.row.count(column)
        if found is None:
            if required:
                self.row.refuse("missing", column)
            return 0
        if found % self.game.unit:
            self.row.refuse("not_multiple", column, unit=self.game.unit)
        if found > self.total:
            self.row.refuse("more_than_all", column, total=self.total)
        return found

    def _check_points(self) -> int:
        """A2: all card points are in tricks or in hands; what is missing after an escape lies in an open trick."""
        row = self.row
        for seat, points in enumerate(self.hand):
            if points and seat in self.finish:
                row.refuse("hand_of_player_out", f"hand{seat}", variant=self.variant, seat=seat)
            if points > self.game.most_in_hand:
                row.refuse("hand_too_full", f"hand{seat}", most=self.game.most_in_hand)
        found = sum(self.captured) + sum(self.hand)
        if found > self.total or (found < self.total and self.end != "escape"):
            row.refuse("sum_escape" if self.end == "escape" else "sum", found=found, total=self.total)
        return self.total - found

    def _check_early_stop(self) -> None:
        """C5: who stops has to have enough; by option there is no stopping, or no going on."""
        rules, reached = self.game.rules, plain(r.side_reached_target)
        if self.end == "points" and rules[d.EARLY_STOP] == d.NEVER:
            self.row.refuse("never_stops", "end")
        if self.end == "points":
            table = self.table(self.finish)
            table[r.CAPTURED : r.CAPTURED + self.players] = self.captured
            if not reached(table, rules, self.players):
                self.row.refuse(
                    "not_enough", "end", variant=self.variant, captured=self._of_sides(), targets=self._targets()
                )
        if rules[d.EARLY_STOP] != d.MUST:
            return
        # The deal was over before its last trick if a side had its target without all that the taker of that trick has.
        # That is the last player out; nobody knows who it was where play stopped; and an open trick nobody took.
        takers = {"out": self.finish[-1:], "points": range(self.players), "escape": [_NONE]}[self.end]
        if all(self._had_target(taker) for taker in takers):
            key = "stopped_already" if self.end == "escape" else "stopped_before"
            self.row.refuse(key, "end", variant=self.variant, captured=self._of_sides())

    def _had_target(self, taker: int) -> bool:
        """Whether a side had its target of F1 before the last trick, if that was all that its taker took.

        Whoever is out may be so since that trick: with nobody out the targets are highest.
        """
        table = self.table([])
        table[r.CAPTURED : r.CAPTURED + self.players] = self.captured
        if taker != _NONE:
            table[r.CAPTURED + taker] = 0
        return plain(r.side_reached_target)(table, self.game.rules, self.players)

    def _of_sides(self) -> list[int]:
        return [
            sum(points for points, own in zip(self.captured, self.sides, strict=True) if own == side)
            for side in range(_SIDES)
        ]

    def _targets(self) -> list[int]:
        upstream = self.sides[self.finish[0]] if self.finish else _NONE
        return [self.ruleset.target(self.sides.count(side), upstream == side) for side in range(_SIDES)]

    def _tricks(self) -> int:
        found = self.row.count("tricks")
        if found is None:
            # E3, F7: whether five tricks are complete decides what an escape costs.
            if self.end == "escape":
                self.row.refuse("tricks_of_escape", "tricks")
            return _NONE
        takers = {seat for seat, points in enumerate(self.captured) if points}
        if self.end == "out":
            # C4: the last trick is that of the last player out.
            takers.add(self.finish[-1])
        if found < len(takers):
            self.row.refuse("too_few_tricks", "tricks", least=len(takers))
        most = self.game.cards - self._cards_left()
        if found > most:
            self.row.refuse("too_many_tricks", "tricks", most=most)
        return found

    def _atoms(self) -> int:
        found = self.row.count("atoms")
        if found is None:
            if self.game.options.get("atom_doubling"):
                self.row.refuse("atoms_of_doubling", "atoms")
            return _NONE
        most = min(self.game.most_atoms, (self.game.cards - self._cards_left()) // self.game.atom_size)
        if found > most:
            self.row.refuse("too_many_atoms", "atoms", most=most)
        return found

    def _cards_left(self) -> int:
        """How many cards are left in the hands at least: one in each, and as many as their card points need."""
        return sum(
            max(1, -(-points // self.game.most_of_card))
            for seat, points in enumerate(self.hand)
            if seat not in self.finish
        )

    def facts(self) -> list[int]:
        """The column of ``deals.FACTS``; how many cards a player still holds is not known."""
        found = [_NONE] * len(d.FACTS)
        found[d.VIOLATION], found[d.OUT] = 0, len(self.finish)
        found[d.TRICKS], found[d.ATOMS], found[d.OPEN_POINTS] = self.tricks, self.atoms, self.open_points
        found[d.FINISH : d.FINISH + len(self.finish)] = self.finish
        for seat in range(self.players):
            found[d.CAPTURED + seat], found[d.HAND + seat] = self.captured[seat], self.hand[seat]
            found[d.SIDE + seat] = self.sides[seat]
            if seat in self.finish:
                found[d.CARDS + seat] = 0
        return found


def read_deal(row: Row, ruleset: RuleSet) -> DealFacts:
    """A row as the facts of its deal. :raises Problem: SHEET, for what cannot be true."""
    deal = _Deal(row, ruleset)
    return DealFacts(d.ENDS.index(deal.end), deal.escaped, deal.dealer, deal.facts())
