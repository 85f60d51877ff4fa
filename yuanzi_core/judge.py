"""One chunk of records, judged alone: referee, settlement, cap by logged balance, claims.

The tables of a judged chunk stay on the judge's own in-memory DuckDB until the next chunk; whoever wants rows reads
them there (the command prints them, the warehouse copies them to its lake).
"""

from __future__ import annotations

from collections.abc import Set
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from yuanzi_core import deals as d
from yuanzi_core.cards import RANKS
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.ledger import SCALE, UNKNOWN
from yuanzi_core.reasons import Discrepancy, Violation
from yuanzi_core.records import Chunk, Record
from yuanzi_core.referee import referee
from yuanzi_core.settlement import add_rulesets, cap_movements, create_ruleset_table, sql

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

THREADS = 2
#: Deals from which judging in threads pays.
_WORTH_THREADS = 2048
#: The statements of settlement, in the order in which they build on each other; a view only works for who asks.
STEPS = ("core_settlement__deal", "match_workings", "core_settlement__match")
VIEWS = frozenset({"match_workings"})


def connect() -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB that neither looks at Python's variables nor installs anything."""
    import duckdb

    con = duckdb.connect(
        ":memory:",
        config={
            "threads": THREADS,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
        },
    )
    con.execute("set preserve_insertion_order = true")
    return con


def judge_deals(deals: Deals) -> Ints:
    """The referee over a whole batch, on two threads where that pays. Facts as ``deals.FACTS``."""
    count = len(deals)
    if count < _WORTH_THREADS:
        return referee(deals)
    # Cut where a match begins.
    middle = count // 2
    while middle < count and deals.head[d.DEAL, middle] > 0:
        middle += 1
    facts = np.full((len(d.FACTS), count), -1, dtype=np.int32)
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(referee, deals, *part, facts) for part in ((0, middle), (middle, count))]:
            done.result()
    return facts


def _record_columns(records: list[Record], places: dict[str, int]) -> dict[str, NDArray[Any]]:
    """What settling needs of readable records, as flat columns; ``places`` numbers the rulesets by hash."""
    matches = [record.match for record in records if record.match is not None]
    hashes = [record.ruleset.hash for record in records if record.ruleset is not None]
    for key in dict.fromkeys(hashes):
        places[key] = len(places)
    bases = [100 if match.base is None else int(match.base * 100) for match in matches]
    balances = [player.balance for match in matches for player in match.players]
    units = [UNKNOWN if held is None else int(held * SCALE) for held in balances]
    five = np.array([len(match.players) == 5 for match in matches], dtype=np.bool_)
    by_seat = np.full((5, len(matches)), UNKNOWN, dtype=np.int64)
    # The amounts of a match follow each other: seat s of match m stands s places behind the match's first.
    first = np.cumsum(five + 4) - (five + 4)
    amounts = np.array(units, dtype=np.int64)
    for seat in range(5):
        has = five | (seat < 4)
        by_seat[seat, has] = amounts[first[has] + seat]
    return {
        "line": np.array([record.line for record in records], dtype=np.int64),
        "five": five.astype(np.int32),
        "rules": np.array([places[key] for key in hashes], dtype=np.int32),
        "base_hundredths": np.array(bases, dtype=np.int64),
        **{f"balance{seat}": by_seat[seat] for seat in range(5)},
    }


class Judge:
    """Judges chunks one after the other on one connection. Not for several threads at once."""

    def __init__(self, con: duckdb.DuckDBPyConnection | None = None) -> None:
        self.con = con or connect()
        self._known: set[str] = set()
        self._views: set[str] = set()
        create_ruleset_table(self.con)

    def judge(self, chunk: Chunk, leave_out: Set[int] = frozenset(), file_id: str = "") -> None:
        """Fill the tables ``core_record``, ``core_deal``, ``core_claim``, ``core_settlement__deal``,
        ``core_settlement__match``, ``settled_match`` and ``discrepancy`` with this chunk, keyed by file_id and line.

        Records whose rows are in ``leave_out`` (duplicates) are not settled.
        """
        readable = [record for record in chunk.records if record.problem is None and record.row not in leave_out]
        places: dict[str, int] = {}
        self._load("core_record", "chunk_record", "record_columns", _record_columns(readable, places),
                   file_id=file_id, rulesets=list(places) or [""], unknown=UNKNOWN)  # fmt: skip
        used = {record.ruleset.hash: record.ruleset for record in readable if record.ruleset is not None}
        add_rulesets(self.con, [used[key] for key in used.keys() - self._known])
        self._known |= used.keys()
        self._load_deals(chunk, file_id)
        self._load_claims(readable, file_id)
        for step in STEPS:
            if step in VIEWS:
                self._make_view(step)
            else:
                self._make(step, sql(step))
        self._load("movement", "chunk_movement", "movement_columns", cap_movements(self.con),
                   file_id=file_id, unknown=UNKNOWN)  # fmt: skip
        self._make("settled_match", sql("core_settlement__scores"))
        self._make("discrepancy", sql("discrepancy"))

    def _make(self, name: str, statement: str, parameters: dict[str, Any] | None = None) -> None:
        self.con.execute(f"create or replace temp table {name} as {statement}", parameters or {})

    def _make_view(self, name: str) -> None:
        # Once is enough: the tables behind it are replaced by others of the same columns.
        if name not in self._views:
            self.con.execute(f"create or replace temp view {name} as {sql(name)}")
            self._views.add(name)

    def _load(self, name: str, statement: str, view: str, columns: dict[str, NDArray[Any]], **parameters: Any) -> None:
        self.con.register(view, columns)
        try:
            self._make(name, sql(statement), parameters)
        finally:
            self.con.unregister(view)

    def _load_deals(self, chunk: Chunk, file_id: str) -> None:
        lines = np.array([record.line for record in chunk.records], dtype=np.int64)
        for variant, deals in chunk.deals.items():
            facts = judge_deals(deals)
            rows = np.array(chunk.rows[variant], dtype=np.int64)
            columns = {name: deals.head[row] for row, name in enumerate(d.HEAD) if name != "match"}
            columns |= {name: facts[row] for row, name in enumerate(d.FACTS)}
            columns["line"] = lines[rows[deals.head[d.MATCH]]] if len(rows) else lines[:0]
            self._load(f"deal_{variant}", "chunk_deal", "deal_columns", columns,
                       file_id=file_id, seats=4 if variant == "four" else 5, ends=list(d.ENDS), ranks=list(RANKS),
                       violations=[str(code) for code in Violation])  # fmt: skip
        self._make("core_deal", "select * from deal_four union all select * from deal_five")

    def _load_claims(self, readable: list[Record], file_id: str) -> None:
        claims = [(record.line, claim.deal, claim.order, claim.text) for record in readable for claim in record.claims]
        numbers = np.array([claim[:3] for claim in claims], dtype=np.int64).reshape(-1, 3).T
        columns = {name: np.ascontiguousarray(numbers[row]) for row, name in enumerate(("line", "deal", "place"))}
        columns["claimed"] = np.array([claim[3] for claim in claims], dtype=object)
        self._load("core_claim", "chunk_claim", "claim_columns", columns,
                   file_id=file_id, codes=[str(code) for code in Discrepancy])  # fmt: skip
