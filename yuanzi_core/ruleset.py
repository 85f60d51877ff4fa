"""Rulesets: the numbers and options of a game, their presets, a club's own, and the hash of what is in force.

A preset (``rulesets/*.toml``) holds the constants of its game and the default of each option. A club's ruleset
extends a preset and sets options only. A match may override options once more. What is then in force is a
:class:`RuleSet`; two that play alike have the same hash, whatever they are called.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from yuanzi_core.cards import RANKS, VARIANTS, Variant

Value = str | int | bool | Decimal
PRESETS = ("four-classic", "five-classic", "five-atomic")
#: The preset of each game that is meant where none is named.
USUAL: dict[Variant, str] = {"four": "four-classic", "five": "five-classic"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


#: What is wrong with the value of an option, and the same said of a line in a file.
_IN_FILE = {
    "other_game": "other_game_in_file",
    "bad_value": "bad_option_in_file",
    "bad_decimal": "bad_decimal_in_file",
}


class RulesetError(ValueError):
    """A ruleset, option or value that does not exist in the game. ``path`` says where it stands."""

    def __init__(self, message: str, path: str, key: str, **fields: object) -> None:
        super().__init__(message)
        self.path, self.key, self.fields = path, key, fields


@dataclass(frozen=True)
class Option:
    """One option of the rulings' table: the clause it settles and what it may be in each game."""

    name: str
    clause: str
    values: Mapping[str, tuple[Value, ...]]
    range: Mapping[str, Mapping[str, int]]

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The games that have this option."""
        return tuple(v for v in VARIANTS if v in self.values or v in self.range)

    def accepts(self, variant: Variant, value: object) -> bool:
        """Whether ``value`` is one of the option's values in that game, of the right type (``True`` is not 1)."""
        if variant in self.values:
            return any(type(value) is type(allowed) and value == allowed for allowed in self.values[variant])
        if variant not in self.range or isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            return False
        limits = self.range[variant]
        if limits["decimals"] == 0 and not isinstance(value, int):
            return False
        try:
            number = Decimal(str(value))
            return limits["least"] <= number <= limits["most"] and round(number, limits["decimals"]) == number
        except InvalidOperation:
            return False

    def allowed(self, variant: Variant) -> str:
        """What the option may be in that game, for people."""
        if variant in self.values:
            return ", ".join(json.dumps(v) if isinstance(v, bool) else str(v) for v in self.values[variant])
        if variant in self.range:
            return f"{self.range[variant]['least']}–{self.range[variant]['most']}"
        return "–"


def _toml(name: str) -> dict[str, Any]:
    text = (files("yuanzi_core") / "rulesets" / name).read_text(encoding="utf-8")
    return tomllib.loads(text, parse_float=Decimal)


@cache
def options() -> Mapping[str, Option]:
    """Every option of the rulings' table, in its order."""
    return {
        name: Option(
            name,
            entry["clause"],
            {variant: tuple(values) for variant, values in entry.get("values", {}).items()},
            entry.get("range", {}),
        )
        for name, entry in _toml("options.toml").items()
    }


@dataclass(frozen=True)
class RuleSet:
    """What is in force in a match: the constants of the game and the value of each of its options."""

    name: str
    variant: Variant
    names: Mapping[str, str]
    constants: Mapping[str, Any]
    options: Mapping[str, Value]
    extends: str | None = None
    hash: str = field(init=False)

    def __post_init__(self) -> None:
        text = json.dumps(
            {"variant": self.variant, "constants": self.constants, "options": self.options},
            sort_keys=True,
            default=lambda number: f"{number.normalize():f}",
        )
        object.__setattr__(self, "hash", hashlib.sha256(text.encode()).hexdigest()[:16])

    @property
    def players(self) -> int:
        """Number of seats (A1)."""
        return int(self.constants["players"])

    @property
    def decks(self) -> int:
        """Number of decks (A2)."""
        return int(self.constants["decks"])

    @property
    def rank_points(self) -> tuple[int, ...]:
        """Card points of one card of each rank, in the order of ``RANKS`` (A2)."""
        return tuple(int(self.constants["card_points"].get(rank, 0)) for rank in RANKS)

    @property
    def total_points(self) -> int:
        """All card points of a deal (A2): 300 or 500."""
        return 4 * self.decks * sum(self.rank_points)

    def target(self, side_size: int, has_upstream: bool) -> int:
        """Card points a side of that size needs to win (F1); 0 in the four-player game, which has no targets."""
        if self.variant == "four":
            return 0
        each, more = self.constants["target_a_player"], self.constants["target_without_upstream"]
        return int(each * side_size + (0 if has_upstream else more))

    def with_options(self, changes: Mapping[str, object], path: str = "rules") -> RuleSet:
        """This ruleset with some options changed; an absent (``None``) value changes nothing.

        :raises RulesetError: an option that the game does not have, or a value that the option does not have.
        """
        merged = dict(self.options)
        for name, value in changes.items():
            if value is None:
                continue
            option = options().get(name)
            if option is None:
                raise RulesetError(f"unknown option {name!r}", f"{path}.{name}", "unknown_option", option=name)
            if self.variant not in option.variants:
                raise RulesetError(
                    f"option {name!r} belongs to the other game", f"{path}.{name}", "other_game", option=name
                )
            if not option.accepts(self.variant, value):
                shown = str(value) if isinstance(value, Decimal) else json.dumps(value, default=str, ensure_ascii=False)
                decimals = option.range.get(self.variant, {}).get("decimals", 0)
                raise RulesetError(
                    f"{name} = {shown[:80]}: may be {option.allowed(self.variant)}",
                    f"{path}.{name}",
                    "bad_decimal" if decimals else "bad_value",
                    option=name,
                    value=shown[:80],
                    allowed=option.allowed(self.variant),
                    **{"decimals": decimals} if decimals else {},
                )
            merged[name] = Decimal(str(value)) if self.variant in option.range else value  # type: ignore[assignment]
        return RuleSet(self.name, self.variant, self.names, self.constants, merged, self.extends)


class Rulesets:
    """The presets and, from a folder of ``NAME.toml`` files, a club's own rulesets."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._known: dict[str, RuleSet] = {}
        self._called: dict[tuple[Variant, str], set[str]] | None = None

    def names(self) -> list[str]:
        """Names of all rulesets, the presets first."""
        own = sorted(path.stem for path in self.folder.glob("*.toml")) if self.folder and self.folder.is_dir() else []
        return [*PRESETS, *[name for name in own if name not in PRESETS]]

    def called(self, name: str, variant: Variant) -> str:
        """The name of the ruleset of a game that people call so: by its name or, in either language, what it is called.

        Upper and lower case do not matter. What names none, or several, is given back as it is.
        """
        if self._called is None:
            self._called = {}
            for known in self.names():
                try:
                    ruleset = self[known]
                except RulesetError:
                    continue
                # A name that a club's ruleset only inherits is that of the other.
                inherited = self[ruleset.extends].names if ruleset.extends else {}
                own = [called for lang, called in ruleset.names.items() if called != inherited.get(lang)]
                for called in (known, *own):
                    self._called.setdefault((ruleset.variant, called.casefold()), set()).add(known)
        found = self._called.get((variant, name.casefold()), {name})
        return name if name in found or len(found) > 1 else next(iter(found))

    def __getitem__(self, name: str) -> RuleSet:
        """The ruleset of that name.

        :raises RulesetError: no such ruleset, or its file is not a ruleset.
        """
        if name not in self._known:
            self._known[name] = self._load(name, ())
        return self._known[name]

    def _load(self, name: str, seen: tuple[str, ...]) -> RuleSet:
        path: Path | None = None
        if name in PRESETS:
            source = _toml(f"{name}.toml")
        else:
            may_be = _NAME.match(name) is not None
            path = self.folder / f"{name}.toml" if self.folder and may_be else None
            if path is None or not path.is_file():
                key = "unknown_ruleset" if may_be else "ruleset_name"
                raise RulesetError(f"unknown ruleset {name[:64]!r}", "ruleset", key, ruleset=name[:64])
            source = _club_file(path)
        if "extends" not in source:
            defaults = {
                option: Decimal(value) if source["variant"] in options()[option].range else value
                for option, value in source["options"].items()
            }
            return RuleSet(name, source["variant"], source["names"], source["constants"], defaults)
        if source["extends"] in (*seen, name):
            raise _bad_file(f"{name}.toml", "extends_itself")
        base = self._load(source["extends"], (*seen, name))
        names = {**base.names, **source.get("names", {})}
        own = RuleSet(name, base.variant, names, base.constants, base.options, source["extends"])
        try:
            return own.with_options(source.get("options", {}), "options")
        except RulesetError as error:
            # Unknown names were sorted out with the file; what is left is of the other game, or a wrong value.
            key = _IN_FILE[error.key]
            line = _line_of(path, str(error.fields["option"])) if path else 0
            raise _bad_file(f"{name}.toml", key, line=line, **error.fields) from None


def _bad_file(file: str, key: str, **fields: object) -> RulesetError:
    where = f"{file}, line {fields['line']}" if "line" in fields else file
    return RulesetError(f"{where}: {key.replace('_', ' ')}", "ruleset", key, file=file, **fields)


def _line_of(path: Path, word: str) -> int:
    """The line on which a key first stands in a TOML file, counted from 1."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if re.match(rf"\s*(?:\[+\s*)?[\"']?{re.escape(word)}[\"']?\s*[=.\]]", line):
            return number
    return 1


def _club_file(path: Path) -> dict[str, Any]:
    """A club's ruleset file: ``extends``, ``names`` and options, these at the top level or in a table ``options``."""
    try:
        source = tomllib.loads(path.read_text(encoding="utf-8-sig"), parse_float=Decimal)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _bad_file(path.name, "not_toml", detail=str(error)) from None
    if not isinstance(source.get("extends"), str):
        raise _bad_file(path.name, "no_extends")
    own: dict[str, Any] = {"extends": source.pop("extends")}
    names = source.pop("names", {})
    if not isinstance(names, dict) or any(
        key not in ("en", "zh") or not isinstance(value, str) for key, value in names.items()
    ):
        raise _bad_file(path.name, "bad_names", line=_line_of(path, "names"))
    inner = source.pop("options", {})
    if not isinstance(inner, dict):
        raise _bad_file(path.name, "bad_options", line=_line_of(path, "options"))
    for key in (*source, *inner):
        if key not in options():
            raise _bad_file(path.name, "unknown_entry", line=_line_of(path, key), entry=key)
    own["names"] = names
    own["options"] = {**source, **inner}
    return own
