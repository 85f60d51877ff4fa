"""The ledger: every movement of every player in ledger order, with the cap of F6 applied by the fold of yuanzi_core."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.warehouse import sql
from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.ledger import fold
from yuanzi_core.settlement import sql as settlement_sql

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray


def _column(found: dict[str, Any], name: str) -> NDArray[np.int64]:
    """A column of whole amounts; nulls are unknown."""
    return np.ascontiguousarray(np.ma.filled(np.ma.asarray(found[name], dtype=np.int64), UNKNOWN))


def fold_entries(con: duckdb.DuckDBPyConnection) -> dict[str, int | Decimal]:
    """Make the tables ``entry``, ``opening`` and ``fold_columns``; returns the parameters of core_ledger__movement.

    Reads core_match, core_record and core_settlement__match.
    """
    con.execute(f"create or replace temp table entry as {sql('settlement', 'entry')}", {"scale": SCALE})
    con.execute(f"create or replace temp table opening as {sql('settlement', 'opening')}")
    opening = _column(con.execute("select opening from opening order by player").fetchnumpy(), "opening")
    moved = con.execute(
        "select place, player, score, balance, capped from entry where settled order by place"
    ).fetchnumpy()
    change, before = fold(
        _column(moved, "player"),
        _column(moved, "score"),
        np.ascontiguousarray(np.ma.getdata(moved["capped"]).astype(np.bool_)),
        _column(moved, "balance"),
        opening,
    )
    con.register("folded_arrays", {"place": _column(moved, "place"), "change": change, "before": before})
    con.execute("create or replace temp table fold_columns as select * from folded_arrays")
    con.unregister("folded_arrays")
    return {"unknown": UNKNOWN, "unit": Decimal(1) / SCALE}


def settle(con: duckdb.DuckDBPyConnection) -> None:
    """Make the view ``settled_match``: the results of the matches that count, after the cap.

    Reads core_match, core_ledger__movement and core_settlement__match, whose name is then that of the counting ones.
    """
    con.execute("alter view core_settlement__match rename to results")
    con.execute(f"create temp view core_settlement__match as {sql('settlement', 'counting_match')}")
    con.execute(f"create temp view movement as {sql('settlement', 'movement')}")
    con.execute(f"create temp view settled_match as {settlement_sql('core_settlement__scores')}")
