"""Files judged as a stream: each record alone, in input order, memory flat in the number of matches.

Of records with one ``match_id`` and revision the first is judged; a later one with equal content is a duplicate, one
with other content is rejected. One thread reads while another judges.
"""

from __future__ import annotations

import gc
import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from typing import IO, Any

from yuanzi_core.files import Damage, Line, open_binary, read_lines
from yuanzi_core.judge import Judge
from yuanzi_core.log import Problem, parse
from yuanzi_core.reasons import Reject
from yuanzi_core.records import Chunk, Reader, Record
from yuanzi_core.ruleset import Rulesets

#: Bytes and records of a chunk, whichever comes first.
CHUNK_BYTES, CHUNK_RECORDS = 24 << 20, 8192


def canonical_content(raw: bytes) -> Any:
    """A record's content as parsed JSON, so that two texts of the same content compare equal."""
    return _plain(parse(raw))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    # 1, 1.0 and 1e0 are one number; true is none.
    return ("bool", value) if isinstance(value, bool) else +value if isinstance(value, Decimal) else value


class Content:
    """The raw lines of a stream, kept on disk to be compared when a match_id comes again."""

    def __init__(self) -> None:
        self._spool: IO[bytes] = tempfile.TemporaryFile()
        self._end = 0

    def keep(self, raw: bytes) -> tuple[int, int]:
        """Where a line is kept."""
        self._spool.write(raw)
        start, self._end = self._end, self._end + len(raw)
        return start, len(raw)

    def get(self, place: tuple[int, int]) -> bytes:
        """A line that was kept."""
        self._spool.seek(place[0])
        raw = self._spool.read(place[1])
        self._spool.seek(0, 2)
        return raw

    def close(self) -> None:
        """Give the space back."""
        self._spool.close()


class Seen:
    """The first readable record of each match_id and revision."""

    def __init__(self) -> None:
        self._content = Content()
        self._first: dict[bytes, tuple[int, int]] = {}

    def mark(self, records: Iterable[Record]) -> set[int]:
        """Reject the records whose match came before with other content; returns the rows of equal ones."""
        duplicates = set()
        for record in records:
            match = record.match
            if match is None or record.problem is not None:
                continue
            key = hashlib.blake2b(f"{match.revision or 1} {match.match_id}".encode(), digest_size=16).digest()
            first = self._first.get(key)
            if first is None:
                self._first[key] = self._content.keep(record.raw)
                continue
            before = self._content.get(first)
            if before == record.raw or canonical_content(before) == canonical_content(record.raw):
                duplicates.add(record.row)
            else:
                record.reject(Problem(
                    Reject.DUPLICATE, "other_content", match=match.match_id, revision=match.revision or 1
                ))
        return duplicates

    def close(self) -> None:
        """Give the space back."""
        self._content.close()


class Judged:
    """A judged chunk of a file; its tables are on ``judge.con`` while the consumer holds it."""

    def __init__(self, path: str, chunk: Chunk, duplicates: set[int], judge: Judge) -> None:
        self.path, self.chunk, self.duplicates, self.judge = path, chunk, duplicates, judge


def damage_record(row: int, line: int, damage: Damage) -> Record:
    """A file that cannot be read on is a reject behind its last line."""
    return Record(row, line, b"", problem=Problem(Reject.JSON, damage.key, kind=damage.kind))


def chunks_of(stream: IO[bytes], name: str) -> Iterator[tuple[list[Line], Damage | None]]:
    """The lines of a file in chunks; the last one may end in a damage."""
    held: list[Line] = []
    size = 0
    for lines in read_lines(stream, name):
        if isinstance(lines, Damage):
            yield held, lines
            return
        for place in range(0, len(lines), CHUNK_RECORDS // 2):
            part = lines[place : place + CHUNK_RECORDS // 2]
            held += part
            size += sum([len(raw) for _, raw in part])
            if size >= CHUNK_BYTES or len(held) >= CHUNK_RECORDS:
                yield held, None
                held, size = [], 0
    if held:
        yield held, None


def judge_files(
    paths: Iterable[str], rulesets: Rulesets, progress: Callable[[int], None] | None = None
) -> Iterator[Judged]:
    """Judge the records of files one after the other; ``progress`` is told the bytes of each chunk read.

    :raises OSError: a file that cannot be opened or read.
    """
    reader, seen, judge = Reader(rulesets), Seen(), Judge()

    def work(path: str, chunk: Chunk) -> Judged:
        reader.finish(chunk)
        duplicates = seen.mark(chunk.records)
        judge.judge(chunk, duplicates)
        return Judged(path, chunk, duplicates, judge)

    pending: Future[Judged] | None = None
    # The records of a chunk are many objects and no cycles: looking for some costs more than reading them.
    collecting = gc.isenabled()
    gc.disable()
    try:
        with ThreadPoolExecutor(1) as pool:
            for path in paths:
                with open_binary(path) as stream:
                    for lines, damage in chunks_of(stream, path):
                        chunk = reader.start(lines)
                        if damage is not None:
                            last = chunk.records[-1].line if chunk.records else 0
                            chunk.records.append(damage_record(len(chunk.records), last + 1, damage))
                        if pending is not None:
                            yield pending.result()
                        pending = pool.submit(work, path, chunk)
                        if progress is not None:
                            progress(sum([len(raw) for _, raw in lines]))
            if pending is not None:
                yield pending.result()
    finally:
        if collecting:
            gc.enable()
        seen.close()
