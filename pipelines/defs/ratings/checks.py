"""What ratings may not break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    import duckdb

_CHANGES = """
    with change as (
        select
            game,
            unnest(player_ids) as player_id,
            unnest(rating_after) as after,
            unnest(rating_before) as before
        from out_ratings__match
    ),
    summed as (
        select game, player_id, $centre + sum(after - before) as rating from change group by game, player_id
    )
    select
        count(*) filter (where s.rating is null or p.rating is null or s.rating <> p.rating),
        count(*)
    from summed as s
    full join out_ratings__player as p using (game, player_id)
"""

# Whoever wins gains, and whoever loses pays, if less than is shown; in any case more is known of everybody.
_SIDES = """
    select
        count(*) filter (
            where not list_bool_and(list_transform(
                range(1, len(sides) + 1),
                lambda seat: sigma_after[seat] <> sigma_before[seat]
                    and case when sides[seat] = winner then rating_after[seat] >= rating_before[seat]
                        else rating_after[seat] <= rating_before[seat] end
            ))
        ),
        count(*)
    from out_ratings__match
"""


def rating_changes_add_up(con: duckdb.DuckDBPyConnection, centre: int) -> dg.AssetCheckResult:
    """A player's rating is the first one plus all changes. Reads out_ratings__match and out_ratings__player."""
    wrong, players = con.execute(_CHANGES, {"centre": centre}).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="rating_changes_add_up", passed=wrong == 0, metadata={"players": players, "wrong": wrong}
    )


def rated_matches_change_both_sides(con: duckdb.DuckDBPyConnection) -> dg.AssetCheckResult:
    """Every winner gains and every loser loses. Reads out_ratings__match."""
    wrong, matches = con.execute(_SIDES).fetchall()[0]
    return dg.AssetCheckResult(
        check_name="rated_matches_change_both_sides", passed=wrong == 0, metadata={"matches": matches, "wrong": wrong}
    )
