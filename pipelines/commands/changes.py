"""What a publication says differently about what was published before: after `yuanzi run`, and ``yuanzi changes``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipelines.commands.pages import home_folder
from pipelines.commands.terminal import CallFailed, clean, clean_json, painted, say, width_of_page, wrapped, write_bytes
from pipelines.warehouse import Warehouse
from yuanzi_core.texts import Lang, has, text

_COLUMNS = ("match_id", "file_name", "line", "part", "before", "after")
#: Verdicts first, then match by match.
_ROWS = """
select match_id, file_name, line, part, before, after
from read_parquet($path)
order by part <> 'verdict', match_id nulls first, file_name, file_id, line
"""
#: In which topic the words of a part are.
_WORDS = {"verdict": "terms.status", "outcome": "terms.outcome"}


def changes(home: str | None, as_json: bool, lang: Lang) -> int:
    """Tell what the present publication changed. Returns the exit status: 0.

    :raises CallFailed: nothing was published.
    """
    from pipelines.defs.publish.changes import changes_of
    from pipelines.defs.publish.snapshot import pointer

    warehouse = Warehouse(home_folder(home))
    name = pointer(warehouse)
    if name is None:
        raise CallFailed(text("changes.nothing_published", lang, home=clean(warehouse.home)))
    path = changes_of(warehouse, name)
    if as_json:
        for row in _rows(path):
            line = json.dumps(dict(zip(_COLUMNS, row, strict=True)), ensure_ascii=False)
            write_bytes(clean_json(line.encode("utf-8", "backslashreplace")) + b"\n")
    elif path is None:
        say(text("changes.none", lang))
    else:
        tell_changes(path, None, lang)
    return 0


def _rows(path: Path | None) -> list[tuple[Any, ...]]:
    import duckdb

    if path is None:
        return []
    with duckdb.connect() as con:
        return con.execute(_ROWS, {"path": str(path)}).fetchall()


def tell_changes(path: Path | None, most: int | None, lang: Lang) -> None:
    """Tell of changes, at most so many of them; of nothing, where there are none."""
    rows = _rows(path)
    if not rows:
        return
    say("", painted(text("changes.told", lang, count=len(rows)), "bold"))
    for match, file, line, part, before, after in rows[:most]:
        where = painted(f"{clean(file)}:{line}", "cyan")
        fields = {name: _shown(part, value, lang) for name, value in (("before", before), ("after", after))}
        said = wrapped(text(f"changes.part.{part}", lang, **fields), width_of_page() - 6)
        say(f"  {where}  {clean(match or '-')}", *[f"      {one}" for one in said])
    if most is not None and len(rows) > most:
        say("  " + text("changes.more", lang, count=len(rows) - most))


def _shown(part: str, value: str | None, lang: Lang) -> str:
    """A value as it is told: its first word in the reader's language, where there is one for it."""
    if not value:
        return text("changes.nothing", lang)
    word, _, rest = value.partition(" ")
    key = f"{_WORDS.get(part)}.{word}"
    return clean(f"{text(key, lang)} {rest}".rstrip() if part in _WORDS and has(key, lang) else value)
