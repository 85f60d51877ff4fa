"""The published snapshot: a DuckDB file with the out_ tables and views of the lake files behind them, and its pointer.

A snapshot never changes; a new one has a new name, and ``current.json`` is replaced last. So a reader sees one or the
other, and neither waits. The last few are kept for readers that still have one open; what none of them names goes.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.warehouse import BY_FILE, BY_STATE, MEMORY_LIMIT, NO_FILE, State, Warehouse, replacing, write_json

if TYPE_CHECKING:
    import duckdb

#: Snapshots that are kept, the present one included.
KEPT = 3
_COPIED = tuple(table for table in BY_STATE if table.startswith("out_"))


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


def _is_whole(path: Path) -> bool:
    """Whether a snapshot is there, and all lake files that it names are too (the home may have been moved)."""
    import duckdb

    if not path.exists():
        return False
    try:
        with _connect(path, read_only=True) as con:
            for table in (*BY_FILE, *BY_STATE):
                con.table(table).limit(1).fetchall()
    except duckdb.Error:
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
    return pointer(warehouse) == state.snapshot and _is_whole(warehouse.published / state.snapshot)


def publish(warehouse: Warehouse, state: State) -> Path:
    """Build the snapshot of a state from its tables and point readers to it."""
    path = warehouse.published / state.snapshot
    if not _is_whole(path):
        write_json(path.with_suffix(".json"), {"tag": state.tag, "files": [file.file_id for file in state.files]})
        with replacing(path) as temporary, _connect(temporary) as con:
            for table, paths in warehouse.lake_files(state).items():
                rows = con.read_parquet(paths)
                if table in _COPIED:
                    rows.create(table)
                else:
                    rows.set_alias("lake").create_view(table)
            con.close()
    if pointer(warehouse) != state.snapshot:
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
    named = {(state.tag, NO_FILE), (state.tag, state.id)}
    for path in warehouse.published.glob("snapshot-*.json"):
        about = json.loads(path.read_bytes())
        if not path.with_suffix(".duckdb").exists():
            _remove(path)
            continue
        named |= {(about["tag"], file_id) for file_id in [*about["files"], NO_FILE]}
        named.add((about["tag"], path.stem.removeprefix("snapshot-")))
    count = len(gone)
    for table in (*BY_FILE, *BY_STATE):
        for path in (warehouse.lake / table).glob("*/*.parquet"):
            tag = path.parent.name
            if (tag, path.stem) not in named and not (tag == state.tag and table in BY_FILE):
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
