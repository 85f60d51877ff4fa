"""The ledger: every movement of every player in ledger order, with the cap of F6 applied by the fold of yuanzi_core,
and where a logged balance says otherwise (CLAIM_BALANCE).

All movements are folded each time: that takes less than finding out which could be left. What a movement comes to is
then hashed for each group of files, and only groups for which anything is new are written again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.defs.settlement.calendar import load_calendar
from pipelines.defs.settlement.ladder import load_ladder
from pipelines.groups import hash_of
from pipelines.warehouse import State, keep, sql
from yuanzi_core.amounts import SCALE, UNIT, UNKNOWN
from yuanzi_core.ledger import fold, sum_up
from yuanzi_core.reasons import Discrepancy
from yuanzi_core.settlement import sql as settlement_sql

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray

    from pipelines.groups import Group
    from yuanzi_core.registry import Club


def _flat(found: pa.Table, column: str, absent: int | bool) -> NDArray[Any]:
    """The values of a column of lists, one behind the other; ``absent`` in the place of nulls; null lists have none."""
    lists: Any = found.column(column).combine_chunks()
    return np.array(lists.flatten().fill_null(absent))


class Ledger:
    """The seats of all matches that count and break no rule, in ledger order: arrays with one entry a seat.

    A match that is unfinished moves nothing, but its players have a standing before it: ``moved`` says which seats are
    those of settled matches.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, clubs: Mapping[str, Club]) -> None:
        """Reads core_match__candidate, core_match__contested, core_player and raw_file; ``clubs`` as for
        :func:`~pipelines.defs.settlement.calendar.load_calendar`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        self._clubs = clubs
        entries = con.sql(sql("settlement", "entry")).to_arrow_table()
        seated = entries.column("player_ids").combine_chunks()
        logged = seated.flatten().dictionary_encode()
        seats = np.asarray(pc.list_value_length(seated)).astype(np.int64)
        match = np.repeat(np.arange(len(seats)), seats)
        seat = np.arange(len(match)) - (np.cumsum(seats) - seats)[match]
        name = np.asarray(logged.indices).astype(np.int64)
        registered = con.execute(sql("settlement", "opening"), {"scale": SCALE}).fetchall()
        aliases = {alias: player_id for player_id, known_as, *_ in registered for alias in known_as}
        self._logged = logged.dictionary.to_pylist()
        self._ids = [aliases.get(player_id, player_id) for player_id in self._logged]
        # A player has a standing in each game.
        numbers = {player_id: 2 * number for number, player_id in enumerate(dict.fromkeys(self._ids))}
        five = np.asarray(pc.equal(entries.column("variant"), pa.scalar("five")))[match]
        player = np.array([numbers[player_id] for player_id in self._ids], dtype=np.int64)[name] + five
        balance = _flat(entries, "balance", UNKNOWN)
        # The registry's opening, else the earliest balance in ledger order: of several the last one written stays.
        self.opening = np.full(2 * len(numbers), UNKNOWN, dtype=np.int64)
        with_balance = np.flatnonzero(balance != UNKNOWN)[::-1]
        self.opening[player[with_balance]] = balance[with_balance]
        for player_id, _, *openings in registered:
            for game, opening in enumerate(openings):
                if opening is not None and player_id in numbers:
                    self.opening[numbers[player_id] + game] = opening
        capped = np.zeros(len(match), dtype=np.bool_)
        capped[np.asarray(entries.column("capped").is_valid())[match]] = _flat(entries, "capped", False)
        moved = np.asarray(entries.column("scores").is_valid())[match]
        score = np.zeros(len(match), dtype=np.int64)
        score[moved] = _flat(entries, "scores", 0)

        kept = moved | np.asarray(pc.equal(entries.column("status"), pa.scalar("unfinished")))[match]
        self.match, self.seat, self.player, self.name = match[kept], seat[kept], player[kept], name[kept]
        self.moved, self.capped, self.score, self.balance = moved[kept], capped[kept], score[kept], balance[kept]
        self.change, self.before = fold(self.player, self.score, self.capped, self.balance, self.opening)
        self.after = sum_up(self.player, self.change, self.opening)
        self.number = _numbered(self.player, self.moved)
        renamed = np.array([one != other for one, other in zip(self._logged, self._ids, strict=True)], dtype=np.bool_)
        merged = np.unique(player[renamed[name]]) if renamed.any() else np.zeros(0, dtype=np.int64)
        #: The ledger's standing before the match.
        self.held = _before_the_match(self.after - self.change, self.match, self.player, merged)
        #: Whether the log says otherwise. A logged balance makes an opening known, so there is a standing.
        self.differs = (self.balance != UNKNOWN) & (self.balance != self.held)

        self._lines = np.asarray(entries.column("line"))
        files = entries.column("file_id").combine_chunks().dictionary_encode()
        self._file, self._files = np.asarray(files.indices), files.dictionary.to_pylist()
        #: Which movements are those of a file, and which seats those of its matches with a balance that differs.
        self.of_file = self._by_file(np.flatnonzero(self.moved))
        self.differing = self._by_file(np.flatnonzero(np.isin(self.match, np.unique(self.match[self.differs]))))
        #: The aliases that occur in a file, also in matches that move nothing, with their players.
        self.aliases: dict[str, set[tuple[str, str]]] = {}
        for at in np.flatnonzero(renamed[name]) if renamed.any() else ():
            pair = self._logged[name[at]], self._ids[name[at]]
            self.aliases.setdefault(self._files[self._file[match[at]]], set()).add(pair)
        #: The clubs of the registry that occur in a file: as they are named there, their keys and zones.
        self.places: dict[str, set[tuple[str, str, str]]] = {}
        at_club = entries.column("club").combine_chunks().dictionary_encode()
        known = np.array([club in clubs for club in at_club.dictionary.to_pylist()] + [False], dtype=np.bool_)
        place = np.asarray(at_club.indices.fill_null(len(known) - 1)).astype(np.int64)
        for pair_of in np.unique((self._file * len(known) + place)[known[place]]):
            club_name = at_club.dictionary[int(pair_of) % len(known)].as_py()
            found = club_name, clubs[club_name].key, clubs[club_name].zone
            self.places.setdefault(self._files[int(pair_of) // len(known)], set()).add(found)

    def _by_file(self, rows: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """Some seats, put together by the files that they stand in."""
        of_row = self._file[self.match[rows]]
        order = np.argsort(of_row, kind="stable")
        places = np.split(rows[order], np.searchsorted(of_row[order], np.arange(1, len(self._files))))
        return dict(zip(self._files, places, strict=False))

    def keys(self, state: State) -> tuple[dict[str, str], dict[str, str]]:
        """The keys "moved" and "settled" of a state's groups."""
        settled, moved = {}, {}
        for file_id, rows in self.of_file.items():
            known = self.opening[self.player[rows]] != UNKNOWN
            claimed = self.differing[file_id]
            said = self._lines[self.match[claimed]], self.held[claimed]
            settled[file_id] = _hash(self.change[rows], self.before[rows], *said)
            moved[file_id] = _hash(self.change[rows], self.before[rows], self.after[rows], self.number[rows], known)

        def named(about: dict[str, str]) -> dict[str, str]:
            return {
                group.id: hash_of([
                    state.key("chosen", group),
                    [
                        [about.get(file), sorted(self.aliases.get(file, ())), sorted(self.places.get(file, ()))]
                        for file in group.files
                    ],
                ])
                for group in state.groups
            }  # fmt: skip

        return named(moved), named(settled)

    def _rows(self, of_file: Mapping[str, NDArray[np.int64]], group: Group) -> tuple[NDArray[np.int64], pa.Array[Any]]:
        """The seats of a group among those by file, and the file of each."""
        import pyarrow as pa

        found = [(file_id, of_file[file_id]) for file_id in group.files if file_id in of_file]
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *[rows for _, rows in found]])
        file_ids = np.repeat(np.arange(len(found)), [len(rows) for _, rows in found])
        return rows, pa.array([file_id for file_id, _ in found], pa.string()).take(pa.array(file_ids, pa.int64()))

    def load(self, con: duckdb.DuckDBPyConnection, group: Group) -> dict[str, int | Decimal]:
        """Make the tables ``folded`` of a group's movements, ``calendar`` and ``ladder``; returns the parameters of
        core_ledger__movement."""
        import pyarrow as pa

        rows, file_ids = self._rows(self.of_file, group)
        player, name = self.player[rows], pa.array(self.name[rows])
        keep(con, "folded", pa.table({
            "file_id": file_ids,
            "line": self._lines[self.match[rows]],
            "seat": self.seat[rows],
            "player_id": pa.array(self._ids, pa.string()).take(name),
            "logged_id": pa.array(self._logged, pa.string()).take(name),
            "number": self.number[rows],
            "capped": self.capped[rows],
            "score": self.score[rows],
            "change": self.change[rows],
            "before": self.before[rows],
            "after": self.after[rows],
            "opening_known": self.opening[player] != UNKNOWN,
        }))  # fmt: skip
        load_calendar(con, self._clubs)
        load_ladder(con)
        return {"unknown": UNKNOWN, "unit": UNIT}

    def load_claims(self, con: duckdb.DuckDBPyConnection, group: Group) -> dict[str, int | Decimal]:
        """Make the table ``balance_claim``: the seats of matches with a logged balance that is not the ledger's
        standing, in whole units; returns the parameters of core_discrepancy."""
        import pyarrow as pa

        rows, file_ids = self._rows(self.differing, group)
        keep(con, "balance_claim", pa.table({
            "file_id": file_ids,
            "line": self._lines[self.match[rows]],
            "seat": self.seat[rows],
            "claimed": self.balance[rows],
            "held": self.held[rows],
        }))  # fmt: skip
        return {"unknown": UNKNOWN, "unit": UNIT, "place": list(Discrepancy).index(Discrepancy.CLAIM_BALANCE)}


def _numbered(player: NDArray[np.int64], moved: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many movements each player has had after each seat; a seat that moved has the number of its movement."""
    order = np.argsort(player, kind="stable")
    count = np.cumsum(moved[order])
    first = np.flatnonzero(np.diff(player[order], prepend=-1))
    before: NDArray[np.int64] = np.repeat(count[first] - moved[order][first], np.diff(first, append=len(order)))
    number = np.zeros(len(player), dtype=np.int64)
    number[order] = count - before
    return number


def _before_the_match(
    held: NDArray[np.int64], match: NDArray[np.int64], player: NDArray[np.int64], merged: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The standing before the match, from that before each seat: they differ where one of the ``merged`` players has
    several seats, which count one after the other."""
    rows = np.flatnonzero(np.isin(player, merged))
    if not len(rows):
        return held
    _, first, place = np.unique(np.stack([match[rows], player[rows]]), axis=1, return_index=True, return_inverse=True)
    found = held.copy()
    found[rows] = held[rows][first[place.reshape(-1)]]
    return found


def _hash(*columns: NDArray[Any]) -> str:
    digest = hashlib.sha256()
    for column in columns:
        digest.update(column.tobytes())
    return digest.hexdigest()[:16]


def settle(con: duckdb.DuckDBPyConnection) -> None:
    """Make the view ``settled_match``: the results of the matches that count, after the cap.

    Reads core_match, core_ledger__movement and core_settlement__match, whose name is then that of the counting ones.
    """
    con.execute("alter view core_settlement__match rename to results")
    con.execute(f"create temp view core_settlement__match as {sql('settlement', 'counting_match')}")
    con.execute(f"create temp view movement as {sql('settlement', 'movement')}")
    con.execute(f"create temp view settled_match as {settlement_sql('core_settlement__scores')}")
