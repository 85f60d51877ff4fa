"""LOG_FORMAT, discrepancies: what the table claimed against what was recomputed."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any

from .options import exact

Discrepancy = dict[str, Any]


def compare_deal(deal: int, claimed: object, answer: Mapping[str, Any], notes: list[str]) -> list[Discrepancy]:
    """CLAIM_FINISH, CLAIM_CAPTURED and CLAIM_SIDE_POINTS of one deal, in this order; `answer` is its entry."""
    where = f"deals[{deal}].claimed"
    found: list[Discrepancy] = []
    for field, code in (
        ("finish", "CLAIM_FINISH"),
        ("captured", "CLAIM_CAPTURED"),
        ("side_points", "CLAIM_SIDE_POINTS"),
    ):
        value, recomputed = _claim(claimed, field, where, notes), answer[field]
        # A claim is compared only with a value that exists (not `side_points` of an escape).
        if value is None or recomputed is None:
            continue
        seats = len(answer["sides"])
        right_size = isinstance(value, list) and (
            len(value) <= seats if field == "finish" else len(value) == len(recomputed)
        )
        if not right_size or not all(_is_whole(number) for number in value):
            notes.append(_wrong(where, field))
        elif value != recomputed:
            found.append(_discrepancy(code, deal, value, recomputed))
    return found


def compare_match(
    claimed: object, answer: Mapping[str, Any], tolerates: Callable[[list[Fraction]], bool], notes: list[str]
) -> list[Discrepancy]:
    """CLAIM_OUTCOME, CLAIM_WINNER and CLAIM_SCORES of the match, in this order.

    `answer` holds the recomputed `outcome`, `winner` and exact `scores`; `tolerates` says whether scores that differ
    are only worth a note (F7).
    """
    found: list[Discrepancy] = []

    value = _claim(claimed, "outcome", "claimed", notes)
    if value is not None:
        if not isinstance(value, str):
            notes.append(_wrong("claimed", "outcome"))
        elif value != answer["outcome"]:
            found.append(_discrepancy("CLAIM_OUTCOME", None, value, answer["outcome"]))

    value = _claim(claimed, "winner", "claimed", notes)
    if value is not None and answer["winner"] is not None:
        if not _is_whole(value):
            notes.append(_wrong("claimed", "winner"))
        elif value != answer["winner"]:
            found.append(_discrepancy("CLAIM_WINNER", None, value, answer["winner"]))

    value = _claim(claimed, "scores", "claimed", notes)
    scores: list[Fraction] | None = answer["scores"]
    if value is not None and scores is not None:
        if not isinstance(value, list) or len(value) != len(scores) or not all(_is_number(one) for one in value):
            notes.append(_wrong("claimed", "scores"))
        elif [exact(one) for one in value] != scores:
            if tolerates([exact(one) for one in value]):
                notes.append("F7: the claimed scores are off the schedule but within its bounds")
            else:
                found.append(_discrepancy("CLAIM_SCORES", None, value, [printed(score) for score in scores]))
    return found


def printed(score: Fraction) -> int | float:
    """E5, F4: a score as JSON shows it: an integer when whole, else the decimal.

    Scores have at most four decimals and few digits, so the number prints as exactly that decimal and equals the one
    that a reader of the line gets.
    """
    return int(score) if score.denominator == 1 else float(score)


def _claim(claimed: object, field: str, where: str, notes: list[str]) -> Any:
    """The claimed value of a field; null means absent, and an unreadable whole is a note."""
    if claimed is None:
        return None
    if not isinstance(claimed, Mapping):
        if f"{where}: wrong type" not in notes:
            notes.append(f"{where}: wrong type")
        return None
    return claimed.get(field)


def _wrong(where: str, field: str) -> str:
    """A claim of the wrong type or size is a note, never a reject."""
    return f"{where}.{field}: wrong type or size"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_whole(value) or (isinstance(value, float) and isfinite(value))


def _discrepancy(code: str, deal: int | None, claimed: object, recomputed: object) -> Discrepancy:
    return {"code": code, "deal": deal, "claimed": claimed, "recomputed": recomputed}
