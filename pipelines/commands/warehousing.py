"""``yuanzi run`` and ``yuanzi demo``: the whole pipeline on a home folder, and what it found, readably."""

from __future__ import annotations

import gc
import hashlib
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.commands.changes import tell_changes
from pipelines.commands.inputs import ruleset_error
from pipelines.commands.pages import home_folder
from pipelines.commands.report import Report
from pipelines.commands.terminal import CallFailed, clean, complain, say, stages
from pipelines.disk import DiskFull
from pipelines.lock import Busy, Lock
from yuanzi_core.clubs import REGISTRIES
from yuanzi_core.files import SUFFIXES, is_of_matches
from yuanzi_core.ruleset import RulesetError, Rulesets
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipelines.defs.intake.remembered import Mark
    from pipelines.run import RunReport

FAILED = 1
#: Of what is wrong so many of each sort are shown, of the results so many.
_SHOWN, _RESULTS = 15, 8
#: In a home made by the demo: a hash of the samples that it was made from, and their names.
_MARK = ".demo"


def run(home: str | None, rulesets: str | None, wait: float | None, lang: Lang) -> int:
    """Judge the inbox of a home and publish. Returns the exit status: 1 where something failed.

    ``wait``: seconds to wait for another run on this home; None: none.

    :raises CallFailed: another run works on it, or the disk is full.
    """
    folder = home_folder(home)
    inbox = folder / "inbox"
    inbox.mkdir(parents=True, exist_ok=True)
    if not any(path.is_file() for path in inbox.rglob("*")):
        complain(text("cli.report.empty_inbox", lang, inbox=clean(inbox)))
    _warn_of_rulesets(Path(rulesets) if rulesets else folder / "rulesets", lang)
    _warn_of_other_files(inbox, lang)
    report = run_pipeline(folder, rulesets, lang, wait)
    with Report(report.snapshot, lang) as published:
        new = [file.file_id for file in report.new]
        published.tell_files(new)
        published.tell_findings(_SHOWN, new)
        published.tell_registries(_SHOWN)
    tell_changes(report.changes, _SHOWN, lang)
    return _end(folder, report, lang)


def _warn_of_rulesets(folder: Path, lang: Lang) -> None:
    """Say what is wrong with a club's rulesets: matches that name them would only be rejected."""
    known = Rulesets(folder)
    for name in known.names():
        try:
            known[name]
        except RulesetError as error:
            complain(ruleset_error(error, lang))


def _warn_of_other_files(inbox: Path, lang: Lang) -> None:
    """Name what lies in the inbox and is no log by its name, so that nobody takes it for judged."""
    names = sorted(path.name for path in inbox.iterdir() if path.is_file() and not path.name.startswith((".", "~")))
    others = [name for name in names if not is_of_matches(name)]
    if others:
        shown = ", ".join(clean(name) for name in others[:_SHOWN])
        complain(text("cli.report.no_logs", lang, count=len(others), files=shown, endings=" ".join(SUFFIXES)))


def demo(home: str | None, lang: Lang) -> int:
    """The samples through everything, in a home of their own. Returns the exit status as :func:`run`.

    :raises CallFailed: the home named is no home of a demo, or in use.
    """
    samples = _samples(lang)
    folder = Path(home) if home else home_folder(None) / "demo"
    _prepare(folder, samples, lang)
    report = run_pipeline(folder, None, lang)
    with Report(report.snapshot, lang) as published:
        published.tell_files()
        published.tell_findings(_SHOWN)
        published.tell_registries(_SHOWN)
        published.tell_results(_RESULTS)
    return _end(folder, report, lang)


def _samples(lang: Lang) -> list[Path]:
    """The sample logs, of an installed package or of a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "samples", package.parent / "data" / "samples"):
        found = [path for path in sorted(folder.glob("*")) if path.is_file() and not path.name.startswith(".")]
        if found:
            return found
    raise CallFailed(text("cli.report.no_samples", lang))


def _prepare(folder: Path, samples: list[Path], lang: Lang) -> None:
    """Put the samples into the inbox of a demo's home, and the registries beside it.

    Of one that was made from other samples, what was made of them goes; whatever else somebody has put there stays.

    :raises CallFailed: a folder that holds something and is no home of a demo; another process works on it.
    """
    digest = hashlib.sha256()
    for sample in samples:
        digest.update(sample.name.encode() + b"\0" + sample.read_bytes())
    mark, inbox = folder / _MARK, folder / "inbox"
    if not mark.is_file():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            # Somebody's own: the samples must not get among it.
            raise CallFailed(text("cli.report.not_a_demo", lang, home=clean(folder)))
        folder.mkdir(parents=True, exist_ok=True)
        # First of all, so that a demo that is interrupted here is known by the next one.
        mark.touch()
    try:
        with Lock(folder / ".lock"):
            made_from, *names = mark.read_text(encoding="utf-8").splitlines() or [""]
            if made_from != digest.hexdigest():
                for part in ("lake", "published", ".dagster"):
                    if (folder / part).is_dir():
                        shutil.rmtree(folder / part)
                for name in names:
                    if Path(name).name == name:
                        (inbox / name).unlink(missing_ok=True)
            inbox.mkdir(exist_ok=True)
            for sample in samples:
                if sample.name not in REGISTRIES:
                    shutil.copyfile(sample, inbox / sample.name)
                elif made_from != digest.hexdigest() or not (folder / sample.name).exists():
                    # Who tries what a registry does edits it: that stays.
                    shutil.copyfile(sample, folder / sample.name)
            made = [digest.hexdigest(), *[sample.name for sample in samples]]
            mark.write_text("\n".join(made) + "\n", encoding="utf-8")
    except Busy as busy:
        raise in_use(busy, lang) from None


def in_use(busy: Busy, lang: Lang) -> CallFailed:
    """The failure of a call on a home that another process works on."""
    return CallFailed(_holder(busy, "busy", lang))


def _holder(busy: Busy, key: str, lang: Lang) -> str:
    """Who works on a home, in words; of one that has not said yet who it is only that there is one."""
    if busy.pid is None:
        return text(f"cli.report.{key}_unknown", lang, home=clean(busy.home))
    since = (busy.since or "")[:19].replace("T", " ")
    fields = {"pid": busy.pid, "host": clean(busy.host or "?"), "since": clean(since)}
    return text(f"cli.report.{key}", lang, home=clean(busy.home), **fields)


def run_pipeline(
    folder: Path, rulesets: str | None, lang: Lang, wait: float | None = None, only: Mapping[str, Mark] | None = None
) -> RunReport:
    """Run everything and say that it is done; ``only`` as for :func:`pipelines.run.run`.

    :raises CallFailed: another run works on the home, or the disk is full.
    """
    # Starting Dagster makes much garbage.
    gc.enable()
    begun = time.monotonic()
    with stages(lang) as tell:
        from pipelines.run import run as run_it

        try:
            report = run_it(
                folder, None if rulesets is None else Path(rulesets), tell, max(0.0, wait or 0.0),
                lambda busy: complain(_holder(busy, "waiting", lang)), only,
            )  # fmt: skip
        except Busy as busy:
            raise in_use(busy, lang) from None
        except DiskFull:
            raise CallFailed(text("cli.report.disk_full", lang, home=clean(folder))) from None
    fields = {"new": len(report.new), "files": report.files, "home": clean(folder)}
    say(text("cli.report.done", lang, seconds=f"{time.monotonic() - begun:.1f}", **fields))
    return report


def _end(folder: Path, report: RunReport, lang: Lang) -> int:
    """Say what failed and where the pages are; returns the exit status."""
    for name, why in report.failures.items():
        complain(text("cli.report.failed", lang, name=clean(name), why=clean(why)))
    if report.snapshot is not None:
        say("", text("cli.report.page", lang, home=clean(folder)))
    return 0 if report.ok else FAILED
