"""``yuanzi simulate`` and ``simulate league``: files of every kind, faults with their truth, homes that can be run."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelines.run import run
from tests.pipelines.homes import ask
from tests.pipelines.test_cli import answers, yuanzi
from yuanzi_core.texts import LANGS

ROOT = Path(__file__).parents[2]
LEAGUE = ("simulate", "league", "--players", "24", "--months", "1", "--seed", "7")
FIVE = ("simulate", "--ruleset", "five-atomic", "--seed", "3")


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of players who drift, played and judged."""
    folder = tmp_path_factory.mktemp("league") / "home"
    assert yuanzi(*LEAGUE, "--drift", "0.05", "--out", str(folder))[0] == 0
    assert run(folder).ok
    return folder


def test_a_league_goes_through_the_pipeline_without_a_discrepancy(home: Path) -> None:
    assert yuanzi("check", "-q", str(home / "inbox"))[0] == 0
    (of_matches, settled) = ask(home, "select count(*), count(*) filter (status = 'settled') from out_audit__records")[
        0
    ]
    assert of_matches == settled > 50
    assert ask(home, "select * from core_discrepancy") == []
    assert ask(home, "select * from out_audit__registry") == []
    # The ledger has all standings that the logs have, but for players of whom it knows nothing before their first.
    (movements,) = ask(
        home,
        "select count(*) from core_ledger__movement where standing_before <> ledger_before",
    )[0]
    assert movements == 0


def test_the_same_seed_writes_the_same_bytes(home: Path, tmp_path: Path) -> None:
    assert yuanzi(*LEAGUE, "--drift", "0.05", "--out", str(tmp_path / "again"))[0] == 0
    again = contents(tmp_path / "again")
    assert {name: content for name, content in contents(home).items() if name in again} == again
    assert {"players.csv", "clubs.toml", "truth.players.jsonl"} <= set(again)
    assert all(name.startswith("inbox/jiaxing-2026-01-") for name in again if name.startswith("inbox"))


@pytest.mark.parametrize("kind", ["jsonl.zst", "parquet", "xlsx"])
def test_faults_of_a_league_are_found_and_nothing_else(kind: str, tmp_path: Path) -> None:
    faults = "all=0.4,stale_balance=0.05"
    status, _, said = yuanzi(*LEAGUE, "--faults", faults, "--kind", kind, "--shard", "30", "--out", str(tmp_path / "l"))
    assert status == 0, said
    truths = [json.loads(line) for line in (tmp_path / "l" / "truth.faults.jsonl").read_bytes().splitlines()]
    put_in = [one for one in truths if one["fault"] != "conflict" or one["status"] == "rejected"]
    assert f"Faults put in: {len(put_in):,};" in said
    told = {(truth["file"], truth["line"]): truth for truth in truths}
    found = answers(str(tmp_path / "l"))
    assert len({answer["file"] for answer in found}) > 1
    for answer in found:
        truth = told.pop((Path(answer["file"]).name, answer["line"]), None)
        assert answer["status"] == (truth["status"] if truth else "settled"), (answer, truth)
        assert answer.get("discrepancies", []) == (truth["discrepancies"] if truth else [])
    assert told == {}


@pytest.mark.slow
def test_a_run_finds_the_faults_and_nothing_else(tmp_path: Path) -> None:
    """Of records that came twice the pipeline's verdict is ``stored``; what counts for nothing moves no standing."""
    folder = tmp_path / "home"
    assert yuanzi(*LEAGUE, "--escape-rate", "0.05", "--faults", "all=0.6", "--out", str(folder))[0] == 0
    truths = [json.loads(line) for line in (folder / "truth.faults.jsonl").read_bytes().splitlines()]
    assert run(folder).ok
    told = {(one["file"], one["line"]): one for one in truths}
    assert {one["stored"] for one in truths} == {"settled", "violation", "duplicate", "rejected", "superseded"}
    for file, line, *verdict in ask(folder, "select file_name, line, status, code, deal, play from out_audit__records"):
        truth = told.pop((file, line), None)
        if truth is None:
            assert verdict == ["settled", None, None, None]
            continue
        code = "DUPLICATE" if truth["stored"] == "rejected" else truth["code"]
        assert verdict == [truth["stored"], code, truth["deal"], truth["play"]]
    assert told == {}
    wanted = sorted((one["match_id"], wrong["code"]) for one in truths for wrong in one["discrepancies"])
    assert sorted(ask(folder, "select match_id, code from out_audit__discrepancies")) == wanted
    before = ask(folder, "select count(*) from core_ledger__movement where standing_before <> ledger_before")
    assert before == [(0,)]


@pytest.mark.parametrize("lang", LANGS)
def test_a_league_wants_a_folder_of_its_own(lang: str, home: Path, tmp_path: Path) -> None:
    before = contents(home)
    for wrong in (
        ["--out", str(home)], [], ["--out", str(tmp_path / "x"), "--home", str(tmp_path / "y")],
        ["--out", str(tmp_path / "x"), "--kind", "txt"], ["--out", str(tmp_path / "x"), "--shard", "0"],
        ["--out", str(tmp_path / "x"), "--base", "ten"], ["--out", str(tmp_path / "x"), "--from", "2026-13"],
        ["--out", str(tmp_path / "x"), "--drift", "2"], ["--out", ""], ["--out", str(tmp_path / "x"), "--kind", ""],
        ["--out", str(tmp_path / "x"), "--from", "9990-01"], ["--out", str(tmp_path / "x"), "--from", "0001-01"],
        ["--out", str(tmp_path / "x"), "--base", "nan"], ["--out", str(tmp_path / "x"), "--seed", "-1"],
        ["--out", str(tmp_path / "x"), "--kind", "csv", "--faults", "TURN=0.1"],
        ["--out", str(tmp_path / "x"), "--faults", "TURN"],
    ):  # fmt: skip
        status, _, said = yuanzi(*LEAGUE, *wrong, "--lang", lang)
        assert status == 2, wrong
        assert said.startswith("yuanzi: ")
        assert len(said.splitlines()) == 1
    assert contents(home) == before
    assert list(tmp_path.iterdir()) == []


def test_a_league_into_the_home_of_the_environment_and_over_another(tmp_path: Path) -> None:
    small = ("simulate", "league", "--players", "8", "--months", "1", "--from", "2025-11", "--base", "2")
    status, _, said = yuanzi(*small, "--inbox", environ={"YUANZI_HOME": str(tmp_path)})
    assert status == 0, said
    assert (tmp_path / "inbox" / "jiaxing-2025-11-03.jsonl").is_file()
    assert yuanzi(*small, "--home", str(tmp_path))[0] == 2
    assert yuanzi(*small, "--home", str(tmp_path), "--force")[0] == 0


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.parquet", "a.csv"])
def test_faults_are_found_beside_a_file(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    status, _, said = yuanzi(*FIVE, "-n", "150", "--faults", "all=0.3", "--out", str(out), "--lang", "zh")
    assert status == 0, said
    truths = [json.loads(line) for line in (tmp_path / f"{name}.truth.jsonl").read_bytes().splitlines()]
    wrong = [one for one in answers(str(out)) if one["status"] != "settled" or one["discrepancies"]]
    # Of a conflict the first record stands, as long as it is judged alone.
    assert {one["line"] for one in wrong} == {
        one["line"] for one in truths if one["status"] != "settled" or one["discrepancies"]
    }
    assert "处差错" in said


def test_shards_are_the_same_matches_as_one_file(tmp_path: Path) -> None:
    assert yuanzi(*FIVE, "-n", "70", "--out", str(tmp_path / "one.jsonl"))[0] == 0
    status, _, said = yuanzi(*FIVE, "-n", "70", "--shard", "30", "--out", str(tmp_path / "many"))
    assert status == 0, said
    names = [f"sim-five-atomic-3-{number:05}.jsonl" for number in (1, 2, 3)]
    assert sorted(contents(tmp_path / "many")) == names
    assert b"".join(contents(tmp_path / "many")[name] for name in names) == (tmp_path / "one.jsonl").read_bytes()
    assert yuanzi(*FIVE, "-n", "70", "--shard", "30", "--out", str(tmp_path / "many"))[0] == 2
    assert yuanzi(*FIVE, "-n", "70", "--shard", "50", "--kind", "parquet", "--out", str(tmp_path / "many"))[0] == 0
    assert yuanzi("check", "-q", str(tmp_path / "many"))[0] == 0


def test_into_an_inbox_with_the_truth_beside_it(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path))
    assert yuanzi(*FIVE, "-n", "5", *home)[0] == 0
    # Standings are drawn for each match; the ledger of a home would contradict them.
    assert b'"balance"' not in (tmp_path / "inbox" / "sim-five-atomic-3.jsonl").read_bytes()
    assert yuanzi(*FIVE, "-n", "40", *home, "--out", "b.jsonl.zst", "--faults", "TURN=0.5")[0] == 0
    assert yuanzi(*FIVE, "-n", "5", *home, "--out", "c", "--shard", "3", "--kind", "csv")[0] == 0
    names = ["b.jsonl.zst", "c-00001.csv", "c-00002.csv", "sim-five-atomic-3.jsonl"]
    assert sorted(contents(tmp_path / "inbox")) == names
    assert (tmp_path / "b.jsonl.zst.truth.jsonl").is_file()
    status, _, said = yuanzi(*FIVE, "-n", "5", *home, "--out", "below/d.jsonl")
    assert (status, "below/d.jsonl" in said) == (2, True)


def test_no_matches_are_an_empty_file(tmp_path: Path) -> None:
    for more in ([], ["--faults", "TURN=0.5"]):
        assert yuanzi(*FIVE, "-n", "0", "--out", str(tmp_path / "a.jsonl"), "--force", *more)[0] == 0
        assert (tmp_path / "a.jsonl").read_bytes() == b""


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "wrong",
    [
        [], ["--out", "a.txt"], ["--out", "a.jsonl", "--kind", "parquet"], ["--out", "x", "--shard", "0"],
        ["--out", "x", "--shard", "5", "--kind", "zip"], ["--out", "a.jsonl", "--faults", "all=2"], ["--out", ""],
        ["--out", "", "--shard", "1"], ["--out", "a.truth.jsonl"], ["--out", ".a.jsonl"], ["--out", "players.csv"],
        ["--home", "h", "--out", "..", "--shard", "1"], ["--home", "h", "--out", "../a.jsonl"],
        ["--out", "none/a.jsonl"], ["--out", "a.csv", "--faults", "TURN=0.1"],
        ["--out", "a.jsonl", "--faults", "FIRST_DRAW=0.1"], ["--out", "a.jsonl", "--faults", "turn=0.1;end=0.1"],
    ],
)  # fmt: skip
def test_a_target_that_cannot_be_is_refused_in_one_sentence(
    wrong: list[str], lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, said = yuanzi(*FIVE, "-n", "1", *wrong, "--lang", lang)
    assert status == 2
    assert said.startswith("yuanzi: ")
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "call",
    [
        [*FIVE, "-n", "300", "--out", "a.jsonl"],
        [*FIVE, "-n", "300", "--out", "a.parquet"],
        [*FIVE, "-n", "300", "--out", "a.jsonl", "--faults", "END=0.1"],
        [*LEAGUE, "--out", "l", "--shard", "200"],
    ],
)
def test_a_full_disk_is_said_to_be_full(
    call: list[str], lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.chdir(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, before[1]))
    try:
        status, _, said = yuanzi(*call, "--lang", lang)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert status == 2
    assert ("The disk is full" if lang == "en" else "磁盘满了") in said
    # Of a league there are the registries, which were complete before.
    assert not [name for name in contents(tmp_path) if "inbox" in name or name.startswith("a")]


@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of Ctrl-C")
@pytest.mark.parametrize(
    "call",
    [
        ["simulate", "--ruleset", "four-classic", "-n", "1000000", "--shard", "300", "--out"],
        ["simulate", "--ruleset", "four-classic", "-n", "1000000", "--shard", "300", "--faults", "all=0.1", "--out"],
        ["simulate", "league", "--players", "90", "--months", "600", "--faults", "all=0.1", "--out"],
    ],
    ids=["logs", "faults", "league"],
)
@pytest.mark.slow
def test_ctrl_c_leaves_complete_files_only(call: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "pipelines.cli", *call, str(out)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 120
        while not (done := list(out.rglob("*-*.jsonl"))) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert done
    assert not list(out.rglob(".*"))
    files = sorted(path for path in out.rglob("*-*.jsonl") if not path.name.endswith(".truth.jsonl"))
    told = [*out.rglob("*.truth.jsonl"), *out.rglob("truth.faults.jsonl")]
    truths = [json.loads(line) for path in told for line in path.read_bytes().splitlines()]
    assert bool(truths) == ("--faults" in call)
    wrong = {(one["file"], one["line"]) for one in truths if one["status"] != "settled" or one["discrepancies"]}
    found = [one for one in answers(*map(str, files)) if one["status"] != "settled" or one["discrepancies"]]
    assert {(Path(one["file"]).name, one["line"]) for one in found} == wrong
