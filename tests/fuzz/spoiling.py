"""How valid inputs are spoilt: bytes anywhere, values in JSON, cells of a table, entries of an archive."""

from __future__ import annotations

import csv
import io
import json
import warnings
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

#: Texts that readers stumble over: other notations, signs of other scripts, numbers out of range, formulas, controls.
ODD_TEXTS = (
    "", " ", "0", "-1", "1.0", "1e400", "9" * 30, "NaN", "inf", "null", "true", "=1+1", "@SUM(A1)", "'=1", "\t", "\x00",
    "\x1b[31m", "\u202e", "\ufeff", "\ud7ff", "😀", "黑桃7", "♠7", "7♠", "10♥", "大王", "XB", "XS", "7s7", "s7", "Ks",
    "3s3s3s", "2:7s7s", "2:-", "9:3s", "E:3s", "上", "下", "four", "five", "four-classic", "../../etc/passwd",
    "%s%n", "{}",
    "2026-03-01", "2026-03-01T20:15:00+08:00", "2026-02-30T25:61:00Z", "2 1 0", "2,1,0", "a=b; c=d", "x" * 200, "庄家",
)  # fmt: skip
#: Values of the wrong type, size or depth.
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, 2**63, -(2**63), 10**30, 0.5, 1e308, [], {}, [[]], [None], {"": None}, [0] * 40,
    {"id": "p"}, {"format": "yuanzi-log/1"}, [[[[[[[[]]]]]]]],
)  # fmt: skip

odd_texts = st.sampled_from(ODD_TEXTS) | st.text(max_size=12)
odd_values = st.sampled_from(ODD_VALUES) | odd_texts | st.integers() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def spoilt_bytes(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """A seed with pieces changed, taken out, doubled, put in or moved; or no seed at all."""
    data = bytearray(draw(st.sampled_from(seeds)))
    if draw(st.integers(0, 15)) == 0:
        return draw(st.binary(max_size=400))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.sampled_from([1, 2, 8, 64, 1000])))
        match draw(st.integers(0, 5)):
            case 0:
                data[at:end] = bytes(byte ^ draw(st.integers(1, 255)) for byte in data[at : min(end, at + 2)])
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end] * draw(st.integers(1, 3))
            case 3:
                data[at:at] = draw(st.binary(max_size=8))
            case 4:
                del data[at:]
            case _:
                piece = bytes(data[at:end])
                del data[at:end]
                other = draw(st.integers(0, len(data)))
                data[other:other] = piece
    return bytes(data)


def _places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all values within a value."""
    found = [path] if path else []
    if isinstance(value, dict):
        for name, inner in value.items():
            found += _places(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            found += _places(inner, (*path, place))
    return found


@st.composite
def spoilt_json(draw: st.DrawFn, seeds: Sequence[dict[str, Any]], only: frozenset[str] | None = None) -> dict[str, Any]:
    """A match with some values replaced, removed, doubled or cut; ``only`` names the fields to spoil."""
    made: dict[str, Any] = json.loads(json.dumps(draw(st.sampled_from(seeds))))
    for _ in range(draw(st.integers(1, 3))):
        places = [path for path in _places(made) if only is None or only & set(map(str, path))]
        if not places:
            break
        *steps, last = draw(st.sampled_from(places))
        inner: Any = made
        for step in steps:
            inner = inner[step]
        value = inner[last]
        match draw(st.integers(0, 4)):
            case 0:
                inner[last] = draw(odd_values)
            case 1:
                del inner[last]
            case 2 if isinstance(value, str):
                at = draw(st.integers(0, len(value)))
                cut = draw(st.integers(0, 3))
                inner[last] = value[:at] + draw(odd_texts) + value[at + cut :]
            case 3 if isinstance(value, list) and value:
                inner[last] = [*value, draw(st.sampled_from(value))]
            case 3 if isinstance(inner, dict):
                inner[draw(odd_texts)] = value
            case _:
                inner[last] = draw(odd_texts)
    return made


def rows_of(content: bytes) -> list[list[str]]:
    """The rows of a CSV file of ours."""
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


@st.composite
def spoilt_rows(draw: st.DrawFn, seed: Sequence[Sequence[str]], first: int = 1) -> list[list[str]]:
    """A table with cells replaced and rows doubled, taken out or moved, from row ``first`` on (0: the headings)."""
    rows = [list(row) for row in seed]
    for _ in range(draw(st.integers(1, 4))):
        if len(rows) <= first:
            break
        row = draw(st.integers(first, len(rows) - 1))
        match draw(st.integers(0, 7)):
            case 0:
                rows.insert(row, list(rows[row]))
            case 1:
                del rows[row]
            case 2:
                rows[row] = rows[row][: draw(st.integers(0, len(rows[row])))]
            case 3:
                rows[row].append(draw(odd_texts))
            case 4:
                rows.append(rows.pop(row))
            case _ if rows[row]:
                rows[row][draw(st.integers(0, len(rows[row]) - 1))] = draw(odd_texts | st.integers().map(str))
            case _:
                pass
    return rows


@st.composite
def written(draw: st.DrawFn, rows: list[list[str]]) -> bytes:
    """A table as a CSV file in one of the ways that spreadsheets write it."""
    out = io.StringIO()
    delimiter = draw(st.sampled_from(",;\t"))
    csv.writer(out, delimiter=delimiter, lineterminator=draw(st.sampled_from(["\n", "\r\n"]))).writerows(rows)
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "gb18030"]))
    return out.getvalue().encode(encoding, "replace")


@st.composite
def spoilt_archive(draw: st.DrawFn, seed: bytes) -> bytes:
    """An archive with an entry spoilt, taken out, doubled or renamed; or its own bytes spoilt."""
    if draw(st.integers(0, 3)) == 0:
        return draw(spoilt_bytes([seed]))
    with zipfile.ZipFile(io.BytesIO(seed)) as archive:
        parts = [(entry.filename, archive.read(entry)) for entry in archive.infolist()]
    place = draw(st.integers(0, len(parts) - 1))
    name, content = parts[place]
    match draw(st.integers(0, 5)):
        case 0:
            del parts[place]
        case 1:
            parts.append((f"{name}{draw(st.sampled_from(['', 'x', '/']))}", content))
        case 2:
            parts[place] = draw(st.sampled_from(["../x", "/etc/x", "", "xl/worksheets/sheet1.xml"])), content
        case _:
            parts[place] = name, draw(spoilt_bytes([content]))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings(action="ignore"):
        # It warns of two entries of one name.
        for name, content in parts:
            entry = zipfile.ZipInfo(name or "x")
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return out.getvalue()


@st.composite
def packed(draw: st.DrawFn, content: bytes) -> tuple[bytes, str]:
    """Content packed in one of the ways that are read, and the ending of its name."""
    import zstandard

    if draw(st.booleans()):
        packer = zlib.compressobj(draw(st.integers(1, 9)), wbits=31)
        return packer.compress(content) + packer.flush(), ".jsonl.gz"
    return zstandard.compress(content, draw(st.integers(1, 5))), ".jsonl.zst"
