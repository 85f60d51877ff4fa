"""What is published, opened for reading: for the public, or all of it for auditors (G3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pipelines.commands.terminal import CallFailed, clean, clean_json, say, write_bytes
from yuanzi_core.claims import canonical_number
from yuanzi_core.table_export import KINDS
from yuanzi_core.texts import Lang, text
from yuanzi_core.whole_file import whole_file

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_JSON = msgspec.json.Encoder(enc_hook=str)


@contextmanager
def published(home: Path, everybody: bool, lang: Lang) -> Iterator[duckdb.DuckDBPyConnection]:
    """The published snapshot of a home; without ``everybody``, nothing of who is no member today.

    :raises CallFailed: nothing is published there, or by another version.
    """
    import duckdb

    from pipelines.defs.publish.snapshot import pointer
    from pipelines.warehouse import Warehouse

    warehouse = Warehouse(home)
    name = pointer(warehouse)
    if name is None:
        raise CallFailed(text("changes.nothing_published", lang, home=clean(warehouse.home)))
    config: dict[str, Any] = {
        "autoinstall_known_extensions": "false", "autoload_known_extensions": "false",
        "python_enable_replacements": "false",
    }  # fmt: skip
    try:
        con = duckdb.connect(str(warehouse.published / name), read_only=True, config=config)
    except duckdb.Error:
        raise CallFailed(text("standings.outdated", lang, home=clean(warehouse.home))) from None
    with con:
        try:
            con.execute("set schema = 'public'")
            con.table("out_ratings__role")
        except duckdb.CatalogException:
            raise CallFailed(text("standings.outdated", lang, home=clean(warehouse.home))) from None
        except duckdb.IOException:
            # The views name files of the lake where they were when it was published.
            raise CallFailed(text("standings.moved", lang, home=clean(warehouse.home))) from None
        if everybody:
            con.execute("set schema = 'main'")
        yield con


def number(value: Decimal) -> msgspec.Raw:
    """A number as it stands in JSON, exactly."""
    return msgspec.Raw(canonical_number(value).encode())


def say_json(found: dict[str, Any]) -> None:
    """One line of JSON."""
    write_bytes(clean_json(_JSON.encode(found)) + b"\n")


def export(table: pa.Table, out: str, lang: Lang) -> None:
    """Write a table into a file, its kind by its suffix.

    :raises CallFailed: no such kind, or it cannot be written.
    """
    from yuanzi_core.table_export import write_table

    path = Path(out)
    kind = next((kind for kind in KINDS if path.suffix.lower() == f".{kind}"), None)
    if kind is None:
        raise CallFailed(text("standings.kind", lang, file=clean(out), kinds=", ".join(f".{kind}" for kind in KINDS)))
    try:
        with whole_file(path) as file:
            write_table(table, Path(file.name), kind)
    except OSError as error:
        raise CallFailed(
            text("standings.unwritable", lang, file=clean(out), why=clean(error.strerror or error))
        ) from None
    say(text("standings.written", lang, count=table.num_rows, file=clean(out)))
