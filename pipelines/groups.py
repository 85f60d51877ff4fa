"""Files put together in groups, so that what other files have a say in is made again for few files, and in few pieces.

Which records of a file count, and what F6 leaves of their scores, depends on what else was received, but for most files
nothing changes when another one comes. So the tables of a state are made group by group, and a group's is made anew
only if something about it changed. Groups are no part of the game: whatever they are, the rows are the same.

New files are a group of their own. Small groups are united once there are some of one size, as in a log-structured
merge tree: a row is written again a few times in its life, and the number of groups stays small.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

#: Records from which on nothing is added to a group.
FULL = 16_384
#: So many groups of one size are united, and a size is so many times the one below.
FAN = 8
#: Groups with fewer records than this are of the smallest size.
_SMALL = FULL // FAN**2


def hash_of(value: object) -> str:
    """The first 16 hex digits of a hash of something that JSON can say."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Group:
    """Some files, by id, in this order, and the number of their records."""

    files: tuple[str, ...]
    records: int

    @cached_property
    def id(self) -> str:
        """The key of its files."""
        return hash_of(self.files)

    @property
    def size(self) -> int | None:
        """Its size class, from 0; None if it is full."""
        if self.records >= FULL:
            return None
        return next(size for size in range(FAN) if self.records < _SMALL * FAN**size)


def _united(groups: Iterable[Group]) -> list[Group]:
    """Groups put together, in this order, up to full ones."""
    found: list[Group] = []
    files: list[str] = []
    records = 0
    for group in groups:
        files += group.files
        records += group.records
        if records >= FULL:
            found.append(Group(tuple(files), records))
            files, records = [], 0
    return [*found, Group(tuple(files), records)] if files else found


def regroup(known: Sequence[Group], units: Sequence[Group]) -> list[Group]:
    """Groups of all these units, which are left whole, as many as may be of the known ones."""
    present = {file_id for unit in units for file_id in unit.files}
    groups = [group for group in known if present.issuperset(group.files)]
    place = {file_id: number for number, group in enumerate(groups) for file_id in group.files}
    if any(len({place.get(file_id) for file_id in unit.files}) > 1 for unit in units):
        groups, place = [], {}
    new = [unit for unit in units if unit.files[0] not in place]
    groups += _united(sorted(new, key=lambda unit: unit.files))
    while True:
        sizes: dict[int, list[Group]] = {}
        for group in groups:
            if group.size is not None:
                sizes.setdefault(group.size, []).append(group)
        many = next((found for _, found in sorted(sizes.items()) if len(found) >= FAN), None)
        if many is None:
            return groups
        groups = [group for group in groups if group not in many] + _united(many)
