"""What the tables of the rules' balance must add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    import duckdb


def _sums(con: duckdb.DuckDBPyConnection, check: str, table: str, counts: str) -> dg.AssetCheckResult:
    # Names of this package's own tables and columns.
    statement = f"""
        with sums as (
            select variant, ruleset, source, club, evening, base, breakdown, row({counts}) as found
            from {table}
            group by variant, ruleset, source, club, evening, base, breakdown
        ),
        wholes as (select * from sums where breakdown = 'all')
        select count(*) filter (s.found is distinct from w.found), count(*)
        from sums as s
        left join wholes as w
            on w.variant = s.variant and w.ruleset = s.ruleset and w.source = s.source
                and w.club is not distinct from s.club and w.evening = s.evening and w.base = s.base
    """  # noqa: S608
    wrong, looked_at = con.execute(statement).fetchall()[0]
    return dg.AssetCheckResult(check_name=check, passed=wrong == 0, metadata={"sums": looked_at, "wrong": wrong})


def players_sum_to_their_total(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_balance__players: each breakdown has every player once."""
    return _sums(con, "players_sum_to_their_total", "out_balance__players", "sum(players), sum(won), sum(score)")


def matches_sum_to_their_total(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_balance__matches: each breakdown has every match once."""
    counts = "sum(matches), sum(first_known), sum(won), sum(score)"
    return _sums(con, "matches_sum_to_their_total", "out_balance__matches", counts)


_VALUES = """
    select
        (select coalesce(sum(count), 0) from out_balance__values where measure = 'score'),
        (select coalesce(sum(len(scores)), 0) from core_balance__match),
        (select coalesce(sum(count), 0) from out_balance__values where measure = 'side_points'),
        (select count(*) from core_balance__match where side_points is not null and first_side is not null)
"""


def values_are_counted_once(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_balance__values and core_balance__match: a score a player, a number of card points a match."""
    scores, players, points, matches = con.execute(_VALUES).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="values_are_counted_once",
        passed=scores == players and points == matches,
        metadata={"scores": scores, "players": players, "side_points": points, "matches": matches},
    )


# Every trick is taken once; what was captured came home with some combination. An escape leaves a trick open.
_KINDS = """
    with
    played as (
        select d.* from core_balance__deal as d join core_balance__match as m using (file_id, line)
    ),
    settled as (
        select s.* from core_settlement__deal as s join played as p using (file_id, line, deal)
    )
    select
        (select coalesce(sum(won), 0) from out_balance__kinds),
        (select coalesce(sum(tricks), 0) from settled),
        (select coalesce(sum(points), 0) from out_balance__kinds),
        (select coalesce(sum(list_sum(captured)), 0) from settled),
        (select coalesce(sum(led + answered - beaten - won), 0) from out_balance__kinds),
        (select count(*) from settled where "end" = 'escape')
"""


def kinds_bring_home_what_was_captured(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Reads out_balance__kinds, core_balance__deal and core_settlement__deal: tricks and card points are all there."""
    won, tricks, points, captured, still_open, escapes = con.execute(_KINDS).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="kinds_bring_home_what_was_captured",
        passed=won == tricks and points == captured and still_open <= escapes,
        metadata={"won": won, "tricks": tricks, "points": points, "captured": captured, "open": still_open},
    )
