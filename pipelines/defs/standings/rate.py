"""How fast a player climbs: the mean score of the last matches, with an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.warehouse import load
from yuanzi_core.certainty import ALPHA

if TYPE_CHECKING:
    import duckdb

#: So many of a player's last matches say at which rate scores come in.
RECENT = 100


def load_student(con: duckdb.DuckDBPyConnection) -> None:
    """Make the table ``student``: by number of ``matches``, from 2, how many standard errors lie between a mean and the
    ``low`` and the ``high`` end of its interval (Student's t)."""
    # The function behind scipy.stats.t, which takes three times as long to load.
    from scipy.special import stdtrit

    matches = range(2, RECENT + 1)
    high = [float(stdtrit(number - 1, 1 - ALPHA / 2)) for number in matches]
    load(
        con, "student", {"matches": matches, "low": [-end for end in high], "high": high},
        {"matches": "bigint", "low": "double", "high": "double"},
    )  # fmt: skip
