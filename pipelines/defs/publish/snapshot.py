"""The published snapshot: a small DuckDB file with views of the lake files that its rows stand in, and its pointer.

A snapshot never changes, nor do the lake files; a new one has a new name, and ``current.json`` is replaced last. So a
reader sees one or the other, and neither waits. The last few are kept for readers that still have one open; what none
of them names goes.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.defs.publish.changes import find_changes
from pipelines.defs.publish.public import add_public_views
from pipelines.parquet import is_whole
from pipelines.tables import BY_FILE, BY_STATE, SUMS
from pipelines.warehouse import MEMORY_LIMIT, NO_FILE, State, Warehouse, replacing, write_json

if TYPE_CHECKING:
    from collections.abc import Collection

    import duckdb

#: Snapshots that are kept, the present one included.
KEPT = 3


def _connect(path: Path, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    import duckdb

    return duckdb.connect(
        str(path),
        read_only=read_only,
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
            "memory_limit": MEMORY_LIMIT,
        },
    )


def _is_whole(warehouse: Warehouse, state: State) -> bool:
    """Whether a state's snapshot is there, and all lake files that it names are too (the home may have been moved)."""
    import duckdb

    path = warehouse.published / state.snapshot
    if not path.exists():
        return False
    try:
        about = json.loads(path.with_suffix(".json").read_bytes())
        if not all(is_whole(warehouse.lake / name) for name in about["lake"]):
            return False
        with _connect(path, read_only=True) as con:
            for table in (*BY_FILE, *BY_STATE):
                con.table(table).limit(1).fetchall()
    except (duckdb.Error, FileNotFoundError, ValueError, LookupError, TypeError):
        return False
    return True


def pointer(warehouse: Warehouse) -> str | None:
    """Name of the snapshot that readers open now."""
    try:
        return str(json.loads((warehouse.published / "current.json").read_bytes())["name"])
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return None


def is_published(warehouse: Warehouse, state: State) -> bool:
    """Whether readers see this state already."""
    return pointer(warehouse) == state.snapshot and _is_whole(warehouse, state)


def summed(rows: duckdb.DuckDBPyRelation, sums: Collection[str]) -> duckdb.DuckDBPyRelation:
    """Rows that are alike in all but some columns as one row, with the sums of these; columns and types stay."""
    import duckdb

    columns: list[duckdb.Expression] = []
    for name, kind in zip(rows.columns, rows.types, strict=True):
        column = duckdb.ColumnExpression(name)
        columns.append(duckdb.FunctionExpression("sum", column).cast(kind).alias(name) if name in sums else column)
    return rows.aggregate(columns)


def publish(warehouse: Warehouse, state: State) -> Path:
    """Build the snapshot of a state from its tables and point readers to it."""
    path = warehouse.published / state.snapshot
    if not _is_whole(warehouse, state):
        found = {table: warehouse.lake_files(table, state) for table in (*BY_FILE, *BY_STATE)}
        names = [path.relative_to(warehouse.lake).as_posix() for paths in found.values() for path in paths]
        about = {"tag": state.tag, "registry": state.registry, "withdrawn": sorted(state.withdrawn), "lake": names}
        write_json(path.with_suffix(".json"), about)
        with replacing(path) as temporary, _connect(temporary) as con:
            # One transaction: each of its own would wait for the disk.
            con.begin()
            for table, paths in found.items():
                rows = con.read_parquet([str(path) for path in paths]).set_alias("lake")
                (summed(rows, SUMS[table]) if table in SUMS and len(paths) > 1 else rows).create_view(table)
            add_public_views(con, found)
            con.commit()
            # Closing does this too, but where the disk is full it fails without a word, and leaves the file empty.
            con.execute("checkpoint")
            con.close()
    former = pointer(warehouse)
    if former != state.snapshot:
        find_changes(warehouse, former, state.snapshot)
        write_json(warehouse.published / "current.json", {"name": state.snapshot, "hash": state.id})
    os.utime(path)
    return path


def collect(warehouse: Warehouse, state: State) -> int:
    """Remove snapshots beyond the last few, and lake files that nobody names any more; returns how many files went.

    Received files and what was made of them under the present engine stay in any case.
    """
    snapshots = sorted(
        warehouse.published.glob("snapshot-*.duckdb"),
        key=lambda path: (path.name == state.snapshot, path.stat().st_mtime_ns),
    )
    gone = [path for path in snapshots[:-KEPT] if _remove(path)]
    states = {path.stem.removeprefix("snapshot-") for path in snapshots[-KEPT:]}
    for path in (warehouse.published / "changes").glob("*.parquet"):
        if path.stem.rpartition("-")[2] not in states:
            _remove(path)
    named: set[str] = set()
    for path in warehouse.published.glob("snapshot-*.json"):
        about = json.loads(path.read_bytes())
        if not path.with_suffix(".duckdb").exists():
            _remove(path)
            continue
        named.update(about["lake"])
    # Under the present tag files that are not judged yet may be there in part.
    packs = warehouse.packs.of_file
    used = {file.file_id for file in warehouse.all_received()} - packs.keys() | {NO_FILE}
    used |= {pack.id for pack in packs.values()}
    count = len(gone)
    for table in (*BY_FILE, *BY_STATE):
        for path in (warehouse.lake / table).glob("*/*.parquet"):
            kept = table in BY_FILE and path.parent.name == state.tag and path.stem in used
            if not kept and path.relative_to(warehouse.lake).as_posix() not in named:
                count += _remove(path)
        for folder in (warehouse.lake / table).glob("*"):
            if not any(folder.iterdir()):
                folder.rmdir()
    return count


def _remove(path: Path) -> bool:
    """Remove a file; one that somebody has open may have to stay (Windows)."""
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        return False
    return True
