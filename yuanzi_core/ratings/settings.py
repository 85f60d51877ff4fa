"""The model in use and the numbers around it. What each was chosen over, and by how much, stands in
``tests/benchmarks/README.md``; ``python -m tests.benchmarks ratings`` measures it anew."""

from __future__ import annotations

import math

from yuanzi_core.cards import Variant
from yuanzi_core.ratings.elo import POINTS, Elo
from yuanzi_core.ratings.openskill_model import OpenSkill

#: The rating of a newcomer as shown. A point is one of Elo's: 400 more on a side are odds of ten to one.
CENTRE = 1500
#: The interval shown, ``rating_low`` to ``rating_high``, is the skill give or take so many standard deviations: 95 %.
INTERVAL_SIGMAS = 2
#: Matches from which a player stands on the leaderboard, and days since the last one from which the mark says inactive.
LEAST_MATCHES, INACTIVE_DAYS = 20, 90

#: The spread of a side's play that makes a point one of Elo's where sides are about even: a side that is better by 100
#: is expected to win 64 of 100 matches, were all skills known for certain. (The normal curve and Elo's have one slope.)
BETA = POINTS * 4 / math.sqrt(2 * math.pi) / math.sqrt(2)
#: The models in use.
MODELS: dict[Variant, OpenSkill] = {
    "four": OpenSkill("ThurstoneMostellerFull", sigma=160.0, beta=BETA, tau=1.0, offset_sigma=0.0),
    "five": OpenSkill("ThurstoneMostellerFull", sigma=90.0, beta=BETA, tau=0.4, offset_sigma=200.0),
}
#: What they are measured against.
BASELINE = Elo(k=24.0)
