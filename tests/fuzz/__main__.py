"""``python -m tests.fuzz [SECONDS] [TARGET…]``: every target for so many seconds; what is found comes as a test."""

from __future__ import annotations

import sys
import time

from tests.fuzz.fuzzing import Found, fuzz
from tests.fuzz.targets import targets


def main() -> int:
    """Returns the exit status: 1 if something was found."""
    seconds, *names = sys.argv[1:] or ["60"]
    seed, found = int(time.time()), 0
    for name in names or targets():
        begun = time.monotonic()
        try:
            tried = fuzz(name, float(seconds), seed)
        except Found as one:
            found += 1
            sys.stdout.write(f"{one}\n")
        else:
            sys.stdout.write(f"{name}: {tried} inputs in {time.monotonic() - begun:.0f} s, seed {seed}\n")
        sys.stdout.flush()
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
