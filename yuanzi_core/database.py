"""The in-memory DuckDB on which settlement runs. It knows nothing of the game, so it can be opened while that loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

THREADS = 2

#: Records from which on a plan is worth improving: below, that costs more time than the better plan saves.
WORTH_OPTIMIZING = 8192


def connect(threads: int = THREADS) -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB that neither looks at Python's variables nor installs anything."""
    import duckdb

    con = duckdb.connect(
        ":memory:",
        config={
            "threads": threads,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
        },
    )
    con.execute("set preserve_insertion_order = true")
    return con
