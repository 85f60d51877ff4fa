"""Small files judged together and kept in packs: the same rows as one by one, in few files, and each fails alone."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pipelines.defs.publish import snapshot as snapshots
from pipelines.defs.referee import together
from pipelines.defs.referee.checks import BLOCKING
from pipelines.groups import FAN
from pipelines.run import run
from pipelines.tables import BY_FILE
from pipelines.warehouse import Warehouse
from tests.fuzz import seeds
from tests.pipelines.homes import ask, changed, hand_in, hashes, lines_of

LINES = lines_of("logs", 0, 12)
#: Files of a few records: logs, copies and conflicts, rejects, damages, nothing at all, and score sheets.
SMALL: dict[str, bytes | list[bytes]] = {
    **{
        f"{number:02}.jsonl": [line, *lines_of("dirty", 4 * number, 4 * number + 4)]
        for number, line in enumerate(LINES)
    },
    "copy.jsonl": [changed(LINES[0]), changed(LINES[1], club="other"), changed(LINES[2], revision=2)],
    "claims.jsonl": lines_of("claims", 0, 6),
    "cut.jsonl.gz": gzip.compress(b"\n".join(LINES[3:6]))[:-9],
    "no.parquet": b"no Parquet",
    "empty.jsonl": b"",
    "rare.jsonl": [*lines_of("rare", 0, 3), *lines_of("logs", 157, 163)],
    **{f"sheet{number}.csv": seeds.as_file(".csv") + b"\n" * number for number in range(FAN)},
}


def lake_files(home: Path, table: str) -> list[str]:
    """The files of a table in the lake."""
    return sorted(path.stem for path in (home / "lake" / table).glob("*/*.parquet") if path.stem != "none")


def handed_in(home: Path, *rounds: Sequence[str]) -> dict[str, str]:
    """Hashes of the tables after a run for each round of files."""
    for names in rounds:
        for name in names:
            hand_in(home, name, SMALL[name])
        assert run(home).ok
    return hashes(home)


@pytest.mark.slow
def test_rows_are_the_same_packed_or_not_and_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(SMALL)
    at_once = handed_in(tmp_path / "at once", names)
    packed = lake_files(tmp_path / "at once", "core_deal")
    # Logs and sheets apart; nothing else of these files is left.
    assert len(packed) == 2
    assert lake_files(tmp_path / "at once", "raw_record") == packed
    rounds = handed_in(tmp_path / "rounds", names[20:], names[11:20], names[:11][::-1])
    monkeypatch.setattr(together, "FAN", len(SMALL) + 1)
    alone = handed_in(tmp_path / "alone", names)
    assert {table: at_once[table] == rounds[table] == alone[table] for table in at_once} == dict.fromkeys(at_once, True)
    statuses = {status for (status,) in ask(tmp_path / "alone", "select distinct status from out_audit__records")}
    assert statuses >= {"settled", "rejected", "duplicate", "superseded", "violation"}


@pytest.mark.slow
def test_files_that_come_one_by_one_are_packed_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "KEPT", 1)
    names = list(SMALL)[: FAN + 1]
    one_by_one = handed_in(tmp_path / "one by one", *[[name] for name in names])
    for table in BY_FILE:
        # A pack of the first, and one more.
        assert len(lake_files(tmp_path / "one by one", table)) == 2
    assert one_by_one == handed_in(tmp_path / "at once", names)
    # Judged they stay: nothing is made of them again.
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "one by one" / "lake").rglob("*.parquet")}
    assert run(tmp_path / "one by one").ok
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.slow
def test_a_file_that_fails_among_small_ones_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = changed(LINES[0], match_id="bad")
    for number, line in enumerate(LINES[1:]):
        hand_in(tmp_path, f"{number}.jsonl", [line])
    hand_in(tmp_path, "bad.jsonl", [bad])

    def wrong(con: Any) -> int:
        # Of all these the one for which the scores before the cap have been spoiled.
        found = con.execute("select count(*) from core_record where base = 77").fetchall()
        return int(found[0][0])

    hand_in(tmp_path, "bad.jsonl", [changed(bad, base=77)])
    with monkeypatch.context() as patched:
        patched.setitem(BLOCKING, "scores_sum_to_zero", wrong)
        report = run(tmp_path)
    assert set(report.failures) == {"bad.jsonl", "scores_sum_to_zero"}
    assert ask(tmp_path, "select count(*) from out_audit__files") == [(len(LINES) - 1,)]
    assert run(tmp_path).ok
    assert ask(tmp_path, "select count(*) from out_matches") == [(len(LINES),)]


@pytest.mark.slow
def test_a_damaged_pack_is_made_again_from_what_was_received(tmp_path: Path) -> None:
    before = handed_in(tmp_path, list(SMALL))
    for table in ("raw_record", "core_deal", "core_claim"):
        path = next(path for path in (tmp_path / "lake" / table).glob("*/*.parquet") if path.stem != "none")
        path.write_bytes(path.read_bytes()[:-20])
        assert run(tmp_path).ok
        assert hashes(tmp_path) == before
    # The record of a pack that cannot be read is none.
    for path in (tmp_path / "lake" / "packs").glob("*/*.json"):
        path.write_bytes(b"{")
    assert run(tmp_path).ok
    assert hashes(tmp_path) == before


@pytest.mark.slow
def test_what_is_known_of_a_packed_file_is_what_is_known_of_any(tmp_path: Path) -> None:
    handed_in(tmp_path, list(SMALL))
    warehouse = Warehouse(tmp_path)
    state = warehouse.present_state()
    counted = {
        file_id: (records, deals, claims)
        for file_id, records, deals, claims in ask(
            tmp_path,
            "select file_id, (select count(*) from core_record r where r.file_id = f.file_id),"
            " (select count(*) from core_deal d where d.file_id = f.file_id),"
            " (select count(*) from core_claim c where c.file_id = f.file_id) from out_audit__files f",
        )
    }
    assert len(counted) == len(SMALL)
    for file in state.files:
        counts = warehouse.counts_of(file.file_id)
        assert warehouse.has_records(file.file_id)
        assert counted[file.file_id] == tuple(counts[name] for name in ("records", "deals", "claims"))
    about = json.loads(next((tmp_path / "lake" / "packs").glob("*/*.json")).read_bytes())
    assert set(about) == {"files"}
