"""Where simulated matches go: a file, a folder in shards, or the inbox of a home; and what can go wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipelines.commands.pages import home_folder
from pipelines.commands.terminal import CallFailed, clean
from pipelines.disk import is_full
from yuanzi_core.texts import Lang, text


@dataclass(frozen=True)
class Target:
    """Where the matches shall go, as it is written on the command line; None is left as it is.

    ``shard``: so many records a file, in the folder ``out``; ``inbox``: into the inbox of ``home``.
    """

    out: str | None = None
    kind: str | None = None
    shard: int | None = None
    inbox: bool = False
    home: str | None = None
    force: bool = False

    @property
    def into_home(self) -> Path | None:
        """The home whose inbox is meant."""
        return home_folder(self.home) if self.inbox or self.home is not None else None

    def files(self, name: str, lang: Lang) -> Files:
        """The files to be written; ``name`` is what they are called unless the call says so.

        :raises CallFailed: no file is named, or one that no matches can be in; it or a truth beside it is there and
            shall not be replaced.
        """
        from yuanzi_core.files import SUFFIXES
        from yuanzi_core.match_files import KINDS

        home, named = self.into_home, self.out or None
        if named is None and home is None:
            raise CallFailed(text("cli.simulate.no_out", lang))
        if self.kind is not None and self.kind not in KINDS:
            raise CallFailed(text("cli.simulate.kind", lang, kind=clean(self.kind), kinds=" ".join(KINDS)))
        if self.shard is not None and self.shard < 1:
            raise CallFailed(text("cli.simulate.shard", lang))
        if home is not None and named is not None and Path(named).name != named:
            raise CallFailed(text("cli.simulate.name_in_inbox", lang, file=clean(named)))
        if self.shard is not None:
            folder = Path(named or "") if home is None else home / "inbox"
            stem = name if home is None else named or name
            return self._free(Files(folder, stem, self.kind or KINDS[0], self.shard, home), lang)
        whole = named or f"{name}.{self.kind or KINDS[0]}"
        ending = next((suffix for suffix in SUFFIXES if whole.lower().endswith(suffix)), None)
        if ending is None or (self.kind is not None and ending != f".{self.kind}"):
            endings = " ".join(SUFFIXES) if self.kind is None else f".{self.kind}"
            raise CallFailed(text("cli.simulate.suffix", lang, file=clean(whole), suffixes=endings))
        path = Path(whole) if home is None else home / "inbox" / whole
        return self._free(Files(path.parent, path.name[: -len(ending)], ending[1:], None, home), lang)

    def _free(self, files: Files, lang: Lang) -> Files:
        from yuanzi_core.files import is_of_matches

        first = files.path(0).name
        # Hidden files, and those of programs that save beside what they have open, are not looked at in an inbox.
        if first.startswith((".", "~")) or not is_of_matches(first):
            raise CallFailed(text("cli.simulate.not_of_matches", lang, file=clean(first)))
        for path in files.there():
            if not self.force:
                raise CallFailed(text("cli.simulate.exists", lang, file=clean(path)))
        return files


@dataclass(frozen=True)
class Files:
    """Files to be written into a folder: one, or with ``shard`` as many as it takes."""

    folder: Path
    stem: str
    kind: str
    shard: int | None
    home: Path | None

    @property
    def are_sheets(self) -> bool:
        """Whether they are score sheets."""
        return self.kind in ("csv", "xlsx")

    @property
    def shown(self) -> str:
        """What is written, for people."""
        return str(self.folder if self.shard else self.path(0))

    @property
    def shown_truth(self) -> str:
        """Where the truths are, for people."""
        truth = self.truth(self.path(0))
        return str(truth) if self.shard is None else str(truth.with_name(truth.name.replace("-00001.", "-*.")))

    def make_folder(self) -> None:
        """Make the folder of an inbox or of shards."""
        if self.shard or self.home is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, record: int) -> Path:
        """The file of a record, counted from 0."""
        number = "" if self.shard is None else f"-{record // self.shard + 1:05}"
        return self.folder / f"{self.stem}{number}.{self.kind}"

    def truth(self, path: Path) -> Path:
        """The file of truths for a file of matches: beside it, for an inbox in the home."""
        from yuanzi_core.files import TRUTH_SUFFIX

        return (self.home or path.parent) / f"{path.name}{TRUTH_SUFFIX}"

    def there(self) -> Iterator[Path]:
        """Files that are there and would be replaced, or would stand among the new ones; the truths last."""
        yield from self._like(self.path(0))
        yield from self.truths()

    def truths(self) -> Iterator[Path]:
        """Truths that are there about files of these names."""
        yield from self._like(self.truth(self.path(0)))

    def _like(self, path: Path) -> Iterator[Path]:
        """A file if it is there, with ``shard`` all whose names begin and end so, whatever their number."""
        if self.shard is None:
            yield from [path] if path.exists() else []
        elif path.parent.is_dir():
            before, _, after = path.name.rpartition("-00001.")
            names = sorted(one.name for one in path.parent.iterdir())
            yield from (
                path.with_name(name) for name in names if name.startswith(f"{before}-") and name.endswith(f".{after}")
            )


@contextmanager
def told(shown: str, lang: Lang) -> Iterator[None]:
    """Writing, with what stops it in words.

    :raises CallFailed: the disk is full, or a sheet cannot hold that many rows.
    :raises OSError: another trouble with a file.
    """
    from yuanzi_core.sheet_limits import MOST_ROWS
    from yuanzi_core.sheet_writer import TooManyRows

    try:
        yield
    except TooManyRows:
        raise CallFailed(text("cli.simulate.too_many_rows", lang, limit=f"{MOST_ROWS:,}")) from None
    except OSError as error:
        if is_full(error):
            raise CallFailed(text("cli.simulate.disk_full", lang, file=clean(shown))) from None
        raise
