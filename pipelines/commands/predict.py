"""``yuanzi predict``: the chances of a table, from the ratings of who sits there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipelines.commands.pages import home_folder
from pipelines.commands.published import published, say_json
from pipelines.commands.terminal import CallFailed, clean, columns, painted, say
from yuanzi_core.cards import SEATS, Variant
from yuanzi_core.ratings.offsets import SIZES
from yuanzi_core.standing_words import chance_and_bounds, rating_and_bounds
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from yuanzi_core.ratings.prediction import Prediction


def predict(
    wanted: Sequence[str], dealer: str | None, partners: str | None, everybody: bool, home: str | None, as_json: bool,
    lang: Lang,
) -> int:  # fmt: skip
    """Tell the chances of a table of four or five. Returns the exit status: 0.

    :raises CallFailed: nothing is published, or nobody can sit like that.
    """
    game = next((game for game, seats in SEATS.items() if len(wanted) == seats), None)
    if game is None:
        raise CallFailed(text("standings.how_many", lang, count=len(wanted)))
    from dashboards.queries import players, ratings

    with published(home_folder(home), everybody, lang) as con:
        ids = [players.resolved(con, one) for one in wanted]
        if len({*ids}) < len(ids):
            raise CallFailed(text("standings.twice", lang))
        chief = None if dealer is None else players.resolved(con, dealer)
        others = None if partners is None else [players.resolved(con, one.strip()) for one in partners.split(",")]
        seats = _roles(ids, game, chief, others, lang)
        names = players.names(con, ids)
        known = ratings.ratings_of(con, game, ids)
        found = ratings.chances(con, game, ids, *seats)
    unknown = [one for one in ids if one not in known]
    if as_json:
        for seat, (one, chance) in enumerate(zip(ids, found, strict=True)):
            say_json({**_line(seat, one, names.get(one), chance), "rated": one in known})
    else:
        _tell(game, ids, names, found, known, lang)
        if unknown:
            key = "newcomers" if everybody else "newcomers_or_guests"
            say("", text(f"standings.{key}", lang, players=", ".join(clean(names.get(one, one)) for one in unknown)))
    return 0


def _roles(
    ids: Sequence[str], game: Variant, dealer: str | None, partners: Sequence[str] | None, lang: Lang
) -> tuple[int | None, list[int] | None]:
    """The dealer's seat and the partners' seats, as far as they are given. :raises CallFailed: they cannot be."""
    if game == "four" and (dealer is not None or partners is not None):
        raise CallFailed(text("standings.no_dealer", lang))
    others = partners or ()
    for one in (*([] if dealer is None else [dealer]), *others):
        if one not in ids:
            raise CallFailed(text("standings.not_seated", lang, player=clean(one)))
    if partners is not None and (
        dealer is None or len({dealer, *others}) != len(others) + 1 or len(others) + 1 not in SIZES
    ):
        raise CallFailed(text("standings.partners", lang))
    seats = [ids.index(one) for one in others]
    return None if dealer is None else ids.index(dealer), None if partners is None else seats


def _line(seat: int, player_id: str, name: str | None, found: Prediction) -> dict[str, Any]:
    chances = {"chance": found.chance, "chance_low": found.low, "chance_high": found.high}
    return {"seat": seat, "id": player_id, "name": name, **{key: round(value, 4) for key, value in chances.items()}}


def _tell(
    game: Variant, ids: Sequence[str], names: dict[str, str], found: Sequence[Prediction], known: dict[str, Any],
    lang: Lang,
) -> None:  # fmt: skip
    heading = [text(f"standings.heading.{name}", lang) for name in ("seat", "player", "rating", "chance")]
    lines = []
    for seat, (one, chance) in enumerate(zip(ids, found, strict=True)):
        row = known.get(one)
        rating = " ".join((row and rating_and_bounds(row)) or ("–",))
        shown = " ".join(chance_and_bounds(chance.chance, chance.low, chance.high))
        lines.append([text(f"terms.seat.{game}.{seat}", lang), clean(names.get(one, one)), rating, shown])
    first, *rest = columns([heading, *lines])
    say(painted(first, "bold"), *rest, "", text("standings.about_chance", lang))
