"""``yuanzi registry``: what the registries of a home say, and what is wrong with them, without any run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipelines.commands.pages import home_folder
from pipelines.commands.terminal import CallFailed, clean, columns, painted, say, width_of_page, wrapped
from yuanzi_core.claims import canonical_number
from yuanzi_core.clubs import CLUBS, PLAYERS, REGISTRIES
from yuanzi_core.registry import Club, Player, Registry, read_registry
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import LANGS, Lang, text

WRONG = 1
_NOTHING = "–"


def registry(home: str | None, rulesets: str | None, lang: Lang) -> int:
    """Read both files and tell what counts. Returns the exit status: 1 if anything is wrong in them.

    :raises CallFailed: there is no such home, or no such folder of rulesets.
    """
    folder = home_folder(home)
    own = Path(rulesets) if rulesets else folder / "rulesets"
    for needed in (folder, *([own] if rulesets else [])):
        if not needed.is_dir():
            raise CallFailed(text("cli.file.no_folder", lang, file=clean(needed)))
    known = read_registry(folder, Rulesets(own))
    for file in REGISTRIES:
        if file not in known.found:
            say(text("registry.told.no_file", lang, file=clean(folder / file)))
    if PLAYERS in known.found:
        _tell_players(known, lang)
    if CLUBS in known.found:
        _tell_clubs(known.clubs, lang)
    if not known.problems:
        say("", text("registry.told.nothing_wrong", lang))
        return 0
    say("", painted(text("registry.told.problems", lang, count=len(known.problems)), "bold"))
    for one in known.problems:
        say(*problem_lines(one.file, one.row, one.column, one.entry, one.code, one.message(lang)))
    return WRONG


def problem_lines(
    file: str, row: int | None, column: str | None, entry: str | None, code: str, message: str
) -> Sequence[str]:
    """A problem as lines: where it is, and below that what is wrong."""
    where = painted(clean(file if row is None else f"{file}:{row}"), "cyan")
    places = [clean(place) for place in dict.fromkeys((entry, column)) if place]
    said = wrapped(clean(message), width_of_page() - 6)
    return [f"  {where}  {' '.join([*places, painted(code, 'red')])}", *[f"      {part}" for part in said]]


def _tell_players(known: Registry, lang: Lang) -> None:
    players = known.players
    counts = {
        "players": len(players),
        "members": sum(player.member_from is not None for player in players),
        "aliases": len(known.aliases),
        "openings": sum((player.opening_four, player.opening_five) != (None, None) for player in players),
    }
    say(painted(text("registry.told.players", lang, **counts), "bold"))
    if known.ignored:
        headings = ", ".join(clean(heading) for heading in known.ignored)
        say(text("registry.told.ignored", lang, count=len(known.ignored), headings=headings))
    if players:
        names = ("id", "name", "aliases", "member", "four", "five")
        heading = [text(f"registry.told.heading.{name}", lang) for name in names]
        say(*columns([heading, *[_player(player, lang) for player in players]]))


def _player(player: Player, lang: Lang) -> list[str]:
    if player.member_from is None:
        member = text("registry.told.no_member", lang)
    else:
        member = f"{player.member_from} – {player.member_to or ''}".rstrip()
    openings = [
        _NOTHING if held is None else canonical_number(held) for held in (player.opening_four, player.opening_five)
    ]
    aliases = "; ".join(clean(alias) for alias in player.aliases)
    return [clean(player.id), clean(player.name or _NOTHING), aliases or _NOTHING, member, *openings]


def _tell_clubs(clubs: Sequence[Club], lang: Lang) -> None:
    say("", painted(text("registry.told.clubs", lang, count=len(clubs)), "bold"))
    for club in clubs:
        names = [clean(name) for name in dict.fromkeys(club.names.get(one) for one in (lang, *LANGS)) if name]
        ruleset = clean(club.ruleset) if club.ruleset else text("registry.told.no_ruleset", lang)
        defaults = {"zone": clean(club.zone), "ruleset": ruleset, "base": canonical_number(club.base)}
        say(f"  {painted(clean(club.key), 'cyan')}  {' / '.join(names)}")
        say(f"      {text('registry.told.defaults', lang, **defaults)}")
        for season in club.seasons:
            say(f"      {season.first} – {season.last}  {clean(season.name)}")
