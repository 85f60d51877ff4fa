"""Every sentence that a person reads, in both languages: ``text("reasons.violation.TURN.name", "zh")``.

A key is a topic and a path. The topic is a file, ``<language>/<topic>.toml``, read when one of its keys is first asked
for; the path leads through its tables to a text. No sentence stands in code, and no code here knows a topic.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")

# Where the environment may name a language, the first that is set deciding (POSIX for all but our own).
_VARIABLES = ("YUANZI_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def text(key: str, lang: Lang, /, **fields: object) -> str:
    """The text of a key, its ``{fields}`` filled in as by ``str.format``.

    :raises KeyError: no such key, or a field of the text was not given (a programmer's error in both cases).
    """
    found = _topic(key.partition(".")[0], lang).get(key)
    if found is None:
        raise KeyError(key)
    return found.format(**fields)


def has(key: str, lang: Lang) -> bool:
    """Whether there is a text for the key."""
    return key in _topic(key.partition(".")[0], lang)


def keys(topic: str, lang: Lang) -> tuple[str, ...]:
    """All keys of a topic, in the order of its file.

    :raises KeyError: no such topic.
    """
    found = tuple(_topic(topic, lang))
    if not found:
        raise KeyError(topic)
    return found


def pick_language(wanted: str | None, environ: Mapping[str, str]) -> Lang:
    """The language to speak: the one wanted, else that of the environment. ``zh…`` is Chinese, all else English."""
    named = wanted or next((environ[name] for name in _VARIABLES if environ.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"


@cache
def _topic(topic: str, lang: Lang) -> Mapping[str, str]:
    """The texts of one file by full key; empty if there is no such file."""
    # Imported here: most commands need a text late or never, and both cost more than this whole module.
    import tomllib
    from importlib.resources import files

    file = files(__name__) / lang / f"{topic}.toml"
    if not file.is_file():
        return {}
    found: dict[str, str] = {}

    def walk(path: str, node: object) -> None:
        if isinstance(node, dict):
            for name, inner in node.items():
                walk(f"{path}.{name}", inner)
        elif isinstance(node, str):
            found[path] = node
        else:
            raise TypeError(f"{path} ({lang}) is not a text")

    walk(topic, tomllib.loads(file.read_text(encoding="utf-8")))
    return found
