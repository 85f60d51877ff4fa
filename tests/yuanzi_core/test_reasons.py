"""Reasons: names, numbers and places as the format and the referee know them, and a text in each language."""

from __future__ import annotations

import json
import pickle
import re
from importlib.resources import files
from string import Formatter

import pytest

from yuanzi_core.cards import VARIANTS
from yuanzi_core.reasons import Discrepancy, Note, Reason, Reject, Violation
from yuanzi_core.texts import LANGS, Lang, keys, text

REJECTS = ["JSON", "VERSION", "SCHEMA", "RULESET", "NOTATION", "DUPLICATE", "SHEET"]
# H2, in the order of checking: code, place, the fields of its text.
VIOLATIONS = [
    ("DECK", "deal", {"expected", "found"}),
    ("KNIFE", "deal", {"cards", "expected", "found"}),
    ("FIRST_DRAW", "deal", {"expected", "found"}),
    ("HAND_SIZE", "deal", {"seat", "expected", "found"}),
    ("CALL", "deal", {"seat", "cards"}),
    ("LEADER", "deal", {"expected", "found"}),
    ("AFTER_END", "play", {"seat", "cards"}),
    ("TURN", "play", {"seat", "expected"}),
    ("LEAD_PASS", "play", {"seat"}),
    ("NOT_HELD", "play", {"seat", "cards", "found"}),
    ("NOT_A_COMBO", "play", {"seat", "cards"}),
    ("CANNOT_BEAT", "play", {"seat", "cards", "table"}),
    ("TRUNCATED", "play", {"expected"}),
    ("END", "play", {"expected", "found"}),
]
# A text for a special case may know other fields.
VIOLATION_CASES = {
    "KNIFE.text_joker": {"cards"},
    "CALL.text_joker": {"seat", "cards"},
    "CALL.text_knife": {"seat", "cards"},
    "CALL.text_held": {"seat", "cards"},
    "AFTER_END.text_half": set(),
    "AFTER_END.text_half_clamp": set(),
    "AFTER_END.text_half_escape": set(),
    "NOT_A_COMBO.text_ranks": {"seat", "cards"},
    "NOT_A_COMBO.text_knife": {"seat", "cards"},
    "TRUNCATED.text_points": {"expected", "found"},
    "TRUNCATED.text_open": {"expected"},
    "END.text_never": {"found"},
}
DISCREPANCIES = [
    "CLAIM_FINISH",
    "CLAIM_CAPTURED",
    "CLAIM_SIDE_POINTS",
    "CLAIM_OUTCOME",
    "CLAIM_WINNER",
    "CLAIM_SCORES",
    "CLAIM_BALANCE",
]
NOTES = {
    "UNKNOWN_FIELDS": {"count"},
    "OTHER_VARIANT_FIELDS": {"count"},
    "CLAIM_UNREADABLE": {"path"},
    "ESCAPE_CLAIM": set(),
    "NO_CAP_UNKNOWN_STANDING": {"seats"},
    "CAP_ZERO": {"seats"},
}
# The log format's own headings.
SECTIONS = {"Match log", "Verdicts", "Which record counts", "Score sheets"}

# Every field that some text of a reason takes.
FIELDS = [
    *("seat", "cards", "table", "expected", "found"),
    *("path", "at", "place", "detail", "limit", "last", "below", "decimals", "ruleset", "option", "value", "allowed"),
    *("match", "revision", "claimed", "recomputed", "count", "seats"),
]

EVERY: list[Reason] = [*Reject, *Violation, *Discrepancy, *Note]


def _fields(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


def _template(key: str, lang: Lang) -> str:
    """A text in which each field stands for itself."""
    return text(key, lang, **{field: f"{{{field}}}" for field in FIELDS})


def test_H2_violations_in_the_order_of_checking() -> None:
    assert [v.value for v in Violation] == [code for code, _, _ in VIOLATIONS]
    assert [v.number for v in Violation] == list(range(1, 15))
    assert [v.place for v in Violation] == [place for _, place, _ in VIOLATIONS]


def test_H2_the_kernel_s_number_leads_back_to_the_violation() -> None:
    assert all(Violation.numbered(v.number) is v for v in Violation)
    for number in (0, 15):
        with pytest.raises(ValueError, match="number"):
            Violation.numbered(number)


def test_rejects_discrepancies_and_notes_in_their_order() -> None:
    assert [r.value for r in Reject] == REJECTS
    assert [d.value for d in Discrepancy] == DISCREPANCIES
    assert [n.value for n in Note] == list(NOTES)


def test_a_reason_is_its_name() -> None:
    for reason in EVERY:
        assert type(reason)(reason.value) is reason
        assert reason == reason.name == str(reason)
        assert json.dumps(reason) == f'"{reason.name}"'
        assert pickle.loads(pickle.dumps(reason)) is reason


@pytest.mark.parametrize("lang", LANGS)
def test_clauses_stand_in_the_rulebook(lang: Lang) -> None:
    book = (files("yuanzi_core") / f"rulebook.{lang}.md").read_text(encoding="utf-8")
    known = set(re.findall(r"^### ([A-H]\d+) ", book, re.MULTILINE))
    for reason in EVERY:
        assert reason.clause
        assert len(set(reason.clause)) == len(reason.clause)
        numbers = {clause for clause in reason.clause if re.fullmatch(r"[A-H]\d+", clause)}
        assert numbers <= known
        if isinstance(reason, Reject):
            assert set(reason.clause) <= SECTIONS
        elif not isinstance(reason, Note):
            assert numbers == set(reason.clause)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("reason", EVERY, ids=lambda reason: reason.key)
def test_each_reason_has_its_texts(reason: Reason, lang: Lang) -> None:
    for part in ("name", "text"):
        assert _template(f"{reason.key}.{part}", lang).strip()
    assert not _fields(_template(f"{reason.key}.name", lang))
    if lang == "en":
        assert 2 <= len(_template(f"{reason.key}.name", lang).split()) <= 4
    rules = {f"{reason.key}.rule": reason.clause}
    if isinstance(reason, Discrepancy):
        rules = {reason.rule_key(variant): reason.clauses[variant] for variant in VARIANTS}
    for key, clauses in rules.items():
        # The rule names the clauses that it states, no more and no fewer.
        rule = _template(key, lang)
        assert not _fields(rule)
        cited = set(re.findall(r"(?<![A-Za-z-])[A-H]\d+", rule))
        assert cited == {clause for clause in clauses if re.fullmatch(r"[A-H]\d+", clause)}
        for section in set(clauses) & SECTIONS - {"Verdicts"}:
            assert section in rule


def test_a_discrepancy_cites_clauses_of_its_game() -> None:
    # As the headings of the rulebook say; E5, the base, is of both.
    for code in Discrepancy:
        assert not {clause for clause in code.clauses["four"] if clause[0] == "F" or clause == "D3"}
        assert not {clause for clause in code.clauses["five"] if clause in ("D1", "D2", "E1", "E2", "E3", "E4")}


@pytest.mark.parametrize("lang", LANGS)
def test_each_text_belongs_to_a_reason(lang: Lang) -> None:
    for key in keys("reasons", lang):
        owner, part = key.rsplit(".", 1)
        assert owner in {reason.key for reason in EVERY}
        assert part in ("name", "text", "rule", "rule_four", "rule_five") or part.startswith("text_")


@pytest.mark.parametrize("lang", LANGS)
def test_violations_take_the_documented_fields(lang: Lang) -> None:
    for code, _, fields in VIOLATIONS:
        assert _fields(_template(f"reasons.violation.{code}.text", lang)) == fields
    cases = {key.removeprefix("reasons.violation."): key for key in keys("reasons", lang) if ".text_" in key}
    found = {short: _fields(_template(key, lang)) for short, key in cases.items() if not short.startswith("reasons.")}
    assert found == VIOLATION_CASES


@pytest.mark.parametrize("lang", LANGS)
def test_discrepancies_and_notes_take_the_documented_fields(lang: Lang) -> None:
    for code in DISCREPANCIES:
        assert _fields(_template(f"reasons.discrepancy.{code}.text", lang)) == {"claimed", "recomputed"}
    for code, fields in NOTES.items():
        assert _fields(_template(f"reasons.note.{code}.text", lang)) == fields


def test_a_violation_in_words() -> None:
    assert (
        text("reasons.violation.CANNOT_BEAT.text", "en", seat="East", cards="♠9 ♥9", table="a pair of 10s")
        == "East played ♠9 ♥9, which does not beat a pair of 10s."
    )
    assert (
        text("reasons.violation.CANNOT_BEAT.text", "zh", seat="东", cards="♠9 ♥9", table="一对 10")
        == "东打出的 ♠9 ♥9 压不住桌上的一对 10。"
    )
