"""LOG_FORMAT, *Which record counts*: against a plain reading of it, on whatever files may come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.defs.audit.messages import add_messages
from pipelines.defs.intake.records import hash_of
from pipelines.defs.selection.counting import choose
from pipelines.warehouse import load, sql
from yuanzi_core.database import connect


class Sent(NamedTuple):
    """A record as sent: ``content`` tells contents apart, ``spelling`` two texts of one content."""

    match_id: str
    revision: int
    content: int
    spelling: int = 0
    status: str = "settled"

    @property
    def record(self) -> bytes:
        """The line."""
        fields = {"match_id": self.match_id, "revision": self.revision, "content": self.content}
        names = sorted(fields, reverse=bool(self.spelling))
        return json.dumps({name: fields[name] for name in names}).encode()


Files = dict[str, list[Sent]]
Verdicts = dict[tuple[str, int], str]


def by_the_book(files: Files) -> Verdicts:
    """What LOG_FORMAT says, record by record."""
    every = [(name, line, sent) for name, records in files.items() for line, sent in enumerate(records, 1)]
    verdicts = {}
    for name, line, sent in every:
        if sent.status == "rejected":
            verdicts[name, line] = "rejected"
            continue
        readable = [each for each in every if each[2].match_id == sent.match_id and each[2].status != "rejected"]
        highest = max(each[2].revision for each in readable)
        rivals = sorted(each for each in readable if each[2].revision == highest)
        if sent.revision < highest:
            verdicts[name, line] = "superseded"
        elif len({each[2].content for each in rivals}) > 1:
            verdicts[name, line] = "DUPLICATE"
        else:
            verdicts[name, line] = sent.status if (name, line) == rivals[0][:2] else "duplicate"
    return verdicts


def by_the_warehouse(files: Files) -> tuple[Verdicts, dict[str, tuple[int, bool, str | None, int | None, int]]]:
    """The verdicts of the pipeline's statements, and core_match."""
    rows: Sequence[tuple[str, int, Sent]] = [
        (name, line, sent) for name, records in files.items() for line, sent in enumerate(records, 1)
    ]
    with connect() as con:
        names, none = list(files), [None] * len(files)
        load(con, "raw_file", {"file_id": names, "file_name": names, "withdrawn_at": none}, {
            "file_id": "varchar", "file_name": "varchar", "withdrawn_at": "timestamptz",
        })  # fmt: skip
        load(con, "raw_text", {
            "file_id": [name for name, _, _ in rows], "line": [line for _, line, _ in rows],
            "text": [sent.record.decode() for _, _, sent in rows],
        }, {"file_id": "varchar", "line": "bigint", "text": "varchar"})  # fmt: skip
        con.execute("create temp view raw_record as select file_id, line, encode(text) as record from raw_text")
        none = [None] * len(rows)
        load(con, "core_record", {
            "file_id": [name for name, _, _ in rows], "line": [line for _, line, _ in rows],
            "record_hash": [hash_of(sent.record) for _, _, sent in rows],
            "match_id": [sent.match_id for _, _, sent in rows],
            "revision": [None if sent.status == "rejected" else sent.revision for _, _, sent in rows],
            "status": [sent.status for _, _, sent in rows],
            "code": none, "deal": none, "play": none, "message_en": none, "message_zh": none,
        }, {
            "file_id": "varchar", "line": "bigint", "record_hash": "varchar", "match_id": "varchar",
            "revision": "integer", "status": "varchar", "code": "varchar", "deal": "integer", "play": "integer",
            "message_en": "varchar", "message_zh": "varchar",
        })  # fmt: skip
        con.execute("create temp view core_match__candidate as select * from core_record where status <> 'rejected'")
        choose(con)
        con.execute(f"create temp table core_match__contested as {sql('selection', 'core_match__contested')}")
        con.execute(f"create temp table core_match as {sql('selection', 'core_match')}")
        add_messages(con)
        found = con.execute(
            f"select file_id, line, status, code, message_en, message_zh from ({sql('audit', 'out_audit__records')})"
        ).fetchall()
        verdicts = {}
        for name, line, status, code, english, chinese in found:
            assert (code == "DUPLICATE") == bool(english) == bool(chinese)
            verdicts[name, line] = code if code == "DUPLICATE" else status
        assert len(verdicts) == len(found) == len(rows)
        matches = con.execute("select match_id, revision, conflict, file_id, line, records from core_match").fetchall()
        return verdicts, {match_id: tuple(rest) for match_id, *rest in matches}


sent = st.builds(
    Sent,
    st.sampled_from(["m1", "m2", "名"]),
    st.integers(1, 3),
    st.integers(0, 1),
    st.integers(0, 1),
    st.sampled_from(["settled", "settled", "violation", "unfinished", "rejected"]),
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(["a.jsonl", "b.jsonl", "c.jsonl"]), st.lists(sent, max_size=5), max_size=3))
def test_every_set_of_files_has_the_verdicts_of_the_book(files: Files) -> None:
    wanted = by_the_book(files)
    found, matches = by_the_warehouse(files)
    assert found == wanted
    backwards, _ = by_the_warehouse(dict(reversed(list(files.items()))))
    assert backwards == wanted
    for match_id, (revision, conflict, name, line, records) in matches.items():
        counting = [
            key for key, verdict in wanted.items()
            if files[key[0]][key[1] - 1].match_id == match_id and verdict in ("settled", "violation", "unfinished")
        ]  # fmt: skip
        assert counting == ([] if conflict or name is None or line is None else [(name, line)])
        assert records == sum(
            each.match_id == match_id and each.revision == revision and each.status != "rejected"
            for records in files.values()
            for each in records
        )


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        pytest.param(
            {"b": [Sent("m", 1, 0)], "a": [Sent("m", 1, 0, 1)]}, {("a", 1): "settled", ("b", 1): "duplicate"},
            id="equal content: the first by file name",
        ),
        pytest.param(
            {"a": [Sent("m", 1, 0), Sent("m", 1, 1)]}, {("a", 1): "DUPLICATE", ("a", 2): "DUPLICATE"},
            id="different content: none counts",
        ),
        pytest.param(
            {"a": [Sent("m", 1, 0), Sent("m", 1, 1)], "b": [Sent("m", 2, 5)]},
            {("a", 1): "superseded", ("a", 2): "superseded", ("b", 1): "settled"},
            id="a higher revision settles a conflict",
        ),
        pytest.param(
            {"a": [Sent("m", 1, 0)], "b": [Sent("m", 2, 0, 0, "violation")]},
            {("a", 1): "superseded", ("b", 1): "violation"},
            id="the highest revision counts with a violation too",
        ),
        pytest.param(
            {"a": [Sent("m", 1, 0)], "b": [Sent("m", 2, 0, 0, "rejected")]},
            {("a", 1): "settled", ("b", 1): "rejected"},
            id="a reject replaces nothing",
        ),
    ],
)  # fmt: skip
def test_which_record_counts(files: Files, wanted: Verdicts) -> None:
    assert by_the_book(files) == wanted
    assert by_the_warehouse(files)[0] == wanted
