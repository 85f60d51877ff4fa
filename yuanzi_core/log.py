"""``yuanzi-log/1``: the types of a match log, and one line of it read as a match or rejected with a place.

A line that the types accept as it stands takes the fast way. Any other goes through its parsed form, where unknown
fields are set aside and counted, seats may be letters, and what is wrong gets a path. Notation is read later, many
matches at a time (``records``).
"""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeGuard

import msgspec
from msgspec import Meta, Raw, Struct

from yuanzi_core.cards import SEAT_LETTERS, Variant
from yuanzi_core.reasons import Note, Reject

FORMAT = "yuanzi-log/1"
LONGEST_LINE = 4 << 20  # bytes, uncompressed
LARGEST_REVISION = 2**31 - 1
LONGEST_ID = 128  # characters
BASE_BELOW, BASE_DECIMALS = 10**6, 2
BALANCE_BELOW, BALANCE_DECIMALS = 10**12, 3

_number = {"type": ["number", "null"]}
_object = {"type": ["object", "null"]}
Card = Annotated[str, Meta(description="Rank 3456789TJQKA2 and suit shcd; XB is the big joker, XS the small one.")]


class Player(Struct, forbid_unknown_fields=True, gc=False):
    """One seat. ``balance`` is the standing before the match, in points."""

    id: str
    name: str | None = None
    balance: Annotated[Any, Meta(extra_json_schema=_number)] = None


class Deal(Struct, forbid_unknown_fields=True, gc=False):
    """One deal: in the four-player game a half."""

    drawn: Card
    leader: int
    hands: Annotated[list[str], Meta(description="One text a seat: the cards dealt.")]
    plays: Annotated[str, Meta(description="`seat:cards`, or `seat:-` for a pass, separated by white space.")]
    knife: str | None = None
    first_draw: int | None = None
    dealer: int | None = None
    called: Card | None = None
    end: Literal["out", "points", "escape"] | None = None
    escaped: int | None = None
    claimed: Annotated[Raw, Meta(extra_json_schema=_object)] = msgspec.field(default_factory=Raw)


class Match(Struct, forbid_unknown_fields=True, gc=False):
    """One match, as one line of a log."""

    format: str
    match_id: Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
    variant: Variant
    ruleset: str
    played_at: Annotated[datetime, Meta(tz=True)]
    players: list[Player]
    deals: list[Deal]
    rules: Annotated[Raw, Meta(extra_json_schema=_object)] = msgspec.field(default_factory=Raw)
    club: str | None = None
    table: str | None = None
    source: Literal["real", "simulated"] | None = None
    revision: Annotated[int, Meta(ge=1, le=LARGEST_REVISION)] | None = None
    base: Annotated[Any, Meta(extra_json_schema=_number)] = None
    claimed: Annotated[Raw, Meta(extra_json_schema=_object)] = msgspec.field(default_factory=Raw)


#: The fields of one game only: in the other they count as fields that are not used.
_OTHER_GAME = {"four": ("dealer", "called"), "five": ("first_draw",)}
_CLAIMS = {"outcome", "winner", "scores"}
_DEAL_CLAIMS = {"finish", "captured", "side_points"}
_SEAT_FIELDS = ("first_draw", "dealer", "leader", "escaped")

_strict = msgspec.json.Decoder(Match, float_hook=Decimal)
_untyped = msgspec.json.Decoder(float_hook=Decimal)
_encoder = msgspec.json.Encoder(decimal_format="number")


class Problem(Exception):
    """Why a record is rejected: the code, the path, and the sentence's key and fields (texts, topic ``reasons``)."""

    def __init__(self, code: Reject, key: str, path: str = "", **fields: object) -> None:
        super().__init__(f"{code}: {path} {key}")
        self.code, self.key, self.path, self.fields = code, key, path, fields

    def bare(self) -> Problem:
        """This problem without the frames it came through: kept with a record they would keep everything they saw."""
        self.__traceback__ = self.__context__ = self.__cause__ = None
        return self


class NoteRow(Struct):
    """A remark on a record that changes nothing: code and details (a path, a count or seats)."""

    code: Note
    path: str | None = None
    count: int | None = None
    seats: list[int] | None = None


def parse(line: bytes) -> Any:
    """One line as parsed JSON, numbers exact (int or Decimal).

    :raises Problem: JSON, or SCHEMA for a number too long.
    """
    try:
        return _untyped.decode(line)
    except msgspec.ValidationError:
        raise Problem(Reject.SCHEMA, "number_too_long") from None
    except msgspec.DecodeError as error:
        raise _not_json(str(error), line) from None
    except RecursionError:
        raise Problem(Reject.JSON, "nested_too_deep") from None


#: The first half of a character written as two ``\\u`` escapes, without the second, though the line goes on.
_HALF = re.compile(rb"(?<!\\)(?:\\\\)*\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])(?=.)", re.DOTALL)


def _not_json(message: str, line: bytes) -> Problem:
    """What the JSON reader found wrong, in one of our own sentences."""
    if "UTF-8" in message:
        return Problem(Reject.JSON, "not_utf8")
    # Close to the end of a line the reader looks for the second half behind it, and says that the line ends.
    if "surrogate" in message or ("truncated" in message and _HALF.search(line)):
        return Problem(Reject.JSON, "half_character")
    found = re.search(r"byte (\d+)", message)
    return Problem(Reject.JSON, "not_json", detail=found[1]) if found else Problem(Reject.JSON, "ends_early")


def read_match(line: bytes) -> tuple[Match, list[NoteRow]]:
    """One line as a match, its shape checked; ruleset and notation are not read yet.

    :raises Problem: JSON, VERSION or SCHEMA, the first that applies.
    """
    try:
        match = _strict.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return _read_slowly(line)
    if match.format != FORMAT:
        raise Problem(Reject.VERSION, "other_version", "format", found=match.format[:40])
    unused = check(match)
    return match, [NoteRow(Note.OTHER_VARIANT_FIELDS, count=unused)] if unused else []


def _read_slowly(line: bytes) -> tuple[Match, list[NoteRow]]:
    parsed = parse(line)
    if not isinstance(parsed, dict):
        raise Problem(Reject.JSON, "not_an_object")
    version = parsed.get("format")
    if version is None:
        raise Problem(Reject.VERSION, "no_version", "format")
    if version != FORMAT:
        raise Problem(Reject.VERSION, "other_version", "format", found=str(version)[:40])
    notes = _set_aside(parsed)
    try:
        match = msgspec.convert(parsed, Match)
    except msgspec.ValidationError as error:
        raise _schema_problem(str(error)) from None
    check(match)
    return match, notes


def _set_aside(match: dict[str, Any]) -> list[NoteRow]:
    """Take out what is not used, turn seat letters into numbers and claims back into raw text; returns the notes."""
    variant = match.get("variant")
    unknown = _drop_unknown(match, Match)
    unused = 0
    for player in _objects(match.get("players")):
        unknown += _drop_unknown(player, Player)
    for deal in _objects(match.get("deals")):
        unknown += _drop_unknown(deal, Deal)
        for name in _OTHER_GAME.get(variant, ()) if isinstance(variant, str) else ():
            unused += deal.pop(name, None) is not None
        for name in _SEAT_FIELDS if variant == "four" else ():
            if isinstance(deal.get(name), str):
                deal[name] = SEAT_LETTERS.get(deal[name], deal[name])
    for holder in (match, *_objects(match.get("deals"))):
        for name in ("rules", "claimed"):
            if name in holder:
                value = holder.pop(name)
                # ``rules`` must be an object; a claim of the wrong type is a note, which reading claims makes.
                if value is not None and name == "rules" and not isinstance(value, dict):
                    raise Problem(Reject.SCHEMA, "expected", "rules", expected="object", found=_type_name(value))
                if value is not None:
                    holder[name] = Raw(_encoder.encode(value))
    notes = [NoteRow(Note.UNKNOWN_FIELDS, count=unknown)] if unknown else []
    return notes + ([NoteRow(Note.OTHER_VARIANT_FIELDS, count=unused)] if unused else [])


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _drop_unknown(holder: dict[str, Any], struct: type[Struct]) -> int:
    unknown = [name for name in holder if name not in struct.__struct_fields__]
    for name in unknown:
        del holder[name]
    return len(unknown)


def _type_name(value: object) -> str:
    """The JSON name of a value's type."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    names = {str: "str", list: "array", dict: "object", Decimal: "number", type(None): "null"}
    return names.get(type(value), "number")


_PATTERNS = (
    (re.compile(r"Expected `(?P<expected>[^`]+?)(?: \| null)?`, got `(?P<found>[^`]+)`"), "expected"),
    (re.compile(r"Object missing required field `(?P<field>[^`]+)`"), "missing"),
    (re.compile(r"Invalid enum value (?P<found>.+)"), "not_one_of"),
    (re.compile(r"Expected `str` of length (?P<limit>[<>]= \d+)"), "length"),
    (re.compile(r"Expected `int` (?P<limit>[<>]= -?\d+)"), "range"),
    (re.compile(r"Invalid RFC3339|timezone component"), "not_a_time"),
)


def _schema_problem(message: str) -> Problem:
    """What the types found wrong, as a path and one of our own sentences."""
    what, _, path = message.partition(" - at ")
    path = path.strip("`").removeprefix("$").removeprefix(".")
    for pattern, key in _PATTERNS:
        if found := pattern.search(what):
            fields = found.groupdict()
            if key == "missing":
                path = f"{path}.{fields['field']}" if path else fields["field"]
            if fields.get("found") in ("decimal", "float"):
                fields["found"] = "number"
            return Problem(Reject.SCHEMA, key, path, **fields)
    return Problem(Reject.SCHEMA, "wrong", path)


def is_number(value: object, below: int, decimals: int) -> bool:
    """Whether a value is a number (int or Decimal) nearer to 0 than ``below``, with so many decimals at most."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return False
    if isinstance(value, int):
        return -below < value < below
    # The exponent is asked first: the text 1e999999999 must neither cost anything nor overflow.
    if not value.is_finite() or abs(value.adjusted()) > 20:
        return False
    return abs(value) < below and round(value, decimals) == value


def is_base(value: object) -> TypeGuard[int | Decimal]:
    """E5: whether a value may multiply scores: a positive number, ``BASE_BELOW`` and ``BASE_DECIMALS`` its limits."""
    return isinstance(value, int | Decimal) and is_number(value, BASE_BELOW, BASE_DECIMALS) and value > 0


def _seat(value: int, seats: int, path: str) -> Problem:
    return Problem(Reject.SCHEMA, "seat", path, found=value, last=seats - 1)


def _missing(deal: int, name: str) -> Problem:
    return Problem(Reject.SCHEMA, "missing", f"deals[{deal}].{name}", field=name)


def _count(found: int, least: int, most: int, path: str) -> Problem:
    expected = least if least == most else f"{least}–{most}"
    return Problem(Reject.SCHEMA, "count", path, found=found, expected=expected)


def check(match: Match) -> int:
    """What the types alone cannot say: numbers of seats and deals, ranges, what must be given together.

    Returns the number of fields that belong to the other game.

    :raises Problem: SCHEMA, with its path.
    """
    # This runs for every line: what is usually right is asked in the cheapest way.
    players, deals, four = match.players, match.deals, match.variant == "four"
    seats = 4 if four else 5
    if len(players) != seats:
        raise _count(len(players), seats, seats, "players")
    if len({player.id for player in players}) != seats:
        raise Problem(Reject.SCHEMA, "same_player", "players")
    # A raw value: what is in it is read when it is needed, but it must be an object (or null, which is absent).
    if match.rules and bytes(match.rules)[:1] not in (b"{", b"n"):
        raise Problem(
            Reject.SCHEMA, "expected", "rules", expected="object", found=_type_name(parse(bytes(match.rules)))
        )
    base = match.base
    if base is not None and not is_base(base):
        raise Problem(Reject.SCHEMA, "base", "base", below=BASE_BELOW, decimals=BASE_DECIMALS)
    for seat, player in enumerate(players):
        balance = player.balance
        if type(balance) is int and -BALANCE_BELOW < balance < BALANCE_BELOW:
            continue
        if balance is not None and not is_number(balance, BALANCE_BELOW, BALANCE_DECIMALS):
            raise Problem(
                Reject.SCHEMA, "balance", f"players[{seat}].balance", below=BALANCE_BELOW, decimals=BALANCE_DECIMALS
            )
    if not deals or len(deals) > (2 if four else 1):
        raise _count(len(deals), 1, 2 if four else 1, "deals")
    unused = 0
    for number, deal in enumerate(deals):
        if len(deal.hands) != seats:
            raise _count(len(deal.hands), seats, seats, f"deals[{number}].hands")
        if not 0 <= deal.leader < seats:
            raise _seat(deal.leader, seats, f"deals[{number}].leader")
        if deal.escaped is not None and not 0 <= deal.escaped < seats:
            raise _seat(deal.escaped, seats, f"deals[{number}].escaped")
        if deal.end == "escape" and deal.escaped is None:
            raise _missing(number, "escaped")
        if four:
            if deal.dealer is not None or deal.called is not None:
                unused += (deal.dealer is not None) + (deal.called is not None)
            if deal.first_draw is not None and not 0 <= deal.first_draw < seats:
                raise _seat(deal.first_draw, seats, f"deals[{number}].first_draw")
            if deal.end == "points":
                raise Problem(Reject.SCHEMA, "not_one_of", f"deals[{number}].end", found="points")
        elif deal.dealer is None or deal.called is None:
            raise _missing(number, "dealer" if deal.dealer is None else "called")
        elif not 0 <= deal.dealer < seats:
            raise _seat(deal.dealer, seats, f"deals[{number}].dealer")
        elif deal.first_draw is not None:
            unused += 1
    return unused


def json_schema() -> dict[str, Any]:
    """The JSON Schema of one line, generated from the types that read it."""
    schema = msgspec.json.schema(Match)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = FORMAT
    for definition in schema["$defs"].values():
        # Unknown fields are allowed, never used, and counted in a note.
        definition.pop("additionalProperties", None)
    return schema
