"""The registries of a home: ``players.csv`` and ``clubs.toml`` (LOG_FORMAT, Registries).

Whatever is wrong in them is a located :class:`RegistryProblem`, never an exception; what is good goes on, and nothing
is put right silently. A name is never an identity: players are told apart by their ids alone. How each file is read
stands in ``registry_players`` and ``registry_clubs``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import msgspec

from yuanzi_core.clubs import CLUBS, PLAYERS, REGISTRIES, ZONE, ClubDefaults
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import Lang, text

#: Bytes of a file that is read at all.
LARGEST = {PLAYERS: 16 << 20, CLUBS: 256 << 10}


class Fault(StrEnum):
    """What can be wrong in a registry; the sentence is the text ``registry.fault.<code>``."""

    UNREADABLE = "UNREADABLE"
    TOO_LARGE = "TOO_LARGE"
    NOT_TEXT = "NOT_TEXT"
    # players.csv
    NO_TABLE = "NO_TABLE"
    COLUMN_TWICE = "COLUMN_TWICE"
    TOO_MANY_ROWS = "TOO_MANY_ROWS"
    ROW_BROKEN = "ROW_BROKEN"
    TOO_MANY_CELLS = "TOO_MANY_CELLS"
    ID_MISSING = "ID_MISSING"
    ID_TWICE = "ID_TWICE"
    FORMULA = "FORMULA"
    CONTROL_CHARACTER = "CONTROL_CHARACTER"
    TOO_LONG = "TOO_LONG"
    ALIAS_OWN_ID = "ALIAS_OWN_ID"
    ALIAS_TWICE = "ALIAS_TWICE"
    ALIAS_IS_ID = "ALIAS_IS_ID"
    ALIAS_OF_TWO = "ALIAS_OF_TWO"
    NOT_A_DATE = "NOT_A_DATE"
    MEMBER_TO_EARLIER = "MEMBER_TO_EARLIER"
    MEMBER_FROM_MISSING = "MEMBER_FROM_MISSING"
    NOT_A_NUMBER = "NOT_A_NUMBER"
    # clubs.toml
    NOT_UTF8 = "NOT_UTF8"
    NOT_TOML = "NOT_TOML"
    NOT_A_CLUB = "NOT_A_CLUB"
    ENTRY_UNKNOWN = "ENTRY_UNKNOWN"
    WRONG_TEXT = "WRONG_TEXT"
    NAME_MISSING = "NAME_MISSING"
    NAME_OF_TWO = "NAME_OF_TWO"
    ZONE_UNKNOWN = "ZONE_UNKNOWN"
    RULESET_UNKNOWN = "RULESET_UNKNOWN"
    BASE_WRONG = "BASE_WRONG"
    NOT_A_SEASON = "NOT_A_SEASON"
    SEASON_DAY = "SEASON_DAY"
    SEASON_EARLIER = "SEASON_EARLIER"
    SEASON_TWICE = "SEASON_TWICE"
    SEASON_OVERLAPS = "SEASON_OVERLAPS"
    # Found where the registries meet the matches.
    SAME_TABLE = "SAME_TABLE"


@dataclass(frozen=True)
class RegistryProblem:
    """Something wrong: the file, its row (as a spreadsheet counts) or line, the column or key, the player or club.

    ``fields`` are those of the sentence. None of the places has to be known.
    """

    code: Fault
    file: str
    row: int | None = None
    column: str | None = None
    entry: str | None = None
    fields: dict[str, str] = field(default_factory=dict)

    def message(self, lang: Lang) -> str:
        """What is wrong and what counts instead, in words."""
        return text(f"registry.fault.{self.code}", lang, **self.fields)


@dataclass(frozen=True)
class Player:
    """A player. ``member_from`` and ``member_to`` are the first and the last day of membership (G3).

    The days are the club's. Without ``member_from`` somebody is on record, but no member. Openings are in points
    (None: not known).
    """

    id: str
    name: str | None = None
    aliases: tuple[str, ...] = ()
    member_from: date | None = None
    member_to: date | None = None
    opening_four: Decimal | None = None
    opening_five: Decimal | None = None


@dataclass(frozen=True)
class Season:
    """A season of a club, both days included."""

    name: str
    first: date
    last: date


@dataclass(frozen=True)
class Club:
    """A club. ``names`` by language (``en``, ``zh``; either may be missing); seasons by their first day."""

    key: str
    names: dict[str, str] = field(default_factory=dict)
    zone: str = ZONE
    ruleset: str | None = None
    base: Decimal = Decimal(1)
    seasons: tuple[Season, ...] = ()

    @property
    def defaults(self) -> ClubDefaults:
        """What holds for sheets of this club that leave it out."""
        return ClubDefaults(self.zone, self.ruleset, self.base)


@dataclass(frozen=True)
class Registry:
    """What the registries say: players by id, clubs by key, and all that is wrong with the files, in their order.

    ``found`` are the files that are there, ``ignored`` the headings of columns that nobody knows; neither decides
    anything, and neither is part of the content.
    """

    players: tuple[Player, ...] = ()
    clubs: tuple[Club, ...] = ()
    problems: tuple[RegistryProblem, ...] = ()
    found: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @cached_property
    def content(self) -> bytes:
        """All that counts, as canonical JSON: rows in another order, comments and blanks do not change it.

        Problems are part of it with the rows they stand in, for whoever shows them shows these.
        """
        return msgspec.json.encode(replace(self, found=(), ignored=()), order="sorted")

    @cached_property
    def hash(self) -> str:
        """Name of the content: 16 hex digits."""
        return hashlib.sha256(self.content).hexdigest()[:16]

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """The id of the player that each alias stands for. An id that is in neither counts as itself."""
        return {alias: player.id for player in self.players for alias in player.aliases}

    def clubs_by_name(self) -> dict[str, Club]:
        """The clubs by all that a record may call them: key, and names in either language.

        A name that several clubs have (or another has as its key) stands for none of them.
        """
        shared = shared_names(self.clubs)
        keys = {club.key: club for club in self.clubs}
        return {name: club for club in self.clubs for name in club.names.values() if name not in shared} | keys

    def sheet_defaults(self) -> dict[str, ClubDefaults]:
        """What decides how sheets are read, by all that a sheet may call the club."""
        return {name: club.defaults for name, club in self.clubs_by_name().items()}

    @cached_property
    def sheets_hash(self) -> str:
        """A hash of exactly what decides how sheets are read; a club that says nothing of its own does not count."""
        own = {name: found for name, found in self.sheet_defaults().items() if found != ClubDefaults()}
        return hashlib.sha256(msgspec.json.encode(own, order="sorted")).hexdigest()[:16]


def shared_names(clubs: tuple[Club, ...]) -> frozenset[str]:
    """Names that do not tell which club is meant: those of several clubs, and keys of others."""
    count = Counter(name for club in clubs for name in {*club.names.values(), club.key})
    return frozenset(name for name, clubs_of_name in count.items() if clubs_of_name > 1)


def stored_registry(content: bytes) -> Registry:
    """The registry of which this is the :attr:`Registry.content`."""
    return msgspec.json.decode(content, type=Registry)


def read_registry(home: Path, rulesets: Rulesets) -> Registry:
    """Read both files of a home; a file that is not there says nothing. ``rulesets`` are those that clubs may name."""
    from yuanzi_core.registry_clubs import read_clubs
    from yuanzi_core.registry_players import read_players

    found: list[str] = []
    problems: list[RegistryProblem] = []
    contents: dict[str, bytes] = {}
    for name in REGISTRIES:
        content = _content(home / name)
        if content is None:
            continue
        found.append(name)
        if isinstance(content, RegistryProblem):
            problems.append(content)
        else:
            contents[name] = content
    players, of_players, ignored = read_players(contents[PLAYERS]) if PLAYERS in contents else ((), (), ())
    clubs, of_clubs = read_clubs(contents[CLUBS], rulesets) if CLUBS in contents else ((), ())
    return Registry(players, clubs, (*problems, *of_players, *of_clubs), tuple(found), ignored)


def _content(path: Path) -> bytes | RegistryProblem | None:
    """The bytes of a file, none if it is not there."""
    limit = LARGEST[path.name]
    try:
        if not path.exists() and not path.is_symlink():
            return None
        if not path.is_file():
            return RegistryProblem(Fault.UNREADABLE, path.name)
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except OSError:
        return RegistryProblem(Fault.UNREADABLE, path.name)
    if len(content) > limit:
        return RegistryProblem(Fault.TOO_LARGE, path.name, fields={"limit": f"{limit >> 10:,}"})
    return content
