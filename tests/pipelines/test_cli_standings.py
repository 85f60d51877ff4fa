"""``yuanzi standings``, ``player`` and ``predict`` on a home whose score sheet was settled by hand."""

from __future__ import annotations

import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.run import run
from tests.pipelines.homes import hand_in
from tests.pipelines.test_cli import yuanzi
from yuanzi_core.texts import LANGS, Lang, text

#: Three members and a guest, and one who has not played yet.
PLAYERS = """\
id,name,aliases,member_from,member_to,opening_four,opening_five
a,Anna,a-wx,2026-01-01,,30,
b,Bo,,2026-01-01,,,
c,'=Cai,,2026-01-01,2026-01-31,,
e,Eva,,2026-01-01,,55,
"""
CLUBS = """\
[park]
names = { en = "The Park", zh = "公园" }
ruleset = "four-classic"
base = 10

[[park.seasons]]
name = "March"
first = 2026-03-01
last = 2026-03-31
"""
HEAD = "match_id,played_at,club,variant,half,player0,player1,player2,player3,finish," + ",".join(
    f"{name}{seat}" for name in ("captured", "hand") for seat in range(4)
)
#: E1 (a): both of a side out, two hands left; each winner 2 × 10, each loser −20. North and south are 0 and 2.
NORTH, EAST = "0 2,100,50,100,50,0,0,0,0", "1 3,50,100,50,100,0,0,0,0"
SHEET = "\n".join([
    HEAD,
    f"m1,2026-02-27 20:00,park,four,1,a,b,c,d,{NORTH}",
    f"m2,2026-03-06 20:00,The Park,four,1,a-wx,b,c,d,{NORTH}",
    f"m3,2026-03-06 21:00,park,four,1,a,b,c,d,{EAST}",
    f"m4,2026-03-13 20:00,park,four,1,a,c,b,d,{NORTH}",
])  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("standings")
    (folder / "players.csv").write_text(PLAYERS, encoding="utf-8")
    (folder / "clubs.toml").write_text(CLUBS, encoding="utf-8")
    hand_in(folder, "sheet.csv", SHEET.encode())
    assert run(folder).ok
    return folder


def lines(home: Path, *call: str) -> list[dict[str, Any]]:
    status, out, complaint = yuanzi(*call, "--home", str(home), "--format", "jsonl")
    assert (status, complaint) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_standings_are_one_line_a_member(home: Path) -> None:
    found = lines(home, "standings")
    # a: 30 + 20 + 20 - 20 + 20; b: -20 - 20 + 20 + 20; d is no member, and c is none any more (G3).
    told = [(one["id"], one["name"], one["standing"], one["level"], one["rank"], one["matches"], one["wins"])
            for one in found]  # fmt: skip
    assert told == [("a", "Anna", 70, 2, 1, 4, 3), ("e", "Eva", 55, 1, 2, 0, 0), ("b", "Bo", 0, 0, 3, 4, 2)]
    # G1: level 3 begins at 140.
    assert [one["points_to_next"] for one in found] == [70, 5, 20]
    assert all(one["rating_low"] < one["rating"] < one["rating_high"] for one in found if one["id"] != "e")
    assert found[1]["rating"] is None
    assert [one["member"] for one in found] == [True] * 3
    names = ("id", "name", "member", "standing", "level", "level_name", "rank", "matches", "wins", "rating",
             "rating_low", "rating_high")  # fmt: skip
    assert [name for name in found[0] if name in names] == list(names)


def test_G3_all_shows_who_is_no_member_and_ranks_count_who_is_shown(home: Path) -> None:
    found = lines(home, "standings", "--all")
    assert [(one["id"], one["standing"], one["rank"], one["member"]) for one in found] == [
        ("a", 70, 1, True), ("e", 55, 2, True), ("c", 0, 3, False), ("b", 0, 3, True), ("d", -40, 5, False),
    ]  # fmt: skip


def test_a_season_is_ranked_by_what_was_won_in_it(home: Path) -> None:
    for club in (["--club", "park"], ["--club", "公园"], []):
        found = lines(home, "standings", "--season", "March", *club)
        # m1 was in February.
        assert [(one["id"], one["score"], one["rank"], one["matches"]) for one in found] == [
            ("a", 20, 1, 3),
            ("b", 20, 1, 3),
        ]
    assert [one["id"] for one in lines(home, "standings", "--season", "March", "--by", "standing")] == ["a", "b"]
    assert lines(home, "standings", "--until", "2026-03-05")[0]["score"] == 20
    assert lines(home, "standings", "--since", "2026-03-07", "--search", "BO")[0]["rank"] == 1
    assert lines(home, "standings", "--club", "elsewhere") == []


@pytest.mark.parametrize(
    "call",
    [
        ["standings", "--season", "April"], ["standings", "--since", "yesterday"], ["standings", "--limit", "0"],
        ["standings", "--out", "table.pdf"], ["standings", "--out", "no/such/folder/table.csv"], ["player", "nobody"],
        ["player", "a", "--game", "five"], ["predict", "a", "b"], ["predict", "a", "b", "c", "a-wx"],
        ["predict", "a", "b", "c", "d", "--dealer", "a"], ["predict", "a", "b", "c", "d", "e", "--partners", "a"],
        ["predict", "a", "b", "c", "d", "e", "--dealer", "x"],
        ["predict", "a", "b", "c", "d", "e", "--dealer", "a", "--partners", "b,c,d"],
        # Bytes that are no text come as surrogates.
        ["player", "\udcff"], ["standings", "--season", "\udcff"], ["predict", *["\udcff"] * 4],
        ["predict", "a", "b", "c", "d", "\udcff", "--dealer", "a", "--partners", "\udcfe"],
        ["standings", "--season", "March", "--until", "2026-03-05"],
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_answered_says_why_in_both_languages(home: Path, call: list[str]) -> None:
    for lang in ("en", "zh"):
        status, out, complaint = yuanzi(*call, "--home", str(home), "--lang", lang)
        assert (status, out) == (2, "")
        assert complaint.startswith("yuanzi: ")
        assert "Traceback" not in complaint


def test_what_nobody_is_called_is_not_found_and_no_limit_is_too_high(home: Path, tmp_path: Path) -> None:
    assert lines(home, "standings", "--search", "\udcff") == lines(home, "standings", "--club", "\udcff") == []
    assert len(lines(home, "standings", "--limit", str(2**64))) == 3
    # The name of a file may be bytes that are no text.
    path = tmp_path / os.fsdecode(b"\xff.parquet")
    assert yuanzi("standings", "--home", str(home), "--out", str(path))[0] == 0
    assert path.stat().st_size > 0


@pytest.mark.parametrize("lang", LANGS)
def test_G3_where_nobody_is_a_member_it_is_told_and_machines_read_nothing(
    lang: Lang, home: Path, tmp_path: Path
) -> None:
    shutil.copytree(home / "published", tmp_path / "published")
    (snapshot,) = (tmp_path / "published").glob("*.duckdb")
    with duckdb.connect(str(snapshot)) as con:
        con.execute("create or replace view main.core_member__today as select '' as player_id where false")
    call, why = ("standings", "--home", str(tmp_path), "--lang", lang), text("standings.without_members", lang)
    assert yuanzi(*call, "--format", "jsonl") == (0, "", f"{why}\n")
    assert yuanzi(*call, "--format", "table") == (0, f"{why}\n", "")
    assert yuanzi(*call, "--out", str(tmp_path / "table.csv"))[::2] == (0, f"{why}\n")
    status, out, complaint = yuanzi(*call, "--format", "jsonl", "--all")
    assert (status, len(out.splitlines()), complaint) == (0, 5, "")


def test_without_anything_published_the_call_fails(tmp_path: Path) -> None:
    for call in (["standings"], ["player", "a"], ["predict", "a", "b", "c", "d"]):
        assert yuanzi(*call, "--home", str(tmp_path))[0] == 2


def test_tables_are_written_as_files_without_formulas(home: Path, tmp_path: Path) -> None:
    import polars as pl

    for suffix in ("csv", "xlsx", "parquet"):
        path = tmp_path / f"table.{suffix}"
        assert yuanzi("standings", "--all", "--home", str(home), "--out", str(path))[0] == 0
        assert path.stat().st_size > 0
    with (tmp_path / "table.csv").open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    assert [(one["id"], one["standing"]) for one in found[:2]] == [("a", "70.0000"), ("e", "55.0000")]
    assert found[2]["name"] == "'=Cai"
    assert pl.read_excel(tmp_path / "table.xlsx")["name"].to_list()[2] == "'=Cai"
    assert pl.read_parquet(tmp_path / "table.parquet")["name"].to_list()[2] == "=Cai"
    # Nobody has played there, and e nowhere: headings and types are those of any other file.
    empty = tmp_path / "empty.parquet"
    assert yuanzi("standings", "--club", "elsewhere", "--home", str(home), "--out", str(empty))[0] == 0
    assert pl.read_parquet_schema(empty) == pl.read_parquet_schema(tmp_path / "table.parquet")
    for call in (["standings", "--club", "elsewhere"], ["player", "e"]):
        assert yuanzi(*call, "--home", str(home), "--out", str(tmp_path / "empty.csv"))[0] == 0
        assert (tmp_path / "empty.csv").read_text(encoding="utf-8-sig").count("\n") == 1
    matches = tmp_path / "matches.csv"
    assert yuanzi("player", "a-wx", "--home", str(home), "--out", str(matches))[0] == 0
    assert len(matches.read_bytes().splitlines()) == 5


def test_a_player_by_id_or_alias(home: Path) -> None:
    (found,) = lines(home, "player", "a-wx")
    assert (found["id"], found["name"], found["game"], found["member"]) == ("a", "Anna", "four", True)
    assert found["standing"]["standing"] == 70
    # m1 and m2 with c against b and d, m3 lost with c, m4 with b.
    partners = {one["player_id"]: (one["matches"], one["wins"]) for one in found["partners"]}
    assert partners == {"c": (3, 2), "b": (1, 1)}
    opponents = {one["player_id"]: (one["matches"], one["wins"]) for one in found["opponents"]}
    assert opponents == {"b": (3, 2), "c": (1, 1), "d": (4, 3)}
    last = found["form"][0]
    assert (last["size"], last["matches"], last["wins"], last["score"]) == (20, 4, 3, 40)
    assert {one["role"]: (one["matches"], one["wins"]) for one in found["roles"]} == {
        "upstream_side": (3, 3), "other_side": (1, 0),
    }  # fmt: skip
    assert [one["match_id"] for one in found["matches"]] == ["m4", "m3", "m2", "m1"]
    for lang in ("en", "zh"):
        status, out, _ = yuanzi("player", "a", "--home", str(home), "--format", "table", "--lang", lang)
        assert status == 0
        assert "Anna" in out


def test_G3_of_a_guest_single_results_are_told_and_nothing_else(home: Path) -> None:
    (found,) = lines(home, "player", "d")
    assert (found["member"], found["standing"], found["rating"]) == (False, None, None)
    assert [one["score"] for one in found["matches"]] == [-20, 20, -20, -20]
    (found,) = lines(home, "player", "d", "--all")
    assert found["standing"]["standing"] == -40
    out = yuanzi("player", "d", "--home", str(home), "--format", "table")[1]
    assert "G3" in out
    assert "-40" not in out.replace("−", "-")


def test_a_table_s_chances_are_those_of_its_sides(home: Path) -> None:
    found = lines(home, "predict", "a", "d", "b", "c", "--all")
    assert [one["chance"] for one in found] == [found[0]["chance"], found[1]["chance"]] * 2
    assert found[0]["chance"] + found[1]["chance"] == pytest.approx(1, abs=2e-4)
    assert found[0]["chance"] > 0.5
    assert all(one["chance_low"] <= one["chance"] <= one["chance_high"] for one in found)
    # Nobody has played five: all are newcomers, and every seat is as good as another.
    five = lines(home, "predict", "a", "b", "c", "d", "e")
    assert {one["chance"] for one in five} == {five[0]["chance"]}
    assert not any(one["rated"] for one in five)
    by_alias = lines(home, "predict", "a-wx", "b", "c", "d", "e", "--dealer", "a-wx", "--partners", "b")
    assert by_alias == lines(home, "predict", "a", "b", "c", "d", "e", "--dealer", "a", "--partners", "b")
    for lang in ("en", "zh"):
        assert yuanzi("predict", "a", "b", "c", "d", "--home", str(home), "--format", "table", "--lang", lang)[0] == 0
