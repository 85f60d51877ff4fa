"""The calculator (算分): a result entered by hand becomes rows of a score sheet, and those are read, checked and
settled as any sheet is. No rule stands here, and nothing is written.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from yuanzi_core.answers import Answer, answers
from yuanzi_core.cards import SEATS, Variant
from yuanzi_core.explain import explain_records
from yuanzi_core.explanation import Section
from yuanzi_core.judge import Judge
from yuanzi_core.log import Problem
from yuanzi_core.messages import message_of_problem
from yuanzi_core.reasons import Reject
from yuanzi_core.records import Reader
from yuanzi_core.ruleset import USUAL, Rulesets
from yuanzi_core.sheet_columns import BY_NAME, COLUMNS, Column
from yuanzi_core.sheet_writer import Row, as_text, typed
from yuanzi_core.stream import Judged, read_chunks
from yuanzi_core.texts import Lang

#: Options that the settlement of a result hangs on; the others are about plays.
SETTLING = (
    "downstream", "clamp", "clamp_points", "halves", "early_stop", "atom_doubling", "low_applies", "cap",
    "escape_min_tricks", "escape_upper_compensation",
)  # fmt: skip
#: Sections of an explanation that only repeat the entry, or need the cards.
_NOT_HERE = ("table", "tricks")
#: Sentences of sheets about something that is not there (``sheets.reason.<key>``).
_STILL_TO_COME = ("missing", "nobody_out", "not_over", "tricks_of_escape", "atoms_of_doubling")
#: The row behind the headings.
_FIRST_ROW = 2
#: What a sheet cannot do without and a calculation can.
_MATCH_ID, _PLAYED_AT = "score", "2000-01-01T00:00:00Z"


def columns_of(variant: Variant) -> list[Column]:
    """The columns of a sheet of one game, in their order."""
    return [column for column in COLUMNS if variant in column.games]


@dataclass
class Entry:
    """A result as it is entered: texts of cells by canonical column, those of the match and those of each deal."""

    variant: Variant
    of_match: dict[str, str] = field(default_factory=dict)
    deals: list[dict[str, str]] = field(default_factory=lambda: [{}])

    def rows(self) -> list[Row]:
        """The rows of a sheet, with what was given; an upper half is named even where it is alone."""
        rows: list[Row] = []
        for place, deal in enumerate(self.deals):
            half = {"half": str(place + 1)} if self.variant == "four" else {}
            given = {"variant": self.variant, **self.of_match, **half, **deal}
            given["ruleset"] = given.get("ruleset", "").strip() or USUAL[self.variant]
            rows.append({name: typed(BY_NAME[name], text) for name, text in given.items() if text.strip()})
        return rows

    def as_text(self, lang: Lang, tabs: bool = False) -> str:
        """The rows with headings, to be copied into a sheet."""
        return as_text(self.rows(), columns_of(self.variant), lang, tabs)


@dataclass(frozen=True)
class Result:
    """What came of a calculation.

    ``answer`` is as ``settle`` gives it. ``sections`` explain it, clause by clause. Where the entry is impossible,
    ``message`` says why in words, ``column`` names the column that it is about, if there is one, and ``deal`` the row;
    with ``is_missing`` nothing is wrong yet: something is still to be entered.
    """

    answer: Answer
    sections: tuple[Section, ...]
    message: str | None = None
    column: str = ""
    deal: int | None = None
    is_missing: bool = False

    @property
    def is_possible(self) -> bool:
        """Whether there is a settlement, if only that the match is unfinished."""
        return self.message is None


def calculate(entry: Entry, rulesets: Rulesets, lang: Lang, judge: Judge | None = None) -> Result:
    """Settle what was entered."""
    placeholders = {"match_id": _MATCH_ID, "played_at": _PLAYED_AT}
    seats = range(SEATS[entry.variant])
    placeholders |= {f"player{seat}": f"#{seat}" for seat in seats}
    rows = [{**placeholders, **row} for row in entry.rows()]
    sheet = as_text(rows, columns_of(entry.variant), "en").encode()
    (chunk, _), = read_chunks(io.BytesIO(sheet), "score.csv", Reader(rulesets))  # fmt: skip
    judge = judge or Judge()
    judge.judge(chunk)
    answer = next(answers(Judged("-", chunk, set(), judge), lang))
    names = [entry.of_match.get(f"player{seat}", "") for seat in seats]
    said = next(explain_records(chunk, [0], judge, lang, names))
    sections = tuple(section for section in said.sections if section.key not in _NOT_HERE)
    problem = chunk.records[0].problem
    return Result(answer, sections) if problem is None else _impossible(answer, sections, problem, lang)


def _impossible(answer: Answer, sections: tuple[Section, ...], problem: Problem, lang: Lang) -> Result:
    fields = dict(problem.fields)
    # The rows are the entry's own: what a reader of a file is told of them would only confuse.
    row = fields.pop("row", None)
    message = message_of_problem(Problem(problem.code, problem.key, problem.path, **fields), lang)
    # A ruleset is of no row more than of another.
    deal = row - _FIRST_ROW if isinstance(row, int) and problem.code is Reject.SHEET else None
    of_ruleset = "ruleset" if problem.path == "ruleset" else "rules"
    column = fields.get("column") if problem.code is Reject.SHEET else of_ruleset
    is_missing = problem.key in _STILL_TO_COME
    if problem.key == "sum":
        # Points are entered one by one.
        is_missing = int(str(fields["found"])) < int(str(fields["total"]))
    return Result(answer, sections, message, str(column or ""), deal, is_missing)
