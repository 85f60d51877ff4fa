"""The registries of the samples: the players of the three clubs, and what the clubs say of themselves."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from tests.samples.evening import GUEST, HUZHOU, JIAXING, TONGXIANG, Club

_COLUMNS = ("id", "name", "aliases", "member_from", "member_to", "opening_four", "opening_five")
#: Standings before the first evening, by the number of the player; None is not known.
OPENING_FIVE: dict[str, Sequence[float]] = {
    "jx": (80, 55, 23, 17, 36.5, 60, 9, 2, 44, 31),
    "tx": (0, 62, 4, 55, 41, 25, 31, 19.5, 12, 118.5),
}
_OPENING_FOUR: dict[str, Sequence[float]] = {
    "jx": (112, 64, 20, 19, 7, -3, 45, 58, 0, 26),
    "hz": (31, 18, 40, 9, 22, 61, 5, 14, 27, 33),
}
_SINCE = {"jx": "2024-09-01", "hz": "2025-01-01", "tx": "2025-03-08"}
#: Ids as somebody wrote them by hand, before the clubs agreed on one way.
_ALIASES = {"jx-05": "jx-5;jx05", "hz-03": "hz-3"}
#: Who plays along and has not joined; who has left; who joined between the evenings.
_NO_MEMBER, _LEFT, _JOINED = "tx-10", ("jx-09", "2026-03-31"), ("hz-10", "2026-04-01")

CLUBS = """\
# What holds for the sheets of a club that do not say it, and the club's seasons (first and last day).
# 各俱乐部的记分表没写时按这里算；赛季写第一天和最后一天。

[jiaxing]
names = { zh = "嘉兴南湖牌友会", en = "Nanhu Card Friends, Jiaxing" }
zone = "Asia/Shanghai"
ruleset = "four-classic"
base = 1

[[jiaxing.seasons]]
name = "2026 早春"
first = 2026-03-01
last = 2026-03-31

[[jiaxing.seasons]]
name = "2026 春夏"
first = 2026-04-01
last = 2026-06-30

[huzhou]
names = { zh = "湖州苕溪棋牌社", en = "Tiaoxi Board and Card Society, Huzhou" }
ruleset = "five-classic"

[tongxiang]
names = { zh = "桐乡凤鸣茶馆", en = "Fengming Teahouse, Tongxiang" }
ruleset = "five-atomic"
"""


def _player(club: Club, place: int) -> list[str]:
    player_id = f"{club.code}-{place + 1:02}"
    openings = [
        openings[club.code][place] if club.code in openings else "" for openings in (_OPENING_FOUR, OPENING_FIVE)
    ]
    since = _JOINED[1] if player_id == _JOINED[0] else "" if player_id == _NO_MEMBER else _SINCE[club.code]
    until = _LEFT[1] if player_id == _LEFT[0] else ""
    aliases = _ALIASES.get(player_id, "")
    return [player_id, club.players[place], aliases, since, until, *[str(points) for points in openings]]


def players_csv() -> bytes:
    """``players.csv``: all players, and the guest of Tongxiang, who turned out to be of Huzhou and has joined there."""
    rows = [_player(club, place) for club in (JIAXING, HUZHOU, TONGXIANG) for place in range(len(club.players))]
    rows.append(["hz-11", "沈阿毛", GUEST, "2026-04-01", "", "", ""])
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_COLUMNS, *rows])
    # With a byte order mark, so that a spreadsheet reads the names.
    return text.getvalue().encode("utf-8-sig")


def registries() -> dict[str, bytes]:
    """The two files by name."""
    return {"players.csv": players_csv(), "clubs.toml": CLUBS.encode()}
