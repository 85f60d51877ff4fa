"""Players, seats, sides and places of a match in words."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.components.figures import word
from dashboards.components.frame import Frame, View
from dashboards.components.markup import Html, data, joined, link, tag


def seat(view: Frame, variant: str, number: int) -> str:
    """A seat's name."""
    return word(f"terms.seat.{variant}.{number}", view.lang, str(number))


def side(view: Frame, variant: str, number: int) -> str:
    """A side's name."""
    return word(f"terms.side.{variant}.{number}", view.lang, str(number))


def player(names: Sequence[str | None] | None, ids: Sequence[str] | None, number: int) -> Html | None:
    """The player of a seat by name, else by id; None where nobody is known."""
    if ids is None or number >= len(ids):
        return None
    name = names[number] if names is not None and number < len(names) else None
    return data(name or ids[number])


def player_link(view: Frame, name: str | None, player_id: str, game_of: str | None = None) -> Html:
    """A player by name, else by id, leading to the player's page."""
    return link(view.href("player", player=player_id, game=game_of), data(name or player_id))


def players(names: Sequence[str | None] | None, ids: Sequence[str]) -> Html:
    """All players in seat order."""
    return joined(*[player(names, ids, number) for number in range(len(ids))], between=" · ")


def place(view: View, variant: str, deal: int | None, play: int | None) -> str:
    """Where in a match: the half (four players), and the play as the replay counts it: from 1, ``play`` from 0."""
    half = word(f"terms.half.{deal}", view.lang, str(deal)) if variant == "four" and deal is not None else ""
    if play is None:
        return half
    numbered = view.say("place.play", play=play + 1)
    return view.say("place.half_and_play", half=half, play=numbered) if half else numbered


def game(view: Frame, variant: str) -> str:
    """The game's name."""
    return word(f"terms.game.{variant}", view.lang, variant)


def source_line(*parts: object) -> Html:
    """Small print: what is None or empty is left out."""
    return tag("p", *[tag("span", part) for part in parts if part not in (None, "")], class_="yz-muted")


def file_and_line(view: View, file_id: str, file_name: str, line: int) -> Html:
    """``club.jsonl:12``, leading to the records of that file."""
    return tag("span", link(view.href("records", file=file_id), data(file_name)), f":{line}", class_="yz-whole")
