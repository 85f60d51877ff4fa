"""Score sheets: one match of a sheet as what a log would have given, with its facts, or rejected with row and column.

Clubs that record results and no plays hand these in. The facts of each row are read in ``sheet_deal``; here stands what
belongs to the match: its rows have to agree, and its claims are kept as those of a log are. The settlement is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, timezone
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Raw, Struct

from yuanzi_core.cards import Variant
from yuanzi_core.claims import MATCH_LEVEL, Claim, canonical_numbers
from yuanzi_core.clubs import ClubDefaults
from yuanzi_core.deals import ENDS
from yuanzi_core.log import (
    BALANCE_BELOW,
    BALANCE_DECIMALS,
    BASE_BELOW,
    BASE_DECIMALS,
    LARGEST_REVISION,
    LONGEST_ID,
    LONGEST_LINE,
    Deal,
    Match,
    NoteRow,
    Player,
    Problem,
    is_base,
    is_number,
)
from yuanzi_core.reasons import Discrepancy, Note, Reject
from yuanzi_core.ruleset import RuleSet
from yuanzi_core.sheet_cells import ERRORS, LOST_DIGITS, NO_HALF, half_of
from yuanzi_core.sheet_columns import BY_NAME, COLUMNS, FORMAT
from yuanzi_core.sheet_deal import DealFacts, Row, read_deal
from yuanzi_core.sheet_file import BROKEN, SURPLUS
from yuanzi_core.sheet_words import game_of, number_of, outcome_of, rules_of

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

#: Name, overrides as JSON, game; raises Problem RULESET.
Resolve = Callable[[str, bytes, Variant], RuleSet]

_CLAIMS = tuple(column.name for column in COLUMNS if column.name.startswith("claimed"))
#: What all rows of a match say alike, where they say it. The revision tells matches apart, a lower half may begin at a
#: time of its own, and a claim is never a reject.
_OF_MATCH = tuple(
    column.name
    for column in COLUMNS
    if column.of_match and column.name not in ("match_id", "revision", "played_at", *_CLAIMS)
)


class _Content(Struct):
    format: str
    rows: list[dict[str, str]]


_decoder = msgspec.json.Decoder(_Content)
_encoder = msgspec.json.Encoder(decimal_format="number")


class SheetMatch(NamedTuple):
    """A match that can be read. Of the deals in ``match`` only number, end, escaper and dealer say anything."""

    match: Match
    ruleset: RuleSet
    deals: list[DealFacts]
    claims: list[Claim]
    notes: list[NoteRow]


def read_sheet_match(
    raw: bytes, rows: Sequence[int], resolve: Resolve, clubs: Mapping[str, ClubDefaults]
) -> SheetMatch:  # fmt: skip
    """One record of a sheet as a match. ``rows`` are the numbers of its rows in the file.

    :raises Problem: SHEET or RULESET, the first that applies.
    """
    if len(raw) > LONGEST_LINE:
        raise Problem(Reject.SHEET, "record_too_long", row=rows[0], column="", cell="", limit=LONGEST_LINE >> 20)
    content = _decoder.decode(raw)
    return _Reading([Row(*row) for row in zip(rows, content.rows, strict=True)], clubs).match(resolve)


def half_after_end(raw: bytes, rows: Sequence[int], match: Match, ruleset: RuleSet) -> Problem:
    """What to say where the settlement finds that the match of a record was over with its upper half (E1, E2, E3)."""
    lower = Row(rows[1], _decoder.decode(raw).rows[1])
    key = "after_clamp"
    if match.deals[0].end == "escape":
        key = "after_escape"
    elif ruleset.options["halves"] == 1:
        key = "after_only_half"
    try:
        lower.refuse(key, "half")
    except Problem as problem:
        return problem


@cache
def _zone(name: str) -> ZoneInfo:
    # Loaded only now: a time with an offset needs none.
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


class _Reading:
    """The rows of a match, upper half first, while they are being read."""

    def __init__(self, rows: list[Row], clubs: Mapping[str, ClubDefaults]) -> None:
        self.rows = rows
        self._check_cells()
        self._check_agreement()
        self.club = clubs.get(self._text("club"), ClubDefaults())

    # Cells

    def _row_of(self, column: str) -> Row:
        """The row that says something in a column, else the first."""
        return next((row for row in self.rows if row[column]), self.rows[0])

    def _text(self, column: str) -> str:
        return self._row_of(column)[column]

    def _required(self, column: str) -> str:
        found = self._text(column)
        if not found:
            self.rows[0].refuse("missing", column)
        return found

    def _check_cells(self) -> None:
        for row in self.rows:
            if row[BROKEN]:
                row.refuse("quotes")
            if not row["match_id"]:
                row.refuse("missing", "match_id")
            if row[SURPLUS]:
                row.refuse("surplus", cell=row[SURPLUS])
            for column, cell in row.cells.items():
                if column in BY_NAME:
                    if cell in ERRORS:
                        row.refuse("error_cell", column)
                    if cell.startswith(LOST_DIGITS):
                        row.refuse("digits_lost", column, cell=cell.removeprefix(LOST_DIGITS))
                    if "\0" in cell:
                        row.refuse("nul", column)
        if len(self.rows[0]["match_id"]) > LONGEST_ID:
            self.rows[0].refuse("id_too_long", "match_id", limit=LONGEST_ID)

    def _check_agreement(self) -> None:
        for column in _OF_MATCH:
            said = self._row_of(column)
            for row in self.rows:
                if row[column] and row[column] != said[column]:
                    row.refuse("disagrees", column, other=said.number, found=said[column])

    # The match

    def match(self, resolve: Resolve) -> SheetMatch:
        """All of it, checked in the order of the columns."""
        revision = self._revision()
        played_at = self._played_at()
        row = self._row_of("variant")
        variant = game_of(self._required("variant"))
        if variant is None:
            row.refuse("variant", "variant")
        name, overrides, ruleset = self._ruleset(variant, resolve)
        halves = self._halves(variant)
        base = self._base()
        players = self._players(variant, ruleset.players)
        deals = [read_deal(half, ruleset) for half in halves]
        claims, notes = self._claims(ruleset.players)
        match = Match(
            FORMAT, self._text("match_id"), variant, name, played_at, players,
            [_deal(deal) for deal in deals],
            rules=Raw(overrides), club=self._text("club") or None, table=self._text("table") or None,
            revision=revision, base=base,
        )  # fmt: skip
        return SheetMatch(match, ruleset, deals, claims, self._notes(variant) + notes)

    def _revision(self) -> int:
        row = self._row_of("revision")
        if not row["revision"]:
            return 1
        found = row.count("revision")
        if found is None or not 1 <= found <= LARGEST_REVISION:
            row.refuse("revision", "revision", most=LARGEST_REVISION)
        return found

    def _played_at(self) -> datetime:
        """When the match began. A lower half that says when it began is read too, and then is of no account."""
        self._required("played_at")
        first, *_ = [self._time(row) for row in self.rows if row["played_at"]]
        return first

    def _time(self, row: Row) -> datetime:
        text = row["played_at"]
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            row.refuse("played_at", "played_at")
        if found.isoformat() != text:
            row.refuse("played_at", "played_at")
        if not MINYEAR < found.year < MAXYEAR:
            # The instant, or its hour elsewhere, could be in a year that no calendar here has.
            row.refuse("played_at", "played_at")
        if found.tzinfo is None:
            zone = _zone(self.club.zone)
            local = found.replace(tzinfo=zone)
            # An hour that the clocks leapt over comes back as another.
            if local.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != found:
                row.refuse("no_such_hour", "played_at", zone=self.club.zone)
            return local.replace(tzinfo=timezone(local.utcoffset() or timedelta()))
        return found

    def _ruleset(self, variant: Variant, resolve: Resolve) -> tuple[str, bytes, RuleSet]:
        """Name, overrides as JSON (empty for none), and what is in force. :raises Problem: SHEET, RULESET."""
        overrides = b""
        if self._text("rules"):
            row = self._row_of("rules")
            changes = rules_of(row["rules"])
            if isinstance(changes, str):
                row.refuse("rules", "rules", found=changes)
            overrides = _encoder.encode(changes) if changes else b""
        name = self._text("ruleset")
        if name:
            try:
                ruleset = resolve(name, overrides, variant)
            except Problem as problem:
                raise self._located(problem) from None
            return ruleset.name, overrides, ruleset
        # A club that plays both games has a default for one of them: the other has to be named.
        if self.club.ruleset is not None:
            try:
                return self.club.ruleset, overrides, resolve(self.club.ruleset, overrides, variant)
            except Problem as problem:
                if problem.key != "ruleset_of_other_game":
                    raise self._located(problem) from None
        self.rows[0].refuse("missing", "ruleset")

    def _located(self, problem: Problem) -> Problem:
        """A problem of the ruleset with row, column and cell."""
        column = "rules" if problem.path.startswith("rules.") else "ruleset"
        row = self._row_of(column)
        return Problem(
            problem.code, problem.key, problem.path,
            **problem.fields, row=row.number, column=column, cell=row[column],
        )  # fmt: skip

    def _halves(self, variant: Variant) -> list[Row]:
        """The rows of the halves in their order, or the one row of a five-player match."""
        named = [half_of(row["half"]) for row in self.rows]
        for row, half in zip(self.rows, named, strict=True):
            if half == NO_HALF:
                row.refuse("half", "half")
            if half and variant == "five":
                row.refuse("half_five", "half")
        if named[0] != 0:
            self.rows[0].refuse("no_upper_half", "half")
        for row, half in list(zip(self.rows, named, strict=True))[1:]:
            if half == 0:
                row.refuse("half_missing", "half", other=self.rows[0].number)
        return self.rows

    def _base(self) -> int | Decimal:
        row = self._row_of("base")
        if not row["base"]:
            return self.club.base
        found = number_of(row["base"])
        if not is_base(found):
            row.refuse("base", "base", below=BASE_BELOW, decimals=BASE_DECIMALS)
        return found

    def _players(self, variant: Variant, seats: int) -> list[Player]:
        players: list[Player] = []
        for seat in range(seats):
            name = self._required(f"player{seat}")
            for other, before in enumerate(players):
                if before.id == name:
                    self._row_of(f"player{seat}").refuse("same_player", f"player{seat}", variant=variant, seat=other)
            row = self._row_of(f"balance{seat}")
            balance = number_of(row[f"balance{seat}"])
            if row[f"balance{seat}"] and (balance is None or not is_number(balance, BALANCE_BELOW, BALANCE_DECIMALS)):
                row.refuse("balance", f"balance{seat}", below=BALANCE_BELOW, decimals=BALANCE_DECIMALS)
            players.append(Player(name, balance=balance))
        return players

    # What never decides anything

    def _said(self, column: str) -> set[str]:
        return {row[column] for row in self.rows if row[column]}

    def _claims(self, seats: int) -> tuple[list[Claim], list[NoteRow]]:
        claims: list[Claim] = []
        notes: list[NoteRow] = []
        said = self._said("claimed_outcome")
        if said:
            outcome = outcome_of(said.pop()) if len(said) == 1 else None
            if outcome is None:
                notes.append(NoteRow(Note.CLAIM_UNREADABLE, path="claimed_outcome"))
            else:
                claims.append(Claim(MATCH_LEVEL, Discrepancy.CLAIM_OUTCOME, f'"{outcome}"'))
        by_seat = [self._said(f"claimed{seat}") for seat in range(seats)]
        if any(by_seat):
            scores = [number_of(of_seat.pop()) if len(of_seat) == 1 else None for of_seat in by_seat]
            known = [score for score in scores if score is not None]
            if len(known) < seats:
                column = f"claimed{scores.index(None)}"
                notes.append(NoteRow(Note.CLAIM_UNREADABLE, path=column))
            else:
                claims.append(Claim(MATCH_LEVEL, Discrepancy.CLAIM_SCORES, canonical_numbers(known)))
        return claims, notes

    def _notes(self, variant: Variant) -> list[NoteRow]:
        """How many columns with something in them no sheet has, and how many belong to the other game."""
        said = {name: BY_NAME.get(name) for row in self.rows for name in row.cells}
        unknown = sum(column is None for column in said.values())
        unused = sum(column is not None and variant not in column.games for column in said.values())
        notes = [NoteRow(Note.UNKNOWN_FIELDS, count=unknown)] if unknown else []
        return notes + ([NoteRow(Note.OTHER_VARIANT_FIELDS, count=unused)] if unused else [])


def _deal(deal: DealFacts) -> Deal:
    end: Any = ENDS[deal.end]
    return Deal(
        "", -1, [], "", dealer=None if deal.dealer < 0 else deal.dealer, end=end,
        escaped=None if deal.escaped < 0 else deal.escaped,
    )  # fmt: skip
