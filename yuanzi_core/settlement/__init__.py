"""Settlement: D, E and F as SQL in DuckDB, and only there. One ``.sql`` file a table, one ``select`` each.

The statements read ``core_record``, ``core_deal``, ``core_claim`` and ``ruleset`` and build on each other in the
order in which ``judge`` runs them. The warehouse runs them over its lake, ``judge`` runs the same files over a chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.ruleset import PRESETS, RuleSet, Rulesets, options

if TYPE_CHECKING:
    import duckdb
    from numpy.typing import NDArray

_NUMBER = "decimal(8, 2)"
#: F1, worked out by the ruleset, for C5 and for here: size of the side, and whether it has the upstream player.
_TARGETS = {
    "target_of_two": (2, False),
    "target_of_two_upstream": (2, True),
    "target_of_three": (3, False),
    "target_of_three_upstream": (3, True),
}
#: F4: numbers that may have halves, whatever they are in a preset: a scorer may take one for the other.
_ATOM_FACTORS = ("atom_factor_of_two", "atom_factor_of_three")
_IN_TARGETS = ("target_a_player", "target_without_upstream")


@cache
def sql(name: str) -> str:
    """The statement of a table, from the file of the same name."""
    return (files(__name__) / f"{name}.sql").read_text(encoding="utf-8")


@cache
def ruleset_columns() -> dict[str, str]:
    """Columns of the table ``ruleset`` and their SQL types: the hash, and every constant and option of both games.

    A column that a game does not have is null there.
    """
    types: dict[str, str] = {"ruleset": "varchar", "variant": "varchar", "total_points": "integer"}
    types |= dict.fromkeys(_TARGETS, "integer")
    presets = [Rulesets()[name] for name in PRESETS]
    for preset in presets:
        for name, value in {**preset.constants, **preset.options}.items():
            if name in _IN_TARGETS:
                continue
            if isinstance(value, bool):
                types[name] = "boolean"
            elif name in _ATOM_FACTORS:
                types[name] = _NUMBER
            elif isinstance(value, int) and (name not in options() or not options()[name].range):
                types[name] = "integer"
            elif isinstance(value, int | Decimal):
                types[name] = _NUMBER
            elif isinstance(value, str):
                types[name] = "varchar"
    return types


def ruleset_row(ruleset: RuleSet) -> list[Any]:
    """A ruleset as a row of the table ``ruleset``."""
    known = {
        "ruleset": ruleset.hash, "variant": ruleset.variant, "total_points": ruleset.total_points,
        **{name: ruleset.target(*of) for name, of in _TARGETS.items() if ruleset.variant == "five"},
        **ruleset.constants, **ruleset.options,
    }  # fmt: skip
    return [known.get(name) for name in ruleset_columns()]


def create_ruleset_table(con: duckdb.DuckDBPyConnection) -> None:
    """Make the empty table ``ruleset`` on a connection."""
    columns = ", ".join(f'"{name}" {kind}' for name, kind in ruleset_columns().items())
    con.execute(f"create or replace temp table ruleset ({columns})")


def add_rulesets(con: duckdb.DuckDBPyConnection, rulesets: Sequence[RuleSet]) -> None:
    """Add rulesets, whose hashes the table ``ruleset`` does not have yet, in one statement."""
    if rulesets:
        row = f"({', '.join('?' * len(ruleset_columns()))})"
        values = [value for ruleset in rulesets for value in ruleset_row(ruleset)]
        # Question marks only: the values are bound.
        con.execute("insert into ruleset values " + ", ".join([row] * len(rulesets)), values)  # noqa: S608


def cap_movements(con: duckdb.DuckDBPyConnection) -> dict[str, NDArray[Any]]:
    """F6 for records judged alone: the standing is the logged balance, and each movement stands for itself.

    Reads ``core_settlement__match`` and ``core_record``; returns the columns of ``movement``: line, seat, capped,
    and score and standing_before in ten-thousandths (``UNKNOWN`` where no standing is known).
    """
    found = con.execute(sql("capped_movement"), {"scale": SCALE, "unknown": UNKNOWN}).fetchnumpy()
    columns = {name: np.ascontiguousarray(np.ma.getdata(column)) for name, column in found.items()}
    count = len(columns["seat"])
    if not count:
        return columns | {"standing_before": columns["score"]}
    # Loaded only now: most small files have no cap, and the fold is compiled code.
    from yuanzi_core.ledger import fold

    score, before = fold(
        np.arange(count, dtype=np.int64),
        columns.pop("score").astype(np.int64),
        columns["capped"].astype(np.bool_),
        columns.pop("balance").astype(np.int64),
        np.full(count, UNKNOWN, dtype=np.int64),
    )
    return columns | {"score": score, "standing_before": before}
