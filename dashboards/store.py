"""The published snapshot, opened read-only. Nothing here writes, waits for the pipeline or starts work.

``<home>/published/current.json`` names the snapshot that counts. Its file never changes, and a newer one has another
name: so each name is opened once a process, and a newer one shows up in the next run of a page.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb
import streamlit as st

Trouble = Literal["none", "unreadable", "outdated"]

#: The tables that the pages ask.
TABLES = frozenset({
    "out_matches",
    "out_audit__files",
    "out_audit__records",
    "out_audit__violations",
    "out_audit__discrepancies",
    "out_snapshot",
    "raw_record",
})  # fmt: skip

# Only what is in the wheel may load, and a table that is missing is never taken for a Python variable.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}


class NoSnapshot(Exception):
    """There is nothing to show: nothing was published, or it cannot be read, or another version wrote it."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


@dataclass(frozen=True)
class Arguments:
    """What the command that started the pages says: the home folder, and a language or None for the browser's."""

    home: Path
    lang: str | None


@dataclass(frozen=True)
class Pointer:
    """The snapshot that counts: its file, and the hash of its content."""

    path: Path
    hash: str


def arguments(argv: Sequence[str], environ: Mapping[str, str]) -> Arguments:
    """What stands behind ``--`` of ``streamlit run app.py -- --home DIR --lang zh``.

    Without it the home folder is ``YUANZI_HOME``, else ``./data``. ``argv`` begins with the script; arguments of
    another program (a test runner) are left alone.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--home")
    parser.add_argument("--lang")
    known = parser.parse_known_args(argv[1:] if Path(argv[0]).name == "app.py" else [])[0]
    return Arguments(Path(known.home or environ.get("YUANZI_HOME") or "data"), known.lang)


def pointer(home: Path) -> Pointer:
    """What ``current.json`` names. :raises NoSnapshot: nothing is published, or it names no file."""
    folder = home / "published"
    try:
        named = json.loads((folder / "current.json").read_text(encoding="utf-8"))
        name, content = str(named["name"]), str(named["hash"])
    except FileNotFoundError:
        raise NoSnapshot("none") from None
    except (OSError, ValueError, KeyError, TypeError):
        raise NoSnapshot("unreadable") from None
    if not name or Path(name).name != name:
        raise NoSnapshot("unreadable")
    return Pointer(folder / name, content)


@st.cache_resource(show_spinner=False, max_entries=3, on_release=duckdb.DuckDBPyConnection.close)
def _connection(path: str, content: str) -> duckdb.DuckDBPyConnection:
    # The hash is part of the key only: a name that came back with other content is another snapshot.
    try:
        con = duckdb.connect(path, read_only=True, config=_CONFIG)
    except duckdb.Error:
        raise NoSnapshot("unreadable") from None
    found = {name for (name,) in con.execute("select table_name from information_schema.tables").fetchall()}
    if not found >= TABLES:
        con.close()
        raise NoSnapshot("outdated")
    return con


def open_cursor(snapshot: Pointer) -> duckdb.DuckDBPyConnection:
    """A cursor of its own for one run of a page: threads that share one get errors, or silently no rows.

    :raises NoSnapshot: the file is gone or no snapshot, or it lacks a table that the pages ask.
    """
    return _connection(str(snapshot.path), snapshot.hash).cursor()
