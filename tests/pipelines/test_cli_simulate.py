"""``yuanzi simulate``: policies, skills and studies on the command line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from pipelines.commands import terminal
from tests.pipelines.test_cli import yuanzi
from yuanzi_core.cards import deck, write_cards


def simulated(tmp_path: Path, *more: str) -> list[dict[str, Any]]:
    """The matches of a call, which the checking command finds clean."""
    out = tmp_path / "sim.jsonl"
    status, _, said = yuanzi("simulate", "--matches", "12", "--seed", "7", *more, "--out", str(out), "--force")
    assert status == 0, said
    assert yuanzi("check", "--quiet", str(out))[0] == 0
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_the_policy_of_all_or_of_each_seat_stands_in_the_id(tmp_path: Path) -> None:
    four, five = ("--ruleset", "four-classic"), ("--ruleset", "five-atomic")
    assert "-p1-7-" in str(simulated(tmp_path, *four, "--policy", "partner")[0]["match_id"])
    mixed = simulated(tmp_path, *four, "--policy", "partner, random,greedy,random", "--skill", "1,1,0.5,1")
    assert "-p1r1g1r1-7-" in str(mixed[0]["match_id"])
    assert "-g1-7-" in str(simulated(tmp_path, *five, "--policy", "greedy", "--escape-rate", "0.3")[0]["match_id"])


def test_a_study_is_written_on_the_command_line(tmp_path: Path) -> None:
    cards = deck(5)
    hands = ",".join(write_cards(cards[54 * seat : 54 * seat + 54]) for seat in range(5))
    for match in simulated(tmp_path, "--ruleset", "five-classic", "--knife", "9", "--first", "3", "--hands", hands):
        (deal,) = match["deals"]
        assert (deal["knife"], deal["dealer"], ",".join(deal["hands"])) == ("9", 3, hands)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--policy", "clever"], ["--policy", "partner,random"], ["--skill", "1.5"], ["--skill", "much"],
        ["--skill", "1,1"], ["--skill", "nan"], ["--knife", "10"], ["--knife", ""], ["--knife", "TJ"],
        ["--first", "-1"],
        ["--seed", "-1"], ["--seed", str(2**63)], ["-n", "-1"], ["-n", "1" * 20], ["--escape-rate", "nan"],
        ["--escape-rate", "1.01"], ["--first", "4"], ["--hands", "3s,4s,5s,6s"], ["--hands", "x"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_cannot_be_is_refused_in_one_sentence(wrong: list[str], lang: str, tmp_path: Path) -> None:
    out = str(tmp_path / "sim.jsonl")
    status, _, said = yuanzi("simulate", "--ruleset", "four-classic", "-n", "1", "--out", out, *wrong, "--lang", lang)
    assert status == 2
    assert said.startswith("yuanzi: ")
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("lang", "call", "shown"),
    [
        ("en", ["--ruleset", "five-classic", "-n", "300"], r"playing .* 300 matches, [\d,]+/s .*0:00:00"),
        ("zh", ["league", "--players", "24", "--months", "1"], r"对局中 .* \d+ 盘，每秒 [\d,]+ 盘 .*0:00:00"),
    ],
)
def test_progress_has_the_rate_and_the_time_that_is_left(
    lang: str, call: list[str], shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_WORTH_A_BAR", -1.0)
    monkeypatch.setattr(terminal, "is_terminal", lambda stream: stream is sys.stderr)
    out = str(tmp_path / ("home" if "league" in call else "a.jsonl"))
    status, _, said = yuanzi("simulate", *call, "--out", out, "--lang", lang, environ={"FORCE_COLOR": "1"})
    assert status == 0
    assert re.search(shown, re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", said))
