"""``clubs.toml``: one table a club, by its key; names in both languages, time zone, defaults of its sheets, seasons.

::

    [jiaxing]
    names = { zh = "嘉兴南湖牌友会", en = "Nanhu Card Club, Jiaxing" }
    zone = "Asia/Shanghai"
    ruleset = "four-classic"
    base = 1

    [[jiaxing.seasons]]
    name = "2026 spring"
    first = 2026-03-01
    last = 2026-06-30

Of an entry that cannot be right nothing is taken, the rest of its club is. Of two seasons that exclude each other the
one that stands first in the file counts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from yuanzi_core.clubs import CLUBS, ZONE
from yuanzi_core.log import BASE_BELOW, BASE_DECIMALS, LONGEST_ID, is_base
from yuanzi_core.registry import Club, Fault, RegistryProblem, Season, shared_names
from yuanzi_core.registry_cells import date_of, is_visible, shown
from yuanzi_core.ruleset import RulesetError, Rulesets
from yuanzi_core.texts import LANGS

_ENTRIES = ("names", "zone", "ruleset", "base", "seasons")
_OF_SEASON = ("name", "first", "last")
#: What a name of a zone may look like. What only this machine knows under it ("localtime") is none.
_ZONE = re.compile(r"UTC|[A-Z][A-Za-z_]+(?:/[A-Za-z0-9_+-]+){1,2}")
_HEADER = re.compile(r"\s*(\[\[?)(.+?)\]\]?\s*(?:#.*)?$")
_ENTRY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r""""[^"]*"|'[^']*'|[\w-]+""")


def read_clubs(content: bytes, rulesets: Rulesets) -> tuple[tuple[Club, ...], tuple[RegistryProblem, ...]]:
    """The clubs of a file, by key, and what is wrong in it, line by line."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return (), (RegistryProblem(Fault.NOT_UTF8, CLUBS),)
    try:
        source = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError, ArithmeticError) as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) if at else len(text.splitlines()) if "end of document" in str(error) else None
        return (), (RegistryProblem(Fault.NOT_TOML, CLUBS, line),)
    reader = _Reader(_lines(text), rulesets)
    clubs = tuple(club for key, entry in source.items() if (club := reader.club(key, entry)) is not None)
    reader.compare(clubs)
    problems = sorted(reader.problems, key=lambda problem: problem.row or 0)
    return tuple(sorted(clubs, key=lambda club: club.key)), tuple(problems)


#: The keys that lead to an entry, from the club's on; of a season its number.
KeyPath = tuple[str, ...]


def _lines(text: str) -> dict[KeyPath, int]:
    """The line of each key that stands in a line of its own, counted from 1; seasons of a club count from 0."""
    found: dict[KeyPath, int] = {}
    table: KeyPath = ()
    count: dict[KeyPath, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = tuple(part.strip("\"'") for part in _PART.findall(header[2]))
            if header[1] == "[[":
                place = count.get(table, 0)
                count[table] = place + 1
                found.setdefault(table, number)
                table = (*table, str(place))
            found.setdefault(table, number)
        elif entry := _ENTRY.match(line):
            found.setdefault((*table, *(part.strip("\"'") for part in _PART.findall(entry[1]))), number)
    return found


class _Reader:
    """Takes clubs out of parsed TOML."""

    def __init__(self, lines: Mapping[KeyPath, int], rulesets: Rulesets) -> None:
        self._lines, self._rulesets = lines, rulesets
        self.problems: list[RegistryProblem] = []

    def _problem(self, code: Fault, path: KeyPath, **fields: object) -> None:
        within = path
        # What stands in a table within a line has the line of the table.
        while within and within not in self._lines:
            within = within[:-1]
        column = ".".join(shown(part) for part in path)
        column = re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", column)
        quoted = {name: shown(value) for name, value in fields.items()}
        self.problems.append(RegistryProblem(code, CLUBS, self._lines.get(within), column, shown(path[0]), quoted))

    def _unknown(self, entry: Mapping[str, Any], known: tuple[str, ...], path: KeyPath) -> None:
        for name in entry:
            if name not in known:
                self._problem(Fault.ENTRY_UNKNOWN, (*path, name), text=name, known=" ".join(known))

    def _text(self, value: object, path: KeyPath) -> str | None:
        """A text that can stand in a table; None if it is none."""
        if isinstance(value, str) and value.strip() and len(value) <= LONGEST_ID and is_visible(value):
            return value.strip()
        self._problem(Fault.WRONG_TEXT, path, text=value, most=LONGEST_ID)
        return None

    def club(self, key: str, entry: object) -> Club | None:
        """A club; None if the entry is none."""
        if self._text(key, (key,)) is None:
            return None
        if not isinstance(entry, dict):
            self._problem(Fault.NOT_A_CLUB, (key,), text=key)
            return None
        self._unknown(entry, _ENTRIES, (key,))
        return Club(
            key, self._names(key, entry.get("names", {})), self._zone(key, entry), self._ruleset(key, entry),
            self._base(key, entry), self._seasons(key, entry.get("seasons", [])),
        )  # fmt: skip

    def _names(self, key: str, names: object) -> dict[str, str]:
        if not isinstance(names, dict):
            self._problem(Fault.WRONG_TEXT, (key, "names"), text=names, most=LONGEST_ID)
            return {}
        self._unknown(names, LANGS, (key, "names"))
        found: dict[str, str] = {}
        for lang in LANGS:
            if lang not in names:
                self._problem(Fault.NAME_MISSING, (key, "names", lang), lang=lang)
            elif (name := self._text(names[lang], (key, "names", lang))) is not None:
                found[lang] = name
        return found

    def _zone(self, key: str, entry: Mapping[str, Any]) -> str:
        zone = entry.get("zone", ZONE)
        try:
            if isinstance(zone, str) and _ZONE.fullmatch(zone):
                ZoneInfo(zone)
                return zone
        except (OSError, ValueError, LookupError):
            pass
        self._problem(Fault.ZONE_UNKNOWN, (key, "zone"), text=zone, default=ZONE)
        return ZONE

    def _ruleset(self, key: str, entry: Mapping[str, Any]) -> str | None:
        name = entry.get("ruleset")
        if name is None:
            return None
        try:
            if isinstance(name, str):
                return self._rulesets[name].name
        except RulesetError:
            pass
        self._problem(Fault.RULESET_UNKNOWN, (key, "ruleset"), text=name)
        return None

    def _base(self, key: str, entry: Mapping[str, Any]) -> Decimal:
        base = entry.get("base", 1)
        if is_base(base):
            return Decimal(base).quantize(Decimal(1).scaleb(-BASE_DECIMALS)).normalize() + 0
        limits = {"below": f"{BASE_BELOW:,}", "decimals": BASE_DECIMALS}
        self._problem(Fault.BASE_WRONG, (key, "base"), text=base, **limits)
        return Decimal(1)

    def _seasons(self, key: str, seasons: object) -> tuple[Season, ...]:
        if not isinstance(seasons, list):
            self._problem(Fault.NOT_A_SEASON, (key, "seasons"), text=seasons)
            return ()
        found: list[Season] = []
        for place, entry in enumerate(seasons):
            path = (key, "seasons", str(place))
            if not isinstance(entry, dict):
                self._problem(Fault.NOT_A_SEASON, path, text=entry)
                continue
            self._unknown(entry, _OF_SEASON, path)
            name = self._text(entry.get("name"), (*path, "name"))
            first, last = (self._day(entry.get(day), (*path, day)) for day in ("first", "last"))
            if name is None or first is None or last is None:
                continue
            overlapped = next((other for other in found if first <= other.last and other.first <= last), None)
            if last < first:
                self._problem(Fault.SEASON_EARLIER, (*path, "last"), first=first, last=last)
            elif any(other.name == name for other in found):
                self._problem(Fault.SEASON_TWICE, (*path, "name"), text=name)
            elif overlapped is not None:
                self._problem(Fault.SEASON_OVERLAPS, path, text=name, other=overlapped.name)
            else:
                found.append(Season(name, first, last))
        return tuple(sorted(found, key=lambda season: season.first))

    def _day(self, value: object, path: KeyPath) -> date | None:
        day = date_of(value.strip()) if isinstance(value, str) else value
        if isinstance(day, date) and not isinstance(day, datetime):
            return day
        self._problem(Fault.SEASON_DAY, path, text=value)
        return None

    def compare(self, clubs: tuple[Club, ...]) -> None:
        """Say which names do not tell which club is meant."""
        shared = shared_names(clubs)
        for club in clubs:
            for lang, name in club.names.items():
                if name in shared and name != club.key:
                    self._problem(Fault.NAME_OF_TWO, (club.key, "names", lang), text=name, key=club.key)
