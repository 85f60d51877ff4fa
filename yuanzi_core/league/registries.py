"""The registries of a league, as its clubs would keep them: ``players.csv`` and ``clubs.toml``."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import timedelta

from yuanzi_core.league.population import Person
from yuanzi_core.league.settings import PLACES, League

_COLUMNS = ("id", "name", "aliases", "member_from", "member_to", "opening_four", "opening_five")


def players_csv(people: Sequence[Person]) -> bytes:
    """The players on record, in a file that a spreadsheet opens as it is (BOM, CRLF)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    for person in people:
        if person.on_record:
            openings = person.opening if person.opening_known else ("", "")
            writer.writerow(
                [
                    person.id,
                    person.name,
                    person.alias or "",
                    person.member_from or "",
                    person.member_to or "",
                    *openings,
                ]
            )
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def clubs_toml(league: League) -> bytes:
    """The clubs with a season a half-year."""
    lines = []
    for club in range(league.clubs):
        key, chinese, english = PLACES[club]
        lines += [
            f"[{key}]", f'names = {{ zh = "{chinese}原子牌友会", en = "Yuanzi Club of {english}" }}',
            'zone = "Asia/Shanghai"', f'ruleset = "{league.houses[club].four.name}"', f"base = {league.base}", "",
        ]  # fmt: skip
        for begin in range(0, league.months, 6):
            first, end = league.month(begin), league.month(min(begin + 6, league.months))
            last = end - timedelta(days=1)
            name = f"{first:%Y-%m} – {last:%Y-%m}" if end > league.month(begin + 1) else f"{first:%Y-%m}"
            lines += [f"[[{key}.seasons]]", f'name = "{name}"', f"first = {first}", f"last = {last}", ""]
    return "\n".join(lines).encode()
