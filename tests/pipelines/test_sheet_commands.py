"""``yuanzi score``, ``sheet`` and ``convert``: what they say, what they write, how they leave."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import build
from tests.pipelines.test_cli import CLEAN, OTHER, VIOLATION, answers, log, yuanzi
from yuanzi_core import sheet_writer
from yuanzi_core.texts import LANGS, Lang, text

CLAMP = ("score", "--finish", "2,1,0", "--captured", "95,40,120,45")
TWO_HALVES = (
    "score", "--finish", "2,1,0", "--captured", "95,70,65,40", "--hand", "0,0,0,30",
    "--lower-finish", "1,3", "--lower-captured", "80 100 30 60", "--lower-hand", "10,0,20,0",
)  # fmt: skip


def asked(*lines: str, arguments: tuple[str, ...] = ("score",), lang: Lang = "en") -> tuple[int, str, str]:
    """A call that answers questions."""
    call = [*arguments, "--lang", lang]
    done = CliRunner().invoke(build(lang), call, input="\n".join(lines) + "\n", env={"LC_ALL": "C.UTF-8"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# score


@pytest.mark.parametrize("lang", LANGS)
def test_a_result_is_settled_in_words_and_written_nowhere(lang: Lang, tmp_path: Path) -> None:
    status, out, said = yuanzi(*CLAMP, "--knife", "t", "--lang", lang)
    assert (status, said) == (0, "")
    for clause in ("D1", "E1"):
        assert clause in out
    assert "+2" in out
    assert text("calculator.knife", lang, knife="10") in out
    assert list(tmp_path.iterdir()) == []


def test_the_rows_to_copy_are_the_entry() -> None:
    out = yuanzi(*TWO_HALVES, "--cell", "match_id==x", "--cell", "牌手0=p1", "--set", "clamp_points=50")[1]
    lines = out.split(text("calculator.row_csv", "en"))[1].strip("\n").splitlines()[:3]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert [row["half"] for row in rows] == ["1", "2"]
    assert {row["match_id"] for row in rows} == {"'=x"}
    assert {(row["player0"], row["rules"], row["ruleset"]) for row in rows} == {
        ("p1", "clamp_points=50", "four-classic")
    }
    assert [row["captured1"] for row in rows] == ["70", "100"]
    tabbed = out.split(text("calculator.row_tabs", "en"))[1].strip("\n").splitlines()
    assert [line.split("\t") for line in tabbed] == list(csv.reader(io.StringIO("\n".join(lines))))


def test_as_json_it_is_the_answer_of_settle(tmp_path: Path) -> None:
    sheet = tmp_path / "x.csv"
    cells = ("match_id=a", "played_at=2026-03-01 20:15", *[f"player{seat}=p{seat}" for seat in range(4)])
    extra = [part for cell in cells for part in ("--cell", cell)]
    out = yuanzi(*TWO_HALVES, *extra)[1].split(text("calculator.row_csv", "en"))[1].strip("\n").splitlines()[:3]
    sheet.write_text("\n".join(out), encoding="utf-8")
    status, said, _ = yuanzi(*TWO_HALVES, *extra, "--format", "json")
    assert status == 0
    (answer,) = answers(str(sheet))
    assert json.loads(said) == {**answer, "file": "-"}


def test_five_players(tmp_path: Path) -> None:
    """Two atoms and a cap of 5: 3 + 3 = 6 is due to each winner, seat 0 held 5 and seat 2 less than nothing."""
    call = ("score", "--ruleset", "five-atomic", "--dealer", "0", "--partners", "2", "--finish", "2,0", "--atoms", "2")
    points = ("--captured", "150,60,90,80,40", "--hand", "0,30,0,20,30", "--balance", "5,0,-3,0,0")
    status, out, _ = yuanzi(*call, *points, "--format", "json")
    assert (status, json.loads(out)["scores"]) == (0, [5, -4, 0, -4, -4])


def test_F6_a_standing_that_is_left_out_leaves_its_place_empty() -> None:
    """The losers have 70 of 500, fewer than 3 × 25, so F3 doubles: (3 + 3 × 1.5) × 2 = 15 for each of the two, and
    (2 + 3 × 1) × 2 = 10 from each of the three. Seat 0 held 2; what seat 1 held is not known, so nothing caps it.
    """
    call = ("score", "--variant", "five", "--ruleset", "five-atomic", "--finish", "0,1", "--dealer", "0")
    more = ("--partners", "1", "--captured", "300,130,20,25,25", "--atoms", "3", "--format", "json")
    for balance, scores in (
        ("2,,1,1,1", [2, 15, -10, -10, -10]),
        ("2，，1，1，1", [2, 15, -10, -10, -10]),
        (",1,,,", [15, 1, -10, -10, -10]),
        (" 2  1 1 1 1 ", [2, 1, -10, -10, -10]),
        (",,,,", [15, 15, -10, -10, -10]),
    ):
        status, out, said = yuanzi(*call, *more, "--balance", balance)
        assert (status, said) == (0, ""), balance
        assert json.loads(out)["scores"] == scores, balance


def test_the_seat_whose_points_are_left_out_is_the_one_that_is_named() -> None:
    status, out, _ = yuanzi("score", "--finish", "2,1,0", "--captured", "95,,120,45")
    assert status == 1
    assert "captured1" in out
    # A value from elsewhere fills the place.
    status, out, _ = yuanzi("score", "--finish", "2,1,0", "--captured", "95,,120,45", "--cell", "captured1=40")
    assert status == 0


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("more", "option", "found"),
    [
        (("--captured", "95,40,120"), "--captured", 3),
        (("--captured", "95 40 120"), "--captured", 3),
        (("--captured", "95,40,120,45,"), "--captured", 5),
        (("--captured", "95,40,120,45,0"), "--captured", 5),
        (("--hand", "30"), "--hand", 1),
        (("--balance", "1,2,3,4,5"), "--balance", 5),
        (("--lower-finish", "1,3", "--lower-hand", "10,,20"), "--lower-hand", 3),
    ],
)
def test_there_are_as_many_places_as_seats(more: tuple[str, ...], option: str, found: int, lang: Lang) -> None:
    status, out, said = yuanzi(*CLAMP, *more, "--lang", lang)
    assert (status, out) == (2, "")
    assert option in said
    assert text("calculator.values", lang, seats=4, found=found) in " ".join(said.split())


def test_an_order_has_no_empty_place() -> None:
    status, out, said = yuanzi(*CLAMP, "--finish", "2,,0")
    assert (status, out) == (2, "")
    assert "--finish" in said
    assert text("calculator.empty_place", "en", place=2) in said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--hand", "5,0,0,0"), "north"),
        (("--end", "points"), "end"),
        (("--base", "x"), "base"),
        (("--set", "wind=x"), "wind"),
        (("--lower-finish", "0,2", "--lower-captured", "100,0,200,0"), "lower half"),
    ],
)
def test_what_cannot_be_is_explained(more: tuple[str, ...], said: str) -> None:
    status, out, _ = yuanzi(*CLAMP, *more)
    assert status == 1
    assert said in out.lower()
    assert text("calculator.impossible", "en") in out


@pytest.mark.parametrize(
    "more",
    [
        ("--captured", "1,2,3,4,5"), ("--knife", "11"), ("--cell", "weather=rain"), ("--cell", "club"),
        ("--ruleset", "nope"), ("--variant", "six"), ("--format", "xml"),
    ],
)  # fmt: skip
def test_a_call_that_says_nothing_fails(more: tuple[str, ...]) -> None:
    status, out, said = yuanzi("score", "--finish", "2,0", *more)
    assert (status, out) == (2, "")
    assert said.strip()


def test_without_a_result_it_is_asked_for() -> None:
    # The first answer to the captured points does not add up, so the half is asked for again.
    status, out, said = asked(
        "", "", "", "",
        "", "2,1,0", "95 70 65 45", "", "",
        "", "", "95 70 65 40", "0 0 0 30", "",
        "out", "1 3", "80 100 30 60", "10 0 20 0", "",
    )  # fmt: skip
    assert status == 0, said
    assert "+1" in out
    assert text("calculator.lower_follows", "en") in said
    assert "275" in said


@pytest.mark.parametrize("lang", LANGS)
def test_answers_that_are_too_many_or_too_few_are_asked_for_again(lang: Lang) -> None:
    status, out, said = asked(
        "six", "four", "", "", "",
        "", "2,,0", "2,1,0", "95 70 65 40 0", "95 70 65", "95,70,65,40", "0,0,0,30,0", "0,0,0,30", "",
        "out", "1 3", "80 100 30 60", "10 0 20 0", "",
        arguments=("score", "--format", "json"), lang=lang,
    )  # fmt: skip
    assert status == 0, said
    # E2: as in TWO_HALVES.
    assert json.loads(out)["scores"] == [1, -1, 1, -1]
    for found in (5, 3):
        assert text("calculator.values", lang, seats=4, found=found) in said
    assert text("calculator.empty_place", lang, place=2) in said
    assert text("sheets.reason.variant", lang) in said


def test_what_is_entered_again_stands_instead_of_all_that_was_there() -> None:
    """E1: east and west have 40 points, fewer than 60. Of the escape, of a third seat's points nothing is left."""
    status, out, said = asked(
        "four", "", "wind=x", "",
        "escape", "1", "", "2", "95,,120,45", "0,30,0,0", "2",
        # The option cannot be: the match is asked for again, and what stands in brackets is taken or emptied.
        "", "-", "",
        # A seat's points are missing, then two seats' points.
        "out", "2,1,0", "95,40,,", "-", "-",
        "", "", "95,40,120,45", "", "",
        arguments=("score", "--format", "json"),
    )  # fmt: skip
    assert status == 0, said
    assert json.loads(out)["scores"] == [2, -2, 2, -2]
    for shown in ("[wind=x]", "[95,,120,45]", "[0,30,0,0]", "[95,40,,]"):
        assert shown in said
    assert "captured2" in said


def test_what_is_wrong_with_the_match_is_mended_there_or_not_at_all() -> None:
    table = ("0", "1", "0,1", "300,130,20,25,25", "", "0")
    # E5: a base of 0 cannot be; F3: 3 × 2 and 2 × 2, no atoms.
    status, out, said = asked(
        "", "", "0", table[0], table[1], "", *table[2:], "", "", "1", "", "",
        arguments=("score", "--variant", "five", "--format", "json"),
    )  # fmt: skip
    assert status == 0, said
    assert json.loads(out)["scores"] == [6, 6, -4, -4, -4]
    # A standing is not asked for: what came with the call stands.
    status, out, said = asked(
        "five-atomic", "", "", table[0], table[1], "", *table[2:],
        arguments=("score", "--variant", "five", "--balance", "x,,,,"),
    )  # fmt: skip
    assert (status, "balance0" in out) == (1, True), said


@pytest.mark.parametrize("lang", LANGS)
def test_four_players_are_not_offered_a_stop_on_points(lang: Lang) -> None:
    for game in ("four", "five"):
        shown = text(f"calculator.ask.end_{game}", lang)
        assert ("points" in shown) == (game == "five")
    said = asked("four", "", "", "", "", "2,0", "95,40,120,45", "", "", lang=lang)[2]
    assert text("calculator.ask.end_four", lang) in said
    assert text("calculator.ask.end_five", lang) not in said


def test_five_players_are_asked_for(tmp_path: Path) -> None:
    status, out, said = asked(
        "five-atomic", "", "2", "0", "2", "够分停牌", "", "150 100 90 80 80", "", "0",
        arguments=("score", "--variant", "five", "--format", "json"), lang="zh",
    )  # fmt: skip
    assert status == 0, said
    # F1: the two have 240 of the 205 needed with nobody out; F2: 3 and 2, times a base of 2.
    assert json.loads(out)["scores"] == [6, -4, 6, -4, -4]


def test_input_that_ends_too_early_fails() -> None:
    assert asked("four", "")[0] == 2


# sheet


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", ["four", "five"])
def test_a_template_is_written_once(variant: str, lang: Lang, tmp_path: Path) -> None:
    call = ("sheet", "template", "--variant", variant, "--lang", lang)
    assert yuanzi(*call)[0] == 0
    path = tmp_path / f"yuanzi-{variant}.xlsx"
    before = path.read_bytes()
    status, _, said = yuanzi(*call)
    assert status == 2
    assert "--force" in said
    assert path.read_bytes() == before
    assert yuanzi(*call, "--force")[0] == 0
    status, out, _ = yuanzi("check", str(path))
    assert status == 0
    assert out.startswith("0 read")
    assert yuanzi(*call, "--out", "x.csv")[0] == 2
    assert yuanzi(*call, "--out", "no/x.xlsx")[0] == 2


# convert


def test_a_conversion_adds_up_and_names_what_it_leaves_out(tmp_path: Path) -> None:
    source = log(tmp_path, CLEAN, b"{", VIOLATION, CLEAN, OTHER)
    status, out, _ = yuanzi("convert", source, "x.csv")
    assert status == 1
    first, second, total, *_ = out.splitlines()
    assert first.startswith(f"{source}:2: - JSON ")
    assert second.startswith(f"{source}:3: {json.loads(VIOLATION)['match_id']} ")
    assert total == "records read: 5 = 2 written + 1 duplicate + 2 left out: x.csv"
    assert yuanzi("check", "x.csv")[0] == 0


def test_nothing_is_replaced_without_being_told_to(tmp_path: Path) -> None:
    source = log(tmp_path, CLEAN)
    (tmp_path / "x.parquet").write_bytes(b"before")
    status, _, said = yuanzi("convert", source, "x.parquet")
    assert status == 2
    assert "--force" in said
    assert (tmp_path / "x.parquet").read_bytes() == b"before"
    assert yuanzi("convert", source, "x.parquet", "--force")[0] == 0
    assert answers("x.parquet")[0]["scores"] == answers(source)[0]["scores"]


def test_what_cannot_be_converted_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = log(tmp_path, CLEAN, OTHER)
    assert yuanzi("convert", source, "x.xlsx")[0] == 0
    (tmp_path / "folder.csv").mkdir()
    for call in (("x.xlsx", "y.jsonl"), (source, "y.txt"), ("nothing.jsonl", "y.csv"), (source, "folder.csv")):
        status, out, said = yuanzi("convert", *call)
        assert (status, out) == (2, ""), call
        assert said.startswith("yuanzi: ")
    monkeypatch.setattr(sheet_writer, "MOST_ROWS", 1)
    assert yuanzi("convert", source, "y.csv")[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club.jsonl", "folder.csv", "x.xlsx"]


@pytest.mark.slow
def test_a_sheet_on_standard_input_is_no_log_either(tmp_path: Path) -> None:
    assert yuanzi("convert", log(tmp_path, CLEAN), "x.xlsx")[0] == 0
    for target, status in (("y.jsonl", 2), ("y.parquet", 2), ("y.csv", 0)):
        call = [sys.executable, "-m", "pipelines.cli", "convert", "-", target]
        done = subprocess.run(call, input=(tmp_path / "x.xlsx").read_bytes(), capture_output=True, check=False)
        assert done.returncode == status, done.stderr
        assert Path(target).exists() == (status == 0)
    assert b"cards" not in done.stdout
    assert answers("y.csv")[0]["scores"] == answers("x.xlsx")[0]["scores"]


@pytest.mark.parametrize("lang", LANGS)
def test_unknown_fields_are_named(lang: Lang, tmp_path: Path) -> None:
    match = json.loads(CLEAN)
    match |= {f"field{number}": 1 for number in range(20)}
    match["\x1b[31m"] = 2
    source = log(tmp_path, json.dumps(match).encode())
    status, out, _ = yuanzi("convert", source, "x.parquet", "--lang", lang)
    assert status == 0
    assert "field0 (1)" in out
    assert "\x1b[31m" not in out
