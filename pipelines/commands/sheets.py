"""``yuanzi sheet`` and ``yuanzi convert``: score sheets to be filled in, files of matches as another kind of file."""

from __future__ import annotations

import errno
import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.commands.terminal import CallFailed, clean, complain, painted, say
from yuanzi_core.cards import Variant
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from yuanzi_core.conversion_report import LeftOut, Report

FOUND = 1
#: So many names of unknown fields are listed.
_FIELDS = 12


def _writable(out: str, suffixes: Sequence[str], force: bool, lang: Lang) -> Path:
    """The file to be written. :raises CallFailed: its name says nothing, or it is there and shall not be replaced."""
    if not out.lower().endswith(tuple(suffixes)):
        raise CallFailed(text("cli.convert.suffix", lang, file=clean(out), suffixes=" ".join(suffixes)))
    path = Path(out)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, None, out)
    if path.exists() and not force:
        raise CallFailed(text("cli.convert.exists", lang, file=clean(out)))
    return path


def template(variant: Variant, out: str | None, force: bool, rulesets: Rulesets, lang: Lang) -> None:
    """Write an empty sheet to be filled in.

    :raises CallFailed: the file is there, or is no XLSX by its name.
    :raises OSError: it cannot be written.
    """
    path = _writable(out or f"yuanzi-{variant}.xlsx", (".xlsx",), force, lang)
    from yuanzi_core.sheet_template import write_template

    write_template(path, variant, rulesets, lang)
    complain(text("cli.sheet.done", lang, file=clean(path)))


def convert(source: str, out: str, force: bool, rulesets: Rulesets, lang: Lang) -> int:
    """Convert a file, say what was left out and lost. Returns the exit status: 1 where records were left out.

    :raises CallFailed: what cannot be converted, or the file is there.
    :raises OSError: a file cannot be read or written.
    """
    gc.enable()
    from yuanzi_core.convert import SheetIsNoLog
    from yuanzi_core.convert import convert as carry
    from yuanzi_core.files import SUFFIXES
    from yuanzi_core.sheet_limits import MOST_ROWS
    from yuanzi_core.sheet_writer import TooManyRows

    path = _writable(out, SUFFIXES, force, lang)

    def tell(left: LeftOut) -> None:
        place = f"{clean(source)}:{left.line}: {clean(left.match_id or '-')}"
        name = text("cli.convert.unfit", lang) if left.code == "unfit" else left.code
        say(f"{place} {painted(name, 'red')} {clean(left.message)}")

    try:
        report = carry(source, path, rulesets, lang, tell)
    except SheetIsNoLog:
        raise CallFailed(text("cli.convert.no_log", lang, file=clean(source))) from None
    except TooManyRows:
        raise CallFailed(text("cli.convert.too_many_rows", lang, limit=f"{MOST_ROWS:,}")) from None
    _tell(report, out, lang)
    return FOUND if report.left_out else 0


def _tell(report: Report, out: str, lang: Lang) -> None:
    counts = {
        "written": report.written,
        "duplicates": report.duplicates,
        "left_out": sum(report.left_out.values()),
    }
    parts = [text(f"cli.convert.{name}", lang, count=f"{count:,}") for name, count in counts.items()]
    line = text("cli.convert.sum", lang, read=f"{report.read:,}", parts=" + ".join(parts), file=clean(out))
    say(painted(line, "bold"))
    if report.rows:
        say(text("cli.convert.rows", lang, count=f"{report.rows:,}"))
    for code, count in sorted(report.left_out.items()):
        name = text("cli.convert.unfit", lang) if code == "unfit" else str(code)
        say(text("cli.convert.left_out_code", lang, code=name, count=f"{count:,}"))
    if report.lost:
        say(text("cli.convert.lost", lang))
    for kind, count in report.lost.items():
        say(f"  {text(f'convert.lost.{kind}', lang, count=f'{count:,}', line=report.first[kind])}")
    if report.fields:
        named = [f"{clean(name)} ({count:,})" for name, count in report.fields.most_common(_FIELDS)]
        more = len(report.fields) - len(named)
        key = "cli.convert.fields_more" if more else "cli.convert.fields"
        say(f"  {text(key, lang, names=', '.join(named), more=more)}")
