"""The ledger: every movement of every player in ledger order, with the cap of F6 applied by the fold of yuanzi_core.

All movements are folded each time: that takes less than finding out which could be left. What a movement comes to is
then hashed for each group of files, and only groups for which anything is new are written again.
"""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.groups import hash_of
from pipelines.warehouse import State, sql
from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.ledger import fold, sum_up
from yuanzi_core.settlement import sql as settlement_sql

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray

    from pipelines.groups import Group


def _flat(found: pa.Table, column: str, absent: int | bool) -> NDArray[Any]:
    """The values of a column of lists, one behind the other; ``absent`` in the place of nulls; null lists have none."""
    lists: Any = found.column(column).combine_chunks()
    return np.array(lists.flatten().fill_null(absent))


class Ledger:
    """The movements of all settled matches that count, in ledger order: arrays with one entry a movement."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        """Reads core_match__candidate, core_match__contested, core_player and raw_file."""
        import pyarrow as pa
        import pyarrow.compute as pc

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
        self.match, self.seat, self.player, self.capped = match[moved], seat[moved], player[moved], capped[moved]
        self.name, self.score = name[moved], _flat(entries, "scores", 0)
        self.change, self.before = fold(self.player, self.score, self.capped, balance[moved], self.opening)
        self.after = sum_up(self.player, self.change, self.opening)
        self._lines = np.asarray(entries.column("line"))
        files = entries.column("file_id").combine_chunks().dictionary_encode()
        number, file_ids = np.asarray(files.indices), files.dictionary.to_pylist()
        of_match = number[self.match]
        order = np.argsort(of_match, kind="stable")
        places = np.split(order, np.searchsorted(of_match[order], np.arange(1, len(file_ids))))
        #: Which movements are those of a file.
        self.of_file = dict(zip(file_ids, places, strict=False))
        #: The aliases that occur in a file, also in matches that move nothing, with their players.
        self.aliases: dict[str, set[tuple[str, str]]] = {}
        renamed = np.array([one != other for one, other in zip(self._logged, self._ids, strict=True)], dtype=np.bool_)
        for at in np.flatnonzero(renamed[name]) if renamed.any() else ():
            pair = self._logged[name[at]], self._ids[name[at]]
            self.aliases.setdefault(file_ids[number[match[at]]], set()).add(pair)

    def keys(self, state: State) -> tuple[dict[str, str], dict[str, str]]:
        """The keys "moved" and "settled" of a state's groups."""
        settled, moved = {}, {}
        for file_id, rows in self.of_file.items():
            known = self.opening[self.player[rows]] != UNKNOWN
            settled[file_id] = _hash(self.change[rows], self.before[rows])
            moved[file_id] = _hash(self.change[rows], self.before[rows], self.after[rows], known)

        def named(about: dict[str, str]) -> dict[str, str]:
            return {
                group.id: hash_of([
                    state.key("chosen", group),
                    [[about.get(file), sorted(self.aliases.get(file, ()))] for file in group.files],
                ])
                for group in state.groups
            }  # fmt: skip

        return named(moved), named(settled)

    def load(self, con: duckdb.DuckDBPyConnection, group: Group) -> dict[str, int | Decimal]:
        """Make the table ``folded`` of a group's movements; returns the parameters of core_ledger__movement."""
        import pyarrow as pa

        found = [(file_id, self.of_file[file_id]) for file_id in group.files if file_id in self.of_file]
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *[rows for _, rows in found]])
        file_ids = np.repeat(np.arange(len(found)), [len(rows) for _, rows in found])
        player, name = self.player[rows], pa.array(self.name[rows])
        columns = {
            "file_id": pa.array([file_id for file_id, _ in found], pa.string()).take(pa.array(file_ids, pa.int64())),
            "line": self._lines[self.match[rows]],
            "seat": self.seat[rows],
            "player_id": pa.array(self._ids, pa.string()).take(name),
            "logged_id": pa.array(self._logged, pa.string()).take(name),
            "capped": self.capped[rows],
            "score": self.score[rows],
            "change": self.change[rows],
            "before": self.before[rows],
            "after": self.after[rows],
            "opening_known": self.opening[player] != UNKNOWN,
        }
        con.register("folded_columns", pa.table(columns))
        con.execute("create or replace temp table folded as select * from folded_columns")
        con.unregister("folded_columns")
        return {"unknown": UNKNOWN, "unit": Decimal(1) / SCALE}


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
