"""What the logs of a league do not say: who a player is, how the player decides, and how well, month by month."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from yuanzi_core.league.population import Person
from yuanzi_core.league.settings import PLACES, League

_encoder = msgspec.json.Encoder()


def hidden_skills(league: League, people: Sequence[Person]) -> Iterator[bytes]:
    """One line of JSON a player and month, by player: ``id``, ``month`` (``2026-01``), ``policy``, ``skill``.

    The skill is that of every match in the month: a decision is a mistake with probability 1 − skill (``Players``).
    With them stand the home ``club``, the ``alias``, whether a ``regular``, the ``first`` day and the ``opening``
    standings of both games in points.
    """
    for person in people:
        for month, skill in enumerate(person.skills):
            line: dict[str, Any] = {
                "id": person.id, "month": f"{league.month(month):%Y-%m}", "policy": person.policy, "skill": skill,
                "club": PLACES[person.club][0], "alias": person.alias, "regular": person.regular,
                "first": person.first, "opening": list(person.opening),
            }  # fmt: skip
            yield _encoder.encode(line)
