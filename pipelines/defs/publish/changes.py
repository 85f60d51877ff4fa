"""What a new snapshot says differently about what the one before it told already: verdicts and results, row by row.

A changed engine, ruleset or registry, a revision, a copy or a withdrawal may change what became of old records. The
rows stand in ``published/changes/<former state>-<state>.parquet``, and there is no such file where nothing changed.
Only lake files that the two snapshots do not share are looked at.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.warehouse import Warehouse, replacing, sql

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The tables that are compared.
COMPARED = ("out_audit__records", "out_audit__discrepancies", "out_matches")


def path_of_changes(warehouse: Warehouse, former: str, name: str) -> Path:
    """Where the changes from one snapshot to another are, by their names."""
    states = [Path(each).stem.removeprefix("snapshot-") for each in (former, name)]
    return warehouse.published / "changes" / f"{'-'.join(states)}.parquet"


def lake_of(
    warehouse: Warehouse, name: str, tables: Sequence[str] = COMPARED
) -> Mapping[str, list[str]] | None:  # fmt: skip
    """For each of some tables the lake files that a snapshot names; None if they are not all there."""
    try:
        about: Any = json.loads((warehouse.published / name).with_suffix(".json").read_bytes())
        names: Sequence[str] = about["lake"]
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return None
    found = {table: [each for each in names if each.startswith(f"{table}/")] for table in tables}
    paths = [warehouse.lake / each for table in found.values() for each in table]
    return found if all(found.values()) and all(path.exists() for path in paths) else None


def find_changes(warehouse: Warehouse, former: str | None, name: str) -> int:
    """Write what changed from a snapshot to a newer one; returns the number of rows: 0 without the former's files."""
    import duckdb

    known = None if former in (None, name) else lake_of(warehouse, str(former))
    lake = lake_of(warehouse, name)
    if known is None or lake is None:
        return 0
    if all({*known[table]} <= {*lake[table]} for table in COMPARED):
        # All that was told before is told again, word for word.
        return 0
    path = path_of_changes(warehouse, str(former), name)
    with warehouse.open() as con:
        for table in COMPARED:
            shared = {*known[table]} & {*lake[table]}
            for prefix, names in (("former_", known[table]), ("", lake[table])):
                differing = [str(warehouse.lake / each) for each in names if each not in shared]
                # Without any the columns still are needed.
                rows = con.read_parquet(differing or [str(warehouse.lake / names[0])])
                (rows if differing else rows.limit(0)).create_view(f"{prefix}{table}")
        try:
            con.execute(f"create temp table changed as {sql('publish', 'changed')}")
        except duckdb.BinderException:
            # An engine that wrote other columns.
            return 0
        (count,) = con.execute("select count(*) from changed").fetchall()[0]
        if count:
            with replacing(path) as temporary:
                con.table("changed").write_parquet(str(temporary), compression="zstd")
    return int(count)


def changes_of(warehouse: Warehouse, name: str) -> Path | None:
    """The changes that a snapshot brought when it was last published; None if it brought none."""
    state = Path(name).stem.removeprefix("snapshot-")
    found = (warehouse.published / "changes").glob(f"*-{state}.parquet")
    return max(found, key=lambda path: path.stat().st_mtime_ns, default=None)
