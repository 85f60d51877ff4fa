"""Sentences for the audit tables, as functions that SQL can call."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from yuanzi_core.log import Problem
from yuanzi_core.messages import message_of_discrepancy, message_of_problem
from yuanzi_core.reasons import Reject

if TYPE_CHECKING:
    import duckdb

    from yuanzi_core.cards import Variant
    from yuanzi_core.texts import Lang


def _of_conflict(match_id: str, revision: int, lang: str) -> str:
    problem = Problem(Reject.DUPLICATE, "other_content", match=match_id, revision=revision)
    return message_of_problem(problem, cast("Lang", lang))


def _of_discrepancy(code: str, claimed: str, recomputed: str, variant: str, lang: str) -> str:
    return message_of_discrepancy(code, claimed, recomputed, cast("Variant", variant), cast("Lang", lang))


def add_messages(con: duckdb.DuckDBPyConnection) -> None:
    """Make ``message_of_conflict`` and ``message_of_discrepancy`` known to a connection (last argument: language)."""
    text = "VARCHAR"
    con.create_function("message_of_conflict", _of_conflict, [text, "INTEGER", text], text)
    con.create_function("message_of_discrepancy", _of_discrepancy, [text] * 5, text)
