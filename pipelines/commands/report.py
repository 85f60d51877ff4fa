"""What a published snapshot holds, told on the terminal: the accounting of files, what is wrong, some results."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pipelines.commands.registry import problem_lines
from pipelines.commands.terminal import add_row, clean, columns, painted, say, show, table, width_of_page, wrapped
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from pathlib import Path

#: What becomes of a record in a warehouse.
STATUSES = ("settled", "unfinished", "violation", "rejected", "duplicate", "superseded", "withdrawn")
_FILES = """
select file_id, file_name, damage is not null, read, settled, unfinished, violation, rejected, duplicate, superseded,
    withdrawn, discrepancies
from out_audit__files
order by file_name, file_id
"""
# What is wrong in some files ($files): the first of each code, then the others.
_REJECTED = """
select file_name, line, match_id, code, null, null, null, if($lang = 'zh', message_zh, message_en)
from out_audit__records
where status = 'rejected' and list_contains($files, file_id)
order by row_number() over (partition by code order by file_name, file_id, line), file_name, file_id, line
"""
_VIOLATIONS = """
select file_name, line, match_id, code, variant, deal, play, if($lang = 'zh', message_zh, message_en)
from out_audit__violations
where list_contains($files, file_id)
order by row_number() over (partition by code order by file_name, file_id, line), file_name, file_id, line
"""
_DISCREPANCIES = """
select file_name, line, match_id, code, variant, deal, null, if($lang = 'zh', message_zh, message_en)
from out_audit__discrepancies
where list_contains($files, file_id)
order by row_number() over (partition by code order by file_name, file_id, line, deal), file_name, file_id, line, deal
"""
_REGISTRIES = """
select file, "row", "column", entry, code, if($lang = 'zh', message_zh, message_en)
from out_audit__registry
"""
_FINDINGS = {"rejected": _REJECTED, "violations": _VIOLATIONS, "discrepancies": _DISCREPANCIES}
# Of each game and outcome the first, then the others.
_RESULTS = """
select match_id, variant, outcome, winner, player_names, player_ids, scores
from out_matches
where status = 'settled'
order by row_number() over (partition by variant, outcome order by played_at, match_id), variant, outcome
limit $most
"""


class Report:
    """A snapshot, open for reading, and the language to tell it in. Without a snapshot there is nothing to tell."""

    def __init__(self, snapshot: Path | None, lang: Lang) -> None:
        self.snapshot, self.lang = snapshot, lang

    def __enter__(self) -> Report:
        import duckdb

        self.con = duckdb.connect(str(self.snapshot), read_only=True) if self.snapshot else None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.con is not None:
            self.con.close()

    def rows(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """What a query gives."""
        return self.con.execute(query, parameters).fetchall() if self.con is not None else []

    def named_rows(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """The same, each row with the names of its columns."""
        if self.con is None:
            return []
        found = self.con.execute(query, parameters)
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def text(self, key: str, **fields: object) -> str:
        """A text of the report."""
        return text(f"cli.report.{key}", self.lang, **fields)

    def tell_files(self, chosen: Sequence[str] | None = None) -> None:
        """The accounting: of each file (or some, by file_id) what was read is the sum of what became of it."""
        files = self.rows(_FILES)
        shown = [file for file in files if chosen is None or file[0] in chosen]
        if not files:
            return
        say("", painted(self.text("files"), "bold"))
        width = max(len(str(file[3])) for file in files)
        rows = [
            [self.text("damaged", file=clean(name)) if damaged else clean(name), *self._sum(counts, width)]
            for _, name, damaged, *counts in shown
        ]
        if rows:
            say(*columns(rows))
        total = self._sum([sum(counts) for counts in zip(*[file[3:] for file in files], strict=True)])
        line = self.text("all_files", files=len(files), counts=" ".join(total))
        first, *rest = wrapped(line, width_of_page() - 4)
        say(f"  {painted(first, 'bold')}", *[f"    {painted(part, 'bold')}" for part in rest])

    def _sum(self, counts: Sequence[int], width: int = 0) -> list[str]:
        read, *became, claims = counts
        parts = [
            text("cli.check.part", self.lang, count=count, status=text(f"terms.status.{status}", self.lang))
            for status, count in zip(STATUSES, became, strict=True)
            if count
        ]
        line = self.text("sum", parts=" + ".join(parts) or "0")
        return [
            self.text("read", read=str(read).rjust(width)),
            line + (self.text("claims", count=claims) if claims else ""),
        ]

    def tell_findings(self, most: int, chosen: Sequence[str] | None = None) -> None:
        """What is wrong: rejects, violations, claims that do not hold. If there are many, ``most`` of each, all codes
        first."""
        files = [file[0] for file in self.rows(_FILES) if chosen is None or file[0] in chosen]
        if not files:
            return
        for name, query in _FINDINGS.items():
            found = self.rows(query, files=files, lang=self.lang)
            if not found:
                continue
            say("", painted(self.text(name, count=len(found)), "bold"))
            for row in sorted(found[:most], key=lambda row: (row[0], row[1])):
                say(*self._finding(row))
            if len(found) > most:
                say("  " + self.text("more", count=len(found) - most))

    def _finding(self, row: Sequence[Any]) -> list[str]:
        file, line, match, code, variant, deal, play, message = row
        places = [clean(match or "-")]
        # With five players a match is one deal.
        if deal is not None and variant == "four":
            places.append(text(f"terms.half.{deal}", self.lang))
        if play is not None:
            places.append(self.text("play", play=play))
        where = painted(f"{clean(file)}:{line}", "cyan")
        said = wrapped(clean(message), width_of_page() - 6)
        return [f"  {where}  {' '.join(places)}  {painted(code, 'red')}", *[f"      {part}" for part in said]]

    def tell_registries(self, most: int) -> None:
        """What is wrong with the registries, with every run as long as it is: at most so many lines of it."""
        # Where a run failed, readers may still have the snapshot of a version that did not know of registries.
        if ("out_audit__registry",) not in self.rows("select table_name from information_schema.tables"):
            return
        found = self.rows(_REGISTRIES, lang=self.lang)
        if not found:
            return
        say("", painted(text("registry.told.problems", self.lang, count=len(found)), "bold"))
        for row in found[:most]:
            say(*problem_lines(*row))
        if len(found) > most:
            say("  " + text("registry.told.more", self.lang, count=len(found) - most))

    def tell_results(self, most: int) -> None:
        """Some matches with their results."""
        from yuanzi_core.words import listed, side_word, signed

        rows = self.rows(_RESULTS, most=most)
        if not rows:
            return
        made = table((self.text("match"), "whole"), self.text("result"), self.text("scores"))
        for match, variant, outcome, winner, names, ids, scores in rows:
            result = text(f"terms.outcome.{outcome}", self.lang)
            if winner is not None:
                result = text("cli.check.won", self.lang, outcome=result, winner=side_word(variant, winner, self.lang))
            players = [clean((names or ids)[seat] or ids[seat]) for seat in range(len(ids))]
            held = [f"{player} {signed(score)}" for player, score in zip(players, scores, strict=True)]
            add_row(made, clean(match), result, listed(held, self.lang))
        say("", painted(self.text("results"), "bold"))
        show(made)
