"""What legal deals tell about the rules: what was dealt, and how it was played.

Studies only: nothing here decides a verdict or a score. The pages and tables that show it are elsewhere.
"""

#: How wide the stretches are in which values are counted: card points of a side, tricks of a deal, the trick in which a
#: partner is revealed.
POINTS_WIDTH, TRICKS_WIDTH, REVEAL_WIDTH = 20, 5, 5
