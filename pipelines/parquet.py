"""Parquet files of the lake, as files: whether one is whole, and several as one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: A Parquet file begins and ends with this; before the end stands the length of its description, in four bytes.
_PARQUET_MARK = b"PAR1"


def is_whole(path: Path) -> bool:
    """Whether a Parquet file is there and ends as one does. Of one that was cut off the end is missing."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - 4 - len(_PARQUET_MARK)))
            end = stream.read()
    except OSError:
        return False
    return end.endswith(_PARQUET_MARK) and int.from_bytes(end[:4], "little") <= size - len(_PARQUET_MARK) - len(end)


def concatenate(paths: Sequence[Path], into: Path) -> None:
    """One Parquet file with the rows of several, one after the other."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables: list[Any] = [pq.read_table(path) for path in paths]
    pq.write_table(pa.concat_tables(tables, promote_options="permissive"), into, compression="zstd")
