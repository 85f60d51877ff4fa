"""Text to and from a terminal: what comes out of files is shown without power over it, and columns fit Chinese signs.

Plain streams throughout; rich is loaded only where a table or a progress bar is drawn.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, TextIO

from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

#: Work that takes less than this many seconds shows no progress.
_WORTH_A_BAR = 1.0
_WIDEST_PAGE = 100
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class CallFailed(Exception):
    """The call itself cannot be answered (exit status 2); the message is for the caller, in the caller's language."""


def clean(value: object) -> str:
    """A text as it can be shown: control, formatting and other invisible characters as escapes.

    >>> clean("a\\x1b[31m\\u202eb")
    'a\\\\x1b[31m\\\\u202eb'
    """
    shown = str(value)
    if shown.isprintable():
        return shown
    return "".join([sign if _is_harmless(sign) else _escaped(sign) for sign in shown])


def clean_json(line: bytes) -> bytes:
    """A line of JSON for a terminal: the same content, all but printable characters escaped."""
    shown = line.decode()
    if shown.isprintable():
        return line
    return "".join([sign if _is_harmless(sign) else _json_escaped(sign) for sign in shown]).encode()


def _is_harmless(sign: str) -> bool:
    # Python counts all blanks but one as not printable.
    return sign.isprintable() or unicodedata.category(sign) == "Zs"


def _escaped(sign: str) -> str:
    number = ord(sign)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _json_escaped(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def is_terminal(stream: IO[Any] | None) -> bool:
    """Whether a stream goes to a terminal. A stream that was closed before we started is None."""
    return stream is not None and bool(stream.isatty())


def painted(shown: str, *colours: str) -> str:
    """A text in colour, where standard output is a terminal that wants some."""
    if not is_terminal(sys.stdout) or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return shown
    return f"\x1b[{';'.join([_COLOURS[colour] for colour in colours])}m{shown}\x1b[0m"


def say(*lines: str) -> None:
    """Lines to standard output; what comes out of files has to be clean already."""
    _write("".join([f"{line}\n" for line in lines] or ["\n"]), sys.stdout)


def complain(*lines: str) -> None:
    """Lines to standard error."""
    _write("".join([f"{line}\n" for line in lines]), sys.stderr)


def _write(shown: str, stream: TextIO) -> None:
    try:
        stream.write(shown)
    except UnicodeEncodeError:
        # A terminal without Chinese: better with question marks than not at all.
        encoding = stream.encoding or "ascii"
        stream.write(shown.encode(encoding, "replace").decode(encoding))


def write_bytes(data: bytes) -> None:
    """Bytes to standard output, all of them: an unbuffered stream may take them in parts."""
    sys.stdout.flush()
    out = sys.stdout.buffer
    rest = memoryview(data)
    while rest:
        rest = rest[out.write(rest) :]
    out.flush()


def cells(shown: str) -> int:
    """How many columns a text takes: a Chinese sign takes two."""
    if shown.isascii():
        return len(shown)
    return sum([0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
                for sign in shown])  # fmt: skip


def padded(shown: str, width: int) -> str:
    """A text filled up with blanks to so many columns."""
    return shown + " " * (width - cells(shown))


def wrapped(shown: str, width: int) -> list[str]:
    """A text in lines of at most so many columns, broken at blanks and between Chinese signs."""
    lines, line = [], ""
    for word in _words(shown):
        if line and cells(line) + cells(word.rstrip()) > width:
            lines.append(line.rstrip())
            line = word.lstrip()
        else:
            line += word
    return [*lines, line.rstrip()] if line.strip() else lines


def _words(shown: str) -> Iterator[str]:
    """Pieces between which a line may break. Closing punctuation stays with what it follows."""
    piece = ""
    for at, sign in enumerate(shown):
        piece += sign
        after = shown[at + 1 : at + 2]
        if not after or (after == " " and sign != " "):
            continue
        wide = unicodedata.east_asian_width(sign) in "WF" or unicodedata.east_asian_width(after) in "WF"
        if sign == " " or (wide and sign not in "（〔“《" and after not in "，。；：、！？）〕”》"):
            yield piece
            piece = ""
    if piece:
        yield piece


def table(*headings: str | tuple[str, str]) -> Table:
    """An empty rich table; a heading may come with ``right`` or ``whole`` (unbroken) for its column."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    for heading in headings:
        shown, kind = heading if isinstance(heading, tuple) else (heading, "")
        made.add_column(shown, justify="right" if kind == "right" else "left", overflow="fold", no_wrap=bool(kind))
    return made


def add_row(to: Table, *row: str, style: str | None = None) -> None:
    """Add a row of plain texts: no markup in them is obeyed."""
    from rich.text import Text

    to.add_row(*[Text(cell) for cell in row], style=style)


def show(*tables: Table) -> None:
    """Tables to standard output."""
    from rich.console import Console

    sys.stdout.flush()
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        # Into a file or a pipe a table goes unbroken.
        console.width = max([console.width, *[console.measure(one).maximum for one in tables]])
    for one in tables:
        console.print(one)


@contextmanager
def progress(
    what: str, total: int | None, lang: Lang, unit: str, quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while work lasts; yields what is to be told of the work done, in units of ``total``.

    ``unit`` is ``bytes`` or the key of a rate (texts, ``cli.rate``). There is none before a second has passed, where
    standard error is no terminal, or where lines on standard output would run through it (``quiet``: there are few).
    """
    if not is_terminal(sys.stderr) or (is_terminal(sys.stdout) and not quiet):
        yield lambda _: None
        return
    begun = time.monotonic()
    shown: list[Callable[[int], None]] = []
    stop: Callable[[], None] | None = None
    held = 0

    def advance(amount: int) -> None:
        nonlocal held, stop
        held += amount
        if not shown and time.monotonic() - begun > _WORTH_A_BAR:
            step, stop = _bar(what, total, lang, unit, begun)
            shown.append(step)
        if shown:
            shown[0](held)
            held = 0

    try:
        yield advance
    finally:
        if stop is not None:
            stop()


def _bar(
    what: str, total: int | None, lang: Lang, unit: str, begun: float
) -> tuple[Callable[[int], None], Callable[[], None]]:
    from rich.progress import ProgressColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            rate = task.completed / max(time.monotonic() - begun, 0.001)
            if unit == "bytes":
                return Text(text("cli.rate.bytes", lang, rate=f"{rate / 1e6:.1f}"))
            return Text(text(f"cli.rate.{unit}", lang, rate=f"{rate:,.0f}", done=f"{task.completed:,.0f}"))

    bar = _progress(Rate(), remaining=total is not None)
    task = bar.add_task(what, total=total)
    bar.start()
    return (lambda amount: bar.advance(task, amount)), bar.stop


def _progress(*columns: ProgressColumn, remaining: bool) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    shown = [TextColumn("{task.description}", markup=False), BarColumn(), *columns]
    return Progress(
        *shown, *([TimeRemainingColumn()] if remaining else []), console=Console(stderr=True), transient=True
    )  # fmt: skip


@contextmanager
def stages(lang: Lang) -> Iterator[Callable[[str, int, int], None]]:
    """A bar for work in stages, on standard error if that is a terminal; yields what is to be told the progress.

    It is told (stage, done, total) as a ``pipelines.warehouse.Progress`` is; for the stages see texts, ``cli.doing``.
    """
    if not is_terminal(sys.stderr):
        yield lambda stage, done, total: None
        return
    bar = _progress(remaining=True)
    task = bar.add_task(text("cli.doing.starting", lang), total=None)
    with bar:
        yield lambda stage, done, total: bar.update(
            task, description=text(f"cli.doing.{stage}", lang), completed=done, total=total
        )


def width_of_page() -> int:
    """How wide running text may be: the terminal, but not too wide to read."""
    return min(shutil.get_terminal_size().columns, _WIDEST_PAGE)


def columns(rows: Iterable[Sequence[str]], indent: int = 2, right: bool = False) -> list[str]:
    """Rows of plain texts as lines with aligned columns; with ``right`` all but the first end at the same place."""
    kept = list(rows)
    widths = [max([cells(row[place]) for row in kept if len(row) > place]) for place in range(max(map(len, kept)))]
    lines = []
    for row in kept:
        shown = []
        for place, cell in enumerate(row):
            gap = " " * (widths[place] - cells(cell))
            shown.append(gap + cell if right and place else cell + gap)
        lines.append(" " * indent + "  ".join(shown).rstrip())
    return lines
