"""The registries in a warehouse: aliases, openings and the cap of F6, merging and un-merging, and what is wrong."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.commands import warehousing
from pipelines.run import run
from pipelines.tables import BY_FILE, BY_STATE
from pipelines.warehouse import Warehouse
from tests.pipelines.homes import ask, changed, hand_in, snapshot
from tests.pipelines.test_cli import yuanzi
from tests.samples.contents import unpacked
from tests.samples.evening import GUEST
from tests.samples.expected import expected
from tests.samples.registries import CLUBS, OPENING_FIVE, players_csv

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
EVENING, LATER = "tongxiang-2026-03-08.jsonl", "tongxiang-2026-04-04.jsonl.zst"
HEADINGS = "id,name,aliases,member_from,member_to,opening_four,opening_five\n"


@pytest.fixture(scope="module")
def lines() -> dict[str, list[bytes]]:
    """Two evenings of the samples, unpacked."""
    found = {}
    for name in (EVENING, LATER):
        content = unpacked(SAMPLES / name)
        assert isinstance(content, bytes)
        found[name] = content.splitlines()
    return found


def registries(home: Path, players: str | bytes | None = None, clubs: str | None = None) -> None:
    """Put registries into a home in the place of those that are there."""
    for name, content in (("players.csv", players), ("clubs.toml", clubs)):
        home.mkdir(exist_ok=True)
        (home / name).unlink(missing_ok=True)
        if content is not None:
            (home / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def rows(home: Path) -> dict[str, tuple[list[Any], list[Any]]]:
    """All rows of all tables that readers see, with their columns."""
    found = {}
    with duckdb.connect(str(snapshot(home)), read_only=True) as con:
        con.execute("set TimeZone = 'UTC'")
        for table in (*BY_FILE, *BY_STATE):
            found[table] = (
                con.execute(f"describe {table}").fetchall(), con.execute(f"select * from {table}").fetchall()
            )  # fmt: skip
    return found


def without_balances(line: bytes) -> bytes:
    """A record whose scorer does not write the standings down."""
    players = [{"id": one["id"], "name": one["name"]} for one in json.loads(line)["players"]]
    return changed(line, players=players)


def test_F6_the_registrys_openings_do_what_logged_balances_do(tmp_path: Path, lines: dict[str, list[bytes]]) -> None:
    openings = [f"tx-{number:02},,,,,,{points}\n" for number, points in enumerate(OPENING_FIVE["tx"], 1)]
    registries(tmp_path, HEADINGS + "".join(openings))
    hand_in(tmp_path, "evening.jsonl", [without_balances(line) for line in lines[EVENING]])
    assert run(tmp_path).ok
    # The balances of the log are those that the second opinion has, match by match: with the openings alone the ledger
    # comes to the same, and every cap with it.
    assert ask(tmp_path, "select match_id, scores from out_matches order by match_id") == [
        (row.match_id, row.scores) for row in expected()[EVENING]
    ]
    matches = [json.loads(line, parse_float=Decimal) for line in lines[EVENING]]
    logged = {match["match_id"]: [one.get("balance") for one in match["players"]] for match in matches}
    assert dict(ask(tmp_path, "select match_id, standings_before from out_matches")) == logged
    # By hand, the first match: three winners, four atoms: 2 + 4 each, but seat 0 opens with 4.
    first = ask(
        tmp_path,
        "select scores[1], scores_before_cap[1], standings_before[1] from out_matches order by match_id limit 1",
    )
    assert first == [(4, 6, 4)]


def test_an_alias_is_the_player_everywhere_and_its_logged_id_stays(
    tmp_path: Path, lines: dict[str, list[bytes]]
) -> None:
    hand_in(tmp_path, "evening.jsonl", lines[EVENING])
    # The guest in seat 3 of match 6 won 4 points while nobody knew his standing. With 1.5 to open he wins no more.
    registries(tmp_path, HEADINGS + f"hz-11,沈阿毛,{GUEST},2026-04-01,,,1.5\n")
    assert run(tmp_path).ok
    seat = "player_ids[4], registry_ids[4], scores_before_cap[4], scores[4], notes"
    ((logged, counted, before, score, notes),) = ask(
        tmp_path, f"select {seat} from out_matches where match_id = 'tx-20260308-t1-06'"
    )
    assert (logged, counted, before, score) == (GUEST, "hz-11", 4, Decimal("1.5"))
    assert "NO_CAP_UNKNOWN_STANDING" not in notes
    merged = "select player_id, logged_id, seat, ledger_before, ledger_after from core_ledger__movement"
    assert ask(tmp_path, f"{merged} where logged_id <> player_id") == [("hz-11", GUEST, 3, Decimal("1.5"), 3)]
    same = "select count(*) filter (registry_ids <> player_ids), count(*) from out_matches"
    assert ask(tmp_path, same) == [(1, 9)]


def test_public_tables_say_who_is_a_member_and_nothing_of_standings(
    tmp_path: Path, lines: dict[str, list[bytes]]
) -> None:
    hand_in(tmp_path, "evening.jsonl", lines[EVENING][:1])
    registries(tmp_path, players_csv(), CLUBS)
    assert run(tmp_path).ok
    shown = "select player_id, name, aliases, cast(member_from as varchar), cast(member_to as varchar) from out_players"
    players = {row[0]: row[1:] for row in ask(tmp_path, shown)}
    assert len(players) == 31
    assert players["hz-11"] == ("沈阿毛", [GUEST], "2026-04-01", None)
    assert players["jx-09"] == ("盛水根", [], "2024-09-01", "2026-03-31")
    assert players["tx-10"] == ("颜丽娟", [], None, None)
    columns = [name for name, *_ in ask(tmp_path, "describe out_players")]
    assert columns == ["player_id", "name", "aliases", "member_from", "member_to"]
    assert ask(tmp_path, "select club, name_zh, zone, ruleset, base from out_clubs") == [
        ("huzhou", "湖州苕溪棋牌社", "Asia/Shanghai", "five-classic", 1),
        ("jiaxing", "嘉兴南湖牌友会", "Asia/Shanghai", "four-classic", 1),
        ("tongxiang", "桐乡凤鸣茶馆", "Asia/Shanghai", "five-atomic", 1),
    ]
    assert ask(
        tmp_path, "select club, name, cast(first_day as varchar), cast(last_day as varchar) from out_seasons"
    ) == [
        ("jiaxing", "2026 早春", "2026-03-01", "2026-03-31"),
        ("jiaxing", "2026 春夏", "2026-04-01", "2026-06-30"),
    ]
    assert ask(tmp_path, "select * from out_audit__registry") == []


#: Registries to go through on the way: a merge that fits, one that every evening contradicts, one with faults, none.
FITS = HEADINGS + f"hz-11,沈阿毛,{GUEST},2026-04-01,,,0\n"
CONTRADICTED = HEADINGS + "tx-01,吴根荣,tx-02;tx-03,,,,7\n"
FAULTY = HEADINGS + f"hz-11,,{GUEST}\nhz-11,,tx-09\n,x\ntx-04,,tx-05,2026-02-30,,,1e9\n"
ON_THE_WAY: list[str | bytes | None] = [FITS, CONTRADICTED, FAULTY, b"\xff\xfe\x00", players_csv(), None]


@pytest.mark.parametrize("end", [HEADINGS + "tx-01,吴根荣\n", FITS], ids=["unmerged", "merged"])
@pytest.mark.slow
def test_merging_and_unmerging_leave_no_trace_in_whatever_order(
    end: str, tmp_path: Path, lines: dict[str, list[bytes]]
) -> None:
    files = {"evening.jsonl": lines[EVENING], "later.jsonl": lines[LATER]}
    straight = tmp_path / "straight"
    registries(straight, end)
    for name, content in files.items():
        hand_in(straight, name, content)
    assert run(straight).ok
    wanted = rows(straight)
    assert wanted["out_audit__registry"][1] == []
    for seed in range(2):
        home, chance = tmp_path / str(seed), random.Random(seed)
        ways = chance.sample(ON_THE_WAY, 3)
        arrivals = dict(zip(chance.sample(range(3), 2), chance.sample(list(files), 2), strict=True))
        for step, way in enumerate(ways):
            registries(home, way, chance.choice([None, CLUBS]))
            if step in arrivals:
                hand_in(home, arrivals[step], files[arrivals[step]])
            (home / "inbox").mkdir(exist_ok=True)
            assert run(home).ok
        registries(home, end)
        assert run(home).ok
        found = rows(home)
        for table in wanted:
            assert found[table] == wanted[table], (seed, table)


@pytest.mark.slow
def test_editing_players_judges_no_file_again(tmp_path: Path, lines: dict[str, list[bytes]]) -> None:
    hand_in(tmp_path, "evening.jsonl", lines[EVENING])
    registries(tmp_path, None, CLUBS)
    assert run(tmp_path).ok
    by_file = {
        path: path.stat().st_mtime_ns for table in BY_FILE for path in (tmp_path / "lake" / table).rglob("*.parquet")
    }
    before, tag = snapshot(tmp_path), Warehouse(tmp_path).tag
    registries(tmp_path, FITS, CLUBS.replace("2026-06-30", "2026-05-31"))
    assert run(tmp_path).ok
    assert snapshot(tmp_path) != before
    assert Warehouse(tmp_path).tag == tag
    assert {
        path: path.stat().st_mtime_ns for table in BY_FILE for path in (tmp_path / "lake" / table).rglob("*.parquet")
    } == by_file
    # Rows in another order, blanks and columns that nobody knows are no other registry.
    after = snapshot(tmp_path)
    registries(
        tmp_path, FITS.replace(",", " ,").replace("\n", ",x\n\n"), "# …\n" + CLUBS.replace("2026-06-30", "2026-05-31")
    )
    assert run(tmp_path).ok
    assert snapshot(tmp_path) == after
    # What decides how sheets are read does judge files again.
    registries(tmp_path, FITS, CLUBS.replace("base = 1", "base = 2"))
    assert Warehouse(tmp_path).tag != tag


def test_a_merge_that_a_match_contradicts_is_located(tmp_path: Path, lines: dict[str, list[bytes]]) -> None:
    together = [json.loads(line) for line in lines[EVENING][:3]]
    hand_in(tmp_path, "evening.jsonl", lines[EVENING][:3])
    registries(tmp_path, CONTRADICTED)
    assert run(tmp_path).ok
    merged = {"tx-01", "tx-02", "tx-03"}
    sat = {
        match["match_id"]: [one["id"] for one in match["players"] if one["id"] in merged]
        for match in together
    }  # fmt: skip
    contradicted = [match for match, ids in sat.items() if len(ids) > 1]
    assert contradicted
    found = ask(
        tmp_path, 'select file, "row", "column", code, entry, match_id, message_en, message_zh from out_audit__registry'
    )
    assert [row[5] for row in found] == contradicted
    for file, row, column, code, entry, match, *messages in found:
        assert (file, row, column, code, entry) == ("players.csv", None, "aliases", "SAME_TABLE", "tx-01")
        for message in messages:
            assert all(word in message for word in (match, *sat[match], "evening.jsonl", "tx-01"))
    # All seats count, each once, and the movements of one player follow each other.
    assert ask(
        tmp_path, "select count(*), count(distinct (game, player_id, match_id, seat)) from core_ledger__movement"
    ) == [(15, 15)]
    movements = "select ledger_before, score, ledger_after from core_ledger__movement where player_id = 'tx-01'"
    chain = ask(tmp_path, f"{movements} order by played_at, match_id, seat")
    assert len(chain) == sum(map(len, sat.values()))
    standing = Decimal(7)
    for before, score, after in chain:
        assert (before, after) == (standing, standing + score)
        standing = after


def test_what_is_wrong_is_told_row_by_row_and_the_run_goes_on(tmp_path: Path, lines: dict[str, list[bytes]]) -> None:
    hand_in(tmp_path, "evening.jsonl", lines[EVENING])
    registries(tmp_path, FAULTY, "[a]\nzone = 1\nnames = {zh='甲', en='A'}\n")
    assert run(tmp_path).ok
    matches = [json.loads(line) for line in lines[EVENING]]
    seated = {match["match_id"]: {one["id"] for one in match["players"]} for match in matches}
    together = sorted(match for match, ids in seated.items() if {"tx-04", "tx-05"} <= ids)
    assert together
    assert ask(tmp_path, 'select file, "row", "column", code, entry, match_id from out_audit__registry') == [
        ("players.csv", 3, "id", "ID_TWICE", "hz-11", None),
        ("players.csv", 4, "id", "ID_MISSING", None, None),
        ("players.csv", 5, "member_from", "NOT_A_DATE", "tx-04", None),
        ("players.csv", 5, "opening_five", "NOT_A_NUMBER", "tx-04", None),
        ("clubs.toml", 2, "a.zone", "ZONE_UNKNOWN", "a", None),
        *[("players.csv", None, "aliases", "SAME_TABLE", "tx-04", match) for match in together],
    ]
    assert ask(tmp_path, "select player_id from out_players") == [("hz-11",), ("tx-04",)]
    # As a whole no table, and no TOML.
    registries(tmp_path, b"PK\x03\x04\0\0", "[a")
    assert run(tmp_path).ok
    assert ask(tmp_path, 'select file, "row", code from out_audit__registry') == [
        ("players.csv", None, "NOT_TEXT"), ("clubs.toml", 1, "NOT_TOML")
    ]  # fmt: skip
    assert ask(tmp_path, "select count(*) from out_matches") == [(9,)]
    assert ask(tmp_path, "select * from out_players") == ask(tmp_path, "select * from out_clubs") == []


def test_the_registries_of_a_state_are_those_of_when_it_was_chosen(tmp_path: Path) -> None:
    registries(tmp_path, FITS)
    state = Warehouse(tmp_path).choose_state()
    registries(tmp_path, None)
    later = Warehouse(tmp_path)
    assert later.present_state() == state
    assert later.registry.players == ()
    assert later.registry_of(later.present_state()).aliases == {GUEST: "hz-11"}
    # Every registry that was ever in force stays on record.
    later.choose_state()
    assert len(list((tmp_path / "lake" / "raw_registry").glob("*.json"))) == 2


def test_a_registry_is_no_log(tmp_path: Path, lines: dict[str, list[bytes]]) -> None:
    hand_in(tmp_path, "evening.jsonl", lines[EVENING][:1])
    hand_in(tmp_path, "players.csv", players_csv())
    status, shown, _ = yuanzi("check", str(tmp_path / "inbox"))
    assert (status, "players.csv" in shown) == (0, False)
    status, shown, said = yuanzi("run", "--home", str(tmp_path))
    assert status == 0
    assert "players.csv" in said
    assert "players.csv" not in shown


def test_yuanzi_registry_tells_what_counts_and_what_is_wrong(tmp_path: Path) -> None:
    assert yuanzi("registry", "--home", str(tmp_path / "none"))[0] == 2
    status, shown, _ = yuanzi("registry", "--home", str(tmp_path))
    assert (status, shown.count("There is no")) == (0, 2)
    registries(tmp_path, players_csv(), CLUBS)
    status, shown, said = yuanzi("registry", "--home", str(tmp_path), "--lang", "zh")
    assert (status, said) == (0, "")
    for part in ("沈阿毛", GUEST, "2026-03-31", "湖州苕溪棋牌社", "five-atomic", "2026 早春", "名册没有问题"):
        assert part in shown
    registries(tmp_path, FAULTY.replace("hz-11,,tx", "hz-11,\x1b[31m,tx"), "[a]\nzone = 1\n")
    status, shown, _ = yuanzi("registry", "--home", str(tmp_path))
    assert status == 1
    assert "players.csv:5  tx-04 member_from NOT_A_DATE" in shown
    assert "\x1b" not in shown
    # Rulesets that a club names are those of the folder given.
    registries(tmp_path, None, "[a]\nnames = {zh='甲', en='A'}\nruleset = 'house'\n")
    (tmp_path / "own").mkdir()
    assert yuanzi("registry", "--home", str(tmp_path))[0] == 1
    (tmp_path / "own" / "house.toml").write_text('extends = "four-classic"\n')
    assert yuanzi("registry", "--home", str(tmp_path), "--rulesets", str(tmp_path / "own"))[0] == 0
    assert yuanzi("registry", "--home", str(tmp_path), "--rulesets", str(tmp_path / "none"))[0] == 2


def test_a_run_says_what_is_wrong_in_the_registries(tmp_path: Path, lines: dict[str, list[bytes]]) -> None:
    hand_in(tmp_path, "evening.jsonl", lines[EVENING][:1])
    registries(tmp_path, HEADINGS + "".join(f"p{number},,,never\n" for number in range(20)))
    for _ in range(2):
        status, shown, _ = yuanzi("run", "--home", str(tmp_path))
        assert status == 0
        assert "players.csv:2  p0 member_from NOT_A_DATE" in shown
        assert "5 more" in shown


def test_the_demo_has_the_samples_registries_and_leaves_edited_ones(tmp_path: Path) -> None:
    samples = [tmp_path / "club.jsonl", tmp_path / "players.csv"]
    for sample in samples:
        sample.write_bytes(b"id\n")
    home = tmp_path / "home"
    warehousing._prepare(home, samples, "en")
    assert [path.name for path in (home / "inbox").iterdir()] == ["club.jsonl"]
    (home / "players.csv").write_bytes(b"id\nmine\n")
    warehousing._prepare(home, samples, "en")
    assert (home / "players.csv").read_bytes() == b"id\nmine\n"
    samples[0].write_bytes(b"other")
    warehousing._prepare(home, samples, "en")
    assert (home / "players.csv").read_bytes() == b"id\n"
