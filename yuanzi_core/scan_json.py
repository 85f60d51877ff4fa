"""Pieces of JSON in a block of bytes, for the fast lane: texts without escapes, numbers, times, objects.

Each says where its piece ends, or ``NO`` where there is none such; what is refused here is read elsewhere (``scan``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yuanzi_core.compiled import inlined, part, wide

QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, COLON, MINUS, POINT, NULL_BEGINS, TIME_BEGINS, ZULU = (
    ord(sign) for sign in '"\\{}[],:-.nTZ'
)  # fmt: skip
#: No such piece here.
NO = -1
MOST_DIGITS = 15
DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], dtype=np.int64)
UNITS = np.array([10**power for power in range(5)], dtype=np.int64)


@inlined
def skip(text: Any, at: int, end: int) -> int:
    """Past white space."""
    while at < end and (text[at] == 32 or text[at] == 9 or text[at] == 13):
        at += 1
    return at


@inlined
def is_digit(letter: int) -> bool:
    return 48 <= letter <= 57


@part
def utf8_length(text: Any, at: int, end: int) -> int:
    """The length of the UTF-8 sequence at a place, 0 where there is none (RFC 3629: no overlong form, no surrogate)."""
    first = text[at]
    least, most = 0x80, 0xBF
    if 0xC2 <= first <= 0xDF:
        more = 1
    elif 0xE0 <= first <= 0xEF:
        more = 2
        least, most = (0xA0 if first == 0xE0 else 0x80), (0x9F if first == 0xED else 0xBF)
    elif 0xF0 <= first <= 0xF4:
        more = 3
        least, most = (0x90 if first == 0xF0 else 0x80), (0x8F if first == 0xF4 else 0xBF)
    else:
        return 0
    if at + more >= end or not least <= text[at + 1] <= most:
        return 0
    for place in range(2, more + 1):
        if not 0x80 <= text[at + place] <= 0xBF:
            return 0
    return more + 1


@part
def text_end(text: Any, at: int, end: int) -> int:
    """The end of the text that begins with the quote at a place; −1 where it is none, or has an escape in it."""
    if at >= end or text[at] != QUOTE:
        return NO
    at += 1
    while at < end:
        letter = text[at]
        if letter == QUOTE:
            return at
        if letter == BACKSLASH or letter < 32:
            return NO
        if letter < 128:
            at += 1
        else:
            length = utf8_length(text, at, end)
            if length == 0:
                return NO
            at += length
    return NO


@part
def is_word(text: Any, start: int, stop: int, word: Any) -> bool:
    """Whether a piece of the block is that word."""
    if stop - start != len(word):
        return False
    for place in range(len(word)):
        if text[start + place] != word[place]:
            return False
    return True


@part
def decimal(text: Any, at: int, end: int, decimals: int) -> Any:
    """A JSON number with so many decimals at most: its value in units of the last one, and its end (−1: refused)."""
    negative = at < end and text[at] == MINUS
    if negative:
        at += 1
    if at >= end or not is_digit(text[at]) or (text[at] == 48 and at + 1 < end and is_digit(text[at + 1])):
        return 0, NO
    value, digits = 0, 0
    while at < end and is_digit(text[at]) and digits <= MOST_DIGITS:
        value = 10 * value + wide(text[at]) - 48
        at += 1
        digits += 1
    missing = decimals
    if at < end and text[at] == POINT and decimals > 0:
        at += 1
        if at >= end or not is_digit(text[at]):
            return 0, NO
        while at < end and is_digit(text[at]) and missing > 0:
            value = 10 * value + wide(text[at]) - 48
            at += 1
            missing -= 1
    if digits > MOST_DIGITS - decimals or (at < end and is_digit(text[at])):
        return 0, NO
    value *= UNITS[missing]
    return -value if negative else value, at


@part
def two_digits(text: Any, at: int) -> int:
    """A number of two digits, −1 where there is none."""
    if not is_digit(text[at]) or not is_digit(text[at + 1]):
        return NO
    return 10 * (wide(text[at]) - 48) + wide(text[at + 1]) - 48


@part
def is_time(text: Any, at: int, end: int) -> bool:
    """Whether a text is a date and time with an offset, as RFC 3339 writes it in capitals."""
    if end - at < 20 or text[at + 4] != MINUS or text[at + 7] != MINUS or text[at + 10] != TIME_BEGINS:
        return False
    if text[at + 13] != COLON or text[at + 16] != COLON:
        return False
    century, year, month, day = (
        two_digits(text, at),
        two_digits(text, at + 2),
        two_digits(text, at + 5),
        two_digits(text, at + 8),
    )
    hour, minute, second = two_digits(text, at + 11), two_digits(text, at + 14), two_digits(text, at + 17)
    if century < 0 or year < 0 or century + year == 0 or not 1 <= month <= 12 or day < 1:
        return False
    leap = year % 4 == 0 and (year != 0 or century % 4 == 0)
    if day > DAYS[month - 1] + (1 if leap and month == 2 else 0):
        return False
    if not 0 <= hour < 24 or not 0 <= minute < 60 or not 0 <= second < 60:
        return False
    at += 19
    if text[at] == POINT:
        at += 1
        if at >= end or not is_digit(text[at]):
            return False
        while at < end and is_digit(text[at]):
            at += 1
    if end - at == 1:
        return bool(text[at] == ZULU)
    if end - at != 6 or (text[at] != MINUS and text[at] != 43) or text[at + 3] != COLON:
        return False
    return 0 <= two_digits(text, at + 1) < 24 and 0 <= two_digits(text, at + 4) < 60


@part
def object_end(text: Any, at: int, end: int) -> int:
    """The place behind an object without escapes (its content is read elsewhere), −1 where there is none."""
    if text[at] != OPEN:
        return NO
    depth = 0
    while at < end:
        if text[at] == QUOTE:
            at = text_end(text, at, end)
            if at < 0:
                return NO
        elif text[at] == 10:
            return NO
        elif text[at] == OPEN:
            depth += 1
        elif text[at] == CLOSE:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return NO


@part
def next_value(text: Any, at: int, end: int, close: int) -> Any:
    """Past a value: the place of the next one and whether there is one, or the place behind the closing sign.

    The place is −1 where neither a comma nor that sign follows.
    """
    at = skip(text, at, end)
    if at >= end:
        return NO, False
    if text[at] == COMMA:
        return skip(text, at + 1, end), True
    return (at + 1 if text[at] == close else NO), False
