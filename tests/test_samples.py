"""``data/samples``: what is in the files is what is written down about them, and they are what the script makes."""

from __future__ import annotations

import json
import re
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.run import run
from tests.oracle.match import settle
from tests.samples.contents import sample_lines, unpacked, write_samples
from tests.samples.evening import GUEST, HUZHOU, JIAXING, TONGXIANG
from tests.samples.expected import Expected, expected
from yuanzi_core.answers import answers, encode
from yuanzi_core.clubs import REGISTRIES
from yuanzi_core.reasons import Discrepancy, Note, Reject, Violation
from yuanzi_core.registry import read_registry
from yuanzi_core.ruleset import PRESETS, Rulesets
from yuanzi_core.stream import judge_files

DATA = Path(__file__).parents[1] / "data"
SAMPLES = DATA / "samples"
READMES = {"en": DATA / "README.md", "zh": DATA / "README.zh.md"}
EXPECTED = expected()
#: Sheets and the ledger come later; no log has these two.
NOT_IN_LOGS = {Reject.SHEET, Discrepancy.CLAIM_BALANCE}
#: A file is small enough to be read, a line to be looked at.
LARGEST_FOLDER, LONGEST_LINE = 400_000, 5_000


@pytest.fixture(scope="module")
def judged() -> dict[str, list[dict[str, Any]]]:
    """The answers to all files in one call, as ``yuanzi settle data/samples`` gives them."""
    paths = [str(SAMPLES / name) for name in sorted(EXPECTED)]
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in EXPECTED}
    for part in judge_files(paths, Rulesets()):
        found[Path(part.path).name] += [json.loads(encode(answer), parse_float=Decimal) for answer in answers(part)]
    return found


@pytest.fixture(scope="module")
def made() -> dict[str, list[bytes]]:
    """The lines of all files, before they are packed."""
    return sample_lines()


def as_expected(answer: dict[str, Any], kept: tuple[str, str | None]) -> Expected:
    """An answer as a line of the table."""
    found = [(one["code"], one["deal"]) for one in answer.get("discrepancies", ())]
    found += [(note["code"], None) for note in answer.get("notes", ())]
    values = {name: answer.get(name) for name in Expected._fields} | {"found": found, "in_warehouse": kept}
    return Expected(**values)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_each_line_gets_the_verdict_that_is_written_down(name: str, judged: dict[str, list[dict[str, Any]]]) -> None:
    kept = [row.in_warehouse for row in EXPECTED[name]]
    assert len(judged[name]) == len(kept)
    assert [as_expected(answer, at) for answer, at in zip(judged[name], kept, strict=True)] == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if "notation" not in name))
def test_the_second_opinion_agrees_with_what_is_written_down(name: str, made: dict[str, list[bytes]]) -> None:
    for row in EXPECTED[name]:
        if row.status in ("rejected", "duplicate"):
            continue
        found = settle(json.loads(made[name][row.line - 1]))
        scores = None if found["scores"] is None else [Decimal(str(score)) for score in found["scores"]]
        codes = [(one["code"], one["deal"]) for one in found["discrepancies"]]
        assert [found[field] for field in ("match_id", "status", "code", "outcome", "winner")] == [
            row.match_id, row.status, row.code, row.outcome, row.winner
        ]  # fmt: skip
        assert (scores, found["deal"], found["play"]) == (row.scores, row.deal, row.play)
        assert codes == [one for one in row.found if one[0] in set(Discrepancy)]


def test_a_warehouse_keeps_the_records_that_count(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES, tmp_path / "inbox", ignore=shutil.ignore_patterns(*REGISTRIES))
    for name in REGISTRIES:
        shutil.copy(SAMPLES / name, tmp_path)
    report = run(tmp_path)
    assert report.ok, report.failures
    assert report.snapshot is not None
    with duckdb.connect(str(report.snapshot), read_only=True) as con:
        rows = con.execute("select file_name, line, status, code from out_audit__records order by 1, 2").fetchall()
        assert con.execute("select * from out_audit__registry").fetchall() == []
        assert con.execute("select registry_ids from out_matches where registry_ids <> player_ids").fetchall() != []
    kept = {(name, row.line): row.in_warehouse for name, rows in EXPECTED.items() for row in rows}
    assert {(name, line): (status, code) for name, line, status, code in rows} == kept


def test_every_reason_that_a_log_can_give_occurs() -> None:
    rows = [row for rows in EXPECTED.values() for row in rows]
    codes = {row.code for row in rows} | {code for row in rows for code, _ in row.found}
    logs = {reason for kind in (Reject, Violation, Discrepancy, Note) for reason in kind if reason not in NOT_IN_LOGS}
    assert codes - {None} == {str(reason) for reason in logs}


def test_every_outcome_ending_and_status_occurs(judged: dict[str, list[dict[str, Any]]]) -> None:
    found = [answer for answers_of_file in judged.values() for answer in answers_of_file]
    outcomes = {answer["outcome"] for answer in found if answer.get("outcome")}
    assert outcomes == {"double", "normal", "low", "zero", "escape", "unfinished"}
    deals = [deal for answer in found if answer["status"] == "settled" for deal in answer["deals"]]
    assert {deal["end"] for deal in deals} == {"out", "points", "escape"}
    # Double clamps by two out and by three; one partner and two.
    assert {len(answer["deals"][0]["finish"]) for answer in found if answer.get("outcome") == "double"} == {2, 3}
    assert {deal["sides"].count(0) for deal in deals if len(deal["sides"]) == 5} == {2, 3}
    ties = [answer for answer in found if answer.get("outcome") == "normal" and len(answer["deals"]) == 2]
    assert any(sum(deal["side_points"][0] for deal in answer["deals"]) == 300 for answer in ties)
    # A gain cut down by the cap, but not to nothing.
    assert any(
        0 < after < before
        for answer in found
        if answer.get("scores")
        for before, after in zip(answer["scores_before_cap"], answer["scores"], strict=True)
    )
    assert {row.in_warehouse[0] for rows in EXPECTED.values() for row in rows} == {
        "settled", "unfinished", "violation", "rejected", "duplicate", "superseded"
    }  # fmt: skip


def test_all_rulesets_and_clubs_occur(made: dict[str, list[bytes]]) -> None:
    lines = b"\n".join(line for lines in made.values() for line in lines)
    for name in PRESETS:
        assert f'"ruleset":"{name}"'.encode() in lines
    for club in (HUZHOU, JIAXING, TONGXIANG):
        assert all(name.encode() in lines for name in (club.name, *club.players))


def test_the_files_are_what_the_script_makes(tmp_path: Path) -> None:
    fresh = {path.name: path for path in write_samples(tmp_path)}
    assert set(fresh) == {path.name for path in SAMPLES.iterdir()} == {*EXPECTED, *REGISTRIES}
    for name, path in fresh.items():
        assert unpacked(SAMPLES / name) == unpacked(path), f"{name}: run python -m tests.samples"


def test_the_registries_fit_the_samples(made: dict[str, list[bytes]]) -> None:
    known = read_registry(SAMPLES, Rulesets())
    assert (known.problems, known.ignored, known.found) == ((), (), REGISTRIES)
    defaults = known.sheet_defaults()
    for club in (HUZHOU, JIAXING, TONGXIANG):
        # Each preset is the default of one of them.
        assert defaults[club.name].ruleset in PRESETS
    names = {player.id: player.name for player in known.players}
    lines = b"\n".join(line for lines in made.values() for line in lines).decode("utf-8", "replace")
    logged = dict(re.findall(r'\{"id":"([a-z]{2}-[a-z0-9]+)","name":"([^"]+)"', lines))
    assert {names.get(known.aliases.get(one, one)) for one in logged} >= {*HUZHOU.players, *JIAXING.players}
    assert [one for one in logged if one in known.aliases] == [GUEST]
    assert sum(player.member_from is None for player in known.players) == 1
    assert max(len(club.seasons) for club in known.clubs) == 2


def test_the_files_are_small_enough_to_read(made: dict[str, list[bytes]]) -> None:
    assert sum(path.stat().st_size for path in SAMPLES.iterdir()) < LARGEST_FOLDER
    assert max(len(line) for lines in made.values() for line in lines) < LONGEST_LINE


@pytest.mark.parametrize("lang", READMES)
def test_the_readme_names_every_file_and_every_reason(lang: str) -> None:
    text = READMES[lang].read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### `([^`]+)`\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(sections) == set(EXPECTED)
    for name, rows in EXPECTED.items():
        told = {int(line): cells for line, cells in re.findall(r"^\| (\d+) \| (.*) \|$", sections[name], re.MULTILINE)}
        for row in rows:
            codes = [code for code, _ in row.found] + ([row.code] if row.code else [])
            if codes:
                place = [] if row.deal is None else [str(row.deal), "–" if row.play is None else str(row.play)]
                cells = told[row.line].split(" | ")
                assert all(f"`{code}`" in told[row.line] for code in codes), f"{name}:{row.line}"
                assert cells[1:3] == place or not place, f"{name}:{row.line}"
    assert not re.search(r"/(work|home|tmp|root)/", text)
