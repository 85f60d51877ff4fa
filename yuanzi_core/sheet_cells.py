"""Cells of a score sheet in the form in which records keep and compare them: one text for one value.

A match is the same whether it came as CSV or XLSX, so what only a spreadsheet adds is taken off: white space around,
full-width digits and signs, ``.0``, a plus sign, the several ways to write a date. Whether a cell is right is not asked
here: what cannot be read stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

from yuanzi_core.sheet_columns import Column
from yuanzi_core.spreadsheet_safety import restored

#: What a spreadsheet shows where a formula has no value.
ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#GETTING_DATA", "#SPILL!", "#CALC!")
#: Stands in a record before a number of which a spreadsheet has lost digits.
LOST_DIGITS = "#DIGITS! "
#: What stands invisibly at the ends of texts that were pasted: marks of order, zero-width and no-break spaces.
_INVISIBLE = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\xa0"
_MINUS = str.maketrans(dict.fromkeys("\u2212\u2010\u2011\u2012\u2013", "-"))
_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{0,40})?")
_TIME = re.compile(
    r"(?P<year>[0-9]{4})[-/.年](?P<month>[0-9]{1,2})[-/.月](?P<day>[0-9]{1,2})日?"
    r"(?:[Tt ]?\s*(?P<hour>[0-9]{1,2})[:时点](?P<minute>[0-9]{1,2})分?"
    r"(?::?(?P<second>[0-9]{1,2})秒?(?:\.(?P<part>[0-9]{1,40}))?)?"
    r"\s*(?:(?P<zulu>[Zz])|(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2}))?)?"
)
#: What stands before the hour of a cell that a spreadsheet holds as a time without a day; and a day without an hour.
_FIRST_DAY = re.compile(r"(?:1899-12-3[01]|1900-01-0[01]|1904-01-01)[T ]")
_MIDNIGHT = re.compile(r"(?P<day>.+)[T ]00:00(?::00(?:\.0+)?)?")
#: A seat, or a list of one, of which a program made a number with decimals.
_SEAT = re.compile(r"([0-9])\.0*")
#: What stands for nothing, and the columns (without a seat) where a blank cell means something.
_NOTHING = ("-", "\u2014", "nan", "none", "无", "没有")
_MAY_BE_BLANK = ("revision", "half", "base", "hand", "end", "escaped", "tricks", "atoms", "balance", "claimed")
_HALVES = {
    "": 0,
    "1": 0,
    "上": 0,
    "上局": 0,
    "上半局": 0,
    "upper": 0,
    "2": 1,
    "下": 1,
    "下局": 1,
    "下半局": 1,
    "lower": 1,
}
#: A half that is none of the two.
NO_HALF = 2


def folded_code(text: str) -> str:
    """A code or number as it is compared: plain width, one kind of minus, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_MINUS).split())


def _text(cell: str) -> str:
    return cell.strip().strip(_INVISIBLE).strip()


def _number(cell: str) -> str:
    return _canonical_number_text(folded_code(_text(cell)))


def _canonical_number_text(text: str) -> str:
    """A number without plus sign, leading and trailing zeros; any other text as it is.

    >>> _canonical_number_text("+007.50"), _canonical_number_text("1,5")
    ('7.5', '1,5')
    """
    if not _NUMBER.fullmatch(text):
        return text
    whole, _, part = text.lstrip("+-").partition(".")
    number = f"{whole.lstrip('0') or '0'}.{part.rstrip('0')}".rstrip(".")
    return f"-{number}" if text[0] == "-" and number != "0" else number


def _time(cell: str) -> str:
    text = folded_code(_text(cell))
    found = _TIME.fullmatch(text)
    if not found:
        return text
    parts = {name: int(value) for name, value in found.groupdict().items() if value and value.isdigit()}
    try:
        zone = UTC if found["zulu"] else None
        if found["sign"]:
            away = timedelta(hours=parts["hours"], minutes=parts["minutes"])
            zone = timezone(-away if found["sign"] == "-" else away)
        when = datetime(
            parts["year"], parts["month"], parts["day"], parts.get("hour", 0), parts.get("minute", 0),
            parts.get("second", 0), 0, zone,
        ) + timedelta(microseconds=_microseconds(found["part"] or "0"))  # fmt: skip
    except (ValueError, OverflowError):
        # A thirteenth month, a sixty-first minute.
        return text
    return when.isoformat()


def _microseconds(part: str) -> int:
    """Decimals of a second, rounded as those of a log are."""
    return (int(part[:7].ljust(7, "0")) + 5) // 10


def day_and_hour(day: str, hour: str) -> str:
    """A time of which day and hour stand in two cells, as the text of one.

    >>> day_and_hour("2026/3/1", "20:15"), day_and_hour("2026-03-01 00:00:00", "1899-12-31 20:15:00")
    ('2026/3/1 20:15', '2026-03-01 20:15:00')
    """
    day, hour = _code(day), _FIRST_DAY.sub("", _code(hour))
    if not hour:
        return day
    if midnight := _MIDNIGHT.fullmatch(day):
        day = midnight["day"]
    return f"{day} {hour}".strip()


def _code(cell: str) -> str:
    return folded_code(_text(cell))


def _seats(cell: str) -> str:
    text = _code(cell)
    return text[0] if _SEAT.fullmatch(text) else text


_FORMS: dict[str, Callable[[str], str]] = {
    "text": _text,
    "time": _time,
    "number": _number,
    "whole": _number,
    "seat": _number,
    "seats": _seats,
    "half": _number,
    "variant": _number,
}


def form_of(column: Column | None) -> Callable[[str], str]:
    """How a cell of a column is written in a record; of a column that sheets do not have, as received.

    An apostrophe that an export put in front of a text that would run is taken off.
    """
    form = _text if column is None else _code if column.name == "ruleset" else _FORMS.get(column.kind, _code)
    if column is None or column.name.rstrip("01234") not in _MAY_BE_BLANK:
        return lambda cell: form(restored(cell))

    def blank_or(cell: str) -> str:
        text = form(restored(cell))
        return "" if text.casefold() in _NOTHING else text

    return blank_or


def half_of(cell: str) -> int:
    """The half that a cell names: 0 upper (also where it is blank), 1 lower, ``NO_HALF`` for anything else."""
    return _HALVES.get(cell.casefold(), NO_HALF)
