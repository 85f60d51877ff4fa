"""What cells of a score sheet may say, in English and Chinese, and what it means: games, ends, results, seats, options.

The words are those of ``texts`` and others that score keepers use. What cannot be read is None.
"""

from __future__ import annotations

import re
from decimal import Decimal

from yuanzi_core.cards import SEAT_LETTERS, Variant

_GAMES: dict[str, Variant] = {
    **dict.fromkeys(("four", "4", "4p", "四", "四人", "原子", "四人原子", "4人"), "four"),
    **dict.fromkeys(("five", "5", "5p", "五", "五人", "五人原子", "5人"), "five"),
}
_ENDS = {
    **dict.fromkeys(("", "out", "出完", "走完", "打完", "正常"), "out"),
    **dict.fromkeys(("points", "够分", "够分停牌", "停牌"), "points"),
    **dict.fromkeys(("escape", "逃跑", "逃"), "escape"),
}
_OUTCOMES = {
    **dict.fromkeys(("double", "double clamp", "双夹"), "double"),
    **dict.fromkeys(("normal", "ordinary", "ordinary win", "平胜", "正常", "平常", "普通"), "normal"),
    **dict.fromkeys(("low", "doubled", "doubled win", "翻倍", "低分", "双倍"), "low"),
    **dict.fromkeys(("zero", "tripled", "tripled win", "三倍", "零分", "0分"), "zero"),
    **dict.fromkeys(("escape", "逃跑", "逃"), "escape"),
    **dict.fromkeys(("unfinished", "未打完", "未完", "没打完"), "unfinished"),
}
_SEATS = {**SEAT_LETTERS, "北": 0, "东": 1, "南": 2, "西": 3}
_SEAT_NAMES = {"north": 0, "east": 1, "south": 2, "west": 3}
_NOBODY = ("", "无", "none", "没有", "-", "nan")
_SWITCHES = {"true": True, "yes": True, "是": True, "false": False, "no": False, "否": False}
_BETWEEN = re.compile(r"[\s,、;/>→-]+")
_SIDE_BY_SIDE = re.compile(r"(?:[北东南西]家?|[NESWnesw])+")
_NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?")


def game_of(cell: str) -> Variant | None:
    """The game that a cell names."""
    return _GAMES.get(cell.casefold())


def end_of(cell: str) -> str | None:
    """How a deal ended (``deals.ENDS``); ``out`` where nothing is said."""
    return _ENDS.get(cell.casefold())


def outcome_of(cell: str) -> str | None:
    """The result that a cell claims, as answers have it. What stands in brackets behind it is a remark."""
    return _OUTCOMES.get(cell.partition("(")[0].strip().casefold())


def number_of(cell: str) -> int | Decimal | None:
    """An exact number."""
    if not _NUMBER.fullmatch(cell):
        return None
    return Decimal(cell) if "." in cell else int(cell)


def whole_of(cell: str) -> int | None:
    """A whole number."""
    found = number_of(cell)
    return found if isinstance(found, int) else None


def seats_of(cell: str, variant: Variant) -> list[int] | None:
    """Seats in their order: digits with something between them; in the four-player game also names, with or without.

    Whether the game has such a seat is not asked. Digits side by side are not seats: a spreadsheet makes the number 12
    of 012.
    """
    if cell.casefold() in _NOBODY:
        return []
    found: list[int] = []
    for token in _BETWEEN.split(cell.strip(" ,、;/>→-")):
        if len(token) == 1 and token in "0123456789":
            found.append(int(token))
        elif variant == "four" and token.casefold() in _SEAT_NAMES:
            found.append(_SEAT_NAMES[token.casefold()])
        elif variant == "four" and token and _SIDE_BY_SIDE.fullmatch(token):
            found += [_SEATS[letter.upper()] for letter in token if letter != "家"]
        elif token:
            return None
    return found


def rules_of(cell: str) -> dict[str, object] | str:
    """Overrides of options, ``name=value; …``; or the piece that says nothing, or repeats an option."""
    found: dict[str, object] = {}
    for piece in cell.split(";"):
        if not piece.strip():
            continue
        name, is_given, value = (part.strip() for part in piece.partition("="))
        if not is_given or not name or not value or name in found:
            return piece.strip()
        number = number_of(value)
        found[name] = _SWITCHES.get(value.casefold(), value if number is None else number)
    return found
