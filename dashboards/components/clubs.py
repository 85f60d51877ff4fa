"""Clubs by their names in the reader's language; one that is not in the registry, or was logged by name, as logged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dashboards.components import filters
from dashboards.components.frame import View
from dashboards.components.markup import Html, data


def club(page: View, key: str | None) -> Html | None:
    """What a club is called; None where none is given."""
    return None if key is None else data(page.clubs.get(key, key))


def choose_club(page: View, keys: Sequence[str]) -> str | None:
    """The filter for a club: the key chosen, or None for all."""
    named = Counter(page.clubs.get(key, key) for key in keys)

    def shown(key: str) -> str:
        name = page.clubs.get(key, key)
        # A club that is logged by its key here and by its name there is two choices.
        return f"{name} ({key})" if key != name and named[name] > 1 else name

    return filters.choice("club", page.say("filters.club"), keys, page.say("filters.all"), shown)
