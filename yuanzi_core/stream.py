"""Files judged as a stream: each record alone, in input order, memory flat in the number of matches.

Of records with one ``match_id`` and revision the first is judged; a later one with equal content is a duplicate, one
with other content is rejected. One thread reads while another judges.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from yuanzi_core.files import Damage, Readable, Source, lines_of, read_blocks
from yuanzi_core.judge import Judge
from yuanzi_core.log import Problem, parse
from yuanzi_core.reasons import Reject
from yuanzi_core.records import Chunk, Reader, Record, join
from yuanzi_core.ruleset import Rulesets

if TYPE_CHECKING:
    import duckdb

    from yuanzi_core.clubs import ClubDefaults

_LINE_BITS, _HASH_BITS = 40, 64
_HASH = (1 << _HASH_BITS) - 1
SWITCH_INTERVAL = 0.0003  # seconds
#: Bytes and records of a chunk, whichever comes first: planning the settlement costs as much as settling thousands.
CHUNK_BYTES, CHUNK_RECORDS, FIRST_CHUNK_RECORDS = 96 << 20, 32_768, 4096


def same_content(one: bytes, other: bytes) -> bool:
    """Whether two records are equal as parsed JSON. Unknown fields nested too deeply to be compared count as others."""
    if one == other:
        return True
    try:
        return bool(_plain(parse(one)) == _plain(parse(other)))
    except RecursionError:
        return False


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    # 1, 1.0 and 1e0 are one number; true is none.
    return ("bool", value) if isinstance(value, bool) else value


class Seen:
    """The first readable record of each match_id and revision, with a hash of its line.

    Lines with equal hashes have equal content. Where hashes differ, white space or the order of fields may be all that
    does: the first record is then read again and the two are compared as parsed JSON.
    """

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self._first: dict[str | tuple[str, int], int] = {}

    def mark(self, records: Iterable[Record], source: int) -> set[int]:
        """Reject the records whose match came before with other content; returns the rows of equal ones."""
        equal: set[int] = set()
        unclear: list[tuple[Record, int]] = []
        for record in records:
            if record.problem is not None or record.match_id is None:
                continue
            # Most matches come in their first revision: a text alone takes less memory than a pair.
            key = record.match_id if record.revision == 1 else (record.match_id, record.revision)
            first = self._first.get(key)
            content = hash(record.raw) & _HASH
            if first is None:
                # One number is the smallest thing that holds a place and a hash.
                self._first[key] = (source << _LINE_BITS | record.line) << _HASH_BITS | content
            elif first & _HASH == content:
                equal.add(record.row)
            else:
                unclear.append((record, first >> _HASH_BITS))
        before = self._lines({place for _, place in unclear}) if unclear else {}
        for record, place in unclear:
            # A file that somebody changes meanwhile may have lost the line.
            if place in before and same_content(before[place], record.raw):
                equal.add(record.row)
                continue
            record.reject(Problem(Reject.DUPLICATE, "other_content", match=record.match_id, revision=record.revision))
        return equal

    def _lines(self, places: set[int]) -> dict[int, bytes]:
        """Lines of the files read so far, read once more."""
        found: dict[int, bytes] = {}
        for number in sorted({place >> _LINE_BITS for place in places}):
            source, missing = self.sources[number], {place for place in places if place >> _LINE_BITS == number}
            with source.again() as stream:
                for block in read_blocks(stream, source.path):
                    if isinstance(block, Damage) or not missing:
                        break
                    for line, raw in lines_of(block):
                        place = number << _LINE_BITS | line
                        if place in missing:
                            missing.remove(place)
                            found[place] = raw
        return found


class Judged:
    """A judged chunk of a file; its tables are on ``judge.con`` while the consumer holds it."""

    def __init__(self, path: str, chunk: Chunk, duplicates: set[int], judge: Judge) -> None:
        self.path, self.chunk, self.duplicates, self.judge = path, chunk, duplicates, judge


def read_chunks(stream: Readable, name: str, reader: Reader) -> Iterator[tuple[Chunk, int]]:
    """The records of a file in chunks, each with the bytes it was read from.

    A file that cannot be read on ends in a reject. Parsed matches of logs are not kept.
    """
    parts: list[Chunk] = []
    size = count = last = 0
    # The first chunks are small, so that judging begins soon; the later ones are worth the planning.
    enough = FIRST_CHUNK_RECORDS
    for block in read_blocks(stream, name):
        if isinstance(block, Damage):
            parts.append(reader.damaged(block.line or last + 1, block))
            break
        if isinstance(block, list):
            part = reader.read_sheets(block)
            size += sum(len(record.raw) for record in block)
        else:
            part = reader.read_block(*block)
            size += len(block[1])
        parts.append(part)
        count += len(part.records)
        last = part.records[-1].line if part.records else last
        if size >= CHUNK_BYTES or count >= min(enough, CHUNK_RECORDS):
            yield join(parts), size
            parts, size, count, enough = [], 0, 0, 2 * enough
    if parts:
        yield join(parts), size


def _readable(chunk: Chunk) -> int:
    return sum(record.problem is None for record in chunk.records)


Item = TypeVar("Item")


def _ahead(items: Iterator[Item], pool: ThreadPoolExecutor) -> Iterator[Item]:
    """The same items, the next one always begun in another thread."""
    coming = pool.submit(next, items, None)
    while (item := coming.result()) is not None:
        coming = pool.submit(next, items, None)
        yield item


def judge_files(
    paths: Sequence[str],
    rulesets: Rulesets,
    progress: Callable[[int], None] | None = None,
    opening: Future[duckdb.DuckDBPyConnection] | None = None,
    clubs: Mapping[str, ClubDefaults] | None = None,
) -> Iterator[Judged]:
    """Judge the records of files one after the other; ``progress`` is told the bytes of each chunk read.

    ``opening`` is the connection to judge on, where somebody has begun to open it (``database.connect``); ``clubs``
    what score sheets of a club need not say, by the club's name.

    :raises OSError: a file that cannot be opened or read.
    """
    reader, seen = Reader(rulesets, clubs), Seen()

    def read() -> Generator[tuple[str, int, Chunk, int], None, None]:
        for number, path in enumerate(paths):
            with closing(Source(path)) as source:
                seen.sources.append(source)
                for chunk, size in read_chunks(source, path, reader):
                    yield path, number, chunk, size

    def work(starting: Future[Judge], chunk: Chunk, path: str, number: int) -> Judged:
        judge = starting.result()
        if chunk.facts is not None:
            # Nothing may be compared with a match of a sheet that the settlement makes a reject.
            judge.judge(chunk)
        settled = _readable(chunk)
        equal = seen.mark(chunk.records, number)
        if chunk.facts is None or equal or _readable(chunk) < settled:
            judge.judge(chunk, equal)
        return Judged(path, chunk, equal, judge)

    pending: Future[Judged] | None = None
    # The records of a chunk are many objects and no cycles: looking for some costs more than reading them.
    collecting, interval = gc.isenabled(), sys.getswitchinterval()
    gc.disable()
    # The judging thread needs the interpreter's lock often and for moments only: it should not wait 5 ms each time.
    sys.setswitchinterval(SWITCH_INTERVAL)
    chunks = read()
    try:
        # Reading runs one chunk ahead of judging, and judging of whoever takes the results.
        with ThreadPoolExecutor(1) as reading, ThreadPoolExecutor(1) as judging:
            # Opening a database takes as long as reading a small file.
            starting = judging.submit(lambda: Judge(None if opening is None else opening.result()))
            # A pipe may keep its reader waiting for ever, and only the caller's thread can be interrupted.
            on_disk = all(Path(path).is_file() for path in paths)
            for path, number, chunk, size in _ahead(chunks, reading) if on_disk else chunks:
                if pending is not None:
                    yield pending.result()
                pending = judging.submit(work, starting, chunk, path, number)
                if progress is not None:
                    progress(size)
            if pending is not None:
                yield pending.result()
    finally:
        # Where somebody stops early, nobody reads any more by now.
        chunks.close()
        for source in seen.sources:
            source.forget()
        sys.setswitchinterval(interval)
        if collecting:
            gc.enable()
