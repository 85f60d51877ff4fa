"""What the published tables mean: of each what a row is, its key, and every column, from the texts ``tables*.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from yuanzi_core.texts import Lang, has, keys, text


@dataclass(frozen=True)
class Documented:
    """One table. ``key``: its key columns as written, ``–`` where it has one row; ``columns`` in their order."""

    about: str
    key: str
    columns: dict[str, str]


@cache
def documented(lang: Lang) -> dict[str, Documented]:
    """All tables that are described, by name: those of ``tables.toml``, then each stage's own."""
    topics = sorted(
        entry.name.removesuffix(".toml")
        for entry in (files("yuanzi_core.texts") / lang).iterdir()
        if entry.name.startswith("tables") and entry.name.endswith(".toml")
    )
    found: dict[str, Documented] = {}
    for topic in topics:
        for said in keys(topic, lang):
            _, table, *rest = said.split(".")
            if table not in found:
                about, key = f"{topic}.{table}.about", f"{topic}.{table}.key"
                found[table] = Documented(text(about, lang), text(key, lang) if has(key, lang) else "–", {})
            if rest[0] == "columns":
                found[table].columns[rest[1]] = text(said, lang)
    return found
