"""The commands that ask what is published about players: their options. What they do stands under their names."""

import sys
from typing import Annotated, Literal, overload

from pipelines.commands.builder import Builder, Format, Language, Variant
from pipelines.commands.terminal import is_terminal

By = Literal["standing", "score", "rating"]


def _as_json(form: Format | None) -> bool:
    """Whether JSON is wanted: unless said, not by a terminal."""
    return form == "jsonl" if form is not None else not is_terminal(sys.stdout)


@overload
def _asked(written: str) -> str: ...
@overload
def _asked(written: None) -> None: ...
def _asked(written: str | None) -> str | None:
    """What was written, as a database can be asked for it: bytes that are no text are escapes and match nothing."""
    return None if written is None else written.encode("utf-8", "backslashreplace").decode()


def add_reading(made: Builder) -> None:
    """Put ``standings``, ``player`` and ``predict`` into the command."""

    @made.command("standings")
    def standings(
        game: Annotated[Variant, made.option("game", "--game", metavar="four|five")] = "four",
        club: Annotated[str | None, made.option("club", "--club", metavar="CLUB")] = None,
        season: Annotated[str | None, made.option("season", "--season", metavar="NAME")] = None,
        since: Annotated[str | None, made.option("since", "--since", metavar="DAY")] = None,
        until: Annotated[str | None, made.option("until", "--until", metavar="DAY")] = None,
        by: Annotated[By | None, made.option("by", "--by", metavar="standing|score|rating")] = None,
        search: Annotated[str | None, made.option("search", "--search", metavar="TEXT")] = None,
        limit: Annotated[int | None, made.option("limit", "--limit", metavar="COUNT")] = None,
        everybody: Annotated[bool, made.option("everybody", "--all")] = False,
        form: Annotated[Format | None, made.option("format", "--format", metavar="jsonl|table")] = None,
        out: Annotated[str | None, made.option("out_of_table", "--out", "-o", metavar="FILE")] = None,
        home: Annotated[str | None, made.home()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import standings as told

        wanted = told.Wanted(
            game, _asked(club), _asked(season), since, until, by, _asked(search), limit, everybody
        )  # fmt: skip
        return told.standings(wanted, home, _as_json(form), out, made.lang)

    @made.command("player")
    def player(
        player: Annotated[str, made.argument("player")],
        game: Annotated[Variant | None, made.option("game_of_player", "--game", metavar="four|five")] = None,
        everybody: Annotated[bool, made.option("everybody", "--all")] = False,
        form: Annotated[Format | None, made.option("format", "--format", metavar="jsonl|table")] = None,
        out: Annotated[str | None, made.option("out_of_matches", "--out", "-o", metavar="FILE")] = None,
        home: Annotated[str | None, made.home()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import player as told

        return told.player(_asked(player), game, everybody, home, _as_json(form), out, made.lang)

    @made.command("predict")
    def predict(
        players: Annotated[list[str], made.argument("players")],
        dealer: Annotated[str | None, made.option("dealer_id", "--dealer", metavar="PLAYER")] = None,
        partners: Annotated[str | None, made.option("partner_ids", "--partners", metavar="PLAYER,…")] = None,
        everybody: Annotated[bool, made.option("everybody", "--all")] = False,
        form: Annotated[Format | None, made.option("format", "--format", metavar="jsonl|table")] = None,
        home: Annotated[str | None, made.home()] = None,
        spoken: Annotated[Language | None, made.spoken()] = None,
    ) -> int:
        from pipelines.commands import predict as told

        wanted = [_asked(player) for player in players]
        return told.predict(
            wanted, _asked(dealer), _asked(partners), everybody, home, _as_json(form), made.lang
        )  # fmt: skip
