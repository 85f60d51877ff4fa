"""A match judged again and in words: the sections that ``yuanzi_core.explain`` gives, with the clauses they cite."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from dashboards.components.clauses import clause_buttons, clauses
from dashboards.components.frame import Frame, View
from dashboards.components.markup import Html, show, tag, with_cards
from dashboards.queries.rows import Row
from yuanzi_core.explanation import Explanation
from yuanzi_core.explanation import Line as Sentence
from yuanzi_core.files import Line, SheetRecord
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.settlement_flow import Flow
from yuanzi_core.texts import Lang

#: Sections that the page of a match shows in a form of its own, and those that a reader opens if wanted.
ELSEWHERE = ("summary", "verdict", "scores", "claims")
FOLDED = ("table", "tricks", "points")
#: The clause whose lines tell what somebody's standing was: not in public, where that may be a non-member's (G3).
STANDINGS = "F6"

#: What the present judgement and the published one must agree in, under the names of both.
_RESULT = ("status", "code", "ruleset_hash", "outcome", "winner", "scores")


class Again(NamedTuple):
    """A record judged with the present program and rulesets: its explanation, its result as in answers, and how it
    was played and settled, as far as that is known."""

    said: Explanation
    result: Row
    played: dict[str, Any] | None
    flow: Flow | None

    def agrees(self, match: Row) -> bool:
        """Whether a row of ``out_matches`` says the same."""
        return all(self.result.get(name) == match[name] for name in _RESULT)


@st.cache_data(show_spinner=False, max_entries=200)
def _explained(
    snapshot: str,
    file_id: str,
    line: int,
    lang: Lang,
    _record: Line | SheetRecord,
    _home: Path,
    _standings: list[Decimal | None] | None,
) -> Again:
    # Imported here: the compiled referee is needed on this page alone.
    from yuanzi_core.amounts import SCALE, UNKNOWN
    from yuanzi_core.answers import answers
    from yuanzi_core.explain import tell
    from yuanzi_core.judge import Judge
    from yuanzi_core.records import BALANCES, Reader
    from yuanzi_core.registry import read_registry
    from yuanzi_core.replay_view import replay_view
    from yuanzi_core.settlement_flow import settlement_flow
    from yuanzi_core.stream import Judged

    rulesets = Rulesets(_home / "rulesets")
    reader = Reader(rulesets, read_registry(_home, rulesets).sheet_defaults())
    chunk = reader.read_sheets([_record]) if isinstance(_record, SheetRecord) else reader.read([_record])
    for seat, standing in enumerate(_standings or ()):
        if standing is not None and chunk.amounts[0, BALANCES + seat] == UNKNOWN:
            chunk.amounts[0, BALANCES + seat] = int(standing * SCALE)
    judge = Judge()
    judge.judge(chunk)
    told = next(tell(chunk, [0], judge, lang))
    answer = next(answers(Judged(file_id, chunk, set(), judge), lang))
    played = flow = None
    if told.say is not None and told.settled is not None:
        flow = settlement_flow(told.say.variant, told.deals, told.settled)
        if told.replay is not None:
            played = replay_view(told.say, told.replay, told.settled, told.deals)
    return Again(told.explanation, {name: answer.get(name) for name in _RESULT}, played, flow)


def judged_again(
    view: View, file_id: str, record: Line | SheetRecord, standings: Sequence[Decimal | None] | None
) -> Again:  # fmt: skip
    """A record as it was received, judged and explained: a tenth of a second, seconds for the first after a start.

    ``standings``: before the match, by seat, as the ledger has them: F6 takes them where the log gives no balance.
    """
    known = None if standings is None else list(standings)
    return _explained(view.snapshot.hash, file_id, record[0], view.lang, record, view.home, known)


def sentence(view: Frame, line: Sentence) -> Html:
    """One sentence with the clauses behind it."""
    book = clauses(view.lang)
    cited = [
        tag("span", number, class_="yz-clause", title=book[number].title if number in book else None)
        for number in line.clauses
    ]
    return tag("li", with_cards(line.text), *cited)


def explanation(
    view: Frame, said: Explanation, elsewhere: Sequence[str] = ELSEWHERE, without: str | None = None
) -> None:  # fmt: skip
    """The sections one below the other, but those that stand elsewhere on the page, and lines citing one clause."""
    for section in said.sections:
        lines = [line for line in section.lines if without not in line.clauses]
        if section.key in elsewhere or not lines:
            continue
        # The heading is made of our own words only, and a label must not be read as Markdown all the same.
        with st.expander(section.heading, expanded=section.key not in FOLDED):
            show(tag("ul", *[sentence(view, line) for line in lines], class_="yz-lines"))
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                clause_buttons(view, [number for line in lines for number in line.clauses])
