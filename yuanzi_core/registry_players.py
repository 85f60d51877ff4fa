"""``players.csv``: one row a player. What counts where rows contradict each other is decided here, and said.

The first row of an id counts. An alias never merges in doubt: given to two players it is nobody's, and one that is a
player's id stays that player's own, so there are no chains. Of a bad cell nothing is taken, the rest of its row is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from yuanzi_core.clubs import PLAYERS
from yuanzi_core.csv_text import decoded, delimiter_of, rows_of
from yuanzi_core.log import BALANCE_BELOW, BALANCE_DECIMALS, LONGEST_ID, is_number
from yuanzi_core.registry import Fault, Player, RegistryProblem
from yuanzi_core.registry_cells import date_of, is_visible, shown
from yuanzi_core.sheet_cells import folded_code
from yuanzi_core.sheet_columns import folded_heading
from yuanzi_core.spreadsheet_safety import defused, restored

#: Rows of players that are read.
MOST_ROWS = 100_000
#: Each column with the headings that are read beside its name.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("编号", "牌手编号", "选手编号", "玩家编号", "会员编号"),
    "name": ("姓名", "名字"),
    "aliases": ("别名", "曾用编号", "其他编号", "alias"),
    "member_from": ("入会日期", "入会"),
    "member_to": ("退会日期", "退会"),
    "opening_four": ("四人期初积分", "四人期初"),
    "opening_five": ("五人期初积分", "五人期初"),
}
_COLUMN_OF = {folded_heading(heading): name for name, others in COLUMNS.items() for heading in (name, *others)}
_NUMBER = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{1,20})?")

Read = tuple[tuple[Player, ...], tuple[RegistryProblem, ...], tuple[str, ...]]


def read_players(content: bytes) -> Read:
    """The players of a file, by id; what is wrong in it, row by row; the headings of columns that nobody knows."""
    text = decoded(content)
    if text is None:
        return (), (RegistryProblem(Fault.NOT_TEXT, PLAYERS),), ()
    rows = iter(rows_of(text, delimiter_of(text, lambda heading: folded_heading(heading) in _COLUMN_OF)))
    number, headings = next(((number, row) for number, row in rows if row is None or any(map(str.strip, row))), (1, ()))
    columns = [_COLUMN_OF.get(folded_heading(heading)) for heading in headings or ()]
    if "id" not in columns:
        return (), (RegistryProblem(Fault.NO_TABLE, PLAYERS, number),), ()
    twice = next((name for at, name in enumerate(columns) if name is not None and name in columns[:at]), None)
    if twice is not None:
        return (), (RegistryProblem(Fault.COLUMN_TWICE, PLAYERS, number, twice),), ()
    table = _Table(columns)
    table.take(rows)
    players = table.players()
    problems = sorted(table.problems, key=lambda problem: problem.row or 0)
    ignored = [shown(heading) for heading, name in zip(headings or (), columns, strict=True) if name is None]
    return players, tuple(problems), tuple(heading for heading in ignored if heading)


def _amount(text: str) -> Decimal | None:
    """An amount of points as openings and balances may be; None for anything else."""
    plain = folded_code(text)
    number = Decimal(plain) if _NUMBER.fullmatch(plain) else None
    if number is None or not is_number(number, BALANCE_BELOW, BALANCE_DECIMALS):
        return None
    return number.quantize(Decimal(1).scaleb(-BALANCE_DECIMALS)) + 0


@dataclass
class _Row:
    """A row that counts, before its aliases are looked at beside those of others."""

    number: int
    player: Player
    aliases: list[str] = field(default_factory=list)


class _Table:
    """The rows of the file. ``columns`` says what stands in each place; None is a column that nobody knows."""

    def __init__(self, columns: Sequence[str | None]) -> None:
        self.columns = columns
        self.problems: list[RegistryProblem] = []
        self._rows: dict[str, _Row] = {}

    def _problem(
        self, code: Fault, row: int, column: str | None = None, entry: str | None = None, **fields: object
    ) -> None:
        found = {name: shown(value) for name, value in fields.items()}
        self.problems.append(RegistryProblem(code, PLAYERS, row, column, entry, found))

    def take(self, rows: Iterator[tuple[int, Sequence[str] | None]]) -> None:
        """Take in the rows below the headings."""
        count = 0
        for number, cells in rows:
            if cells is None:
                self._problem(Fault.ROW_BROKEN, number)
                continue
            if not any(map(str.strip, cells)):
                continue
            count += 1
            if count > MOST_ROWS:
                self._problem(Fault.TOO_MANY_ROWS, number, most=f"{MOST_ROWS:,}")
                return
            if any(map(str.strip, cells[len(self.columns) :])):
                self._problem(Fault.TOO_MANY_CELLS, number, cells=len(cells), columns=len(self.columns))
                continue
            # A row may end early: what is missing is blank.
            known = zip(self.columns, cells, strict=False)
            self._take(number, {name: cell for name, cell in known if name is not None and cell.strip()})

    def _take(self, number: int, cells: Mapping[str, str]) -> None:
        if "id" not in cells:
            self._problem(Fault.ID_MISSING, number, "id")
            return
        player_id = self._text(cells["id"], number, "id")
        if player_id is None:
            return
        if player_id in self._rows:
            self._problem(Fault.ID_TWICE, number, "id", player_id, first=self._rows[player_id].number, text=player_id)
            return
        name = self._text(cells["name"], number, "name", player_id) if "name" in cells else None
        begin, end = self._membership(cells, number, player_id)
        openings = {
            column: self._opening(cells[column], number, column, player_id)
            for column in ("opening_four", "opening_five")
            if column in cells
        }
        row = _Row(number, Player(player_id, name, (), begin, end, **openings))
        for written in re.split("[;；]", cells.get("aliases", "")):
            if written.strip() and (alias := self._text(written, number, "aliases", player_id)) is not None:
                row.aliases.append(alias)
        self._rows[player_id] = row

    def _text(self, cell: str, number: int, column: str, entry: str | None = None) -> str | None:
        """An id, alias or name; None where it cannot be taken."""
        plain = cell.strip()
        text = restored(plain).strip()
        if text == plain and defused(text) != text:
            # A spreadsheet that opens and saves the file would make something else of it.
            self._problem(Fault.FORMULA, number, column, entry, text=text, safe=defused(text))
            return None
        if not is_visible(text):
            self._problem(Fault.CONTROL_CHARACTER, number, column, entry, text=text)
            return None
        if len(text) > LONGEST_ID:
            self._problem(Fault.TOO_LONG, number, column, entry, text=text, most=LONGEST_ID)
            return None
        return text

    def _membership(self, cells: Mapping[str, str], number: int, entry: str) -> tuple[date | None, date | None]:
        """First and last day; none at all where they cannot be right: nobody is shown by mistake (G3)."""
        days: dict[str, date | None] = {"member_from": None, "member_to": None}
        right = True
        for column in days:
            if column in cells:
                days[column] = date_of(cells[column].strip())
                if days[column] is None:
                    self._problem(Fault.NOT_A_DATE, number, column, entry, text=cells[column].strip())
                    right = False
        begin, end = days["member_from"], days["member_to"]
        if right and end is not None and begin is None:
            self._problem(Fault.MEMBER_FROM_MISSING, number, "member_to", entry, text=end)
            right = False
        if right and end is not None and begin is not None and end < begin:
            self._problem(Fault.MEMBER_TO_EARLIER, number, "member_to", entry, begin=begin, end=end)
            right = False
        return (begin, end) if right else (None, None)

    def _opening(self, cell: str, number: int, column: str, entry: str) -> Decimal | None:
        amount = _amount(restored(cell.strip()).strip())
        if amount is None:
            limits = {"below": f"{BALANCE_BELOW:,}", "decimals": BALANCE_DECIMALS}
            self._problem(Fault.NOT_A_NUMBER, number, column, entry, text=cell.strip(), **limits)
        return amount

    def players(self) -> tuple[Player, ...]:
        """The players by id, each with the aliases that are its own."""
        claims: dict[str, list[_Row]] = {}
        for row in self._rows.values():
            for alias in dict.fromkeys(row.aliases):
                claims.setdefault(alias, []).append(row)
        found = []
        for row in self._rows.values():
            own: list[str] = []
            for alias in row.aliases:
                if self._counts(alias, row, claims[alias], own):
                    own.append(alias)
            found.append(replace(row.player, aliases=tuple(sorted(own))))
        return tuple(sorted(found, key=lambda player: player.id))

    def _counts(self, alias: str, row: _Row, claims: Sequence[_Row], own: Sequence[str]) -> bool:
        """Whether an alias is the player's; if not, it is said why."""
        player_id = row.player.id
        if alias == player_id:
            self._problem(Fault.ALIAS_OWN_ID, row.number, "aliases", player_id, text=alias)
        elif alias in own:
            self._problem(Fault.ALIAS_TWICE, row.number, "aliases", player_id, text=alias)
        elif alias in self._rows:
            self._problem(
                Fault.ALIAS_IS_ID, row.number, "aliases", player_id, text=alias, other=self._rows[alias].number
            )
        elif len(claims) > 1:
            others = ", ".join(str(other.number) for other in claims if other is not row)
            self._problem(Fault.ALIAS_OF_TWO, row.number, "aliases", player_id, text=alias, others=others)
        else:
            return True
        return False
