"""Self-played deals settled as they are, without a log between: what a simulation must know of its own matches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from yuanzi_core import deals as d
from yuanzi_core.amounts import SCALE
from yuanzi_core.deals import Deals
from yuanzi_core.judge import Judge
from yuanzi_core.log import BASE_DECIMALS
from yuanzi_core.records import BASE, Reader, Record, no_amounts
from yuanzi_core.ruleset import Rulesets
from yuanzi_core.settlement import sql


class BatchSettlement:
    """Settles batches of matches. Not for several threads at once."""

    def __init__(self) -> None:
        self._judge, self._reader = Judge(), Reader(Rulesets())

    def _settle(self, deals: Deals, matches: int, base: int = 10**BASE_DECIMALS) -> None:
        rows = range(matches)
        rulesets = np.empty(matches, dtype=np.int64)
        rulesets[deals.head[d.MATCH]] = deals.head[d.RULES]
        chunk = self._reader.read([])
        chunk.records = [Record(row, row, b"", ruleset=deals.rulesets[rulesets[row]]) for row in rows]
        chunk.amounts = no_amounts(matches)
        chunk.amounts[:, BASE] = base
        chunk.deals[deals.variant], chunk.rows[deals.variant] = deals, list(rows)
        self._judge.judge(chunk)

    def unfinished(self, upper: Deals) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The matches that are not over after these upper halves (E1, E3), and their upstream players."""
        self._settle(upper, len(upper))
        found = self._judge.con.execute(sql("unfinished_half")).fetchnumpy()
        return found["line"].astype(np.int64), found["upstream"].astype(np.int64)

    def results(self, deals: Deals, matches: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of finished matches what side 0 has gained, in ten-thousandths, and by how many card points it is ahead."""
        self._settle(deals, matches)
        found = self._judge.con.execute(sql("duel"), {"scale": SCALE}).fetchnumpy()
        return found["score"].astype(np.int64), found["points"].astype(np.int64)

    def movements(self, deals: Deals, matches: int, base: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Of finished matches what each seat wins or loses before the cap, and whether F6 caps it; (matches, seats).

        In ten-thousandths of a point; ``base`` is that of all, in hundredths.
        """
        self._settle(deals, matches, base)
        found = self._judge.con.execute(sql("seat_score"), {"scale": SCALE}).fetchnumpy()
        shape = (matches, deals.hands.shape[1])
        return found["score"].astype(np.int64).reshape(shape), found["capped"].astype(np.bool_).reshape(shape)
