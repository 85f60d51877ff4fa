"""How the tables of a stage are made for a whole state, one after the other, and none that a check forbids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import dagster as dg

from pipelines.defs.grouped import Results, Step
from pipelines.groups import Group
from pipelines.warehouse import State, Warehouse, replacing

if TYPE_CHECKING:
    from collections.abc import Sequence


def make_whole(warehouse: Warehouse, state: State, steps: Sequence[Step]) -> Results:
    """Make the tables of some steps for a state, as far as they are missing. ``prepare`` gets all files as one group.

    :raises LookupError: a table that is needed is not made yet.
    :raises dg.Failure: a check did not pass; its table is not kept, nor are those behind it made.
    """
    everything = Group(tuple(file.file_id for file in state.files), 0)
    with warehouse.open() as con:
        for step in steps:
            made = not warehouse.has(state, step.table)
            # A table that is there passed its checks when it was made.
            results = [dg.AssetCheckResult(check_name=check.__name__, passed=True) for check in step.checks]
            if made:
                warehouse.look(con, state, step.needs)
                parameters = {**step.parameters, **(step.prepare(con, everything) or {})}
                try:
                    with replacing(warehouse.table_of_state(step.table, state)) as temporary:
                        con.sql(step.statement, params=parameters).write_parquet(str(temporary), compression="zstd")
                        con.read_parquet([str(temporary)]).create_view(step.table, replace=True)
                        results = [check(con) for check in step.checks]
                        if not all(result.passed for result in results):
                            raise _Refused
                except _Refused:
                    yield from (_of(step, result) for result in results)
                    raise dg.Failure(f"A check of {step.table} did not pass; the table was not kept.") from None
            warehouse.made(step.table)
            checked = [_of(step, result) for result in results]
            metadata: dict[str, Any] = {"state": state.id, "made": made}
            yield dg.MaterializeResult(asset_key=step.table, metadata=metadata, check_results=checked)


class _Refused(Exception):
    """A check did not pass."""


def _of(step: Step, result: dg.AssetCheckResult) -> dg.AssetCheckResult:
    """The result, with the table that it is about."""
    return result._replace(asset_key=dg.AssetKey(step.table))
