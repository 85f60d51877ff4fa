"""What became of the records of a file that was converted into another kind of file, told one by one and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LeftOut:
    """A record that was left out: where it stands, the code of why, and the same in words."""

    line: int
    match_id: str | None
    code: str
    message: str


@dataclass
class Report:
    """What became of the records of a file that was converted.

    ``read`` = ``written`` + ``duplicates`` + the sum of ``left_out`` (by code). ``lost``: what records that were
    written had and the other kind of file cannot carry, by kind (texts, ``convert.lost``), each as often as it was met;
    ``first``: the line where it was met first; ``fields``: names of unknown fields and how often each was met.
    """

    read: int = 0
    written: int = 0
    rows: int = 0
    duplicates: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)
    fields: Counter[str] = field(default_factory=Counter)

    def lose(self, line: int, kind: str, count: int = 1) -> None:
        """Note that something of the record in a line is not carried."""
        self.lost[kind] += count
        self.first.setdefault(kind, line)


#: Told of each record that is left out, in the order of the file.
Tell = Callable[[LeftOut], None]
