"""What if the options had been others: chosen matches settled again from what the referee found, by the same SQL.

Only options that no play depends on can be asked about (:data:`OPTIONS`). Where an upper half is no double clamp any
more, its lower half was never played and the match stays open; where it is one now, the lower half is left out. Caps
follow from the ledger: the players' other matches count as they came out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from yuanzi_core.amounts import SCALE, UNIT, UNKNOWN
from yuanzi_core.cards import VARIANTS
from yuanzi_core.judge import Judge
from yuanzi_core.ruleset import RulesetError, Value, options

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

#: The options that settle and that no play depends on.
OPTIONS = ("clamp", "clamp_points", "downstream", "low_applies", "cap")


@dataclass(frozen=True)
class Facts:
    """The chosen matches, all settled, as Arrow tables.

    * ``matches``: of ``out_matches`` match_id, file_id, line, variant, ruleset_hash, played_at, base, outcome, winner,
      sides, scores, registry_ids, player_names, and ``balance`` of ``core_record``;
    * ``deals``: their rows of ``core_deal``, without hands and plays; ``rulesets``: those of ``core_ruleset``;
    * ``movements``: of ``core_ledger__movement`` those of five-player games from the first chosen match on, of all
      players in chosen matches with atom doubling (others have no cap).
    """

    matches: pa.Table
    deals: pa.Table
    rulesets: pa.Table
    movements: pa.Table


@dataclass(frozen=True)
class WhatIf:
    """What came of it. ``matches``: all that were settled again; ``changed`` of them, ``open`` and ``cut_short`` ones.

    ``results``: the changed matches as ``new_result.sql`` says; ``players``: rows of ``player_sum.sql``, those first
    whose sum changes most.
    """

    matches: int
    changed: int
    open: int
    cut_short: int
    results: list[dict[str, Any]]
    players: list[dict[str, Any]]


@cache
def _sql(name: str) -> str:
    return (files(__name__) / f"{name}.sql").read_text(encoding="utf-8")


def _rows(con: duckdb.DuckDBPyConnection, statement: str) -> list[dict[str, Any]]:
    found = con.execute(statement)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, values, strict=True)) for values in found.fetchall()]


def _change_rulesets(con: duckdb.DuckDBPyConnection, changes: Mapping[str, Value]) -> None:
    """Fill ``ruleset`` with the rulesets in force, the options changed where the game has them.

    :raises RulesetError: an option that cannot be asked about, or a value that it has in neither game.
    """
    con.execute("insert into ruleset by name select distinct on (ruleset) * exclude (file_id) from facts_rulesets")
    for name, value in changes.items():
        games = [game for game in VARIANTS if name in OPTIONS and options()[name].accepts(game, value)]
        if not games:
            raise RulesetError(f"{name} = {value!r}", f"rules.{name}", "bad_value", option=name)
        # The name is one of OPTIONS.
        statement = f'update ruleset set "{name}" = $value where list_contains($games, variant)'  # noqa: S608
        con.execute(statement, {"value": value, "games": games})


def what_if(facts: Facts, changes: Mapping[str, Value]) -> WhatIf:
    """Settle the chosen matches again with some options changed; what a game or ruleset does not use changes nothing.

    :raises RulesetError: an option that cannot be asked about, or a value that it has in neither game.
    """
    judge = Judge()
    con = judge.con
    for name in ("matches", "deals", "rulesets", "movements"):
        con.register(f"facts_{name}", getattr(facts, name))
    _change_rulesets(con, changes)
    con.execute("create temp table surplus (file_id varchar, line bigint)")
    _settle(judge, "resettled", upper_halves=False)
    # H2 puts AFTER_END over a half after the match is over: under these options it would not have been played.
    con.execute("insert into surplus select file_id, line from resettled where status = 'violation'")
    (cut_short,) = con.execute("select count(*) from surplus").fetchall()[0]
    if cut_short:
        _settle(judge, "shortened", upper_halves=True)
        con.execute("delete from resettled where status = 'violation'")
        con.execute("insert into resettled select * from shortened")
    _fold(con)
    con.execute(f"create temp table results as {_sql('new_result')}", {"unit": UNIT})
    counts = "select count(*), count(*) filter (is_changed), count(*) filter (is_open) from results"
    matches, changed, still_open = con.execute(counts).fetchall()[0]
    results = _rows(con, "select * from results where is_changed")
    return WhatIf(matches, changed, still_open, cut_short, results, _rows(con, _sql("player_sum")))


def _settle(judge: Judge, into: str, upper_halves: bool) -> None:
    """Settle the chosen matches, before the cap, into a table; or those cut short by their upper halves alone."""
    for table, statement in (("core_record", "chosen_record"), ("core_deal", "chosen_deal")):
        judge.con.execute(f"create or replace temp table {table} as {_sql(statement)}", {"upper_halves": upper_halves})
    judge.settle_before_cap()
    judge.con.execute(f"create temp table {into} as select * from core_settlement__match")  # noqa: S608


def _fold(con: duckdb.DuckDBPyConnection) -> None:
    """Make ``folded``: what each movement comes to after the cap of F6."""
    import pyarrow as pa

    from yuanzi_core.ledger import fold

    parameters = {"scale": SCALE, "unknown": UNKNOWN}
    found = con.sql(_sql("ledger_seat"), params=parameters).to_arrow_table()
    player, opening = (np.asarray(found.column(name)).astype(np.int64) for name in ("player", "opening"))
    first = np.flatnonzero(np.diff(player, prepend=-1))
    columns = [np.asarray(found.column(name)) for name in ("score", "capped", "balance")]
    change, _ = fold(player, columns[0].astype(np.int64), columns[1].astype(np.bool_), columns[2].astype(np.int64),
                     opening[first])  # fmt: skip
    folded = found.select(["file_id", "line", "seat"]).append_column("change", pa.array(change))
    con.register("folded", folded)
