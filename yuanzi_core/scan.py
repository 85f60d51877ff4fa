"""The fast lane: blocks of JSON lines read straight into arrays, without an object a match.

``scan`` reads what nearly every line is, a ``yuanzi-log/1`` match in canonical notation without escapes, claims or
unknown fields, and refuses every other line, whatever is the matter with it. What it refuses, ``log`` and ``notation``
read and judge; what it accepts, they would accept with the same values (tested). It is never the judge of a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.amounts import SCALE, UNKNOWN
from yuanzi_core.cards import VARIANTS
from yuanzi_core.compiled import compiled, part
from yuanzi_core.deals import HAND_WORDS, HEAD, Deals
from yuanzi_core.log import (
    BALANCE_DECIMALS,
    BASE_BELOW,
    BASE_DECIMALS,
    FORMAT,
    LARGEST_REVISION,
    LONGEST_ID,
    LONGEST_LINE,
)
from yuanzi_core.log import Deal as LogDeal
from yuanzi_core.log import Match as LogMatch
from yuanzi_core.log import Player as LogPlayer
from yuanzi_core.notation import card_at, rank_at, read_hand_at, read_plays_at
from yuanzi_core.scan_json import (
    CLOSE,
    CLOSE_LIST,
    COLON,
    NO,
    NULL_BEGINS,
    OPEN,
    OPEN_LIST,
    QUOTE,
    UNITS,
    decimal,
    is_time,
    is_word,
    next_value,
    object_end,
    skip,
    text_end,
)

# Where a line's fate stands.
BLANK, REFUSED, FOUR, FIVE = range(4)

#: Columns of ``Scanned.matches``: places in the block (from, to), and numbers. Amounts as in ``ledger``; base in
#: hundredths; balances ``UNKNOWN`` where not logged; ``RULES_FROM`` is −1 where there are none.
(
    LINE, ID_FROM, ID_TO, RULESET_FROM, RULESET_TO, RULES_FROM, RULES_TO, REVISION, BASE, BALANCE,
) = range(10)  # fmt: skip
MATCH_COLUMNS = BALANCE + 5
NAMING = (LINE, RULESET_FROM, RULESET_TO, RULES_FROM, RULES_TO)
IDENTIFYING = (LINE, ID_FROM, ID_TO, REVISION)

_GROUPS = (LogMatch.__struct_fields__, LogPlayer.__struct_fields__, LogDeal.__struct_fields__)
_NAMES = [name.encode() for group in _GROUPS for name in group]
_KEYS = np.frombuffer(b"".join(_NAMES), dtype=np.uint8).copy()
_KEY_BOUNDS = np.cumsum([0, *map(len, _NAMES)]).astype(np.int64)
_MATCH_KEYS, _PLAYER_KEYS = 0, len(_GROUPS[0])
_DEAL_KEYS = _PLAYER_KEYS + len(_GROUPS[1])
_ALL_KEYS = _DEAL_KEYS + len(_GROUPS[2])


def _words(*words: str) -> Any:
    return np.frombuffer("".join(words).encode(), dtype=np.uint8).copy()


_FORMAT, _FOUR, _FIVE = _words(FORMAT), _words("four"), _words("five")
_REAL, _SIMULATED, _NULL = _words("real"), _words("simulated"), _words("null")
_OUT, _POINTS, _ESCAPE = (_words(end) for end in d.ENDS)


def _number(group: int, name: str) -> int:
    return _GROUPS[group].index(name)


_F_FORMAT, _F_ID, _F_VARIANT, _F_RULESET, _F_RULES, _F_TIME, _F_CLUB, _F_TABLE, _F_SOURCE, _F_REVISION, _F_BASE = (
    _number(0, name)
    for name in (
        "format", "match_id", "variant", "ruleset", "rules", "played_at", "club", "table", "source", "revision", "base",
    )
)  # fmt: skip
_F_PLAYERS, _F_DEALS = _number(0, "players"), _number(0, "deals")
_F_PLAYER, _F_NAME, _F_BALANCE = (_number(1, name) for name in ("id", "name", "balance"))
_F_DRAWN, _F_KNIFE, _F_FIRST_DRAW, _F_DEALER, _F_CALLED, _F_LEADER, _F_HANDS, _F_PLAYS, _F_END, _F_ESCAPED = (
    _number(2, name)
    for name in (
        "drawn", "knife", "first_draw", "dealer", "called", "leader", "hands", "plays", "end", "escaped",
    )
)  # fmt: skip
_REQUIRED = sum(
    1 << field for field in (_F_FORMAT, _F_ID, _F_VARIANT, _F_RULESET, _F_TIME, _F_PLAYERS, _F_DEALS)
)  # fmt: skip
_REQUIRED_DEAL = 1 << _F_DRAWN | 1 << _F_LEADER | 1 << _F_HANDS | 1 << _F_PLAYS
_REQUIRED_FIVE = 1 << _F_DEALER | 1 << _F_CALLED
_FOUR_ONLY, _FIVE_ONLY = 1 << _F_FIRST_DRAW, 1 << _F_DEALER | 1 << _F_CALLED

_BASE_BELOW = BASE_BELOW * 10**BASE_DECIMALS
_UNITS_OF_SCALE = SCALE // 10**BALANCE_DECIMALS


@part
def _key(text: Any, start: int, stop: int, first: int, last: int, hint: int) -> int:
    """The number of a key in its group (keys ``first`` to ``last``), or −1. ``hint`` is tried first."""
    for step in range(last - first):
        place = hint + step
        if place >= last - first:
            place -= last - first
        begin = _KEY_BOUNDS[first + place]
        if _KEY_BOUNDS[first + place + 1] - begin == stop - start:
            same = True
            for letter in range(stop - start):
                same = same and text[start + letter] == _KEYS[begin + letter]
            if same:
                return place
    return NO


@part
def _field(text: Any, at: int, end: int, first: int, last: int, hint: int, seen: int) -> Any:
    """A key and the colon behind it: number of the key and place of the value, −1 where refused or seen before."""
    stop = text_end(text, at, end)
    if stop < 0:
        return NO, NO
    key = _key(text, at + 1, stop, first, last, hint)
    if key < 0 or seen >> key & 1 != 0:
        return NO, NO
    at = skip(text, stop + 1, end)
    if at >= end or text[at] != COLON:
        return NO, NO
    at = skip(text, at + 1, end)
    return (key, at) if at < end else (NO, NO)


@part
def _players(text: Any, at: int, end: int, match: Any, ids: Any) -> Any:
    """The array of players: ids and balances; their number and the place behind it (−1: refused)."""
    count = 0
    more = text[at] == OPEN_LIST
    at = skip(text, at + 1, end)
    while more:
        if count == 5 or at >= end or text[at] != OPEN:
            return count, NO
        match[BALANCE + count] = UNKNOWN
        at = skip(text, at + 1, end)
        seen, hint, inner = 0, 0, True
        while inner:
            key, at = _field(text, at, end, _PLAYER_KEYS, _DEAL_KEYS, hint, seen)
            if key < 0:
                return count, NO
            seen, hint = seen | 1 << key, key + 1
            if text[at] == NULL_BEGINS and key != _F_PLAYER:
                if not is_word(text, at, min(at + 4, end), _NULL):
                    return count, NO
                at += 4
            elif key == _F_BALANCE:
                value, at = decimal(text, at, end, BALANCE_DECIMALS)
                if at < 0:
                    return count, NO
                match[BALANCE + count] = value * _UNITS_OF_SCALE
            else:
                stop = text_end(text, at, end)
                if stop < 0:
                    return count, NO
                if key == _F_PLAYER:
                    ids[count, 0], ids[count, 1] = at + 1, stop
                at = stop + 1
            at, inner = next_value(text, at, end, CLOSE)
            if at < 0:
                return count, NO
        if seen >> _F_PLAYER & 1 == 0:
            return count, NO
        for other in range(count):
            # An id again is refused here and named there.
            length = ids[count, 1] - ids[count, 0]
            if ids[other, 1] - ids[other, 0] == length:
                same = True
                for letter in range(length):
                    same = same and text[ids[other, 0] + letter] == text[ids[count, 0] + letter]
                if same:
                    return count, NO
        count += 1
        at, more = next_value(text, at, end, CLOSE_LIST)
        if at < 0:
            return count, NO
    return count, at


@part
def _hands(text: Any, at: int, end: int, seats: int, hands: Any) -> int:
    """The hands of a deal into their words; the place behind the array, −1 where refused."""
    count = 0
    more = text[at] == OPEN_LIST
    at = skip(text, at + 1, end)
    while more:
        if count == seats or at >= end or text[at] != QUOTE:
            return NO
        for word in range(HAND_WORDS):
            hands[count, word] = 0
        stop = read_hand_at(text, at + 1, end, hands[count])
        if stop >= end or text[stop] != QUOTE:
            return NO
        count += 1
        at, more = next_value(text, stop + 1, end, CLOSE_LIST)
        if at < 0:
            return NO
    return at if count == seats else NO


@part
def _deal(
    text: Any, at: int, end: int, seats: int, head: Any, deal: int, hands: Any, plays: Any, found: int, odd: Any
) -> Any:  # fmt: skip
    """One deal into its column of ``head``; the place behind it and the number of plays read so far (−1: refused)."""
    for row in range(len(HEAD)):
        head[row, deal] = -1
    head[d.END, deal] = d.OUT_END
    at = skip(text, at + 1, end)
    seen, given, hint, more = 0, 0, 0, True
    while more:
        key, at = _field(text, at, end, _DEAL_KEYS, _ALL_KEYS, hint, seen)
        if key < 0:
            return NO, NO
        seen, hint = seen | 1 << key, key + 1
        if text[at] == NULL_BEGINS:
            if not is_word(text, at, min(at + 4, end), _NULL):
                return NO, NO
            at += 4
        else:
            given |= 1 << key
            if key == _F_HANDS:
                at = _hands(text, at, end, seats, hands)
            elif key in (_F_LEADER, _F_FIRST_DRAW, _F_DEALER, _F_ESCAPED):
                seat, at = decimal(text, at, end, 0)
                if not 0 <= seat < seats:
                    return NO, NO
                row = d.LEADER if key == _F_LEADER else d.DEALER if key == _F_DEALER else d.ESCAPED
                head[d.FIRST_DRAW if key == _F_FIRST_DRAW else row, deal] = seat
            elif key == _F_PLAYS:
                if text[at] != QUOTE:
                    return NO, NO
                found, odds, at = read_plays_at(text, at + 1, end, seats, plays, found, odd, 0)
                # Plays of two ranks need a list beside the codes: not here.
                if odds > 0 or at < 0 or at >= end or text[at] != QUOTE:
                    return NO, NO
                at += 1
            else:
                stop = text_end(text, at, end)
                if stop < 0:
                    return NO, NO
                if key in (_F_DRAWN, _F_CALLED):
                    card = card_at(text, at + 1, stop)
                    if stop - at != 3 or card < 0:
                        return NO, NO
                    head[d.DRAWN if key == _F_DRAWN else d.CALLED, deal] = card
                elif key == _F_KNIFE:
                    rank = rank_at(text, at + 1)
                    if stop - at != 2 or rank < 0:
                        return NO, NO
                    head[d.KNIFE_CLAIMED, deal] = rank
                elif key == _F_END:
                    if is_word(text, at + 1, stop, _ESCAPE):
                        head[d.END, deal] = d.ESCAPE_END
                    elif seats == 5 and is_word(text, at + 1, stop, _POINTS):
                        head[d.END, deal] = d.POINTS_END
                    elif not is_word(text, at + 1, stop, _OUT):
                        return NO, NO
                else:
                    return NO, NO
                at = stop + 1
            if at < 0:
                return NO, NO
        at, more = next_value(text, at, end, CLOSE)
        if at < 0:
            return NO, NO
    required = _REQUIRED_DEAL | (_REQUIRED_FIVE if seats == 5 else 0)
    other_game = _FOUR_ONLY if seats == 5 else _FIVE_ONLY
    if given & required != required or given & other_game != 0:
        return NO, NO
    if head[d.END, deal] == d.ESCAPE_END and head[d.ESCAPED, deal] < 0:
        return NO, NO
    return at, found


@part
def _line(
    text: Any, at: int, end: int, count: Any, matches: Any, head: Any, hands: Any, offsets: Any, plays: Any, ids: Any,
    odd: Any,
) -> Any:  # fmt: skip
    """One line into the arrays of its game: 0 or 1, or −1 where refused, and the place of its end if it was not.

    ``count`` goes on only where accepted.
    """
    if text[at] != OPEN:
        return NO, at
    at = skip(text, at + 1, end)
    seen, given, hint, game, players, deals, found = 0, 0, 0, NO, 0, 0, 0
    # The columns are gathered in a spare row until the game is known to be right.
    match = matches[2, 0]
    match[RULES_FROM], match[REVISION], match[BASE] = NO, 1, UNITS[BASE_DECIMALS]
    for seat in range(5):
        match[BALANCE + seat] = UNKNOWN
    more = True
    while more:
        key, at = _field(text, at, end, _MATCH_KEYS, _PLAYER_KEYS, hint, seen)
        if key < 0:
            return NO, at
        seen, hint = seen | 1 << key, key + 1
        if text[at] == NULL_BEGINS:
            if not is_word(text, at, min(at + 4, end), _NULL):
                return NO, at
            at += 4
        else:
            given |= 1 << key
            if key == _F_PLAYERS:
                players, at = _players(text, at, end, match, ids)
            elif key == _F_DEALS:
                # The game must be known by now; writers say it first.
                if game < 0 or text[at] != OPEN_LIST:
                    return NO, at
                first, found, inner = count[game, 1], count[game, 2], True
                at = skip(text, at + 1, end)
                while inner:
                    if deals == 2 - game or at >= end or text[at] != OPEN:
                        return NO, at
                    offsets[game, first + deals] = found
                    at, found = _deal(
                        text, at, end, 4 + game, head[game], first + deals, hands[game, first + deals], plays[game],
                        found, odd,
                    )  # fmt: skip
                    if at < 0:
                        return NO, at
                    head[game, d.MATCH, first + deals] = count[game, 0]
                    head[game, d.DEAL, first + deals] = deals
                    deals += 1
                    at, inner = next_value(text, at, end, CLOSE_LIST)
                    if at < 0:
                        return NO, at
            elif key == _F_REVISION:
                match[REVISION], at = decimal(text, at, end, 0)
                if not 1 <= match[REVISION] <= LARGEST_REVISION:
                    return NO, at
            elif key == _F_BASE:
                match[BASE], at = decimal(text, at, end, BASE_DECIMALS)
                if not 0 < match[BASE] < _BASE_BELOW:
                    return NO, at
            elif key == _F_RULES:
                match[RULES_FROM] = at
                at = object_end(text, at, end)
                match[RULES_TO] = at
            else:
                stop = text_end(text, at, end)
                if stop < 0:
                    return NO, at
                if key == _F_FORMAT:
                    if not is_word(text, at + 1, stop, _FORMAT):
                        return NO, at
                elif key == _F_VARIANT:
                    game = 0 if is_word(text, at + 1, stop, _FOUR) else 1 if is_word(text, at + 1, stop, _FIVE) else NO
                elif key == _F_ID:
                    match[ID_FROM], match[ID_TO] = at + 1, stop
                    if not 1 <= stop - at - 1 <= LONGEST_ID:
                        return NO, at
                elif key == _F_RULESET:
                    match[RULESET_FROM], match[RULESET_TO] = at + 1, stop
                elif key == _F_TIME:
                    if not is_time(text, at + 1, stop):
                        return NO, at
                elif key == _F_SOURCE:
                    if not is_word(text, at + 1, stop, _REAL) and not is_word(text, at + 1, stop, _SIMULATED):
                        return NO, at
                elif key != _F_CLUB and key != _F_TABLE:
                    return NO, at
                at = stop + 1
            if at < 0:
                return NO, at
        at, more = next_value(text, at, end, CLOSE)
        if at < 0:
            return NO, at
    at = skip(text, at, end)
    if at < len(text) and text[at] != 10:
        return NO, at
    if given & _REQUIRED != _REQUIRED or game < 0 or players != 4 + game:
        return NO, at
    for column in range(MATCH_COLUMNS):
        matches[game, count[game, 0], column] = match[column]
    count[game, 0] += 1
    count[game, 1] += deals
    count[game, 2] = found
    return game, at


@compiled(
    "void(Array(u1, 1, 'C', readonly=True), i8[:, ::1], i1[::1], i8[:, ::1], i8[:, :, ::1], i4[:, :, ::1],"
    " u2[:, :, :, ::1], i8[:, ::1], u4[:, ::1], i8[:, ::1], i8[:, ::1])"
)
def _scan(
    text: Any, lines: Any, fate: Any, count: Any, matches: Any, head: Any, hands: Any, offsets: Any, plays: Any,
    ids: Any, odd: Any,
) -> None:  # fmt: skip
    at, end = 0, len(text)
    for number in range(len(lines)):
        lines[number, 0] = at
        begin = skip(text, at, end)
        if begin == end or text[begin] == 10:
            fate[number], at = BLANK, begin
        else:
            game = NO
            if fate[number] != REFUSED:
                longest = min(begin + LONGEST_LINE, end)
                game, at = _line(text, begin, longest, count, matches, head, hands, offsets, plays, ids, odd)
            if game >= 0:
                fate[number] = FOUR + game
                matches[game, count[game, 0] - 1, LINE] = number
            else:
                # What was refused was refused before the end of the line.
                fate[number], at = REFUSED, begin
                while at < end and text[at] != 10:
                    at += 1
        lines[number, 1] = at
        at += 1
    for game in range(2):
        offsets[game, count[game, 1]] = count[game, 2]


@dataclass
class Scanned:
    """A scanned block of *n* lines.

    ``lines`` int64 (n, 2): from and to, in the block; ``fate`` int8 (n): BLANK, REFUSED, FOUR or FIVE; by game,
    ``matches`` int64 (matches, 15), columns as the constants of this module, and ``deals`` without rulesets (all of
    number 0), whose ``MATCH`` counts the matches of the game.
    """

    lines: NDArray[np.int64]
    fate: NDArray[np.int8]
    matches: tuple[NDArray[np.int64], NDArray[np.int64]]
    deals: tuple[Deals, Deals]


def scan(block: bytes, refused: NDArray[np.int8] | None = None) -> Scanned:
    """Scan a block of whole lines. ``refused`` is the ``fate`` of an earlier scan, with more lines to refuse."""
    text = np.frombuffer(block, dtype=np.uint8)
    count = block.count(b"\n") + (not block.endswith(b"\n"))
    lines = np.empty((count, 2), dtype=np.int64)
    fate = np.zeros(count, dtype=np.int8) if refused is None else refused
    counts = np.zeros((2, 3), dtype=np.int64)
    matches = np.empty((3, count, MATCH_COLUMNS), dtype=np.int64)
    head = np.empty((2, len(HEAD), 2 * count + 2), dtype=np.int32)
    hands = np.empty((2, 2 * count + 2, 5, HAND_WORDS), dtype=np.uint16)
    offsets = np.zeros((2, 2 * count + 3), dtype=np.int64)
    plays = np.empty((2, len(block) // 3 + 2), dtype=np.uint32)
    _scan(text, lines, fate, counts, matches, head, hands, offsets, plays, np.empty((5, 2), np.int64),
          np.empty((0, 3), np.int64))  # fmt: skip
    found, deals = [], []
    for game, variant in enumerate(VARIANTS):
        played, dealt, all_plays = (int(number) for number in counts[game])
        heads = head[game, :, :dealt].copy()
        heads[d.RULES] = 0
        found.append(matches[game, :played])
        deals.append(
            Deals(
                variant,
                (),
                heads,
                np.ascontiguousarray(hands[game, :dealt, : 4 + game]),
                offsets[game, : dealt + 1],
                plays[game, :all_plays],
            )
        )
    return Scanned(lines, fate, (found[0], found[1]), (deals[0], deals[1]))
