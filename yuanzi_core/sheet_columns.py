"""The columns of a score sheet: names, headings in both languages, whether a value is of the match or of the deal.

The canonical name of a column is its English heading. Seats are numbered as in the log: ``player0`` is seat 0.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Literal

from yuanzi_core.cards import SEAT_LETTERS, Variant

FORMAT = "yuanzi-sheet/1"
Kind = Literal["text", "time", "number", "whole", "seat", "seats", "half", "end", "outcome", "rules", "variant"]


@dataclass(frozen=True)
class Column:
    """One column. ``of_match``: the same for all rows of a match, and needed once; ``games``: where it has a meaning.

    ``headings_zh``: the first is written, all are read.
    """

    name: str
    kind: Kind
    of_match: bool
    headings_zh: tuple[str, ...]
    headings_en: tuple[str, ...] = ()
    games: tuple[Variant, ...] = ("four", "five")


def _seats(name: str, kind: Kind, of_match: bool, *headings: str) -> list[Column]:
    """A column a seat; seat 4 is the five-player game's."""
    return [
        Column(
            f"{name}{seat}", kind, of_match, tuple(f"{heading}{seat}" for heading in headings),
            games=("four", "five") if seat < 4 else ("five",),
        )
        for seat in range(5)
    ]  # fmt: skip


COLUMNS = (
    Column("match_id", "text", True, ("场次", "盘号", "比赛编号"), ("match",)),
    Column("revision", "whole", True, ("版本", "修订")),
    Column("played_at", "time", True, ("时间", "日期", "开局时间"), ("date", "time")),
    Column("club", "text", True, ("俱乐部", "社团")),
    Column("table", "text", True, ("桌号", "桌")),
    Column("variant", "variant", True, ("玩法", "人数"), ("game",)),
    Column("ruleset", "text", True, ("规则", "规则集")),
    Column("rules", "rules", True, ("选项", "规则选项"), ("options",)),
    Column("half", "half", False, ("半局", "上下局", "局")),
    Column("base", "number", True, ("底分",)),
    *_seats("player", "text", True, "牌手", "选手", "玩家"),
    Column("finish", "seats", False, ("出完顺序", "名次", "走完顺序")),
    *_seats("captured", "whole", False, "抓分", "得分", "吃分"),
    *_seats("hand", "whole", False, "手中分", "余分"),
    Column("end", "end", False, ("结束方式", "结束")),
    Column("escaped", "seat", False, ("逃跑者", "逃跑")),
    Column("tricks", "whole", False, ("轮数",)),
    Column("atoms", "whole", False, ("原子数",)),
    Column("dealer", "seat", False, ("庄家", "庄"), games=("five",)),
    Column("partners", "seats", False, ("伴", "伙伴"), ("partner",), games=("five",)),
    *_seats("balance", "number", True, "赛前积分"),
    *_seats("claimed", "number", True, "输赢", "记分"),
    Column("claimed_outcome", "outcome", True, ("结果",), ("outcome",)),
)
BY_NAME = {column.name: column for column in COLUMNS}
#: Headings of ``played_at`` that, side by side, are the day and the hour of one time.
_PARTS_OF_TIME = {"day": ("date", "日期"), "hour": ("time", "时间", "开局时间")}


def folded_heading(heading: str) -> str:
    """A heading as it is compared: width, case, spaces, underscores and signs around it do not matter."""
    plain = unicodedata.normalize("NFKC", heading).casefold()
    return "".join(letter for letter in plain if not letter.isspace() and letter not in "_-*:：")


#: A1: how the seats of the four-player game may stand in a heading instead of their numbers, by seat.
_SEAT_WORDS = (("north", "北"), ("east", "东"), ("south", "南"), ("west", "西"))
_SEAT_LETTER = re.compile(r"(?P<of>.*[^\s_-])[\s_-]+(?P<seat>[NESWnesw])")


@cache
def _known() -> dict[str, Column]:
    known: dict[str, Column] = {}
    for column in COLUMNS:
        headings = (column.name, *column.headings_en, *column.headings_zh)
        known |= {folded_heading(heading): column for heading in headings}
        if column.name.endswith(("0", "1", "2", "3")):
            for word in _SEAT_WORDS[int(column.name[-1])]:
                # player_east, 牌手东, 东牌手, 东家牌手.
                for stem in [heading[:-1] for heading in headings]:
                    known |= {
                        folded_heading(heading): column for heading in (stem + word, word + stem, f"{word}家{stem}")
                    }
    return known


def column_of(heading: str) -> Column | None:
    """The column that a heading names, in either language; None where it is no column of a sheet.

    A seat may be a number or, in the four-player game, a name: ``player1``, ``player_east``, ``player E``, ``牌手东``.
    """
    if letter := _SEAT_LETTER.fullmatch(unicodedata.normalize("NFKC", heading).strip()):
        heading = f"{letter['of']}{SEAT_LETTERS[letter['seat'].upper()]}"
    return _known().get(folded_heading(heading))


def is_part_of_time(heading: str, part: Literal["day", "hour"]) -> bool:
    """Whether a heading of ``played_at`` may stand over its day, or over its hour, where another has the rest."""
    return folded_heading(heading) in _PARTS_OF_TIME[part]


def heading_of(column: Column, lang: str) -> str:
    """What is written over a column."""
    return column.headings_zh[0] if lang == "zh" else column.name
