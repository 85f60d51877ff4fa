"""The same matches handed in as logs, as score sheets and as a mixture of both: equal results, match by match."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.run import run
from yuanzi_core.convert import convert
from yuanzi_core.ruleset import PRESETS, Rulesets
from yuanzi_core.selfplay import play_matches
from yuanzi_core.writer import LogWriter

#: Self-played matches of each preset. `python -m tests.pipelines.test_mixture 6667` does the same with 20,000.
MATCHES = 250
SEED = 11

Line = dict[str, Any]


def _played(folder: Path, matches: int) -> list[Line]:
    """Complete matches of all presets; a tenth has a second revision, a tenth an equal copy, a twentieth a conflict."""
    path = folder / "played.jsonl"
    with LogWriter(path) as writer:
        for name in PRESETS:
            for headers, deals in play_matches(Rulesets()[name], matches, SEED):
                writer.write_batch(headers, deals)
    lines: list[Line] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    path.unlink()
    chance = random.Random(SEED)
    for line in list(lines):
        del line["source"]
        for player in line["players"]:
            player["balance"] = chance.randrange(-50, 400)
        if chance.random() < 0.1:
            lines.append({**line, "revision": 2, "base": 3})
        if chance.random() < 0.1:
            lines.append(line)
        if chance.random() < 0.05:
            lines.append({**line, "base": 5})
        if chance.random() < 0.05:
            lines.append({**line, "revision": 2, "base": 7})
    chance.shuffle(lines)
    return lines


def _hand_in(home: Path, parts: dict[str, list[Line]]) -> None:
    """Put lines into the inbox of a home, each part as a file of its name; sheets by way of a log."""
    inbox = home / "inbox"
    inbox.mkdir(parents=True)
    for name, lines in parts.items():
        log = home / f"{name}.jsonl"
        if not name.endswith((".csv", ".xlsx")):
            log = inbox / name
        log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        if log.parent != inbox:
            _as_sheet(log, inbox / name)


def _as_sheet(log: Path, sheet: Path) -> None:
    report = convert(str(log), sheet, Rulesets(), "en", lambda left_out: None)
    assert not report.left_out
    assert not report.duplicates


def _without_repeats(lines: list[Line], files: int, chance: random.Random) -> list[list[Line]]:
    """The lines spread over files so that no file holds a match and revision twice."""
    spread: list[list[Line]] = [[] for _ in range(files)]
    held: list[set[tuple[str, int]]] = [set() for _ in range(files)]
    for line in lines:
        key = line["match_id"], line.get("revision", 1)
        free = [number for number in range(files) if key not in held[number]]
        number = chance.choice(free)
        held[number].add(key)
        spread[number].append(line)
    return spread


def _results(home: Path) -> tuple[dict[str, tuple[Any, ...]], list[tuple[Any, ...]]]:
    """By match what counts of it; and how many records came to which end, by status and code."""
    report = run(home)
    assert report.ok, report.failures
    assert report.snapshot is not None
    with duckdb.connect(str(report.snapshot), read_only=True) as con:
        matches = con.execute(
            "select match_id, revision, variant, ruleset_hash, played_at, base, status, outcome, winner, player_ids,"
            " sides, scores, scores_before_cap, standings_before, side_points, deals, tricks, atoms from out_matches"
        ).fetchall()
        verdicts = con.execute(
            "select match_id, revision, status, code, count(*) from out_audit__records group by all order by all"
        ).fetchall()
    return {match[0]: match[1:] for match in matches}, verdicts


@pytest.mark.slow
def test_logs_sheets_and_a_mixture_of_both_give_equal_results(tmp_path: Path) -> None:
    lines = _played(tmp_path, MATCHES)
    chance = random.Random(SEED + 1)
    files = _without_repeats(lines, 5, chance)
    _hand_in(tmp_path / "logs", {f"{number}.jsonl": part for number, part in enumerate(files)})
    kinds = ("csv", "xlsx", "csv", "xlsx", "csv")
    numbered = [f"{number}.{kind}" for number, kind in enumerate(kinds)]
    _hand_in(tmp_path / "sheets", dict(zip(numbered, files, strict=True)))
    # Which matches come as sheets is decided by match: a log and a sheet of one match never have equal content.
    as_sheet = {line["match_id"]: chance.random() < 0.5 for line in lines}
    mixed = {f"{n}.jsonl": [line for line in part if not as_sheet[line["match_id"]]] for n, part in enumerate(files)}
    mixed |= {
        name: [line for line in part if as_sheet[line["match_id"]]] for name, part in zip(numbered, files, strict=True)
    }
    _hand_in(tmp_path / "mixed", mixed)
    logs, verdicts = _results(tmp_path / "logs")
    assert len(logs) > 2 * MATCHES
    assert any(status == "rejected" for _, _, status, _, _ in verdicts)
    for other in ("sheets", "mixed"):
        found, other_verdicts = _results(tmp_path / other)
        assert found == logs
        assert other_verdicts == verdicts


if __name__ == "__main__":
    import sys
    import tempfile

    MATCHES = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        test_logs_sheets_and_a_mixture_of_both_give_equal_results(Path(folder))
