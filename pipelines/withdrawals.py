"""Files taken out of what counts: one event after the other, ``lake/withdrawals/<number>.json``, none ever changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Withdrawal:
    """A file taken out of what counts (``withdrawn``) or put back; ``at`` is the time in UTC, ISO 8601."""

    file_id: str
    file_name: str
    withdrawn: bool
    at: str
    reason: str | None


def withdrawals(lake: Path) -> tuple[Withdrawal, ...]:
    """What was withdrawn and put back, in this order."""
    return tuple(
        Withdrawal(**json.loads(path.read_bytes())) for path in sorted((lake / "withdrawals").glob("[0-9]*.json"))
    )


def withdraw(lake: Path, event: Withdrawal, write: Callable[[Path, object], None]) -> None:
    """Put on record that a file is withdrawn, or no longer. Only for the holder of the lock."""
    write(lake / "withdrawals" / f"{len(withdrawals(lake)):06}.json", asdict(event))
