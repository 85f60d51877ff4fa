"""``yuanzi player``: one player, game by game: standing, level, rating, form, roles, evenings, partners, opponents."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pipelines.commands.pages import home_folder
from pipelines.commands.published import export, number, published, say_json
from pipelines.commands.terminal import CallFailed, clean, columns, painted, say
from yuanzi_core.cards import SEATS
from yuanzi_core.standing_words import highest, membership, rated, role, stands, to_next, why_unranked, wins
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb
    import pyarrow as pa

    from dashboards.queries.rows import Row

#: Sizes of the form that is told, evenings of each kind, partners and opponents, matches.
FORM, EVENINGS, OTHERS, MATCHES = (20, 100, 500), 3, 5, 10
#: Partners and opponents, and matches of a game, in the answer for machines.
MOST_OTHERS = 1_000


def player(
    wanted: str, game: str | None, everybody: bool, home: str | None, as_json: bool, out: str | None, lang: Lang
) -> int:
    """Tell of a player, by id or alias. Returns the exit status: 0.

    :raises CallFailed: nothing is published, nobody is known by that id, a file cannot be written.
    """
    from dashboards.queries import player_lists, players

    with published(home_folder(home), everybody, lang) as con:
        player_id = players.resolved(con, wanted)
        all_games = [one["game"] for one in players.games(con, player_id)]
        games = [one for one in all_games if game in (None, one)]
        who = player_lists.registered(con, player_id)
        if not games and (who is None or game is not None):
            key = "not_in_game" if game is not None and all_games else "nobody_called"
            raise CallFailed(text(f"standings.{key}", lang, player=clean(wanted)))
        about = _about(con, player_id, who)
        if out is not None:
            export(_all_matches(con, player_id, games), out, lang)
            return 0
        found = [_game(con, player_id, one) for one in games]
        if as_json:
            for one in found or [{}]:
                say_json(_line({**about, **one}))
        else:
            _tell_who(about, everybody, lang)
            for one in found:
                _tell(one, lang)
    return 0


def _about(con: duckdb.DuckDBPyConnection, player_id: str, who: Row | None) -> dict[str, Any]:
    from dashboards.queries import players

    # Whom the registry does not know is no member.
    known = who or {"aliases": [], "member": False, "member_from": None, "member_to": None}
    return {"id": player_id, **known, "name": players.names(con, [player_id]).get(player_id)}


def _all_matches(con: duckdb.DuckDBPyConnection, player_id: str, games: Sequence[str]) -> pa.Table:
    """The player's matches, game by game; of a player without one the columns."""
    import pyarrow as pa

    from dashboards.queries import players

    tables = []
    for game in games or SEATS:
        players.load(con, game, player_id)
        tables.append(players.table(con))
    return pa.concat_tables(tables)


def _game(con: duckdb.DuckDBPyConnection, player_id: str, game: str) -> dict[str, Any]:
    """What is known of a player in a game."""
    from dashboards.queries import players, ratings, standings

    count = players.load(con, game, player_id)
    return {
        "game": game,
        "standing": standings.player(con, game, player_id),
        "rating": ratings.ratings_of(con, game, [player_id]).get(player_id),
        "played": count,
        "form": players.form(con, FORM),
        "roles": players.roles(con),
        "evenings": players.evenings(con, EVENINGS),
        "partners": players.others(con, player_id, "partner", MOST_OTHERS),
        "opponents": players.others(con, player_id, "opponent", MOST_OTHERS),
        "all_matches": players.matches(con, count),
    }


def _line(found: dict[str, Any]) -> dict[str, Any]:
    """The answer for machines: numbers exact, what has no place in JSON as text."""

    def plain(value: Any) -> Any:
        if isinstance(value, Decimal):
            return number(value)
        if isinstance(value, dict):
            return {name: plain(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        return value

    told = {name: value for name, value in found.items() if name != "all_matches"}
    standing = told.get("standing")
    if standing is not None:
        # All of one player's row but what is said of the player once.
        told["standing"] = {
            name: value
            for name, value in standing.items()
            if name not in ("game", "player_id", "name", "member_from", "member_to")
        }
    if "all_matches" in found:
        told["matches"] = [
            {
                name: match[name]
                for name in ("match_id", "played_at", "club", "status", "outcome", "role", "won", "score")
            }
            for match in found["all_matches"]
        ]
    return {name: plain(value) for name, value in told.items()}


def _tell_who(about: dict[str, Any], everybody: bool, lang: Lang) -> None:
    say(painted(clean(about["name"] or about["id"]), "bold") + f"  ({clean(about['id'])})")
    if about["aliases"]:
        say("  " + text("standings.aliases", lang, aliases=", ".join(clean(alias) for alias in about["aliases"])))
    say("  " + membership(about["member_from"], about["member_to"], lang))
    if not about["member"] and not everybody:
        say("  " + text("standings.not_shown", lang))


def _tell(found: dict[str, Any], lang: Lang) -> None:
    say("", painted(text(f"terms.game.{found['game']}", lang), "bold"))
    if found["standing"] is not None:
        _tell_standing(found["standing"], lang)
    if found["rating"] is not None:
        _tell_rating(found["rating"], lang)
    settled = [one for one in found["form"] if one["matches"]]
    if not settled:
        say("  " + text("standings.nothing_settled", lang, matches=found["played"]))
        return
    rows = [[text("standings.last", lang, count=one["size"]), *_counts(one)] for one in settled]
    rows += [[role(one["role"], one["side_size"], lang), *_counts(one)] for one in found["roles"]]
    heading = [text(f"standings.heading.{name}", lang) for name in ("form", "matches", "wins", "expected", "mean")]
    say("", *columns([heading, *rows]))
    for kin in ("partners", "opponents"):
        if found[kin]:
            heading = [text(f"standings.heading.{name}", lang) for name in (kin, "matches", "wins", "expected")]
            say("", *columns([heading, *[_other(one) for one in found[kin][:OTHERS]]]))
    heading = [text(f"standings.heading.{name}", lang) for name in ("evenings", "club", "matches", "score")]
    shown = [[str(one["evening"]), clean(one["club"] or "–"), str(one["matches"]), _signed(one["score"])]
             for one in found["evenings"]]  # fmt: skip
    say("", *columns([heading, *shown]))
    heading = [text(f"standings.heading.{name}", lang) for name in ("newest", "club", "outcome", "score")]
    say("", *columns([heading, *[_match(one, lang) for one in found["all_matches"][:MATCHES]]]))


def _tell_standing(row: Row, lang: Lang) -> None:
    for said in (stands(row, lang), to_next(row, lang), highest(row, lang)):
        if said is not None:
            say("  " + said)


def _tell_rating(row: Row, lang: Lang) -> None:
    say("  " + rated(row, lang))
    for mark in why_unranked(row):
        say("  " + text(f"standings.marked.{mark}", lang))


def _signed(score: Decimal) -> str:
    # Loaded only now: with it comes numba, which an answer for machines does not need.
    from yuanzi_core.words import signed

    return signed(score)


def _counts(row: Row) -> list[str]:
    expected = f"{row['rated_wins']} / {row['expected_wins']:.1f}" if row["rated"] else "–"
    mean = (row["score"] / row["matches"]).quantize(Decimal("0.01"))
    return [str(row["matches"]), wins(row), expected, _signed(mean)]


def _other(row: Row) -> list[str]:
    return [
        clean(row["name"] or row["player_id"]),
        str(row["matches"]),
        str(row["wins"]),
        f"{row['expected_wins']:.1f}",
    ]


def _match(row: Row, lang: Lang) -> list[str]:
    outcome = (
        text(f"terms.outcome.{row['outcome']}", lang) if row["outcome"] else text(f"terms.status.{row['status']}", lang)
    )
    score = "–" if row["score"] is None else _signed(row["score"])
    return [f"{row['day']}  {clean(row['match_id'])}", clean(row["club"] or "–"), outcome, score]
