"""The names of the registries, and what a club's sheets need not say, because ``clubs.toml`` does."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

PLAYERS, CLUBS = "players.csv", "clubs.toml"
#: A file of such a name is no log and no sheet wherever a folder is looked through.
REGISTRIES = (PLAYERS, CLUBS)
#: Where a club is unless it says otherwise.
ZONE = "Asia/Shanghai"


@dataclass(frozen=True)
class ClubDefaults:
    """What holds for a sheet of a club that leaves it out.

    ``zone`` is the IANA time zone of times without an offset, ``ruleset`` the name of a ruleset (None: each sheet has
    to name one), ``base`` what multiplies every score (E5).
    """

    zone: str = ZONE
    ruleset: str | None = None
    base: Decimal = Decimal(1)
