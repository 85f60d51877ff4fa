"""Ratings of players, and what they say of a table that has not played yet.

As in ``standings``, the schema that the cursor looks in decides whose ratings there are: where one is not shown, its
player counts as a newcomer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dashboards.queries.rows import Cursor, Row, row, rows

if TYPE_CHECKING:
    from yuanzi_core.cards import Variant
    from yuanzi_core.ratings.prediction import Prediction
    from yuanzi_core.ratings.state import State


def ratings_of(cursor: Cursor, game: str, ids: Sequence[str]) -> dict[str, Row]:
    """The rows of ``out_ratings__player`` of some players, by id; who has none is left out."""
    found = rows(
        cursor,
        "select * from out_ratings__player where game = $game and list_contains(cast($ids as varchar[]), player_id)",
        {"game": game, "ids": list(ids)},
    )
    return {one["player_id"]: one for one in found}


def chances(
    cursor: Cursor, game: Variant, ids: Sequence[str], dealer: int | None = None, partners: Sequence[int] | None = None
) -> list[Prediction]:  # fmt: skip
    """The chance of each seat to win, as of the newest rated match of the game; see ``ratings.prediction.predict``.

    :raises ValueError: nobody can sit like that.
    """
    from yuanzi_core.ratings.prediction import predict
    from yuanzi_core.ratings.settings import MODELS

    return predict(_state(cursor, game, ratings_of(cursor, game, ids)), MODELS[game], ids, 0, dealer, partners)


def chances_of_two(cursor: Cursor, game: Variant, first: str, second: str) -> list[Prediction] | None:
    """The chances of two players (opponents in the game for four) at a table whose others are of the middle, 1500 to a
    point; None where one of the two has no rating that is shown.
    """
    from yuanzi_core.cards import SEATS
    from yuanzi_core.ratings.prediction import predict
    from yuanzi_core.ratings.settings import CENTRE, MODELS

    known = ratings_of(cursor, game, [first, second])
    if len(known) < 2:
        return None
    others = [f"{first}\n{second}\n{seat}" for seat in range(2, SEATS[game])]
    known.update({other: {"rating": CENTRE, "rating_sigma": 1.0} for other in others})
    found = predict(_state(cursor, game, known), MODELS[game], [first, second, *others], 0)
    return found[:2]


def _state(cursor: Cursor, game: Variant, known: Mapping[str, Row]) -> State:
    """What the fold knew at its end of some players, and of the roles."""
    from dataclasses import replace

    import numpy as np

    from yuanzi_core.ratings.settings import CENTRE, MODELS
    from yuanzi_core.ratings.state import empty_state

    state = empty_state(game, MODELS[game])
    offsets = rows(
        cursor, "select worth, worth_sigma, matches from out_ratings__role where game = $game order by side_size",
        {"game": game},
    )  # fmt: skip
    if offsets:
        worth, sigma, matches = (np.array([one[name] for one in offsets], float) for name in offsets[0])
        state = replace(
            state, offset_mu=worth, offset_precision=sigma**-2, offset_matches=matches.astype(np.int64)
        )  # fmt: skip
    # What the days have added is in the uncertainty already: all stand as at one instant.
    at = np.zeros(len(known), np.int64)
    return replace(
        state,
        ids=np.array(list(known), object),
        mu=np.array([float(one["rating"]) - CENTRE for one in known.values()]),
        sigma=np.array([one["rating_sigma"] for one in known.values()]),
        last_at=at,
    )


def unrated(cursor: Cursor, game: str) -> list[Row]:
    """How many matches are not rated: ``reason``, ``matches``, the most first."""
    return rows(
        cursor,
        """
        select reason, count(*) as matches
        from out_ratings__unrated
        where game = $game
        group by reason
        order by matches desc, reason
        """,
        {"game": game},
    )


def rated_matches(cursor: Cursor, game: str) -> int:
    """How many matches of a game are rated."""
    found = row(cursor, "select count(*) as matches from out_ratings__match where game = $game", {"game": game})
    assert found is not None
    return int(found["matches"])
