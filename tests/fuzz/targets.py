"""The targets: how the inputs of each are made, and what must hold for every one of them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st

from pipelines.commands.inputs import ruleset_error
from tests.fuzz import seeds
from tests.fuzz.judging import check, court, is_sound
from tests.fuzz.spoiling import (
    odd_texts,
    packed,
    rows_of,
    spoilt_archive,
    spoilt_bytes,
    spoilt_json,
    spoilt_rows,
    written,
)
from yuanzi_core.messages import message_of_problem
from yuanzi_core.registry import read_registry
from yuanzi_core.ruleset import RulesetError, Rulesets
from yuanzi_core.texts import LANGS


@dataclass(frozen=True)
class Target:
    """Inputs (bytes and a file's name) and what must hold for them; it raises where it does not.

    ``fixed`` are the places of lines, from the front or the back, that a smaller input must share with a larger one.
    """

    inputs: st.SearchStrategy[tuple[bytes, str]]
    check: Callable[[bytes, str], object]
    fixed: tuple[int, ...] = ()

    def may_become(self, data: bytes, smaller: bytes) -> bool:
        """Whether a smaller input is one of this target's."""
        one, other = data.split(b"\n"), smaller.split(b"\n")
        return not self.fixed or (len(other) == len(one) and all(one[at] == other[at] for at in self.fixed))


def _between(line: bytes) -> bytes:
    first, last = seeds.good()
    return b"\n".join([first, line, last])


def check_line(data: bytes, name: str) -> None:
    """The good first and last line are settled; the fast lane and the slow one read the same."""
    inner = data.count(b"\n") - 1
    check(data, name, [1, inner + 2])
    # Made long enough for the fast lane by lines that are good.
    first, _ = seeds.good()
    block = data + b"\n" + b"\n".join([first] * (1 + (1 << 17) // len(first)))
    reader, _ = court()
    fast = reader.read_block(1, block)
    slow = reader.read([(at, raw) for at, raw in enumerate(block.split(b"\n"), 1) if raw and not raw.isspace()])
    assert len(fast.records) == len(slow.records)
    for one, other in zip(fast.records[: inner + 2], slow.records, strict=False):
        assert (one.line, one.raw, one.match_id, one.claims, one.notes) == (
            other.line, other.raw, other.match_id, other.claims, other.notes,
        )  # fmt: skip
        assert (one.problem is None) == (other.problem is None)
        if one.problem is not None and other.problem is not None:
            for lang in LANGS:
                assert message_of_problem(one.problem, lang) == message_of_problem(other.problem, lang)


NOTATION = frozenset({"hands", "plays", "drawn", "called", "knife"})


def _lines() -> st.SearchStrategy[tuple[bytes, str]]:
    by_bytes = st.deferred(lambda: spoilt_bytes([seeds.line(match) for match in seeds.matches()]))
    by_values = st.deferred(lambda: spoilt_json(seeds.matches()).map(seeds.line))
    return (by_values | by_values | by_bytes).map(lambda line: (_between(line.replace(b"\n", b" ")), "fuzz.jsonl"))


def _notation() -> st.SearchStrategy[tuple[bytes, str]]:
    return st.deferred(
        lambda: spoilt_json(seeds.matches(), NOTATION).map(lambda match: (_between(seeds.line(match)), "fuzz.jsonl"))
    )


def _csv() -> st.SearchStrategy[tuple[bytes, str]]:
    cells = st.deferred(lambda: spoilt_rows(rows_of(seeds.as_file(".csv")), 0).flatmap(written))
    by_bytes = st.deferred(lambda: spoilt_bytes([seeds.as_file(".csv")]))
    return (cells | cells | by_bytes).map(lambda data: (data, "fuzz.csv"))


def check_cells(data: bytes, name: str) -> None:
    """Cells that are wrong touch no match but their own: the last, whose row comes first, is settled."""
    # With a zero byte in it, it is no text and so no table at all.
    check(data, name, None if b"\0" in data else [2])


def _cells() -> st.SearchStrategy[tuple[bytes, str]]:
    def made() -> st.SearchStrategy[bytes]:
        headings, *rows = rows_of(seeds.as_file(".csv"))
        alone = [row for row in rows if [other[0] for other in rows].count(row[0]) == 1]
        spoilt = [row for row in rows if row is not alone[0]]
        own = [cell if at else "untouched" for at, cell in enumerate(alone[0])]
        return spoilt_rows([headings, own, *spoilt], 2).flatmap(written)

    return st.deferred(made).map(lambda data: (data, "fuzz.csv"))


def _xlsx() -> st.SearchStrategy[tuple[bytes, str]]:
    return st.deferred(lambda: spoilt_archive(seeds.as_file(".xlsx"))).map(lambda data: (data, "fuzz.xlsx"))


def _parquet() -> st.SearchStrategy[tuple[bytes, str]]:
    def table(matches: list[dict[str, object]]) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        out = io.BytesIO()
        try:
            pq.write_table(pa.Table.from_pylist(matches), out)
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            # Not every list of objects is a table.
            return b"PAR1"
        return out.getvalue()

    whole = st.deferred(lambda: spoilt_bytes([seeds.as_file(".parquet")]))
    rows = st.deferred(lambda: st.lists(spoilt_json(seeds.matches()), min_size=1, max_size=3).map(table))
    return (whole | rows).map(lambda data: (data, "fuzz.parquet"))


def _packed() -> st.SearchStrategy[tuple[bytes, str]]:
    def made() -> st.SearchStrategy[tuple[bytes, str]]:
        lines = b"\n".join([*seeds.good(), seeds.line(seeds.matches()[0])])
        return packed(lines).flatmap(
            lambda one: st.tuples(spoilt_bytes([one[0], one[0] * 2]), st.just(f"fuzz{one[1]}"))
        )

    return st.deferred(made)


def check_registries(data: bytes, name: str) -> None:
    """Whatever stands in a registry, it is read: with problems that can be told, and the same each time."""
    with TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(data)
        registry = read_registry(Path(folder), Rulesets())
        assert read_registry(Path(folder), Rulesets()).content == registry.content
        json.loads(registry.content)
        for problem in registry.problems:
            for lang in LANGS:
                assert is_sound(problem.message(lang)), problem
        assert len({player.id for player in registry.players}) == len(registry.players)


def _registries() -> st.SearchStrategy[tuple[bytes, str]]:
    players = seeds.PLAYERS.encode()
    rows = spoilt_rows(rows_of(players), 0).flatmap(written)
    clubs = spoilt_bytes([seeds.CLUBS.encode()]) | odd_texts.map(
        lambda text: seeds.CLUBS.replace("Jiaxing", text).encode("utf-8", "replace")
    )
    return (rows | spoilt_bytes([players])).map(lambda data: (data, "players.csv")) | clubs.map(
        lambda data: (data, "clubs.toml")
    )


def check_ruleset(data: bytes, name: str) -> None:
    """A ruleset is one, or what is wrong with it can be told."""
    with TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(data)
        wrong = None
        try:
            assert Rulesets(Path(folder))[name.removesuffix(".toml")].hash
        except RulesetError as error:
            wrong = error
        for lang in LANGS if wrong is not None else ():
            assert wrong is None or is_sound(ruleset_error(wrong, lang)), wrong


def _rulesets() -> st.SearchStrategy[tuple[bytes, str]]:
    values = st.tuples(st.sampled_from(["five-classic", "true", "must", "early_stop", "Ours", "extends"]), odd_texts)
    texts = values.map(lambda pair: seeds.RULESET.replace(*pair).encode("utf-8", "replace"))
    return (spoilt_bytes([seeds.RULESET.encode()]) | texts).map(lambda data: (data, "ours.toml"))


@cache
def targets() -> dict[str, Target]:
    """All targets by name."""
    return {
        "line": Target(_lines(), check_line, (0, -1)),
        "notation": Target(_notation(), check_line, (0, -1)),
        "csv": Target(_csv(), check),
        "cells": Target(_cells(), check_cells, (0, 1)),
        "xlsx": Target(_xlsx(), check),
        "parquet": Target(_parquet(), check),
        "packed": Target(_packed(), check),
        "registries": Target(_registries(), check_registries),
        "rulesets": Target(_rulesets(), check_ruleset),
    }
