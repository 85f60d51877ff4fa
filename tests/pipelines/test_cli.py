"""``yuanzi settle`` and ``check``: answers, exit status, counts that add up, and files that try to play tricks."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import build, language
from tests.pipelines.homes import CASES, changed, lines_of
from yuanzi_core.texts import Lang

#: As match_id and elsewhere: colours, a markup of rich, a direction override, a line feed, a bell, a C1 control.
HOSTILE = "\x1b[31mred [bold]x[/bold] \u202eabc\n\x07\x9b2J"
RAW = ("\x1b", "\u202e", "\x07", "\x9b")


def yuanzi(*arguments: str, environ: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a call."""
    wanted = {"LC_ALL": "C.UTF-8", "COLUMNS": "100", **(environ or {})}
    result = CliRunner().invoke(build(language(arguments, wanted)), list(arguments), env=wanted, prog_name="yuanzi")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def log(folder: Path, *lines: bytes, name: str = "club.jsonl") -> str:
    """A log file."""
    path = folder / name
    path.write_bytes(b"\n".join(lines) + b"\n")
    return str(path)


def answers(*arguments: str) -> list[dict[str, Any]]:
    """The answers of ``settle``."""
    return [json.loads(line) for line in yuanzi("settle", "--format", "jsonl", *arguments)[1].splitlines()]


CLEAN = lines_of("logs", 0, 1)[0]
OTHER = lines_of("logs", 1, 2)[0]
WRONG_CLAIM = changed(CLEAN, match_id="claims", claimed={"winner": 7})
VIOLATION = lines_of("pairs", 0, 1)[0]


@pytest.mark.parametrize("name", ["logs", "pairs", "edges", "rare", "claims", "dirty"])
def test_settle_agrees_with_the_handed_cases(name: str, tmp_path: Path) -> None:
    given = tmp_path / "answers.jsonl"
    given.write_text(yuanzi("settle", str(CASES / f"{name}.jsonl"), "--format", "jsonl")[1], encoding="utf-8")
    run = subprocess.run(
        [sys.executable, str(CASES / "compare.py"), str(CASES / f"{name}.expected.jsonl"), str(given)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_settle_names_the_file_as_given_and_keeps_the_order(tmp_path: Path) -> None:
    first, second = log(tmp_path, OTHER, CLEAN, name="b.jsonl"), log(tmp_path, VIOLATION, name="a.jsonl")
    found = [(answer["file"], answer["line"], answer["match_id"]) for answer in answers(first, second)]
    ids = [json.loads(line)["match_id"] for line in (OTHER, CLEAN, VIOLATION)]
    assert found == [(first, 1, ids[0]), (first, 2, ids[1]), (second, 1, ids[2])]


def test_settle_writes_a_table_when_asked(tmp_path: Path) -> None:
    _, shown, _ = yuanzi("settle", log(tmp_path, CLEAN, b"no JSON"), "--format", "table", "--lang", "zh")
    assert json.loads(CLEAN)["match_id"] in shown
    assert "已结算" in shown
    assert "拒收" in shown


@pytest.mark.parametrize("command", [["check"], ["settle", "--format", "jsonl"]])
@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ([CLEAN], 0),
        ([], 0),
        ([CLEAN, CLEAN], 0),  # a duplicate is clean
        ([CLEAN, b"no JSON"], 1),
        ([CLEAN, changed(CLEAN, club="other")], 1),  # a reject with DUPLICATE is not
        ([VIOLATION], 1),
        ([WRONG_CLAIM], 1),
    ],
)
def test_the_exit_status_says_whether_all_is_clean(
    command: list[str], lines: list[bytes], status: int, tmp_path: Path
) -> None:
    assert yuanzi(*command, log(tmp_path, *lines))[0] == status


def test_check_prints_a_line_for_each_verdict_and_claim(tmp_path: Path) -> None:
    path = log(tmp_path, CLEAN, WRONG_CLAIM, VIOLATION, b"{}", CLEAN)
    lines = yuanzi("check", path)[1].splitlines()
    verdicts = [line.removeprefix(f"{path}:") for line in lines if line.startswith(path)]
    clean_id, bad_id = (json.loads(line)["match_id"] for line in (CLEAN, VIOLATION))
    expected = [
        rf"1: {clean_id} - - settled .+",
        r"2: claims - - settled .+",
        r"2: claims - - CLAIM_WINNER .+",
        rf"3: {bad_id} 0 2 TRUNCATED .+",
        r"4: - - - VERSION .+",
        rf"5: {clean_id} - - duplicate .+",
    ]
    assert len(verdicts) == len(expected)
    for verdict, pattern in zip(verdicts, expected, strict=True):
        assert re.fullmatch(pattern, verdict), verdict
    assert lines[-2:] == [
        "5 read = 2 settled + 0 unfinished + 1 violation + 1 rejected + 1 duplicate",
        "1 claim does not hold",
    ]


def test_check_quietly_prints_only_what_is_not_clean(tmp_path: Path) -> None:
    path = log(tmp_path, CLEAN, WRONG_CLAIM, VIOLATION, b"{}", CLEAN)
    verdicts = [line for line in yuanzi("check", "-q", path)[1].splitlines() if line.startswith(path)]
    assert [verdict.split(":")[1] for verdict in verdicts] == ["2", "3", "4"]


def test_check_prints_notes_when_asked(tmp_path: Path) -> None:
    path = log(tmp_path, changed(CLEAN, colour="blue"))
    assert "UNKNOWN_FIELDS" not in yuanzi("check", path)[1]
    assert re.search(r"UNKNOWN_FIELDS .*\b1\b", yuanzi("check", "--notes", path)[1])


@pytest.mark.parametrize("name", ["rare", "claims", "dirty"])
def test_the_summary_of_check_adds_up_to_what_settle_answers(name: str) -> None:
    path = str(CASES / f"{name}.jsonl")
    found = Counter(answer["status"] for answer in answers(path))
    shown = yuanzi("check", "-q", path)[1]
    read = re.search(r"^(\d+) read = (.+)$", shown, re.MULTILINE)
    assert read is not None
    parts = {status: int(count) for count, status in re.findall(r"(\d+) (\w+)", read[2])}
    assert sum(parts.values()) == int(read[1]) == sum(found.values())
    assert {status: count for status, count in parts.items() if count} == dict(found)


def test_check_adds_up_each_of_several_files(tmp_path: Path) -> None:
    first, second = log(tmp_path, CLEAN, name="a.jsonl"), log(tmp_path, CLEAN, OTHER, name="b.jsonl")
    lines = yuanzi("check", "-q", first, second)[1].splitlines()
    assert [line.split(" = ")[0] for line in lines] == [f"{first}: 1 read", f"{second}: 2 read", "3 read"]


def test_check_speaks_chinese(tmp_path: Path) -> None:
    path = log(tmp_path, CLEAN, WRONG_CLAIM, VIOLATION)
    for arguments, environ in ((["--lang", "zh"], {}), ([], {"LC_ALL": "zh_CN.UTF-8"}), ([], {"YUANZI_LANG": "zh"})):
        shown = yuanzi("check", path, *arguments, environ=environ)[1]
        assert "读入 3 = 已结算 2 + 未打完 0 + 违规 1 + 拒收 0 + 重复 0" in shown
        assert "申报不符 1 处" in shown
    assert "3 read" in yuanzi("check", path, "--lang", "en", environ={"LC_ALL": "zh_CN.UTF-8"})[1]


def test_a_folder_stands_for_the_logs_in_it(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / ".hidden").mkdir()
    log(tmp_path, CLEAN, name="b.jsonl")
    log(tmp_path, b"no log", name="README.txt")
    log(tmp_path, CLEAN, name=".hidden/c.jsonl")
    (tmp_path / "more" / "a.jsonl.gz").write_bytes(gzip.compress(OTHER))
    assert [Path(answer["file"]).name for answer in answers(str(tmp_path))] == ["b.jsonl", "a.jsonl.gz"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_call_that_cannot_be_answered_says_so(lang: Lang, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    good = log(tmp_path, CLEAN)
    missing = str(tmp_path / "nowhere.jsonl")
    calls = [
        ["check", missing],
        ["check", good, missing],
        ["settle", good, missing],
        ["check", str(tmp_path / "empty")],
        ["check", "a\0b"],
        ["check", "--nonsense", good],
        ["settle", good, "--format", "xml"],
        ["check"],
        ["check", good, "--rulesets", missing],
        ["chekc", good],
        ["--nonsense"],
        ["check", good, "--lang", "fr"],
    ]
    for call in calls:
        status, shown, said = yuanzi(*call, environ={"YUANZI_LANG": lang})
        assert (status, shown) == (2, ""), call
        assert said.startswith("yuanzi"), said
        if "fr" not in call:
            assert bool(re.search("[一-龥]", said)) == (lang == "zh"), said


def test_a_similar_command_and_option_are_named() -> None:
    assert "check" in yuanzi("chekc")[2]
    assert "--format" in yuanzi("settle", "x", "--forma", "jsonl")[2]


def test_hostile_text_does_not_reach_the_terminal(tmp_path: Path) -> None:
    hostile = changed(CLEAN, match_id=HOSTILE, players=[{**player, "name": HOSTILE} for player in
                                                        json.loads(CLEAN)["players"]])  # fmt: skip
    wrong = changed(VIOLATION, match_id=HOSTILE + "2")
    lines = (hostile, wrong, b'{"format": "\\u001b[2J\\u202e"}', changed(CLEAN, ruleset=HOSTILE))
    path = log(tmp_path, *lines, name="\x1b[7mname\u202e.jsonl")
    calls = [["check", path], ["check", path, "--notes"], ["settle", path, "--format", "table"]]
    calls += [["explain", path, f":{number}"] for number in range(1, 5)]
    calls += [["check", "\x1b[1mnowhere"], ["\x1b[1m"], ["check", "--\x1b[1m"], ["rules", "\x1b[1m"]]
    calls += [["explain", path, "\x1b[1m"], ["combo", "--knife", "7", "\x1b[1m"], ["levels", "\x1b[1m"]]
    for call in calls:
        _, shown, said = yuanzi(*call)
        assert not [sign for sign in RAW if sign in shown + said], (call, shown, said)
    shown = yuanzi("check", path)[1]
    assert r"\x1b[31mred [bold]x[/bold] \u202eabc\x0a\x07\x9b2J" in shown
    assert len(shown.splitlines()) == len(lines) + 1
    assert answers(path)[0]["match_id"] == HOSTILE


def test_a_club_has_its_own_rulesets(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "ours.toml").write_text('extends = "four-classic"\nwind = "partner"\n', encoding="utf-8")
    four = next(line for line in lines_of("logs", 0, 50) if json.loads(line)["variant"] == "four")
    path = log(tmp_path, changed(four, ruleset="ours", rules=None))
    assert answers(path)[0]["code"] == "RULESET"
    assert answers(path, "--rulesets", str(tmp_path / "rules"))[0]["code"] != "RULESET"
