"""Homes for the pipeline to work on, and what a reader sees of them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb

from pipelines.tables import BY_FILE, BY_STATE

CASES = Path(__file__).parents[1] / "cases"


def lines_of(case: str, first: int = 0, last: int | None = None) -> list[bytes]:
    """Some records of a handed case file."""
    lines = (CASES / f"{case}.jsonl").read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [line for line in lines if line.strip()][first:last]


def hand_in(home: Path, name: str, content: bytes | list[bytes]) -> Path:
    """Put a file into the inbox."""
    path = home / "inbox" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else b"\n".join(content) + b"\n")
    return path


def changed(line: bytes, **fields: Any) -> bytes:
    """A record with some of its fields replaced."""
    return json.dumps({**json.loads(line), **fields}, ensure_ascii=False).encode()


def snapshot(home: Path) -> Path:
    """The snapshot that readers open."""
    return home / "published" / str(json.loads((home / "published" / "current.json").read_bytes())["name"])


def ask(home: Path, query: str, *parameters: object) -> list[tuple[Any, ...]]:
    """What a query of the published snapshot gives."""
    with duckdb.connect(str(snapshot(home)), read_only=True) as con:
        con.execute("set TimeZone = 'UTC'")
        return con.execute(query, parameters).fetchall()


def hashes(home: Path) -> dict[str, str]:
    """A hash of the rows of each table of the published snapshot, put in order, columns and types included."""
    found = {}
    with duckdb.connect(str(snapshot(home)), read_only=True) as con:
        con.execute("set TimeZone = 'UTC'")
        for table in (*BY_FILE, *BY_STATE):
            digest = hashlib.sha256(repr(con.execute(f"describe {table}").fetchall()).encode())
            for row in sorted(map(repr, con.execute(f"select * from {table}").fetchall())):
                digest.update(row.encode())
            found[table] = digest.hexdigest()
    return found
