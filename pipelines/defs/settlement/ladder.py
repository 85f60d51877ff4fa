"""The ladder of levels (G1, G2) as a table: its formula stands in ``yuanzi_core.levels`` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.warehouse import load
from yuanzi_core.levels import LEVELS, floor, name

if TYPE_CHECKING:
    import duckdb


def load_ladder(con: duckdb.DuckDBPyConnection) -> None:
    """Make the table ``ladder``: ``level``, ``floor`` (points; null: it has no lower end), ``name_en``, ``name_zh``."""
    levels = range(LEVELS)
    floors = [None if (begins := floor(level)) is None else str(begins) for level in levels]
    load(
        con, "ladder",
        {"level": [str(level) for level in levels], "floor": floors, "name_en": [name(level, "en") for level in levels],
         "name_zh": [name(level, "zh") for level in levels]},
        {"level": "integer", "floor": "decimal(18, 4)", "name_en": "varchar", "name_zh": "varchar"},
    )  # fmt: skip
