"""Where everything lies under a home folder, how it is written whole or not at all, and how DuckDB is opened on it.

``inbox/`` what clubs hand in · ``rulesets/`` a club's own · ``lake/`` files that never change once they stand ·
``published/`` snapshots and the pointer to the present one · ``.dagster/`` the record of runs.

A table by file lies in ``lake/<table>/<tag>/<file_id>.parquet``, any other in ``lake/<table>/<tag>/<state>.parquet``:
the tag stands for everything that decides how files become rows, the state for the tag and the set of files. So a name
says what is in a file, an interrupted run leaves no wrong one, and what is there already need not be made again.
What the tables hold is not known here: see ``defs``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.lock import Lock
from yuanzi_core.engine import __version__, code_version, engine_version
from yuanzi_core.ruleset import Rulesets

if TYPE_CHECKING:
    import duckdb

#: Is told (stage, done, total): stages "intake", "records" and "referee" in bytes, "tables" in tables.
Progress = Callable[[str, int, int], None]

#: Tables by file, in the order in which they are made.
BY_FILE = (
    "raw_record", "core_record", "core_claim", "core_deal", "core_ruleset", "core_settlement__deal",
    "core_settlement__match",
)  # fmt: skip
#: Tables made from all files of a state, in the order in which they are made. Those named out_… are published whole.
BY_STATE = (
    "core_match", "core_ledger__movement", "core_settlement__scores", "core_discrepancy", "out_audit__records",
    "out_audit__discrepancies", "out_audit__violations", "out_audit__files", "out_matches", "out_snapshot",
)  # fmt: skip
#: Stands for "no file": tables by file with no rows, so that an empty warehouse has its columns.
NO_FILE = "none"

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
    """A set of files under one tag. All tables that are not by file are functions of it."""

    tag: str
    files: tuple[Received, ...]

    @cached_property
    def id(self) -> str:
        """Name of the state: 16 hex digits."""
        known = json.dumps([self.tag, [[file.file_id, file.name] for file in self.files]])
        return hashlib.sha256(known.encode()).hexdigest()[:16]

    @property
    def snapshot(self) -> str:
        """Name of the state's snapshot."""
        return f"snapshot-{self.id}.duckdb"


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


def _sources(root: Traversable, kinds: tuple[str, ...], path: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in sorted(root.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry, kinds, f"{path}{entry.name}/")
        elif entry.name.endswith(kinds):
            yield path + entry.name, entry.read_bytes().replace(b"\r\n", b"\n")


@cache
def _code_version() -> str:
    """A hash of all that decides how files become rows, as this process runs it.

    The engine; the rest of the core's code and its texts, for rows hold sentences; the assets with their SQL; and this
    module, which says how tables are written. A change to a module that no row depends on only costs a judging anew.
    """
    digest = hashlib.sha256(f"{engine_version()} {code_version()}".encode())
    for package, kinds in (("yuanzi_core.texts", (".toml",)), ("pipelines.defs", (".py", ".sql"))):
        for name, content in _sources(files(package), kinds):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    digest.update((files("pipelines") / "warehouse.py").read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


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

    @cached_property
    def tag(self) -> str:
        """The version of everything that decides how files become rows: code, SQL, texts, a club's rulesets."""
        digest = hashlib.sha256(_code_version().encode())
        folder = self.rulesets.folder
        for path in sorted(folder.glob("*.toml")) if folder is not None else ():
            content = path.read_bytes()
            digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
        return f"{__version__}-{digest.hexdigest()[:12]}"

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
        return self.table_of_file(BY_FILE[0], file_id).exists()

    def is_judged(self, file_id: str) -> bool:
        """Whether all tables by file have this file."""
        return all(self.table_of_file(table, file_id).exists() for table in BY_FILE)

    # Tables of a state

    def choose_state(self) -> State:
        """Make the files that are judged now the present state."""
        state = State(self.tag, tuple(file for file in self.all_received() if self.is_judged(file.file_id)))
        write_json(self.lake / "state.json", {"tag": state.tag, "files": [asdict(file) for file in state.files]})
        return state

    def present_state(self) -> State:
        """The state chosen last. :raises LookupError: none was chosen under this tag."""
        try:
            chosen = json.loads((self.lake / "state.json").read_bytes())
        except FileNotFoundError:
            chosen = {}
        if chosen.get("tag") != self.tag:
            raise LookupError("no state was chosen under this engine: materialize core_match first")
        return State(self.tag, tuple(Received(**file) for file in chosen["files"]))

    def table_of_state(self, table: str, state: State) -> Path:
        """Where a table of a state lies."""
        return self.lake / table / state.tag / f"{state.id}.parquet"

    def has(self, state: State, table: str) -> bool:
        """Whether a table of a state is there."""
        return self.table_of_state(table, state).exists()

    def lake_files(self, state: State) -> dict[str, list[str]]:
        """For each table the lake files that a state's rows stand in."""
        ids = [file.file_id for file in state.files] or [NO_FILE]
        found = {table: [str(self.table_of_file(table, file_id)) for file_id in ids] for table in BY_FILE}
        return found | {table: [str(self.table_of_state(table, state))] for table in BY_STATE}

    # DuckDB

    def open(self, state: State | None = None) -> duckdb.DuckDBPyConnection:
        """An in-memory DuckDB; with a state, with a view for each of its tables that is there, and ``raw_file``."""
        from yuanzi_core.database import connect

        con = connect()
        self.scratch.mkdir(parents=True, exist_ok=True)
        con.execute("set temp_directory = $folder", {"folder": str(self.scratch)})
        con.execute("set memory_limit = $limit", {"limit": MEMORY_LIMIT})
        con.execute("set TimeZone = 'UTC'")
        if state is not None:
            for table, paths in self.lake_files(state).items():
                if Path(paths[0]).exists():
                    con.read_parquet(paths).create_view(table)
            load(con, "raw_file", {
                "file_id": [file.file_id for file in state.files],
                "file_name": [file.name for file in state.files],
                "bytes": [file.bytes for file in state.files],
            }, {"file_id": "varchar", "file_name": "varchar", "bytes": "bigint"})  # fmt: skip
        return con

    def write(
        self, con: duckdb.DuckDBPyConnection, table: str, state: State, statement: str,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Write a table of a state with the rows of a ``select``, and put a view on it in the place of any other."""
        path = self.table_of_state(table, state)
        with replacing(path) as temporary:
            con.sql(statement, params=dict(parameters or {})).write_parquet(str(temporary), compression="zstd")
        con.read_parquet([str(path)]).create_view(table)
        self.progress("tables", sum(self.has(state, each) for each in BY_STATE), len(BY_STATE))

    def sweep(self) -> None:
        """Remove what an interrupted run left under temporary names. Only for the holder of the lock."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        for folder in (self.lake, self.published):
            for path in folder.rglob(".*.tmp*") if folder.is_dir() else ():
                path.unlink(missing_ok=True)


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
