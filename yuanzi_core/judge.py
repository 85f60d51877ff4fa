"""One chunk of records, judged alone: referee, settlement, cap by logged balance, claims.

The tables of a judged chunk stay on the judge's own in-memory DuckDB until the next chunk; whoever wants rows reads
them there (the command prints them, the warehouse copies them to its lake).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from yuanzi_core import deals as d
from yuanzi_core.amounts import UNIT, UNKNOWN
from yuanzi_core.cards import RANKS, Variant
from yuanzi_core.database import THREADS, WORTH_OPTIMIZING, connect
from yuanzi_core.deals import Deals, Ints
from yuanzi_core.log import BASE_DECIMALS
from yuanzi_core.reasons import Discrepancy, Violation
from yuanzi_core.records import BALANCES, BASE, Chunk, Record
from yuanzi_core.referee import referee
from yuanzi_core.settlement import add_rulesets, cap_movements, create_ruleset_table, sql

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

_HUNDREDTH = Decimal(1) / 10**BASE_DECIMALS
#: Deals from which judging in threads pays.
_WORTH_THREADS = 2048


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


def _record_columns(chunk: Chunk, records: list[Record], places: dict[str, int]) -> dict[str, NDArray[Any]]:
    """What settling needs of readable records, as flat columns; ``places`` numbers the rulesets by hash."""
    rulesets = [record.ruleset for record in records if record.ruleset is not None]
    for ruleset in rulesets:
        if ruleset.hash not in places:
            places[ruleset.hash] = len(places)
    amounts = np.ascontiguousarray(chunk.amounts[[record.row for record in records]].T)
    return {
        "line": np.array([record.line for record in records], dtype=np.int64),
        "five": np.array([ruleset.variant == "five" for ruleset in rulesets], dtype=np.int32),
        "rules": np.array([places[ruleset.hash] for ruleset in rulesets], dtype=np.int32),
        "base_hundredths": amounts[BASE],
        **{f"balance{seat}": amounts[BALANCES + seat] for seat in range(5)},
    }


def deal_columns(head: Ints, facts: Ints, lines: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """What settling needs of judged deals, as flat columns."""
    columns = {name: head[row] for row, name in enumerate(d.HEAD) if name != "match"}
    columns |= {name: facts[row] for row, name in enumerate(d.FACTS)}
    return columns | {"line": lines}


class Judge:
    """Judges chunks one after the other on one connection. Not for several threads at once."""

    def __init__(self, con: duckdb.DuckDBPyConnection | None = None) -> None:
        self.con = con or connect()
        #: Hashes of the rulesets in the table ``ruleset``.
        self.known: set[str] = set()
        self._views: set[str] = set()
        self._optimizing = True
        create_ruleset_table(self.con)

    def judge(self, chunk: Chunk, leave_out: Set[int] = frozenset(), file_id: str = "") -> None:
        """Fill ``core_record``, ``core_deal``, ``core_claim``, ``core_settlement__deal``, ``core_settlement__match``
        and the view ``settled_match`` with this chunk, keyed by file_id and line.

        Records whose rows are in ``leave_out`` (duplicates) are not settled.
        """
        readable = [record for record in chunk.records if record.problem is None and record.row not in leave_out]
        self.load_records(chunk, readable, file_id)
        lines = np.array([record.line for record in chunk.records], dtype=np.int64)
        batches = [(deals, lines[chunk.rows[variant]][deals.head[d.MATCH]]) for variant, deals in chunk.deals.items()]
        if chunk.facts is None:
            self.load_deals(batches, file_id)
        else:
            facts = chunk.facts
            made = [(deals.variant, deal_columns(deals.head, facts[deals.variant], of)) for deals, of in batches]
            self.load_facts(made, file_id)
        self.load_claims(readable, file_id)
        self.settle(file_id)
        if chunk.facts is not None and self._refuse_surplus_halves(chunk):
            self.judge(chunk, leave_out, file_id)

    def _refuse_surplus_halves(self, chunk: Chunk) -> bool:
        """Reject the matches of a sheet that go on after their end (E1 is decided in the settlement), if there are any.

        In a sheet it is a row that cannot be; in a log it is a violation.
        """
        lines = self.con.execute("select line from core_settlement__match where violation is not null").fetchall()
        if not lines:
            return False
        from yuanzi_core.sheet_records import drop_rejects
        from yuanzi_core.sheets import half_after_end

        wrong = {line for (line,) in lines}
        for record in chunk.records:
            if record.line in wrong and record.parsed is not None and record.ruleset is not None:
                record.reject(half_after_end(record.raw, record.rows, record.parsed, record.ruleset))
        drop_rejects(chunk)
        return True

    def load_records(self, chunk: Chunk, readable: list[Record], file_id: str) -> None:
        """Fill ``core_record`` with readable records of a chunk, and ``ruleset`` with their rulesets."""
        self._optimize(len(readable) >= WORTH_OPTIMIZING)
        places: dict[str, int] = {}
        self._load("core_record", "chunk_record", "record_columns", _record_columns(chunk, readable, places),
                   file_id=file_id, rulesets=list(places) or [""], unknown=UNKNOWN, unit=UNIT,
                   hundredth=_HUNDREDTH)  # fmt: skip
        used = {record.ruleset.hash: record.ruleset for record in readable if record.ruleset is not None}
        add_rulesets(self.con, [used[key] for key in used.keys() - self.known])
        self.known |= used.keys()

    def settle(self, file_id: str) -> None:
        """Settle what the tables core_record, core_deal, core_claim and ruleset hold."""
        self.settle_before_cap()
        self._load("movement", "chunk_movement", "movement_columns", cap_movements(self.con),
                   file_id=file_id, unknown=UNKNOWN, unit=UNIT)  # fmt: skip
        self._make_view("settled_match", sql("core_settlement__scores"))

    def settle_before_cap(self) -> None:
        """Make ``core_settlement__deal`` and ``core_settlement__match`` of core_record, core_deal and ruleset."""
        self._make("core_settlement__deal", sql("core_settlement__deal"))
        # As part of its reader here: a view of it would have to be planned twice (see make_workings).
        workings = f"with match_workings as not materialized ({sql('match_workings')})"
        self._make("core_settlement__match", f"{workings}\n{sql('core_settlement__match')}")

    def _optimize(self, wanted: bool) -> None:
        """Whether DuckDB improves its plans; the rows are the same."""
        if wanted != self._optimizing:
            self.con.execute("pragma enable_optimizer" if wanted else "pragma disable_optimizer")
            self._optimizing = wanted

    def make_workings(self) -> None:
        """Make the view ``match_workings``: each figure on the way to ``core_settlement__match``, for explanations."""
        self._make_view("match_workings", sql("match_workings"))

    def make_discrepancies(self) -> None:
        """Make the view ``discrepancy``; it costs more to plan than a small file without claims to settle."""
        self._make_view("discrepancy", sql("discrepancy"))

    def _make(self, name: str, statement: str, parameters: dict[str, Any] | None = None) -> None:
        self.con.execute(f"create or replace temp table {name} as {statement}", parameters or {})

    def _make_view(self, name: str, statement: str) -> None:
        # Worked out when somebody asks. Once is enough: the tables behind it give way to others of the same columns.
        if name not in self._views:
            self.con.execute(f"create temp view {name} as {statement}")
            self._views.add(name)

    def _load(self, name: str, statement: str, view: str, columns: dict[str, NDArray[Any]], **parameters: Any) -> None:
        self.con.register(view, columns)
        try:
            self._make(name, sql(statement), parameters)
        finally:
            self.con.unregister(view)

    def load_deals(self, batches: Iterable[tuple[Deals, NDArray[np.int64]]], file_id: str) -> None:
        """Judge batches, each of one game, with the line of each deal; the facts are then in ``core_deal``."""
        self.load_facts(
            [(deals.variant, deal_columns(deals.head, judge_deals(deals), lines)) for deals, lines in batches], file_id
        )

    def load_facts(self, batches: Sequence[tuple[Variant, dict[str, NDArray[Any]]]], file_id: str) -> None:
        """Fill ``core_deal`` with judged deals: of each game the rows of head (but ``match``) and facts, and ``line``.

        At least one batch, which may be empty.
        """
        columns = {name: np.concatenate([batch[name] for _, batch in batches]) for name in batches[0][1]}
        four = [np.full(len(batch["line"]), variant == "four") for variant, batch in batches]
        columns["four"] = np.concatenate(four)
        self._load("core_deal", "chunk_deal", "deal_columns", columns,
                   file_id=file_id, ends=list(d.ENDS), ranks=list(RANKS),
                   violations=[str(code) for code in Violation])  # fmt: skip

    def load_claims(self, readable: list[Record], file_id: str) -> None:
        """Fill ``core_claim`` with the claims of some records."""
        claims = [(record.line, claim.deal, claim.order, claim.text) for record in readable for claim in record.claims]
        numbers = np.array([claim[:3] for claim in claims], dtype=np.int64).reshape(-1, 3).T
        columns = {name: np.ascontiguousarray(numbers[row]) for row, name in enumerate(("line", "deal", "place"))}
        columns["claimed"] = np.array([claim[3] for claim in claims], dtype=object)
        self._load("core_claim", "chunk_claim", "claim_columns", columns,
                   file_id=file_id, codes=[str(code) for code in Discrepancy])  # fmt: skip
