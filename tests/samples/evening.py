"""Clubs, their players and evenings: whatever stands around the deals of a match, and what a scorer writes down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import msgspec

from tests.oracle.match import settle
from tests.samples.dealt import Deal
from yuanzi_core.log import FORMAT

Match = dict[str, Any]

_SHANGHAI = timezone(timedelta(hours=8))
_ROUND = timedelta(minutes=20)
#: Table 1 may be for four, table 2 for five.
_SEATS_BEFORE = {1: 0, 2: 4}
_encoder = msgspec.json.Encoder(decimal_format="number")


@dataclass(frozen=True)
class Club:
    """A club: the beginning of its ids, its name, its players as they are numbered."""

    code: str
    name: str
    players: tuple[str, ...]


JIAXING = Club(
    "jx", "嘉兴南湖牌友会",
    ("沈建国", "陆月英", "钱学明", "朱阿兴", "徐惠珍", "姚志刚", "金小毛", "顾雪芳", "盛水根", "许爱珍"),
)  # fmt: skip
HUZHOU = Club(
    "hz", "湖州苕溪棋牌社",
    ("潘国平", "费玉珍", "凌志远", "钮大伟", "温秀兰", "闵永林", "臧文斌", "嵇美华", "邱小弟", "丁月仙"),
)  # fmt: skip
TONGXIANG = Club(
    "tx", "桐乡凤鸣茶馆",
    ("吴根荣", "张水金", "俞彩凤", "曹利民", "范红梅", "计阿四", "屠明华", "施巧云", "倪发根", "颜丽娟"),
)  # fmt: skip
#: A guest at Tongxiang, who has no standing there.
GUEST = "tx-guest"


class Standings:
    """What each player has in the game for five, match by match: the balance that a log carries (F6, G1)."""

    def __init__(self, opening: dict[str, Decimal | int]) -> None:
        self._points = {player: Decimal(points) for player, points in opening.items()}

    def __getitem__(self, player: str) -> int | Decimal | None:
        """Points before the next match; None for a player whose standing nobody knows."""
        return exact(self._points[player]) if player in self._points else None

    def add(self, players: Sequence[str], scores: Sequence[Any]) -> None:
        """Take in the scores of a match."""
        for player, score in zip(players, scores, strict=True):
            if player in self._points:
                self._points[player] += Decimal(str(score))


def exact(number: Decimal | float) -> int | Decimal:
    """A number as logs write it."""
    number = Decimal(str(number))
    return int(number) if number == number.to_integral_value() else number


class Evening:
    """An evening at a table of a club. ``standings`` is given where they are logged."""

    def __init__(
        self, club: Club, day: str, ruleset: str, table: int = 1, standings: Standings | None = None,
        begins: str = "19:00",
    ) -> None:  # fmt: skip
        self.club, self.ruleset, self.table, self.standings = club, ruleset, table, standings
        self._time = datetime.fromisoformat(f"{day}T{begins}").replace(tzinfo=_SHANGHAI)
        self._day, self._count = day.replace("-", ""), 0

    def match(self, deals: list[Deal], claims: str = "all", guest: int | None = None, **fields: Any) -> Match:
        """The next match. ``claims``: "all" that a scorer can write, the "scores" only, or "none"; they are true.

        ``guest``: a seat that the guest has. Other fields are those of a log (``rules``, ``base``, ``revision``).
        """
        seats = 4 if self.ruleset.startswith("four") else 5
        self._count += 1
        size = len(self.club.players)
        # Each round moves everybody. 3 and 10 have no common divisor: nobody sits twice, nor at both tables of a round.
        first = _SEATS_BEFORE[self.table]
        places = [(2 * self._count + 3 * (first + seat)) % size for seat in range(seats)]
        players: list[dict[str, Any]] = [
            {"id": f"{self.club.code}-{place + 1:02}", "name": self.club.players[place]} for place in places
        ]
        if guest is not None:
            players[guest] = {"id": GUEST, "name": "散客"}
        if self.standings is not None:
            for player in players:
                balance = self.standings[player["id"]]
                player |= {} if balance is None else {"balance": balance}
        made: Match = {
            "format": FORMAT,
            "match_id": f"{self.club.code}-{self._day}-t{self.table}-{self._count:02}",
            "variant": "four" if seats == 4 else "five",
            "ruleset": self.ruleset,
            "rules": fields.pop("rules", None),
            "played_at": self._time.isoformat(),
            "club": self.club.name,
            "table": str(self.table),
            "revision": fields.pop("revision", None),
            "base": fields.pop("base", None),
            "players": players,
            "deals": deals,
        }
        self._time += _ROUND
        made = {name: value for name, value in made.items() if value is not None} | fields
        scores = _answer(made)["scores"]
        if self.standings is not None and scores is not None:
            self.standings.add([player["id"] for player in players], scores)
        return claimed(made, claims)


def _answer(match: Match) -> dict[str, Any]:
    """The second opinion on a match: what is true of it, without the code that the samples are there to show."""
    return settle(msgspec.json.decode(encode(match)))


def claimed(match: Match, claims: str = "all") -> Match:
    """A match with what a scorer who makes no mistake writes down."""
    found = _answer(match)
    if claims == "none" or found["code"] is not None:
        return match
    made = dict(match)
    if claims == "all":
        made["deals"] = [
            deal | {"claimed": _known(facts, "finish", "captured", "side_points")}
            for deal, facts in zip(match["deals"], found["deals"], strict=True)
        ]
    if found["scores"] is not None:
        scores = {"scores": [exact(score) for score in found["scores"]]}
        made["claimed"] = (_known(found, "outcome", "winner") if claims == "all" else {}) | scores
    return made


def _known(found: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: found[name] for name in names if found[name] is not None}


def encode(match: Match) -> bytes:
    """A line of a log, without its end."""
    return _encoder.encode(match)
