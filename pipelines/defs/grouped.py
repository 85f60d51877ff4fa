"""How the tables of a stage are made: group by group, whatever is missing, and nothing of it if a check forbids it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import dagster as dg

from pipelines.defs.result import Result
from pipelines.parquet import is_whole
from pipelines.warehouse import State, Warehouse, replacing

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from pipelines.groups import Group

Check: TypeAlias = "Callable[[duckdb.DuckDBPyConnection], dg.AssetCheckResult]"
Results: TypeAlias = Iterator[Result | dg.AssetCheckResult]


@dataclass(frozen=True)
class Step:
    """How a table is made for a group.

    ``statement`` reads views of the tables ``needs``, each of the group alone, ``raw_file``, and what ``prepare`` adds;
    ``prepare`` returns parameters beside those given. ``checks`` look at the same views and at the table.
    """

    table: str
    says: str
    statement: str
    needs: tuple[str, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    prepare: Callable[[duckdb.DuckDBPyConnection, Group], Mapping[str, Any] | None] = lambda con, group: None
    checks: tuple[Check, ...] = ()

    @property
    def spec(self) -> dg.AssetSpec:
        """The table as an asset."""
        return dg.AssetSpec(self.table, deps=self.needs, description=self.says, kinds={"duckdb"})


def check_specs(steps: Iterable[Step], looks: Mapping[Check, str] = {}) -> list[dg.AssetCheckSpec]:
    """The checks of some steps, which block, and ``looks`` (check to table), which only warn."""
    blocking = [dg.AssetCheckSpec(check.__name__, asset=step.table, blocking=True, description=check.__doc__)
                for step in steps for check in step.checks]  # fmt: skip
    return [
        *blocking,
        *[dg.AssetCheckSpec(check.__name__, asset=table, description=check.__doc__) for check, table in looks.items()],
    ]


def make(warehouse: Warehouse, state: State, steps: Sequence[Step], looks: Mapping[Check, str] = {}) -> Results:
    """Make the tables of some steps for each group of a state, as far as they are missing.

    Where a check does not pass, nothing of what was made is kept. ``looks`` are taken at tables of the whole state.

    :raises LookupError: a table that is needed is not made yet.
    :raises dg.Failure: a check did not pass.
    """
    found: dict[tuple[str, str], list[dg.AssetCheckResult]] = {}
    made: dict[str, int] = {step.table: 0 for step in steps}
    try:
        with ExitStack() as stack:
            for group in state.groups:
                for table, results in _make_group(warehouse, state, group, steps, stack).items():
                    made[table] += 1
                    for result in results:
                        found.setdefault((table, str(result.check_name)), []).append(result)
            if not all(result.passed for results in found.values() for result in results):
                raise _Refused
    except _Refused:
        yield from (_together(table, check, results) for (table, check), results in found.items())
        raise dg.Failure("A check did not pass; nothing was kept.") from None
    for step in steps:
        # A table that is there passed its checks when it was made.
        checked = [_together(step.table, check.__name__, found.get((step.table, check.__name__), ()))
                   for check in step.checks]  # fmt: skip
        warehouse.made(step.table)
        metadata: dict[str, Any] = {"state": state.id, "groups": len(state.groups), "made": made[step.table]}
        yield dg.MaterializeResult(asset_key=step.table, metadata=metadata, check_results=checked)
    if looks:
        with warehouse.open() as con:
            warehouse.look(con, state, looks.values())
            for look, table in looks.items():
                seen = look(con)
                yield dg.AssetCheckResult(
                    asset_key=table, check_name=seen.check_name, passed=seen.passed, severity=seen.severity,
                    metadata=seen.metadata,
                )  # fmt: skip


class _Refused(Exception):
    """A check did not pass."""


def _make_group(
    warehouse: Warehouse, state: State, group: Group, steps: Sequence[Step], stack: ExitStack
) -> dict[str, list[dg.AssetCheckResult]]:
    """Make what is missing of a group, under temporary names until ``stack`` ends; the tables made and their checks."""
    paths: dict[str, Path] = {}
    for step in steps:
        (path,) = warehouse.lake_files(step.table, state, [group])
        if not is_whole(path):
            paths[step.table] = path
    if not paths:
        return {}
    found: dict[str, list[dg.AssetCheckResult]] = {}
    missing = [step for step in steps if step.table in paths]
    with warehouse.open() as con:
        warehouse.look(con, state, {table for step in missing for table in step.needs} - paths.keys(), [group])
        for step in missing:
            parameters = {**step.parameters, **(step.prepare(con, group) or {})}
            temporary = str(stack.enter_context(replacing(paths[step.table])))
            con.sql(step.statement, params=parameters).write_parquet(temporary, compression="zstd")
            con.read_parquet([temporary]).create_view(step.table)
            found[step.table] = [check(con) for check in step.checks]
    return found


def _together(table: str, check: str, results: Sequence[dg.AssetCheckResult]) -> dg.AssetCheckResult:
    """The results of one check for several groups as one: their counts as sums."""
    counts: dict[str, Any] = {}
    for result in results:
        for name, value in (result.metadata or {}).items():
            counts[name] = counts.get(name, 0) + getattr(value, "value", value)
    return dg.AssetCheckResult(
        asset_key=table, check_name=check, passed=all(result.passed for result in results), metadata=counts
    )
