"""The version of all code that decides how files become rows, as a hash: lake files of another version are not used."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from yuanzi_core.engine import code_version, engine_version


def _sources(root: Traversable, kinds: tuple[str, ...], path: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in sorted(root.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry, kinds, f"{path}{entry.name}/")
        elif entry.name.endswith(kinds):
            yield path + entry.name, entry.read_bytes().replace(b"\r\n", b"\n")


@cache
def rows_version() -> str:
    """A hash of all that decides how files become rows, as this process runs it.

    The engine; the rest of the core's code and its texts, for rows hold sentences; the assets with their SQL; and the
    modules that say which tables there are and how they are written. A change to a module that no row depends on only
    costs a judging anew.
    """
    digest = hashlib.sha256(f"{engine_version()} {code_version()}".encode())
    for package, kinds in (("yuanzi_core.texts", (".toml",)), ("pipelines.defs", (".py", ".sql"))):
        for name, content in _sources(files(package), kinds):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    for module in ("tables.py", "warehouse.py"):
        digest.update((files("pipelines") / module).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
