"""A full disk: how to tell it from anything else that fails.

What is wrong with a file is the file's own; what the machine lacks is not, and is tried again.
"""

from __future__ import annotations

import errno

#: No room on the disk, none in the quota, or a file larger than this process may write.
_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG})
#: DuckDB, Arrow, SQLite and what comes back from a step of a run give words only.
_WORDS = (
    "no space left on device", "disk quota exceeded", "file too large", "database or disk is full", "disk is full",
    "not enough space on the disk", "could not write all bytes",
)  # fmt: skip
#: What a machine lacks besides room: too many open files, memory.
_SHORT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


class DiskFull(Exception):
    """The disk has no room for what is to be written."""


def says_full(message: str) -> bool:
    """Whether a message is about a full disk."""
    shown = message.lower()
    return any(words in shown for words in _WORDS)


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or one that it comes from, is about a full disk."""
    while error is not None:
        if isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in _FULL):
            return True
        if says_full(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def is_of_machine(error: BaseException) -> bool:
    """Whether an error says nothing about the file in hand, but that the machine lacks something for now."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _SHORT):
        return True
    # Not imported here: DuckDB's own class of it.
    return type(error).__name__ == "OutOfMemoryException" or is_full(error)
