"""Small files put together in the lake: one Parquet file a table for many of them, in the place of one for each.

A pack has all tables by file, in ``lake/<table>/<tag>/<pack>.parquet``, and is there once
``lake/packs/<tag>/<pack>.json``, which is written last, names its files. Like all in the lake it never changes; a
larger pack may take its place, and what is then named by no snapshot is collected. Rows are the same, packed or not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pipelines.groups import FAN, Group, hash_of

#: Files with fewer records than this are small.
SMALL = 512

Counts = Mapping[str, int]


@dataclass(frozen=True)
class Pack:
    """A pack: the counts of each of its files ("records", "deals", "claims"), by file_id, in the order of its rows."""

    counts: Mapping[str, Counts]

    @cached_property
    def id(self) -> str:
        """What its files are named by."""
        return hash_of(["pack", *self.counts])

    @property
    def unit(self) -> Group:
        """It as a group."""
        return Group(tuple(self.counts), sum(counts["records"] for counts in self.counts.values()))


class Packs:
    """The packs under a folder; ``is_whole`` says whether all tables of one are there, by its id."""

    def __init__(self, folder: Path, is_whole: Callable[[str], bool], write: Callable[[Path, object], None]) -> None:
        self._folder, self._is_whole, self._write = folder, is_whole, write
        self._of_file: dict[str, Pack] | None = None

    @property
    def of_file(self) -> Mapping[str, Pack]:
        """The largest pack of each file that is in one."""
        if self._of_file is None:
            found = [pack for path in self._folder.glob("[!.]*.json") if (pack := self._read(path)) is not None]
            self._of_file = {}
            for pack in sorted(found, key=lambda pack: (-len(pack.counts), pack.id)):
                # Packs are made of whole packs and of files that are in none.
                if not self._of_file.keys() & pack.counts.keys():
                    self._of_file.update(dict.fromkeys(pack.counts, pack))
        return self._of_file

    def _read(self, path: Path) -> Pack | None:
        try:
            pack = Pack(json.loads(path.read_bytes())["files"])
        except (ValueError, LookupError, TypeError):
            return None
        return pack if self._is_whole(pack.id) else None

    def add(self, pack: Pack) -> None:
        """Put a pack on record, whose tables are there."""
        self._write(self._folder / f"{pack.id}.json", {"files": pack.counts})
        self._of_file = None

    def all(self) -> list[Pack]:
        """The packs in use."""
        return list({pack.id: pack for pack in self.of_file.values()}.values())

    def units(self, file_ids: Iterable[str], records: Callable[[str], int]) -> list[Group]:
        """What groups are made of: packs, and files that are in none."""
        loose = [Group((file_id,), records(file_id)) for file_id in file_ids if file_id not in self.of_file]
        return [*loose, *(pack.unit for pack in self.all())]


def worth_packing(group: Group, sources: Sequence[str]) -> bool:
    """Whether a group's files lie in many small pieces."""
    return len(sources) >= FAN and group.records < SMALL * len(sources)
