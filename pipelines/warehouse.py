"""Where everything lies under a home folder, how it is written whole or not at all, and how DuckDB is opened on it.

``inbox/`` what clubs hand in · ``rulesets/`` a club's own · ``lake/`` files that never change once they stand ·
``published/`` snapshots and the pointer to the present one · ``.dagster/`` the record of runs.

A table by file lies in ``lake/<table>/<tag>/<file_id>.parquet``, or with others in a pack (see ``packs``); the tag
stands for everything that decides how files become rows. Tables that other files have a say in are made for groups of
files, ``lake/<table>/<tag>/<key>.parquet``: the key stands for the group's files and for all that others have to say
about them (see ``groups``). A few small ones are made for a whole state, ``<state>.parquet``: the tag and the set of
files. So a name says what is in a file, an interrupted run leaves no wrong one, and what is there already need not be
made again.
What the tables hold is not known here: see ``defs``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines import version
from pipelines.groups import Group, hash_of, regroup
from pipelines.lock import Lock
from pipelines.packs import Counts, Pack, Packs, worth_packing
from pipelines.parquet import concatenate, is_whole
from pipelines.tables import BY_FILE, BY_STATE, CHAINED, GROUPED, WHOLE
from pipelines.withdrawals import Withdrawal, withdrawals
from yuanzi_core.engine import __version__
from yuanzi_core.registry import Registry, read_registry, stored_registry
from yuanzi_core.ruleset import Rulesets

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

#: Is told (stage, done, total): stages "intake", "records" and "referee" in bytes, "tables" in tables, "ratings" in
#: matches.
Progress = Callable[[str, int, int], None]

#: Stands for "no file": tables by file with no rows, so that an empty warehouse has its columns.
NO_FILE = "none"
#: Tell databases in memory apart.
_NUMBERS = count()

#: DuckDB gives back to disk what goes beyond this.
MEMORY_LIMIT = "512MiB"


@dataclass(frozen=True)
class Received:
    """A file content in the lake: ``file_id`` (first 16 hex digits of its SHA-256), the name it first came under."""

    file_id: str
    name: str
    bytes: int
    suffix: str


@dataclass(frozen=True)
class State:
    """A set of files under one tag, what the registries say (the hash of ``registry.Registry.content``), and which of
    the files were withdrawn, event by event. All tables that are not by file are functions of it.

    ``groups`` is how the files are put together for that, and ``keys`` names what is made of each group: kind of key to
    group to key. Neither has a say in any row.
    """

    tag: str
    files: tuple[Received, ...]
    registry: str
    withdrawals: tuple[Withdrawal, ...] = ()
    groups: tuple[Group, ...] = field(default=(), compare=False)
    keys: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)

    @cached_property
    def id(self) -> str:
        """Name of the state: 16 hex digits."""
        events = [asdict(event) for event in self.withdrawals]
        return hash_of([self.tag, [[file.file_id, file.name] for file in self.files], self.registry, events])

    @property
    def snapshot(self) -> str:
        """Name of the state's snapshot."""
        return f"snapshot-{self.id}.duckdb"

    @cached_property
    def withdrawn(self) -> dict[str, Withdrawal]:
        """The files that are withdrawn, by id, and the event that did it."""
        last = {event.file_id: event for event in self.withdrawals}
        return {file_id: event for file_id, event in last.items() if event.withdrawn}

    def keys_of(self, about: Mapping[str, object]) -> dict[str, str]:
        """A key for each group: of its files with their names and withdrawals, and of what is known about a file."""
        names = {file.file_id: file.name for file in self.files}
        events = {file_id: asdict(event) for file_id, event in self.withdrawn.items()}
        return {
            group.id: hash_of([[file, names.get(file), events.get(file), about.get(file)] for file in group.files])
            for group in self.groups
        }

    def has_keys(self, kind: str) -> bool:
        """Whether the keys of that kind were found."""
        return all(self.key(kind, group) is not None for group in self.groups)

    def key(self, kind: str, group: Group) -> str | None:
        """The key of that kind of a group; None before the step that finds it."""
        return group.id if kind == "files" else self.keys.get(kind, {}).get(group.id)


@cache
def sql(stage: str, table: str) -> str:
    """The statement of a table, from the file of the same name in its stage's folder."""
    return (files("pipelines.defs") / stage / f"{table}.sql").read_text(encoding="utf-8")


def _replace(temporary: Path, path: Path) -> None:
    # On Windows a reader that has the file open for a moment is in the way.
    for wait in (0.01, 0.1, 1.0):
        try:
            temporary.replace(path)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    temporary.replace(path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to; when the block ends well, what was written takes ``path``'s place, whole and at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        # A name must not reach the disk before its content.
        with temporary.open("r+b") as written:
            os.fsync(written.fileno())
        _replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, content: object) -> None:
    """A small JSON file, replaced at once."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


class Warehouse:
    """A home folder. ``rulesets`` is the folder of a club's own rulesets, ``<home>/rulesets`` unless given."""

    def __init__(self, home: Path, rulesets: Path | None = None, progress: Progress | None = None) -> None:
        self.home = home.absolute()
        self.inbox, self.lake, self.published = self.home / "inbox", self.home / "lake", self.home / "published"
        self.scratch = self.lake / ".scratch"
        self.rulesets = Rulesets(rulesets if rulesets is not None else self.home / "rulesets")
        self.progress: Progress = progress or (lambda stage, done, total: None)
        self.lock = Lock(self.home / ".lock")
        #: What failed while this object was in use: a file_id, a file name or an asset, and why.
        self.failures: dict[str, str] = {}
        self._made: set[str] = set()
        self._taught: set[Callable[[duckdb.DuckDBPyConnection], None]] = set()

    @cached_property
    def tag(self) -> str:
        """The version of everything that decides how files become rows: code, SQL, texts, a club's rulesets, and what
        ``clubs.toml`` says of its sheets."""
        digest = hashlib.sha256(f"{version.rows_version()} {self.registry.sheets_hash}".encode())
        folder = self.rulesets.folder
        for path in sorted(folder.glob("*.toml")) if folder is not None else ():
            content = path.read_bytes()
            digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
        return f"{__version__}-{digest.hexdigest()[:12]}"

    @cached_property
    def registry(self) -> Registry:
        """The registries of the home as they stand now, read once."""
        return read_registry(self.home, self.rulesets)

    def registry_of(self, state: State) -> Registry:
        """The registries of the present state, as they were read when it was chosen."""
        if state.registry == self.registry.hash:
            return self.registry
        return stored_registry((self.lake / "raw_registry" / f"{state.registry}.json").read_bytes())

    # What was received

    def content_of(self, file: Received) -> Path:
        """The file's content, as received."""
        return self.lake / "raw_file" / f"{file.file_id}{file.suffix}"

    def remember(self, file: Received, sha256: str) -> None:
        """Put on record that a content, which must be in the lake, has been received."""
        write_json(self.lake / "raw_file" / f"{file.file_id}.json", {**asdict(file), "sha256": sha256})

    def received(self, file_id: str) -> Received | None:
        """The file of that id."""
        try:
            about = json.loads((self.lake / "raw_file" / f"{file_id}.json").read_bytes())
            about.pop("sha256")
            return Received(**about)
        except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError):
            # Damaged, it is no record of anything: the content in the inbox is received anew.
            return None

    def all_received(self) -> list[Received]:
        """Every file received, by id."""
        ids = sorted(path.stem for path in (self.lake / "raw_file").glob("*.json") if not path.name.startswith("."))
        return [file for file in map(self.received, ids) if file is not None]

    # Tables by file

    def table_of_file(self, table: str, file_id: str) -> Path:
        """Where the rows of one file lie."""
        return self.lake / table / self.tag / f"{file_id}.parquet"

    def has_records(self, file_id: str) -> bool:
        """Whether the records of this file are taken in."""
        return file_id in self.packs.of_file or is_whole(self.table_of_file(BY_FILE[0], file_id))

    def is_judged(self, file_id: str) -> bool:
        """Whether all tables by file have this file."""
        return file_id in self.packs.of_file or self._has_tables(file_id)

    def _has_tables(self, name: str) -> bool:
        return all(is_whole(self.table_of_file(table, name)) for table in BY_FILE)

    @cached_property
    def packs(self) -> Packs:
        """The files that lie together in the lake."""
        return Packs(self.lake / "packs" / self.tag, self._has_tables, write_json)

    def counts_of(self, file_id: str) -> Counts:
        """The numbers of records, deals and claims of a judged file."""
        import pyarrow.parquet as pq

        if (pack := self.packs.of_file.get(file_id)) is not None:
            return pack.counts[file_id]
        return {
            name: pq.ParquetFile(self.table_of_file(f"core_{name[:-1]}", file_id)).metadata.num_rows
            for name in ("records", "deals", "claims")
        }

    def sources(self, group: Group) -> list[str]:
        """What the tables by file of a group are named by in the lake: packs, and files that are in none."""
        packs = self.packs.of_file
        return list(dict.fromkeys(packs[file].id if file in packs else file for file in group.files))

    def pack(self, state: State) -> None:
        """Put together what lies in many small pieces."""
        for group in state.groups:
            sources = self.sources(group)
            if worth_packing(group, sources):
                pack = Pack({file_id: self.counts_of(file_id) for file_id in group.files})
                for table in BY_FILE:
                    with replacing(self.table_of_file(table, pack.id)) as temporary:
                        concatenate([self.table_of_file(table, source) for source in sources], temporary)
                self.packs.add(pack)

    # Tables of a state

    def _chosen(self) -> dict[str, Any]:
        """What is on record of the present state."""
        try:
            chosen = json.loads((self.lake / "state.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return chosen if isinstance(chosen, dict) and chosen.get("tag") == self.tag else {}

    def judged_state(self) -> State:
        """The state of the files that are judged now, not yet put in groups."""
        judged = tuple(file for file in self.all_received() if self.is_judged(file.file_id))
        return State(self.tag, judged, self.registry.hash, withdrawals(self.lake))

    def choose_state(self) -> State:
        """Make the files that are judged now the present state."""
        state = self.judged_state()
        # Each registry that was ever in force stays on record.
        kept = self.lake / "raw_registry" / f"{state.registry}.json"
        if not kept.exists():
            write_json(kept, json.loads(self.registry.content))
        before = self._chosen()
        known = [Group(tuple(files), records) for files, records in before.get("groups", ())]
        units = self.packs.units([file.file_id for file in state.files], self._records)
        groups = regroup(known, units) or [Group((NO_FILE,), 0)]
        # What was found of another state may not hold any more.
        keys = before["keys"] if before.get("id") == state.id else {}
        self._keep(replace(state, groups=tuple(groups), keys=keys))
        return self.present_state()

    def _records(self, file_id: str) -> int:
        return self.counts_of(file_id)["records"]

    def _keep(self, state: State) -> None:
        write_json(self.lake / "state.json", {
            "id": state.id,
            "tag": state.tag,
            "files": [asdict(file) for file in state.files],
            "registry": state.registry,
            "withdrawals": [asdict(event) for event in state.withdrawals],
            "groups": [[group.files, group.records] for group in state.groups],
            "keys": state.keys,
        })  # fmt: skip

    def name_groups(self, state: State, kind: str, keys: Mapping[str, str]) -> State:
        """Put on record the keys of that kind that were found for a state's groups; returns the state with them."""
        named = replace(state, keys={**state.keys, kind: dict(keys)})
        if named.keys != state.keys:
            self._keep(named)
        return named

    def present_state(self) -> State:
        """The state chosen last. :raises LookupError: none was chosen under this tag."""
        chosen = self._chosen()
        if not chosen:
            raise LookupError("no state was chosen under this engine: materialize core_match first")
        return State(
            self.tag,
            tuple(Received(**file) for file in chosen["files"]),
            chosen["registry"],
            tuple(Withdrawal(**event) for event in chosen["withdrawals"]),
            tuple(Group(tuple(files), records) for files, records in chosen["groups"]),
            chosen["keys"],
        )

    def table_of_group(self, table: str, state: State, group: Group) -> Path | None:
        """Where a table of a group lies; None before the step that names it."""
        key = state.key(GROUPED[table], group)
        return None if key is None else self.lake / table / state.tag / f"{key}.parquet"

    def table_of_state(self, table: str, state: State) -> Path:
        """Where a table of a whole state lies."""
        return self.lake / table / state.tag / f"{state.id}.parquet"

    def lake_files(self, table: str, state: State, groups: Sequence[Group] | None = None) -> list[Path]:
        """The lake files that the rows of a table stand in, of a state or of some of its groups.

        :raises LookupError: a step before has not named them yet.
        """
        if table in WHOLE:
            return [self.table_of_state(table, state)]
        if table in CHAINED:
            if not (keys := state.keys.get("rated")):
                raise LookupError(f"materialize what comes before {table} first")
            return [self.lake / table / state.tag / f"{key}.parquet" for key in keys.values()]
        groups = state.groups if groups is None else groups
        if table in GROUPED:
            found = [self.table_of_group(table, state, group) for group in groups]
            if None in found:
                raise LookupError(f"materialize what comes before {table} first")
            return [path for path in found if path is not None]
        return [self.table_of_file(table, source) for group in groups for source in self.sources(group)]

    def has(self, state: State, table: str) -> bool:
        """Whether a table of a state is there."""
        try:
            return all(is_whole(path) for path in self.lake_files(table, state))
        except LookupError:
            return False

    # DuckDB

    def connect(self) -> duckdb.DuckDBPyConnection:
        """An in-memory DuckDB of its own."""
        from yuanzi_core.database import connect

        con = connect()
        self.scratch.mkdir(parents=True, exist_ok=True)
        con.execute("set temp_directory = $folder", {"folder": str(self.scratch)})
        con.execute("set memory_limit = $limit", {"limit": MEMORY_LIMIT})
        con.execute("set global TimeZone = 'UTC'")
        return con

    @cached_property
    def _database(self) -> duckdb.DuckDBPyConnection:
        return self.connect()

    @contextmanager
    def open(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """An empty in-memory database, gone at the end. All share one DuckDB: to start another takes longer than most
        that is done on it."""
        con, name = self._database.cursor(), f"desk{next(_NUMBERS)}"
        con.execute(f"attach ':memory:' as {name}")
        con.execute(f"use {name}")
        try:
            yield con
        finally:
            con.execute("use memory")
            con.execute(f"detach {name}")
            con.close()

    def teach(self, functions: Callable[[duckdb.DuckDBPyConnection], None]) -> None:
        """Make functions known to all databases that are opened from now on, if they are not yet."""
        if functions not in self._taught:
            functions(self._database)
            self._taught.add(functions)

    def look(
        self, con: duckdb.DuckDBPyConnection, state: State, tables: Iterable[str], groups: Sequence[Group] | None = None
    ) -> None:
        """Put views of some tables of a state, or of some of its groups, on a connection, and ``raw_file``.

        :raises LookupError: a table is not made yet.
        """
        from yuanzi_core.database import WORTH_OPTIMIZING

        if sum(group.records for group in groups or state.groups) < WORTH_OPTIMIZING:
            con.execute("pragma disable_optimizer")
        for table in tables:
            paths = [str(path) for path in self.lake_files(table, state, groups)]
            con.read_parquet(paths).create_view(table, replace=True)
        chosen = None if groups is None else {file_id for group in groups for file_id in group.files}
        files = [file for file in state.files if chosen is None or file.file_id in chosen]
        events = [state.withdrawn.get(file.file_id) for file in files]
        load(con, "raw_file", {
            "file_id": [file.file_id for file in files],
            "file_name": [file.name for file in files],
            "bytes": [file.bytes for file in files],
            "withdrawn_at": [event and event.at for event in events],
            "withdrawn_reason": [event and event.reason for event in events],
        }, {
            "file_id": "varchar", "file_name": "varchar", "bytes": "bigint", "withdrawn_at": "timestamptz",
            "withdrawn_reason": "varchar",
        })  # fmt: skip

    def write(
        self, con: duckdb.DuckDBPyConnection, table: str, state: State, statement: str,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Write a table of a whole state with the rows of a ``select``."""
        with replacing(self.table_of_state(table, state)) as temporary:
            con.sql(statement, params=dict(parameters or {})).write_parquet(str(temporary), compression="zstd")
        self.made(table)

    def made(self, table: str) -> None:
        """Tell that a table of a state is there."""
        self._made.add(table)
        self.progress("tables", len(self._made), len(BY_STATE))

    def sweep(self) -> None:
        """Remove what an interrupted run left under temporary names. Only for the holder of the lock."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        for folder in (self.lake, self.published):
            for path in folder.rglob(".*.tmp*") if folder.is_dir() else ():
                path.unlink(missing_ok=True)


def keep(con: duckdb.DuckDBPyConnection, table: str, columns: pa.Table) -> None:
    """Make a temporary table of an Arrow table."""
    con.register("kept_columns", columns)
    try:
        # A name from this package's own code; the values are the columns.
        con.execute(f"create or replace temp table {table} as from kept_columns")
    finally:
        con.unregister("kept_columns")


def load(
    con: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, Sequence[Any]], types: Mapping[str, str]
) -> None:
    """Make a temporary table from Python values. ``types`` gives each column's SQL type."""
    import numpy as np

    kinds = {name: np.int64 if kind == "bigint" else object for name, kind in types.items()}
    con.register("loaded_columns", {name: np.array(columns[name], dtype=kinds[name]) for name in types})
    try:
        chosen = ", ".join(f'cast("{name}" as {kind}) as "{name}"' for name, kind in types.items())
        # Names and types from this package's own code; the values are the columns.
        con.execute(f"create or replace temp table {table} as select {chosen} from loaded_columns")  # noqa: S608
    finally:
        con.unregister("loaded_columns")
