"""What a call names on the command line: files of matches, rulesets and options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.commands.pages import home_folder
from pipelines.commands.terminal import CallFailed, clean
from yuanzi_core.ruleset import RuleSet, RulesetError, Rulesets
from yuanzi_core.texts import Lang, has, text

if TYPE_CHECKING:
    from concurrent.futures import Future

    import duckdb

    from yuanzi_core.clubs import ClubDefaults


def log_files(paths: Sequence[str], lang: Lang) -> list[str]:
    """The files that paths name, in their order: a folder stands for the logs in and below it, by name.

    :raises CallFailed: a path that does not exist or cannot be read, a folder without logs.
    """
    files: list[str] = []
    for path in paths:
        if path == "-":
            files.append(path)
            continue
        try:
            found = _in_folder(Path(path), lang) if Path(path).is_dir() else [path]
            for name in found:
                _try(Path(name))
        except ValueError as error:  # a name with a zero byte in it
            raise CallFailed(text("cli.file.other", lang, file=clean(path), detail=clean(error))) from None
        files += found
    return files


def _try(path: Path) -> None:
    """:raises OSError: the file cannot be opened. A pipe is not tried: it can be opened only once."""
    if path.is_file() or not path.exists():
        path.open("rb").close()


def _in_folder(folder: Path, lang: Lang) -> list[str]:
    # Here, because it loads the compiler.
    from yuanzi_core.files import SUFFIXES, is_of_matches

    found = [
        str(path)
        for path in sorted(folder.rglob("*"))
        if is_of_matches(path.name) and path.is_file()
        and not any(part.startswith((".", "~")) for part in path.relative_to(folder).parts)
    ]  # fmt: skip
    if not found:
        raise CallFailed(text("cli.file.empty_folder", lang, file=clean(folder), suffixes=" ".join(SUFFIXES)))
    return found


def sizes(files: Iterable[str]) -> int | None:
    """How many bytes of JSON files hold, where that can be told beforehand."""
    total = 0
    for file in files:
        if not file.endswith(".jsonl"):
            return None
        total += Path(file).stat().st_size
    return total


def rulesets_of(folder: str | None, lang: Lang) -> Rulesets:
    """The presets and the rulesets of a folder, by default those of the home. :raises CallFailed: it is no folder."""
    if folder is None:
        return Rulesets(home_folder(None) / "rulesets")
    if not Path(folder).is_dir():
        raise CallFailed(text("cli.file.no_folder", lang, file=clean(folder)))
    return Rulesets(Path(folder))


def clubs_of(files: Iterable[str], rulesets: Rulesets) -> Mapping[str, ClubDefaults]:
    """What score sheets of the home's clubs need not say; nothing is read where none of the files is a sheet."""
    from yuanzi_core.files import SHEET_SUFFIXES

    if not any(file == "-" or file.lower().endswith(SHEET_SUFFIXES) for file in files):
        return {}
    from yuanzi_core.registry import read_registry

    return read_registry(home_folder(None), rulesets).sheet_defaults()


def ruleset_of(name: str, changes: Sequence[str], rulesets: Rulesets, lang: Lang) -> RuleSet:
    """A ruleset with options set as on the command line, ``option=value`` each.

    :raises CallFailed: no such ruleset, option or value.
    """
    try:
        ruleset = rulesets[name]
        return ruleset.with_options(dict(_setting(change, lang) for change in changes))
    except RulesetError as error:
        raise CallFailed(ruleset_error(error, lang)) from None


def ruleset_error(error: RulesetError, lang: Lang) -> str:
    """What is wrong with a ruleset, in words."""
    key = f"reasons.reject.RULESET.text_{error.key}"
    fields = {"detail": clean(error)} | {name: clean(value) for name, value in error.fields.items()}
    return text(key if has(key, lang) else "reasons.reject.RULESET.text", lang, **fields)


def _setting(change: str, lang: Lang) -> tuple[str, object]:
    name, equals, value = change.partition("=")
    if not equals or not name.strip():
        raise CallFailed(text("cli.usage.setting", lang, found=clean(change)))
    return name.strip(), _value(value.strip())


def _value(written: str) -> object:
    if written.lower() in ("true", "false"):
        return written.lower() == "true"
    try:
        number = Decimal(written)
    except InvalidOperation:
        return written
    # A number of very many digits is written out for nobody.
    if not number.is_finite() or abs(number.adjusted()) > 20:
        return written
    return int(number) if "." not in written and number == number.to_integral_value() else number


@contextmanager
def opening_database() -> Iterator[Future[duckdb.DuckDBPyConnection]]:
    """A connection to judge on, opened in a thread of its own while this one loads the referee."""
    from concurrent.futures import ThreadPoolExecutor

    from yuanzi_core.database import connect

    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(connect)
