"""The matches behind a number of the rules' balance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboards.queries.balance import OF_MATCHES, WHERE, Chosen
from dashboards.queries.rows import Cursor, Row, row, rows
from yuanzi_core.balance import POINTS_WIDTH, REVEAL_WIDTH, TRICKS_WIDTH


def _among(column: str) -> str:
    said = f"list_transform({column}, lambda one: coalesce(cast(one as varchar), ''))"
    # A score sheet has no list at all.
    return f"coalesce(list_contains({said}, coalesce($value, '')), $value is null)"


def _measured(column: str, width: str) -> str:
    """Whether a measure lies in the stretch that begins with the value; without a value whether there is one."""
    return f"{column} is not null and ($value is null or {column} // {width} * {width} = try_cast($value as integer))"


def _won_by(column: str) -> str:
    """Whether a player of whom a list by seat says the value was on the winning side."""
    said = f"coalesce(cast({column}[seat + 1] as varchar), '') = coalesce($value, '')"
    return f"len(list_filter(range(len(b.sides)), lambda seat: {said} and b.sides[seat + 1] = b.winner)) > 0"


#: Of breakdowns of players the values by seat.
_SEATS: Mapping[str, str] = {
    "seat": "range(len(b.sides))", "draw": "b.draws", "lead": "b.leads", "role": "b.roles", "upstream": "b.upstreams",
    "side_size": "b.side_sizes", "atoms": "b.atoms_held", "hbombs": "b.hbombs_held", "bombs": "b.bombs_held",
    "knives": "b.knives_held", "jokers": "b.jokers_held",
}  # fmt: skip
#: What of a combination may have happened: more than none of it.
_OF_KIND: Mapping[str | None, str] = {
    None: "one.led + one.answered", "led": "one.led", "answered": "one.answered", "beaten": "one.beaten",
    "tricks": "one.won", "points": "one.points",
}  # fmt: skip
_DEALS = "select 1 from {table} as d where d.file_id = b.file_id and d.line = b.line and {condition}"
#: How a match is told to have a value of a breakdown or of a measure.
_HAS: Mapping[str, str] = {
    "all": "true", "everyone": "true", **{name: _among(column) for name, column in _SEATS.items()},
    **{name: f"cast(b.{name} as varchar) is not distinct from $value"
       for name in ("knife", "outcome", "clamp", "double_outs", "tie", "ending", "capped", "dealer_side", "ruleset")},
    "reveal": "cast(case when b.reveal_trick > 0 then (b.reveal_trick - 1) // $reveal * $reveal + 1"
              " else b.reveal_trick end as varchar) is not distinct from $value",
    "side_points": _measured("b.side_points[b.first_side + 1]", "$points"),
    "score": "($value is null or list_contains(b.scores_in_bases, try_cast($value as integer)))",
    **{name: f"exists ({_DEALS.format(table='core_settlement__deal', condition=_measured(*measured))})"
       for name, measured in (("tricks", ("d.tricks", "$tricks")), ("atoms_played", ("d.atoms", "1")))},
}  # fmt: skip
#: What without a value is asked of all that have one: measures and combinations.
WHOLE = ("side_points", "score", "tricks", "atoms_played", "kind")
#: What the matches behind a number may be asked by: breakdowns, measures, combinations, and those of "all" matches and
#: of "everyone" in them.
BEHIND = (*_HAS, "kind")
#: What may be asked of them besides: that who has the value won, of breakdowns of matches the dealer or who led first,
#: or that it is known who that is; of a combination, what happened with it.
ONLY = ("won", "known", *[name for name in _OF_KIND if name is not None])


def _condition(by: str, only: str | None) -> str:
    """:raises KeyError: no such breakdown."""
    if by == "kind":
        named = "($value is null or one.kind || case when one.of_knife then '+' else '' end = $value)"
        happened = f"{_OF_KIND.get(only, _OF_KIND[None])} > 0"
        any_kind = f"len(list_filter(d.kinds, lambda one: {happened} and {named})) > 0"
        return f"exists ({_DEALS.format(table='core_balance__deal', condition=any_kind)})"
    if only == "won" and by in _SEATS:
        return _won_by(_SEATS[by])
    if only == "won" and by == "everyone":
        return "b.winner is not null"
    besides = {"won": "b.first_won", "known": "b.first_seat is not null"} if by in ("all", *OF_MATCHES) else {}
    return f"{_HAS[by]} and {besides.get(only or '', 'true')}"


def _behind(chosen: Chosen, by: str, value: str | None, only: str | None) -> tuple[str, dict[str, Any]]:
    """The condition and what it binds. :raises KeyError: no such breakdown."""
    widths = {"reveal": REVEAL_WIDTH, "points": POINTS_WIDTH, "tricks": TRICKS_WIDTH}
    where = f"{WHERE} and {_condition(by, only)}"
    # Only what the statement names may be bound.
    used = {**chosen.bound(), "value": value, **widths}
    return where, {name: bound for name, bound in used.items() if f"${name}" in where}


def counted_behind(cursor: Cursor, chosen: Chosen, by: str, value: str | None, only: str | None = None) -> int:
    """How many of the chosen matches have a value of a breakdown or measure, ``only`` those of :data:`ONLY`.

    :raises KeyError: no such breakdown.
    """
    where, used = _behind(chosen, by, value, only)
    # Fragments of this module's own.
    counted = row(cursor, f"select count(*) as found from core_balance__match as b {where}", used)  # noqa: S608
    assert counted is not None
    return int(counted["found"])


def behind(
    cursor: Cursor, chosen: Chosen, by: str, value: str | None, zone: str, limit: int, offset: int,
    only: str | None = None,
) -> list[Row]:  # fmt: skip
    """Some of these matches, the newest first, as ``queries.matches.matches`` gives them.

    :raises KeyError: no such breakdown.
    """
    where, used = _behind(chosen, by, value, only)
    return rows(
        cursor,
        f"""
        select
            m.match_id,
            strftime(timezone($zone, m.played_at), '%Y-%m-%d %H:%M') as played,
            m.club, m.variant, m.ruleset, m.status, m.code, m.outcome, m.player_ids, m.player_names, m.scores,
            m.discrepancies
        from out_matches as m
        where m.match_id in (select b.match_id from core_balance__match as b {where})
        order by m.played_at desc, m.match_id
        limit $limit offset $offset
        """,  # noqa: S608
        {**used, "zone": zone, "limit": limit, "offset": offset},
    )
