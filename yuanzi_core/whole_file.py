"""A file that appears under its name whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to be written within ``with``: under a temporary name beside it, then in the place of what was there.

    Where that does not end well, what was there stays as it was.

    :raises OSError: it cannot be written; the name in it is the caller's.
    """
    begun = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with begun.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        begun.replace(path)
    except OSError as error:
        if error.filename in (None, str(begun)):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        with contextlib.suppress(OSError):
            begun.unlink(missing_ok=True)
