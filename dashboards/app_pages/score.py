"""The calculator: a result entered by hand, settled while it is typed, clause by clause. It needs no results and writes
nothing.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboards.components import result_address
from dashboards.components.explanation import explanation
from dashboards.components.figures import tone, word
from dashboards.components.frame import Frame, frame
from dashboards.components.markup import chip, joined, show, tag, with_cards
from dashboards.components.places import seat
from dashboards.components.result_form import ResultForm, changed_options, place_of, rules_cell
from dashboards.components.rules import written
from dashboards.components.tables import Column, Line, table
from yuanzi_core.calculator import Entry, Result, calculate
from yuanzi_core.cards import VARIANTS, Variant
from yuanzi_core.explanation import Explanation
from yuanzi_core.ruleset import RuleSet, RulesetError, Rulesets
from yuanzi_core.texts import Lang
from yuanzi_core.words import signed

#: Sections that stand elsewhere on the page.
ELSEWHERE = ("summary", "scores")


@st.cache_data(show_spinner=False, max_entries=500)
def _calculated(
    variant: Variant,
    of_match: tuple[tuple[str, str], ...],
    deals: tuple[tuple[tuple[str, str], ...], ...],
    lang: Lang,
    ruleset: str,
    _home: Path,
) -> Result:
    # The hash of the ruleset is part of the key only: its file may have changed.
    return calculate(Entry(variant, dict(of_match), [dict(deal) for deal in deals]), Rulesets(_home / "rulesets"), lang)


def calculated(page: Frame, entry: Entry, ruleset: RuleSet) -> Result:
    """The settlement of an entry."""
    deals = tuple(tuple(deal.items()) for deal in entry.deals)
    return _calculated(entry.variant, tuple(entry.of_match.items()), deals, page.lang, ruleset.hash, page.home)


def chosen_ruleset(page: Frame) -> RuleSet:
    """The game and one of its rulesets that can be read."""
    variant: Variant = st.segmented_control(
        page.say("score.game"), VARIANTS, default=VARIANTS[0], required=True, key="score-variant",
        format_func=lambda game: page.say(f"score.players_{game}"), persist_state="session",
    )  # fmt: skip
    known = Rulesets(page.home / "rulesets")
    names = []
    for name in known.names():
        try:
            if known[name].variant == variant:
                names.append(name)
        except RulesetError:
            # The pages of results say what is wrong with it.
            continue
    chosen = st.selectbox(
        page.say("score.ruleset"), names, key=f"score-ruleset-{variant}", persist_state="session",
        format_func=lambda name: word(f"terms.ruleset.{name}", page.lang, name),
    )  # fmt: skip
    return known[chosen]


def enter(page: Frame, ruleset: RuleSet) -> tuple[ResultForm, Result | None]:
    """The form, and the settlement of what stands in it; None as long as nothing does."""
    form = ResultForm(page, ruleset)
    with st.expander(page.say("score.options")):
        changed = changed_options(page, ruleset)
    form.entry.of_match["rules"] = rules_cell(changed)
    try:
        in_force = ruleset.with_options({name: _typed(value) for name, value in changed.items()})
    except RulesetError:
        in_force = ruleset
    form.of_match(in_force)
    st.subheader(page.say("score.half_0" if ruleset.variant == "four" else "score.deal"), anchor=False)
    begun = form.deal(0)
    if not begun:
        return form, None
    result = calculated(page, form.entry, in_force)
    if result.answer["outcome"] == "unfinished":
        st.subheader(page.say("score.half_1"), anchor=False)
        st.caption(page.say("score.lower_follows"))
        if form.deal(1):
            result = calculated(page, form.entry, in_force)
        else:
            form.entry.deals.pop()
    return form, result


def _typed(value: str) -> object:
    return {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)


def say_what_is_wrong(page: Frame, form: ResultForm, result: Result) -> None:
    """Why the entry cannot be, or what is still missing, at its place."""
    slot = place_of(form.slots, result.deal, result.column, form.entry.deals)
    tone = "warn" if result.is_missing else "bad"
    mark = chip(page.say("score.still" if result.is_missing else "score.impossible"), tone)
    place = seat(page, form.entry.variant, int(result.column[-1])) if result.column[-1:].isdigit() else None
    said = joined(None if place is None else tag("strong", place, " "), with_cards(result.message))
    with st.container() if slot is None else slot.container():
        show(tag("p", mark, " ", said, role="status"))


def outcome(page: Frame, entry: Entry, result: Result) -> None:
    """Who wins what, how that comes about, and the rows to copy."""
    summary = [line.text for section in result.sections if section.key == "summary" for line in section.lines]
    st.subheader(page.say("score.result"), anchor=False)
    show(joined(*[tag("p", line) for line in summary[:1]]))
    scores = result.answer["scores"]
    if scores is not None:
        columns = [Column(page.say("score.seat")), Column(page.say("score.score"), True)]
        lines = [
            Line([seat(page, entry.variant, number), chip(signed(score), tone(score))])
            for number, score in enumerate(scores)
        ]
        show(table(columns, lines, stack=False))
    st.subheader(page.say("score.why"), anchor=False)
    explanation(page, Explanation(page.lang, str(result.answer["status"]), "", result.sections), ELSEWHERE)
    st.subheader(page.say("score.copy"), anchor=False)
    for key, tabs in (("copy_tabs", True), ("copy_csv", False)):
        st.caption(page.say(f"score.{key}"))
        st.code(entry.as_text(page.lang, tabs), language=None)


page = frame()
result_address.arrive(page.home)
st.title(page.say("score.title"), anchor=False)
st.caption(page.say("score.intro"))
left, right = st.columns([1, 1], gap="large")
with left:
    ruleset = chosen_ruleset(page)
    form, result = enter(page, ruleset)
own = {name: written(value) for name, value in ruleset.options.items()}
result_address.follow(ruleset.variant, ruleset.name, own)
with right:
    if result is None or not result.is_possible:
        st.info(page.say("score.begin"))
    else:
        outcome(page, form.entry, result)
if result is not None and not result.is_possible:
    say_what_is_wrong(page, form, result)
