"""The other subcommands: cards, explanations, levels, rulesets, simulation, pages, reports; and all help pages."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from pipelines.cli import COMMANDS, build, language
from pipelines.commands import pages, warehousing
from pipelines.commands.report import Report
from pipelines.commands.terminal import CallFailed, cells, clean, columns, wrapped
from pipelines.lock import Lock
from pipelines.run import RunReport
from tests.pipelines.homes import CASES, changed, lines_of
from tests.pipelines.test_cli import CLEAN, OTHER, VIOLATION, answers, log, yuanzi
from yuanzi_core.ruleset import PRESETS
from yuanzi_core.texts import LANGS, Lang, has, keys


@pytest.mark.parametrize("lang", LANGS)
def test_every_command_has_a_help_page(lang: Lang) -> None:
    status, overview, _ = yuanzi("--lang", lang)
    assert status == 0
    assert yuanzi("--help", "--lang", lang)[1].split() == overview.split()
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", overview, re.MULTILINE), command
        status, page, _ = yuanzi(*command.split(), "--help", "--lang", lang)
        assert status == 0
        assert page.startswith("Usage: yuanzi" if lang == "en" else "用法：yuanzi"), page
        assert all(cells(line) <= 100 for line in page.splitlines() if "#" not in line), page
        # Explained in the language: each option and argument has more than its name.
        for line in re.findall(r"^  (?:-\S+ ?)+.*$", page, re.MULTILINE):
            assert lang == "en" or re.search("[一-龥]", line), line


def test_all_texts_that_the_command_asks_for_are_there_and_are_asked_for() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in Path(str(files("pipelines"))).rglob("*.py"))
    asked = set(re.findall(r'"(cli\.[a-zA-Z_.]+[a-zA-Z_])"', code))
    for lang in LANGS:
        assert [key for key in asked if not has(key, lang)] == []
    # A key whose end is a name in the data is asked for by its beginning.
    beginnings = set(re.findall(r'f"(cli\.[a-zA-Z_.]+\.)\{', code))
    unused = [key for key in keys("cli", "en") if key not in asked and not key.startswith(tuple(beginnings))]
    assert unused == []


def test_the_language_is_that_of_the_call_then_of_the_environment() -> None:
    assert language(["check", "--lang", "zh"], {"LANG": "en_GB.UTF-8"}) == "zh"
    assert language(["check", "--lang=en"], {"LANG": "zh_CN.UTF-8"}) == "en"
    assert language(["check"], {"LANG": "zh_CN.UTF-8"}) == "zh"
    assert language(["check", "--", "--lang", "zh"], {}) == "en"
    assert language(["--lang"], {}) == "en"


def test_a_call_makes_its_own_subcommand_alone() -> None:
    assert [command.name for command in build("en", "check").registered_commands] == ["check"]
    assert [command.name for command in build("en", "simulate").registered_commands] == ["simulate", "simulate league"]
    for first in (None, "--lang", "chekc"):
        assert [command.name for command in build("en", first).registered_commands] == list(COMMANDS)


def test_version() -> None:
    assert re.fullmatch(r"yuanzi \d+\.\d+\.\d+\+[0-9a-f]{12}\n", yuanzi("--version")[1])


def test_combo_says_what_cards_are_and_whether_they_beat_others() -> None:
    # B3, B4: a knife triple with a joker, against a pair
    call = ["combo", "--variant", "five", "--knife", "7", "XB7s7s", "--over", "KsKd"]
    status, shown, _ = yuanzi(*call)
    assert status == 0
    assert "triple" in shown
    assert "No: " in shown
    assert "压不住" in yuanzi(*call, "--lang", "zh")[1]
    # B6: an atom beats a bomb
    assert "Yes: " in yuanzi("combo", "--knife", "7", "3s3s3s", "--over", "KsKdKhKc")[1]


def test_combo_follows_the_ruleset() -> None:
    # B5: seven knife cards over four of them on the table
    call = ["combo", "--knife", "7", "7s7s7h7h7c", "--over", "7d7d7d7c"]
    assert "Yes: " in yuanzi(*call)[1]
    assert "No: " in yuanzi(*call, "--set", "knife_bomb=shielded")[1]


@pytest.mark.parametrize(
    "call",
    [
        ["combo", "7s"],
        ["combo", "--knife", "1", "7s"],
        ["combo", "--knife", "7", "7x"],
        ["combo", "--knife", "7", ""],
        ["combo", "--knife", "7", "7s", "--over", "??"],
        ["combo", "--knife", "7", "7s", "--variant", "five", "--ruleset", "four-classic"],
        ["combo", "--knife", "7", "7s", "--set", "knife_bomb"],
        ["combo", "--knife", "7", "7s", "--set", "early_stop=may"],
        ["levels", "many"],
        ["levels", "nan"],
        ["levels", "1e400"],
        ["levels", "--level", "28"],
        ["levels", "--level", "five"],
        ["levels", "20", "--level", "5"],
        ["levels", "20", "30"],
        ["rules", "six-classic"],
        ["rules", "--set", "wind=next"],
        ["rules", "four-classic", "--set", "wind=west"],
        ["rules", "four-classic", "--set", "clamp_points=60.5"],
        ["rules", "--clause", "Z9"],
        ["schema", "more"],
        ["simulate", "--ruleset", "four-classic", "--matches", "1"],
        ["dashboard", "--port", "70000"],
        ["dev", "--port", "zero"],
    ],
)
def test_a_wrong_call_is_refused(call: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for lang in LANGS:
        status, shown, said = yuanzi(*call, "--lang", lang)
        assert (status, shown) == (2, "")
        assert re.match(r"yuanzi( \w+)?: ", said), said


def test_explain_tells_a_match_by_id_and_by_line(tmp_path: Path) -> None:
    path = log(tmp_path, OTHER, CLEAN, VIOLATION)
    by_id, by_line = (yuanzi("explain", path, wanted)[1] for wanted in (json.loads(CLEAN)["match_id"], ":2"))
    assert by_id == by_line
    assert re.search(r"\[[A-F]\d", by_id)
    assert "TRUNCATED" not in by_id
    violation = yuanzi("explain", path, ":3", "--lang", "zh")[1]
    assert "C4" in violation
    assert "没打完就断了" in violation


def test_explain_tells_all_revisions_and_what_counts_once(tmp_path: Path) -> None:
    lines = [CLEAN, changed(CLEAN), changed(CLEAN, club="other"), changed(CLEAN, revision=2), b"{}"]
    shown = yuanzi("explain", log(tmp_path, *lines), json.loads(CLEAN)["match_id"])[1]
    assert re.findall(r"^Record in line (\d)", shown, re.MULTILINE) == ["1", "2", "3", "4"]
    assert "The same content as in line 1" in shown
    assert "rejected as DUPLICATE" in shown


def test_explain_finds_an_id_that_is_written_with_escapes(tmp_path: Path) -> None:
    escaped = json.dumps({**json.loads(CLEAN), "match_id": "四月-1"}).encode()
    assert b"\\u" in escaped
    assert "四月-1" in yuanzi("explain", log(tmp_path, escaped), "四月-1")[1]


@pytest.mark.parametrize("wanted", ["nobody", ":4", ":99999999999", ":0", ":x"])
def test_explain_says_when_there_is_no_such_match(wanted: str, tmp_path: Path) -> None:
    status, shown, said = yuanzi("explain", log(tmp_path, OTHER, b"", CLEAN), wanted)
    assert (status, shown) == (2, "")
    assert wanted.strip(":") in said


def test_G1_levels() -> None:
    # The traditional table: level 4 is 300–619, level 5 620–1259.
    assert "level 4, Pistol (300 to 619 points); 280 to level 5, Rifle" in yuanzi("levels", "340")[1]
    assert "620 到 1,259" in yuanzi("levels", "--level", "5", "--lang", "zh")[1]
    assert "32.5 to level 1" in yuanzi("levels", "-12.5")[1]
    assert "32.5 to level 1" in yuanzi("levels", "−12.5")[1]
    assert "最高一级" in yuanzi("levels", "2684354540", "--lang", "zh")[1]
    table = yuanzi("levels", "--lang", "zh")[1].splitlines()
    assert len(table) == 29
    assert re.fullmatch(r"\s+16\s+驱逐舰\s+1,310,700 到 2,621,419", table[17])


def test_rules_list_the_rulesets_and_their_options(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('extends = "five-atomic"\ncap = "none"\n', encoding="utf-8")
    (tmp_path / "broken.toml").write_text("extends = 7", encoding="utf-8")
    listed = yuanzi("rules", "--rulesets", str(tmp_path))[1]
    assert re.findall(r"^  (\S+)", listed, re.MULTILINE)[1:] == [*PRESETS, "broken", "ours"]
    assert "broken.toml, line 1" in listed
    ours = yuanzi("rules", "ours", "--rulesets", str(tmp_path), "--set", "early_stop=must")[1]
    assert re.search(r"^cap +=\s+none +\(by default winner_only\)$", ours, re.MULTILINE)
    assert re.search(r"^early_stop +=\s+must +\(by default may\)$", ours, re.MULTILINE)
    assert re.search(r"^atom_doubling +=\s+true$", ours, re.MULTILINE)
    assert "extends five-atomic" in ours


def test_rules_print_a_clause_of_the_rulebook() -> None:
    clause = yuanzi("rules", "--clause", "a6", "--lang", "zh")[1]
    assert clause.startswith("A6 ")
    assert "叫" in clause
    assert "B1" not in clause
    section = yuanzi("rules", "--clause", "D")[1]
    assert [part for part in ("D0", "D1", "D2", "D3", "D4") if part not in section] == []
    assert "\nE1" not in section


def test_schema_is_json_schema() -> None:
    schema = json.loads(yuanzi("schema")[1])
    assert schema["title"] == "yuanzi-log/1"
    assert "match_id" in schema["$defs"]["Match"]["properties"]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet"])
def test_simulated_matches_are_clean(suffix: str, tmp_path: Path) -> None:
    out = str(tmp_path / f"sim{suffix}")
    call = ["simulate", "--ruleset", "five-atomic", "--set", "early_stop=must", "--matches", "20", "--seed", "7"]
    status, shown, said = yuanzi(*call, "--out", out)
    assert (status, shown) == (0, "")
    assert "Matches: 20," in said
    found = answers(out)
    assert [answer["status"] for answer in found] == ["settled"] * 20
    assert {answer["ruleset_hash"] for answer in found} == {"3d07c760c3b08a13"}


def test_simulate_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    good = ["simulate", "--ruleset", "five-atomic", "--matches", "1", "--out", str(tmp_path / "sim.jsonl")]
    wrong = [["--set", "early_stp=must"], ["--set", "early_stop=soon"], ["--matches", "-1"], ["--escape-rate", "2"]]
    wrong += [["--out", str(tmp_path / "sim.txt")], ["--out", str(tmp_path / "no" / "sim.jsonl")]]
    for more in wrong:
        status, _, said = yuanzi(*good, *more)
        assert status == 2
        assert said.startswith("yuanzi: ")
        assert list(tmp_path.iterdir()) == []


def test_pages_are_served_on_this_machine_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []

    def start(line: list[str], variables: dict[str, str]) -> int:
        started.append((line, variables))
        return 0

    monkeypatch.setattr(pages, "_become", start)
    assert yuanzi("dashboard", "--home", str(tmp_path), "--port", "8600")[0] == 0
    assert yuanzi("dev", "--home", str(tmp_path))[0] == 0
    (dashboard, _), (dev, variables) = started
    assert "--server.address=127.0.0.1" in dashboard
    assert "--server.port=8600" in dashboard
    assert "--browser.gatherUsageStats=false" in dashboard
    assert dev[1:] == ["-m", "dagster", "dev", "-m", "pipelines.definitions", "-h", "127.0.0.1", "-p", "3000"]
    assert variables["YUANZI_HOME"] == str(tmp_path)
    assert variables["DAGSTER_DISABLE_TELEMETRY"] == "1"
    assert Path(variables["DAGSTER_HOME"]).parent == tmp_path


@pytest.mark.parametrize("lang", LANGS)
def test_a_report_adds_up_and_speaks(
    lang: Lang, cases: tuple[Path, RunReport], capsys: pytest.CaptureFixture[str]
) -> None:
    _, run = cases
    with Report(run.snapshot, lang) as report:
        report.tell_files()
        report.tell_findings(20)
        report.tell_results(5)
    shown = capsys.readouterr().out
    assert ("读入" in shown) == (lang == "zh")
    number = r"(\d+) read" if lang == "en" else r"读入 +(\d+)"
    part = r"(\d+) (?:settled|unfinished|violation|rejected|duplicate|superseded)" if lang == "en" else (
        r"(?:已结算|未打完|违规|拒收|重复|已被更正) (\d+)"
    )  # fmt: skip
    lines = [line for line in re.sub(r"\n    (?=\S)", " ", shown).splitlines() if re.search(number + r" +=", line)]
    assert len(lines) == 7
    for line in lines:
        read = re.search(number, line)
        assert read is not None
        assert int(read[1]) == sum(map(int, re.findall(part, line))), line
    for name in ("dirty", "logs", "claims"):
        assert re.search(rf"^  {name}\.jsonl:\d+  ", shown, re.MULTILINE)


def test_the_demo_keeps_to_a_home_of_its_own(tmp_path: Path) -> None:
    sample, home = tmp_path / "sample.jsonl", tmp_path / "home"
    sample.write_bytes(CLEAN)
    warehousing._prepare(home, [sample], "en")
    (home / "lake").mkdir()
    warehousing._prepare(home, [sample], "en")
    assert (home / "lake").is_dir()
    # Other samples: what was made of the old ones goes, and nothing that is somebody's own.
    notes, mine = home / "notes.txt", home / "inbox" / "mine.jsonl"
    notes.write_text("mine", encoding="utf-8")
    mine.write_bytes(CLEAN)
    sample = sample.rename(tmp_path / "renamed.jsonl")
    sample.write_bytes(OTHER)
    warehousing._prepare(home, [sample], "en")
    assert not (home / "lake").exists()
    assert sorted(path.name for path in (home / "inbox").iterdir()) == ["mine.jsonl", "renamed.jsonl"]
    assert (home / "inbox" / "renamed.jsonl").read_bytes() == OTHER
    assert (notes.read_text(encoding="utf-8"), mine.read_bytes()) == ("mine", CLEAN)


@pytest.mark.parametrize("held", ["lake/state.json", "inbox/mine.jsonl", "notes.txt"])
def test_the_demo_takes_no_folder_that_holds_anything(held: str, tmp_path: Path) -> None:
    sample, own = tmp_path / "sample.jsonl", tmp_path / "own" / held
    sample.write_bytes(CLEAN)
    own.parent.mkdir(parents=True)
    own.write_text("mine", encoding="utf-8")
    with pytest.raises(CallFailed, match="own"):
        warehousing._prepare(tmp_path / "own", [sample], "en")
    assert [path for path in (tmp_path / "own").rglob("*") if path.is_file()] == [own]
    with pytest.raises(CallFailed, match=own.name):
        warehousing._prepare(own, [sample], "en")
    assert own.read_text(encoding="utf-8") == "mine"
    (tmp_path / "empty").mkdir()
    warehousing._prepare(tmp_path / "empty", [sample], "en")
    assert (tmp_path / "empty" / "inbox" / "sample.jsonl").read_bytes() == CLEAN


def test_the_demo_waits_for_nobody(tmp_path: Path) -> None:
    sample = tmp_path / "sample.jsonl"
    sample.write_bytes(CLEAN)
    warehousing._prepare(tmp_path / "home", [sample], "en")
    sample.write_bytes(OTHER)
    with Lock(tmp_path / "home" / ".lock"), pytest.raises(CallFailed, match="in use"):
        warehousing._prepare(tmp_path / "home", [sample], "en")
    assert (tmp_path / "home" / "inbox" / "sample.jsonl").read_bytes() == CLEAN


def test_demo_and_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = tmp_path / "club.jsonl"
    sample.write_bytes(b"\n".join([CLEAN, VIOLATION, *lines_of("claims", 0, 5)]))
    monkeypatch.setattr(warehousing, "_samples", lambda lang: [sample])
    monkeypatch.delenv("YUANZI_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    status, shown, said = yuanzi("demo")
    assert (status, said) == (0, "")
    assert "club.jsonl" in shown
    assert "club.jsonl:2  q31-00000" in shown
    assert "CLAIM_CAPTURED" in shown
    assert "yuanzi dashboard --home data/demo" in shown
    assert (tmp_path / "data" / "demo" / "published" / "current.json").is_file()
    status, again, _ = yuanzi("run", "--home", "data/demo", "--lang", "zh")
    assert status == 0
    assert "新文件 0 个，一共 1 个" in again


@pytest.mark.parametrize(
    ("shown", "width", "lines"),
    [
        ("a few words here", 8, ["a few", "words", "here"]),
        ("一二三，四五六。", 8, ["一二三，", "四五六。"]),
        ("一二三四，五", 8, ["一二三", "四，五"]),
        ("toolongforaline x", 5, ["toolongforaline", "x"]),
        ("", 5, []),
    ],
)
def test_text_is_broken_where_it_may_be(shown: str, width: int, lines: list[str]) -> None:
    assert wrapped(shown, width) == lines


def test_columns_fit_chinese_signs() -> None:
    assert columns([["刀", "a"], ["abc", "b"]]) == ["  刀   a", "  abc  b"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 中文 ♠7", "plain 中文 ♠7"),
        ("a\tb\r\n", r"a\x09b\x0d\x0a"),
        ("\u2028\u200b\ufeff", r"\u2028\u200b\ufeff"),
        ("\U000e0041", r"\U000e0041"),
        ("\udc80", r"\udc80"),
        ("全角\u3000空格\u00a0", "全角\u3000空格\u00a0"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_the_handed_cases_can_all_be_explained() -> None:
    for name in ("rare", "claims", "dirty"):
        lines = lines_of(name)
        for number in range(1, len(lines), 29):
            assert yuanzi("explain", str(CASES / f"{name}.jsonl"), f":{number}")[0] == 0
