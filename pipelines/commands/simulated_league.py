"""``yuanzi simulate league``: a league into a home: its evenings into the inbox, registries and truth beside it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.commands.simulated_files import Target, told
from pipelines.commands.simulation import plan_of, tell_faults
from pipelines.commands.terminal import CallFailed, clean, complain, progress
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from yuanzi_core.faults.injection import Injection
    from yuanzi_core.faults.kinds import Fault
    from yuanzi_core.league.season import Season
    from yuanzi_core.league.settings import League
    from yuanzi_core.log import Match

#: Side files of a league, beside its registries.
PLAYERS_TRUTH, FAULTS_TRUTH = "truth.players.jsonl", "truth.faults.jsonl"


@dataclass(frozen=True)
class Chosen:
    """A league as it is written on the command line; None is left as it is."""

    players: int
    months: int
    seed: int
    drift: float
    base: str
    first: str | None
    escape_rate: float | None

    def league(self, lang: Lang) -> League:
        """The league. :raises CallFailed: a number out of range."""
        from yuanzi_core.league.settings import League

        more = {} if self.escape_rate is None else {"escapes": self.escape_rate}
        try:
            first = {} if self.first is None else {"first": date.fromisoformat(f"{self.first}-01")}
            return League(self.players, self.months, self.seed, self.drift, Decimal(self.base), **more, **first)  # type: ignore[arg-type]
        except (ValueError, InvalidOperation):
            raise CallFailed(text("cli.league.bad_number", lang)) from None


@dataclass(frozen=True)
class _Home:
    """The folder of a league and how the files in its inbox are called."""

    folder: Path
    kind: str
    shard: int | None

    @property
    def inbox(self) -> Path:
        return self.folder / "inbox"

    def path(self, record: int, evening: str) -> Path:
        """The file of a record: that of its evening, or the shard that it falls into."""
        name = evening if self.shard is None else f"league-{record // self.shard + 1:05}"
        return self.inbox / f"{name}.{self.kind}"


def _home(target: Target, lang: Lang) -> _Home:
    """:raises CallFailed: no folder is named, no such kind, or there is something that shall not be replaced."""
    from yuanzi_core.clubs import REGISTRIES
    from yuanzi_core.match_files import KINDS

    folder = target.into_home
    if (folder is None) == (not target.out):
        raise CallFailed(text("cli.league.no_out", lang))
    kind = KINDS[0] if target.kind is None else target.kind
    if kind not in KINDS:
        raise CallFailed(text("cli.simulate.kind", lang, kind=clean(kind), kinds=" ".join(KINDS)))
    if target.shard is not None and target.shard < 1:
        raise CallFailed(text("cli.simulate.shard", lang))
    home = _Home(folder or Path(target.out or ""), kind, target.shard)
    taken = [home.folder / name for name in (*REGISTRIES, PLAYERS_TRUTH, FAULTS_TRUTH)]
    if home.inbox.is_dir():
        taken += sorted(path for path in home.inbox.iterdir() if not path.name.startswith("."))
    for path in taken:
        if path.exists() and not target.force:
            raise CallFailed(text("cli.league.exists", lang, file=clean(path)))
    return home


def simulate(chosen: Chosen, target: Target, faults: str | None, lang: Lang) -> None:
    """Play a league and say what there is.

    :raises CallFailed: a number out of range, an unknown fault or kind, a folder with something in it, a full disk.
    :raises OSError: a file cannot be written.
    """
    gc.enable()
    from yuanzi_core.cards import VARIANTS
    from yuanzi_core.clubs import CLUBS, PLAYERS
    from yuanzi_core.league.registries import clubs_toml, players_csv
    from yuanzi_core.league.season import Season
    from yuanzi_core.league.truth import hidden_skills
    from yuanzi_core.whole_file import whole_file

    league, home = chosen.league(lang), _home(target, lang)
    plan = plan_of(faults, VARIANTS, home.kind in ("csv", "xlsx"), lang)
    begun, season = time.monotonic(), Season(league)
    evenings = [len(evening.sittings) for evening in season.evenings()]
    with told(str(home.folder), lang):
        home.inbox.mkdir(parents=True, exist_ok=True)
        truth = b"".join(line + b"\n" for line in hidden_skills(league, season.people))
        contents = {PLAYERS: players_csv(season.people), CLUBS: clubs_toml(league), PLAYERS_TRUTH: truth}
        for name, content in contents.items():
            with whole_file(home.folder / name) as file:
                file.write(content)
        with progress(text("cli.doing.playing", lang), sum(evenings), lang, "matches", quiet=True) as advance:
            injection, written = _write(season, plan, home, advance, lang)
            if plan is None:
                # By force over another league: what was true of its files is no truth about these.
                (home.folder / FAULTS_TRUTH).unlink(missing_ok=True)
    fields = {
        "matches": f"{sum(evenings):,}", "evenings": f"{len(evenings):,}", "clubs": league.clubs,
        "players": f"{league.players:,}", "files": f"{written:,}", "inbox": clean(home.inbox),
    }  # fmt: skip
    complain(text("cli.league.done", lang, seconds=f"{time.monotonic() - begun:.1f}", **fields))
    if plan is not None:
        tell_faults(injection, str(home.folder / FAULTS_TRUTH), lang)
    complain(text("cli.league.next", lang, home=clean(home.folder)))


def _write(
    season: Season, plan: dict[Fault, float] | None, home: _Home, advance: Callable[[int], None], lang: Lang
) -> tuple[Injection, int]:
    """Play, claim and write; returns what was injected, and how many files there are."""
    from yuanzi_core.faults.injection import Injection
    from yuanzi_core.match_files import MatchFiles

    evening_of: dict[str, str] = {}

    injection = Injection(plan or {}, season.league.seed, sheets=home.kind in ("csv", "xlsx"))

    def played() -> Iterator[Match]:
        for one in season.play(void=injection.void):
            evening_of[one.match.match_id] = one.evening.name
            advance(1)
            yield one.match

    faults = home.folder / FAULTS_TRUTH
    with MatchFiles(lang, None if plan is None else lambda _: faults) as out:
        evening = ""
        for place, record in enumerate(injection.run(played())):
            # What comes in a second time comes with the evening on which it does.
            evening = evening_of.pop(record[0].match_id, evening)
            out.put(home.path(place, evening), record)
    return injection, out.files
