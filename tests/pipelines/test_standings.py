"""Standings and levels from matches on a page of their own, worked out by hand, and what pages ask of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from scipy import stats

from dashboards.queries import levels, standings
from pipelines.defs.publish.public import sql
from tests.pipelines.books import Row, fold, ledger, of, stand
from yuanzi_core.levels import level_of
from yuanzi_core.registry import Club

#: Four matches at the club c, which is in no registry and so by the clock of Shanghai, eight hours on: b begins at four
#: in the morning of the second. p1 opens with 3 in the registry; p0's first balance is 10; nobody knows of p2 and p3.
MATCHES: list[Row] = [
    ("a", "2026-03-01 12:00:00Z", [10, None, None, None], [12, -4, -4, -4], False),
    ("b", "2026-03-01 20:00:00Z", [None, None, None, None], [-6, 2, 2, 2], True),
    ("c", "2026-03-02 12:00:00Z", [None, None, None, None], [-12, 2, 2, 0], False),
    ("d", "2026-03-03 12:00:00Z", [4, 50, None, None], [6, 6, -6, -6], True),
]


@pytest.fixture(scope="module")
def book() -> Iterator[duckdb.DuckDBPyConnection]:
    """The tables that come of it. Nobody changes them."""
    con = stand(ledger(*MATCHES, registry=[("p1", [], "3"), ("m", [], "25")], escapes=["c"],
                       members={"p1": (date(2026, 4, 1), None)}))  # fmt: skip
    con.execute(f"create view core_member__today as {sql('core_member__today')}")
    yield con
    con.close()


def test_a_score_is_the_sum_of_its_parts(book: duckdb.DuckDBPyConnection) -> None:
    parts = "play_score", "escape_penalty", "compensation", "cap_effect", "score", "won"
    # F6 takes 2 of p0's 6: 4 were held. F7: who left pays, and nobody wins.
    assert of(book, "p0", *parts) == [
        ("a", 12, 0, 0, 0, 12, True),
        ("b", -6, 0, 0, 0, -6, False),
        ("c", 0, -12, 0, 0, -12, None),
        ("d", 6, 0, 0, -2, 4, True),
    ]
    # 3 - 4 held before b: all of 2 is cut, and a win is a win.
    assert of(book, "p1", *parts)[1:3] == [("b", 2, 0, 0, -2, 0, True), ("c", 0, 0, 2, 0, 2, None)]
    assert of(book, "p3", *parts)[2] == ("c", 0, 0, 0, 0, 0, None)


def test_standings_are_openings_and_all_that_came_after(book: duckdb.DuckDBPyConnection) -> None:
    columns = "game, player_id, name, opening, opening_known, standing, level, points_to_next, matches, wins"
    found = book.execute(f"select {columns} from out_standings__player order by all").fetchall()
    assert found == [
        # A player of the registry has a standing before the first match, in the game that it is given for.
        ("five", "m", "rm", 25, True, 25, 1, 35, 0, 0),
        ("five", "p0", "np0", 10, True, 8, 0, 12, 4, 2),
        ("five", "p1", "rp1", 3, True, 7, 0, 13, 4, 2),
        ("five", "p2", "np2", 0, False, -6, 0, 26, 4, 1),
        ("five", "p3", "np3", 0, False, -8, 0, 28, 4, 1),
        ("four", "m", "rm", 999, True, 999, 5, 261, 0, 0),
        ("four", "p1", "rp1", 999, True, 999, 5, 261, 0, 0),
    ]
    seen = "highest_level, highest_match_id, first_played_at, last_match_id"
    assert book.execute(f"select {seen} from out_standings__player where player_id = 'p0'").fetchall() == [
        (1, "a", datetime(2026, 3, 1, 12, tzinfo=UTC), "d")
    ]
    found = book.execute(f"select {seen} from out_standings__player where player_id = 'p2'").fetchall()
    assert found[0][:2] == (0, None)


def test_G1_matches_to_the_next_level_are_those_of_the_present_rate(book: duckdb.DuckDBPyConnection) -> None:
    columns = "recent_matches, score_per_match, matches_to_next, matches_to_next_low, matches_to_next_high"
    ((matches, rate, expected, low, high),) = book.execute(
        f"select {columns} from out_standings__player where game = 'five' and player_id = 'p1'"
    ).fetchall()
    # -4, 0, 2 and 6 are 1 a match, and 13 points are missing; the rate's interval reaches below 0.
    assert (matches, rate, expected, high) == (4, 1, 13, None)
    scores = [-4, 0, 2, 6]
    interval = stats.t.interval(0.95, 3, loc=1, scale=stats.sem(scores))
    assert interval[0] < 0
    assert low == pytest.approx(13 / interval[1])
    # No rate above 0, and no match at all.
    for player, rate in (("p0", -0.5), ("m", None)):
        found = book.execute(
            f"select {columns} from out_standings__player where game = 'five' and player_id = '{player}'"
        ).fetchall()
        assert found[0][1:] == (rate, None, None, None)


def test_the_rate_is_that_of_the_last_hundred_matches() -> None:
    scores = [50] * 20 + [1, 3] * 50
    rows: list[Row] = [
        (f"{number:03}", f"2026-01-01 00:{number // 60:02}:{number % 60:02}Z", [None] * 4, [score, -score, 0, 0], False)
        for number, score in enumerate(scores)
    ]
    con = stand(ledger(*rows))
    columns = "recent_matches, score_per_match, standing, points_to_next, matches_to_next, matches_to_next_low,"
    found = con.execute(
        f"select {columns} matches_to_next_high, highest_match_id from out_standings__player where player_id = 'p0'"
    ).fetchall()
    # 1000 + 200 points; level 6 begins at 1260.
    interval = stats.t.interval(0.95, 99, loc=2, scale=stats.sem(scores[-100:]))
    ends = [pytest.approx(60 / end) for end in reversed(interval)]
    assert found == [(100, 2, 1200, 60, 30, *ends, "012")]
    # In order of play: 620 points, level 5, after 13 matches (50 each), and none higher since.
    assert [one["level_after"] for one in levels.events(con, "five", 10, player="p0")] == [5, 4, 3, 2, 1]
    thinned = standings.history(con, "five", "p0", 10)
    assert thinned[0]["number"] == 1
    assert thinned[-1]["number"] == 120
    assert thinned[-1]["standing_after"] == 1200
    assert len(thinned) <= 10 + 2 + 5
    assert {one["level_after"] for one in thinned} == set(range(1, 6))


def test_days_are_the_clubs_and_evenings_end_at_six() -> None:
    clubs = [Club("b", zone="Europe/Berlin")]
    played = {"a": "2026-03-01 23:30:00Z", "b": "2026-03-02 04:59:00Z", "c": "2026-03-02 05:00:00Z"}
    rows: list[Row] = [(match, at, [None] * 4, [1, -1, 0, 0], False) for match, at in played.items()]
    rows.append(("e", "2026-03-01 23:30:00Z", [None] * 4, [1, -1, 0, 0], False))
    con = ledger(*rows, clubs=clubs, at={"a": "b", "b": "b", "c": "b"})
    days = {match: found for match, *found in of(con, "p0", "day", "evening")}
    first, second = date(2026, 3, 1), date(2026, 3, 2)
    # Half past midnight, a minute to six and six in Berlin; half past seven in Shanghai.
    assert days == {"a": [second, first], "b": [second, first], "c": [second, second], "e": [second, second]}
    zones = stand(con).execute("select distinct zone from out_standings__player").fetchall()
    assert zones == [("Europe/Berlin",)]


def test_G3_a_players_clock_is_that_of_the_club_last_played_at_in_either_game() -> None:
    clubs = [Club("b", zone="Europe/Berlin"), Club("k", zone="Pacific/Kiritimati")]
    rows: list[Row] = [
        (match, f"2026-03-0{day}T12:00:00Z", [None] * 4, [1, -1, 0, 0], False)
        for day, match in enumerate(("a", "b", "c"), 1)
    ]
    con = ledger(*rows, clubs=clubs, at={"a": "b", "b": "k"})
    # The game for four was played last, but it does not say where, nor who p0 is.
    con.execute("update core_record set variant = 'four' where match_id <> 'b'")
    con.execute("update core_record set club = null, player_names = [null, 'p', 'q', 'r'] where match_id = 'c'")
    con.execute("update core_record set player_names = ['the same', 'p', 'q', 'r'] where match_id = 'b'")
    fold(con, clubs)
    found = "select game, name, zone from out_standings__player where player_id = 'p0' order by game"
    assert stand(con).execute(found).fetchall() == [
        (game, "the same", "Pacific/Kiritimati") for game in ("five", "four")
    ]  # fmt: skip


def test_sums_tell_what_escapes_and_caps_took(book: duckdb.DuckDBPyConnection) -> None:
    columns = "cast(evening as varchar), club, matches, escape_penalty, compensation, escapes, caps, total"
    found = book.execute(f"select {columns} from out_standings__sums where game = 'five' order by evening desc, club")
    assert found.fetchall() == [
        ("2026-03-03", "c", 1, 0, 0, 0, -2, -2),
        ("2026-03-02", "c", 1, -12, 4, -8, 0, -8),
        # b began at four in the morning: the evening of a. p1's win was cut to nothing.
        ("2026-03-01", "c", 2, 0, 0, 0, -2, -2),
    ]


def test_G1_events_are_steps_on_the_ladder(book: duckdb.DuckDBPyConnection) -> None:
    columns = "kind, match_id, level_before, level_after, standing_before, standing_after"
    found = book.execute(f"select {columns} from out_levels__event where player_id = 'p0' order by number, kind desc")
    assert found.fetchall() == [
        ("start", "a", None, 0, None, 10),
        ("promotion", "a", 0, 1, 10, 22),
        ("demotion", "b", 1, 0, 22, 16),
    ]
    assert [(one["match_id"], one["kind"], one["name"]) for one in levels.events(book, "five", 5)] == [
        ("b", "demotion", "np0"), ("a", "promotion", "np0"),
    ]  # fmt: skip
    assert levels.events(book, "five", 5, since=date(2026, 3, 3)) == levels.events(book, "five", 5, club="d") == []
    assert len(levels.ladder(book)) == 28
    assert (levels.ladder(book)[0]["floor"], levels.ladder(book)[27]["floor"]) == (None, 20 * (2**27 - 1))


def test_the_population_of_levels_is_all_who_came_less_all_who_left() -> None:
    con = stand(ledger(
        ("a", "2026-01-05 00:00:00Z", [None] * 4, [200, -100, -50, -50], False),
        ("b", "2026-03-05 00:00:00Z", [None] * 4, [-190, 100, 40, 50], False),
        registry=[("p3", [], "60")],
    ))  # fmt: skip
    # p0: 200 is level 3 at once, then 10. p3: 60 is level 2, then 10, then 60 again. The others stay below 20.
    found = [(str(one["month"]), one["level"], one["players"]) for one in levels.population(con, "five")]
    assert found == [
        ("2026-01-01", 0, 3), ("2026-01-01", 3, 1), ("2026-02-01", 0, 3), ("2026-02-01", 3, 1), ("2026-03-01", 0, 3),
        ("2026-03-01", 2, 1),
    ]  # fmt: skip


def shown(found: list[dict[str, Any]], *columns: str) -> list[tuple[Any, ...]]:
    """Some columns."""
    return [tuple(row[column] for column in columns) for row in found]


def test_a_ranking_over_everything(book: duckdb.DuckDBPyConnection) -> None:
    found = standings.ranking(book, "five")
    columns = "rank", "player_id", "standing", "level", "score", "matches", "wins", "climbed"
    assert shown(found, *columns) == [
        (1, "m", 25, 1, 0, 0, 0, 0),
        (2, "p0", 8, 0, -2, 4, 2, 0),
        (3, "p1", 7, 0, 4, 4, 2, 0),
        (4, "p2", -6, 0, -6, 4, 1, None),
        (5, "p3", -8, 0, -8, 4, 1, None),
    ]
    assert shown(standings.with_shares(found[:1]), "win_share", "win_low", "win_high") == [(None, None, None)]


def test_a_ranking_of_a_period_stands_at_its_end_and_says_who_climbed(book: duckdb.DuckDBPyConnection) -> None:
    # Until the first of March only a was played: 22, -1 and two times -4.
    first = standings.ranking(book, "five", "c", until=date(2026, 3, 1))
    assert shown(first, "rank", "player_id", "standing", "level", "matches") == [
        (1, "p0", 22, 1, 1), (2, "p1", -1, 0, 1), (3, "p2", -4, 0, 1), (3, "p3", -4, 0, 1),
    ]  # fmt: skip
    since = standings.ranking(book, "five", "c", date(2026, 3, 2))
    assert shown(since, "rank", "rank_before", "climbed", "player_id", "score", "wins") == [
        (1, 1, 0, "p0", -14, 1), (2, 2, 0, "p1", 8, 2), (3, 3, 0, "p2", -2, 1), (4, 3, -1, "p3", -4, 1),
    ]  # fmt: skip
    by_score = standings.ranking(book, "five", "c", date(2026, 3, 2), by="score")
    assert shown(by_score, "rank", "rank_before", "player_id") == [
        (1, None, "p1"), (2, None, "p2"), (3, None, "p3"), (4, None, "p0")
    ]  # fmt: skip
    # Wilson's interval for two of three, by hand with z = 1.96.
    ((share, low, high),) = shown(standings.with_shares(since[1:2]), "win_share", "win_low", "win_high")
    assert [share, low, high] == pytest.approx([2 / 3, 0.2077, 0.9385], abs=1e-4)
    assert standings.ranking(book, "five", "another") == []


def test_without_a_first_day_ranks_move_in_the_thirty_days_up_to_the_newest_match() -> None:
    # p0 to p3 stand at 30, 10, -10, -30; then b, thirty days before the newest match, and c and d in the thirty days.
    con = stand(ledger(
        ("a", "2026-01-10 04:00:00Z", [None] * 4, [30, 10, -10, -30], False),
        ("b", "2026-03-01 04:00:00Z", [None] * 4, [0, 0, 40, -40], False),
        ("c", "2026-03-02 04:00:00Z", [None] * 4, [0, 25, -25, 0], False),
        ("d", "2026-03-31 04:00:00Z", [None] * 4, [-15, 0, 15, 0], False),
    ))  # fmt: skip
    con.execute(f"create view core_member__today as {sql('core_member__today')}")
    # Before the second of March: 30, 10, 30, -70; at the end: 15, 35, 20, -70.
    found = standings.ranking(con, "five")
    assert shown(found, "rank", "rank_before", "climbed", "player_id", "standing") == [
        (1, 3, 2, "p1", 35), (2, 1, -1, "p2", 20), (3, 1, -2, "p0", 15), (4, 4, 0, "p3", -70),
    ]  # fmt: skip
    # Until the first of March the thirty days began with the last of January: 30, 10, -10, -30 before, then b.
    found = standings.ranking(con, "five", until=date(2026, 3, 1))
    assert shown(found, "rank", "rank_before", "climbed", "player_id", "standing") == [
        (1, 1, 0, "p0", 30), (1, 3, 2, "p2", 30), (3, 2, -1, "p1", 10), (4, 4, 0, "p3", -70),
    ]  # fmt: skip


@pytest.mark.parametrize(("today", "members"), [("2026-03-31", set()), ("2026-04-01", {"p1"})])
def test_G3_a_member_is_one_from_the_first_day_on(
    book: duckdb.DuckDBPyConnection, today: str, members: set[str]
) -> None:
    cursor = book.cursor()
    cursor.execute("set variable today = $today", {"today": today})
    assert {row["player_id"] for row in standings.ranking(cursor, "five") if row["member"]} == members


def test_the_way_of_a_standing(book: duckdb.DuckDBPyConnection) -> None:
    found = standings.history(book, "five", "p0")
    assert shown(found, "number", "match_id", "standing_before", "score", "standing_after", "level_after") == [
        (1, "a", 10, 12, 22, 1), (2, "b", 22, -6, 16, 0), (3, "c", 16, -12, 4, 0), (4, "d", 4, 4, 8, 0),
    ]  # fmt: skip
    row = standings.player(book, "five", "p0")
    assert row is not None
    assert row["standing"] == 8
    assert standings.player(book, "four", "p0") is None


def _league(seed: int, matches: int) -> list[Row]:
    chance = random.Random(seed)
    rows: list[Row] = []
    for number in range(matches):
        scores = [chance.randrange(-40, 40) for _ in range(3)]
        at = f"2026-01-01 {number // 60:02}:{number % 60:02}:00Z"
        balances = [chance.choice([None, chance.randrange(-20, 60)]) for _ in range(4)]
        rows.append((f"m{number:03}", at, balances, [*scores, -sum(scores)], False))
    return rows


TABLES = ("out_standings__player", "out_standings__day", "out_standings__sums", "out_levels__event")


def _rows(con: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    return {table: sorted(con.execute(f"select * from {table}").fetchall(), key=repr) for table in TABLES}


def test_a_plain_second_computation_comes_to_the_same() -> None:
    matches = _league(1, 60)
    seats = {row[0]: random.Random(row[0]).sample([f"p{number}" for number in range(9)], 4) for row in matches}
    con = stand(ledger(*matches, seats=seats))
    standing: dict[str, int] = {}
    for match, _, held, _, _ in matches:
        for player, balance in zip(seats[match], held, strict=True):
            if balance is not None:
                standing.setdefault(player, balance)
    steps: list[tuple[str, str, int, int]] = []
    for match, _, _, scores, _ in matches:
        for player, score in zip(seats[match], scores, strict=True):
            before = standing.get(player, 0)
            standing[player] = before + score
            if level_of(before) != level_of(standing[player]):
                steps.append((player, match, level_of(before), level_of(standing[player])))
    found = con.execute("select player_id, standing from out_standings__player").fetchall()
    assert dict(found) == standing
    events = "select player_id, match_id, level_before, level_after from out_levels__event where kind <> 'start'"
    assert sorted(con.execute(events).fetchall()) == sorted(steps)


def test_exchanging_names_exchanges_standings_and_nothing_else() -> None:
    matches = _league(2, 30)
    plain = stand(ledger(*matches))
    other = {"p0": "p3", "p3": "p0", "p1": "q", "p2": "a"}
    renamed = stand(ledger(*matches, seats={row[0]: [other[f"p{seat}"] for seat in range(4)] for row in matches}))
    columns = "standing, level, highest_level, matches, wins, score_per_match, matches_to_next"
    query = f"select player_id, {columns} from out_standings__player"
    found = {player: rest for player, *rest in renamed.execute(query).fetchall()}
    assert found == {other[player]: rest for player, *rest in plain.execute(query).fetchall()}
    assert _rows(plain)["out_standings__sums"] == _rows(renamed)["out_standings__sums"]


@pytest.mark.parametrize("minutes", [0, 7, 90])
def test_the_order_of_matches_of_different_players_changes_nothing(minutes: int) -> None:
    seats = {f"x{number:03}": [f"q{seat}" for seat in range(4)] for number in range(20)}

    def both(shift: int) -> list[Row]:
        others: list[Row] = []
        for match, at, *rest in _league(3, 20):
            moved = datetime.fromisoformat(at) + timedelta(minutes=shift)
            others.append((match.replace("m", "x"), moved.isoformat(), *rest))  # type: ignore[arg-type]
        return [*_league(4, 20), *others]

    columns = "player_id, standing, level, highest_level, highest_match_id, wins, score_per_match, matches_to_next"
    query = f"select {columns} from out_standings__player order by player_id"
    # Read in another order, and played before, between or after.
    found = [stand(ledger(*rows, seats=seats)) for rows in (both(0), list(reversed(both(minutes))))]
    assert found[0].execute(query).fetchall() == found[1].execute(query).fetchall()
    if not minutes:
        assert _rows(found[0]) == _rows(found[1])


def test_amounts_are_exact(book: duckdb.DuckDBPyConnection) -> None:
    amounts = {"out_standings__player": "standing", "out_standings__day": "cap_effect", "out_standings__sums": "total"}
    for table, column in amounts.items():
        ((value,),) = book.execute(f"select any_value({column}) from {table}").fetchall()
        assert isinstance(value, Decimal)
