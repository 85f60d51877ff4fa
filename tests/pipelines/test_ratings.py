"""Ratings in the warehouse: in blocks that follow each other, from the first new match on; what is not rated."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from pipelines.defs.ratings import chain
from pipelines.defs.ratings.checks import rated_matches_change_both_sides, rating_changes_add_up
from pipelines.run import run
from tests.pipelines.homes import ask, changed, hand_in, hashes, lines_of

TABLES = (
    "out_ratings__match",
    "out_ratings__player",
    "out_ratings__role",
    "out_ratings__unrated",
    "out_ratings__calibration",
)


def evening(first: int, last: int, pool: int = 9) -> list[bytes]:
    """Handed matches, played by a few people one after the other, an hour each."""
    found = []
    for number, line in enumerate(lines_of("logs", first, last), first):
        seats = len(json.loads(line)["players"])
        players = [{"id": f"p{(number * 2 + seat) % pool}"} for seat in range(seats)]
        at = f"2026-03-{1 + number // 24:02}T{number % 24:02}:00:00+08:00"
        found.append(changed(line, players=players, played_at=at, match_id=f"m{number:03}"))
    return found


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "BLOCK", 5)


def ratings(home: Path) -> dict[str, str]:
    """The tables of ratings, as hashes."""
    return {table: found for table, found in hashes(home).items() if table in TABLES}


@pytest.mark.slow
def test_ratings_by_and_by_are_those_of_all_at_once(tmp_path: Path) -> None:
    first, middle, late = evening(0, 24), evening(24, 36), evening(36, 48)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    hand_in(whole, "a.jsonl", first)
    hand_in(whole, "b.jsonl", middle)
    hand_in(whole, "c.jsonl", late)
    assert run(whole).ok
    # The middle one comes last: a late evening.
    for name, lines in (("a.jsonl", first), ("c.jsonl", late), ("b.jsonl", middle)):
        hand_in(parts, name, lines)
        assert run(parts).ok
    assert ratings(parts) == ratings(whole)
    rows = ask(whole, "select count(*), count(distinct match_id), min(len(expected)) from out_ratings__match")
    assert rows[0][0] == rows[0][1] > 30
    assert ask(whole, "select count(*) from out_matches") == ask(
        whole, "select (select count(*) from out_ratings__match) + (select count(*) from out_ratings__unrated)"
    )


@pytest.mark.slow
def test_only_blocks_from_the_first_new_match_on_are_rated(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", evening(0, 30))
    run(tmp_path)
    folder = tmp_path / "lake" / "core_rating__checkpoint"
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("*/*.parquet")}
    hand_in(tmp_path, "b.jsonl", evening(30, 33))
    run(tmp_path)
    after = {path.name: path.stat().st_mtime_ns for path in folder.glob("*/*.parquet")}
    again = [name for name in before if after.get(name) != before[name]]
    # At most the last, unfilled block of each game is rated again; snapshots that are kept still name the old one.
    assert not again
    assert 1 <= len(after.keys() - before.keys()) <= 4


def test_H1_what_has_no_winner_or_was_left_is_not_rated_but_listed(tmp_path: Path) -> None:
    lines = lines_of("edges", 0, 40)
    first, *rest = evening(0, 4)
    deals = json.loads(first)["deals"]
    deals[0]["plays"] = deals[0]["plays"].rsplit(" ", 3)[0]
    four = next(line for line in rest if json.loads(line)["variant"] == "four")
    upper = json.loads(four)["deals"][:1]
    lines += [changed(first, match_id="cut", deals=deals), changed(four, match_id="no-lower-half", deals=upper)]
    hand_in(tmp_path, "a.jsonl", [changed(line, revision=1) for line in lines])
    run(tmp_path)
    listed = dict(ask(tmp_path, "select match_id, reason from out_ratings__unrated"))
    wanted = ask(
        tmp_path, "select match_id, status, outcome from out_matches where status <> 'settled' or outcome = 'escape'"
    )
    assert {match_id for match_id, _, _ in wanted} == set(listed)
    assert listed["cut"] == "VIOLATION"
    assert {"ESCAPE", "VIOLATION"} <= {*listed.values()}
    assert not ask(tmp_path, "select 1 from out_ratings__match semi join out_ratings__unrated using (match_id)")


def test_a_warehouse_without_matches_has_the_tables(tmp_path: Path) -> None:
    hand_in(tmp_path, "a.jsonl", b"no match\n")
    assert run(tmp_path).ok
    for table in TABLES:
        assert ask(tmp_path, f"select count(*) from {table}") == [(0,)]


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    """One rated match: 1500 each, the first side gained 8 a player."""
    con = duckdb.connect()
    con.execute(
        "create table out_ratings__match as select 'four' as game, ['a', 'b', 'c', 'd'] as player_ids,"
        " [0, 1, 0, 1] as sides, 0 as winner, [1500.0, 1500, 1500, 1500] as rating_before,"
        " [1508.0, 1492, 1508, 1492] as rating_after, [60.0, 60, 60, 60] as sigma_before,"
        " [59.0, 59, 59, 59] as sigma_after"
    )
    con.execute(
        "create table out_ratings__player as select 'four' as game, unnest(['a', 'b', 'c', 'd']) as player_id,"
        " unnest([1508.0, 1492, 1508, 1492]) as rating"
    )
    return con


def test_a_rating_is_the_first_one_plus_all_changes(con: duckdb.DuckDBPyConnection) -> None:
    assert rating_changes_add_up(con, 1500).passed
    con.execute("update out_ratings__player set rating = 1509 where player_id = 'a'")
    assert not rating_changes_add_up(con, 1500).passed
    con.execute("delete from out_ratings__player where player_id = 'a'")
    assert not rating_changes_add_up(con, 1500).passed


def test_winners_gain_and_losers_lose(con: duckdb.DuckDBPyConnection) -> None:
    assert rated_matches_change_both_sides(con).passed
    con.execute("update out_ratings__match set rating_after = [1508, 1492, 1508, 1501]")
    assert not rated_matches_change_both_sides(con).passed
    con.execute("update out_ratings__match set rating_after = [1508, 1492, 1508, 1492], sigma_after = [59, 60, 59, 59]")
    assert not rated_matches_change_both_sides(con).passed
