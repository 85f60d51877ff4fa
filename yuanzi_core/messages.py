"""Verdicts in words: the sentence of a reject, and that of a violation with the table as it lay.

The sentences stand in the texts (topic ``reasons``); this module finds what they need.
"""

from __future__ import annotations

from yuanzi_core.deals import Deals
from yuanzi_core.log import Problem
from yuanzi_core.texts import Lang, has, text


def message_of_problem(problem: Problem, lang: Lang) -> str:
    """Why a record is rejected, in words."""
    key = f"{problem.code.key}.text_{problem.key}"
    if not has(key, lang):
        key = f"{problem.code.key}.text"
    fields = {"path": problem.path, **problem.fields}
    if problem.key == "expected":
        for name in ("expected", "found"):
            term = f"terms.type.{fields[name]}"
            fields[name] = text(term, lang) if has(term, lang) else fields[name]
    return text(key, lang, **fields)


def message_of_violation(
    deals: Deals, match: int, code: str, deal: int, play: int | None, lang: Lang
) -> str:  # fmt: skip
    """What is wrong with a deal or a play, in words. ``match`` is the match's place in the batch."""
    return text(f"reasons.violation.{code}.name", lang)
