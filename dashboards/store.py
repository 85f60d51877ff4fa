"""The published snapshot, opened read-only. Nothing here writes, waits for the pipeline or starts work.

``<home>/published/current.json`` names the snapshot that counts. Its file never changes, and a newer one has another
name: so each name is opened once a process, and a newer one shows up in the next run of a page.

A snapshot has its tables in the schema ``main``, all of them for auditors, and in the schema ``public`` views of the
same names without standings, levels, ranks and ratings of non-members (G3). A cursor asks the one or the other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import duckdb
import streamlit as st

from dashboards.launch import AUDIENCES, Audience
from yuanzi_core.history import Histories

Trouble = Literal["none", "unreadable", "outdated", "gone"]

#: The tables that the pages ask.
TABLES = frozenset({
    "out_matches",
    "out_audit__files",
    "out_audit__records",
    "out_audit__violations",
    "out_audit__discrepancies",
    "out_balance__players",
    "out_balance__matches",
    "out_balance__values",
    "out_balance__kinds",
    "out_players",
    "out_clubs",
    "out_seasons",
    "out_standings__player",
    "out_standings__day",
    "out_levels__step",
    "out_levels__event",
    "out_ratings__player",
    "out_ratings__match",
    "out_ratings__role",
    "out_ratings__unrated",
    "core_ledger__movement",
    "core_member__today",
    "out_snapshot",
    "raw_record",
})  # fmt: skip

#: What the public is shown a part of, though it is no table for readers.
LEDGER = "core_ledger__movement"

# Only what is in the wheel may load, and a table that is missing is never taken for a Python variable.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}


class NoSnapshot(Exception):
    """There is nothing to show: nothing was published, or it cannot be read, another version wrote it, or the files of
    the lake that it names are gone.
    """

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


@dataclass(frozen=True)
class Arguments:
    """What the command that started the pages says: the home folder, a language or None for the browser's, for whom."""

    home: Path
    lang: str | None
    audience: Audience = "public"


@dataclass(frozen=True)
class Pointer:
    """The snapshot that counts: its file, and the hash of its content."""

    path: Path
    hash: str

    @property
    def published(self) -> datetime | None:
        """When it was published; None where the file is gone."""
        try:
            return datetime.fromtimestamp(self.path.stat().st_mtime, UTC)
        except OSError:
            return None


def arguments(argv: Sequence[str], environ: Mapping[str, str]) -> Arguments:
    """What stands behind ``--`` of ``streamlit run app.py -- --home DIR --lang zh --for auditor``.

    Without it the home folder is ``YUANZI_HOME``, else ``./data``, and the pages are for ``YUANZI_FOR``, else, or for
    a word that is neither ``public`` nor ``auditor``, for the public. ``argv`` begins with the script; arguments of
    another program (a test runner) are left alone.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--home")
    parser.add_argument("--lang")
    parser.add_argument("--for", dest="audience")
    known = parser.parse_known_args(argv[1:] if Path(argv[0]).name == "app.py" else [])[0]
    wanted = known.audience or environ.get("YUANZI_FOR")
    audience = next((each for each in AUDIENCES if each == wanted), AUDIENCES[0])
    return Arguments(Path(known.home or environ.get("YUANZI_HOME") or "data"), known.lang, audience)


def pointer(home: Path) -> Pointer:
    """What ``current.json`` names. :raises NoSnapshot: nothing is published, or it names no file."""
    folder = home / "published"
    try:
        named = json.loads((folder / "current.json").read_text(encoding="utf-8"))
        name, content = str(named["name"]), str(named["hash"])
    except FileNotFoundError:
        raise NoSnapshot("none") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
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
    found = con.execute("select table_schema, table_name from information_schema.tables").fetchall()
    tables, views = ({name for schema, name in found if schema == wanted} for wanted in ("main", "public"))
    # Where the public lacks a view of its own DuckDB would look into main: never.
    if not tables >= TABLES or not views >= {LEDGER, *(name for name in tables if name.startswith("out_"))}:
        con.close()
        raise NoSnapshot("outdated")
    return con


def files_before(snapshot: Pointer) -> list[str] | None:
    """The files that the results before this snapshot knew: those of the newest older snapshot that lacks one of its
    files. None where there is none any more. Asked once for each snapshot and what stands beside it.
    """
    beside = [path for path in snapshot.path.parent.glob("snapshot-*.duckdb") if path != snapshot.path]
    try:
        times = {path: path.stat().st_mtime_ns for path in (*beside, snapshot.path)}
    except OSError:
        # One of them was removed in this moment.
        return None
    older = [path for path in beside if times[path] < times[snapshot.path]]
    older.sort(key=lambda path: times[path], reverse=True)
    return _files_before(str(snapshot.path), snapshot.hash, tuple(str(path) for path in older))


@st.cache_data(show_spinner=False, max_entries=20)
def _files_before(path: str, content: str, older: tuple[str, ...]) -> list[str] | None:
    # Connections of their own: the few that stay open are those of readers.
    now = set(_files_of(path) or [])
    for one in older:
        known = _files_of(one)
        if known is not None and now - set(known):
            return known
    return None


def _files_of(path: str) -> list[str] | None:
    try:
        with duckdb.connect(path, read_only=True, config=_CONFIG) as con:
            return [file_id for (file_id,) in con.execute("select file_id from main.out_audit__files").fetchall()]
    except duckdb.Error:
        # Gone, or another version's.
        return None


def received(home: Path, file_id: str) -> datetime | None:
    """When a file was received; None where that is not known. It reads a small file: ask it of a page's rows alone."""
    return Histories(home / "lake").of(file_id).received_at


def open_cursor(snapshot: Pointer, audience: Audience) -> duckdb.DuckDBPyConnection:
    """A cursor of its own for one run of a page: threads that share one get errors, or silently no rows.

    Never take a ``cursor()`` of it: that one would ask ``main`` again, whomever the pages are for.

    :raises NoSnapshot: the file is gone or no snapshot, or it lacks a table that the pages ask.
    """
    cursor = _connection(str(snapshot.path), snapshot.hash).cursor()
    if audience == "public":
        cursor.execute("set search_path = 'public'")
    return cursor
